"""A round through the API, as a user would write it. Every language prints the same lines."""

import os
from collections.abc import Callable

from edge_client import AuthenticatedClient, models
from edge_client.api.edges import create_edge, delete_edge, get_edge, update_edge
from edge_client.api.event_sources import create_event_source, delete_event_source
from edge_client.api.routes import create_route, delete_route, update_route
from edge_client.calls import ApiError, call, event_sources

SUBSCRIPTION = "sub_orders"


def print_refusal(operation: Callable[[], object]) -> None:
    try:
        operation()
    except ApiError as error:
        faults = sorted(f" {fault.pointer} {fault.code}" for fault in error.errors)
        print(f"{error.status} {error.code}{':' if faults else ''}{','.join(faults)}")
    else:
        raise RuntimeError("not refused")


def main(client: AuthenticatedClient) -> None:
    body = models.HTTPSEdgeCreate(
        description="Public storefront",
        metadata='{"team":"web"}',
        hostports=["shop.example.com:443"],
        tls_termination=models.EndpointTLSTerminationAtEdge(min_version=models.TLSVersion.TLS_1_3),
    )
    edge = call(create_edge.sync, client=client, body=body)
    assert edge.tls_termination is not None
    print(f"created edge: {edge.description} [{', '.join(edge.hostports)}], TLS {edge.tls_termination.min_version}")

    github = models.EndpointOAuthGitHubMutate(organizations=["acme"])
    oauth = models.EndpointOAuthMutate(provider=models.EndpointOAuthProviderMutate(github=github))
    new_route = models.HTTPSEdgeRouteCreate(match_type=models.MatchType.PATH_PREFIX, match="/", oauth=oauth)
    route = call(create_route.sync, edge.id, client=client, body=new_route)
    assert route.oauth is not None and route.oauth.provider.github is not None
    organizations = ", ".join(route.oauth.provider.github.organizations)
    print(f"created route: {route.match_type} {route.match}, oauth github [{organizations}]")

    for type_ in ["ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0"]:
        call(create_event_source.sync, SUBSCRIPTION, client=client, body=models.EventSourceCreate(type_=type_))
    for source in event_sources(client, SUBSCRIPTION, limit=1):
        print(f"source: {source.type_}")

    # None is null: the description is reset. What is UNSET, here the metadata, stays.
    updated = call(update_edge.sync, edge.id, client=client, body=models.HTTPSEdgeUpdate(description=None))
    print(f'updated edge: description "{updated.description}", metadata {updated.metadata}')

    oidc = models.EndpointOIDCMutate(issuer="https://id.example.com", client_id="storefront", client_secret="s3cret")
    change = models.HTTPSEdgeRouteUpdate(oauth=None, oidc=oidc)
    swapped = call(update_route.sync, edge.id, route.id, client=client, body=change)
    assert swapped.oidc is not None
    print(f"updated route: oauth {'null' if swapped.oauth is None else 'set'}, oidc {swapped.oidc.issuer}")

    invalid = models.HTTPSEdgeCreate(description="é" * 200, hostports=["no-port"])
    print_refusal(lambda: call(create_edge.sync, client=client, body=invalid))
    print_refusal(lambda: call(get_edge.sync, "edghts_unknown", client=client))
    again = models.EventSourceCreate(type_="ip_policy_created.v0")
    print_refusal(lambda: call(create_event_source.sync, SUBSCRIPTION, client=client, body=again))

    call(delete_event_source.sync, SUBSCRIPTION, "ip_policy_created.v0", client=client)
    call(delete_route.sync, edge.id, route.id, client=client)
    call(delete_edge.sync, edge.id, client=client)
    print("deleted")
    print_refusal(lambda: call(get_edge.sync, edge.id, client=client))


with AuthenticatedClient(base_url=os.environ["EDGE_URL"], token=os.environ["EDGE_TOKEN"]) as api:
    main(api)
