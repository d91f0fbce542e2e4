"""A round through the API, as a user would write it. Every language prints the same lines."""

import os
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

from edge_client import AuthenticatedClient, models
from edge_client.api.edges import create_edge, delete_edge, get_edge, update_edge
from edge_client.api.event_sources import create_event_source, delete_event_source, list_event_sources
from edge_client.api.routes import create_route, delete_route, update_route
from edge_client.types import UNSET, Response, Unset

SUBSCRIPTION = "sub_orders"
Answer = TypeVar("Answer")


def ok(answer: Answer | models.Problem | None) -> Answer:
    """The generated calls return refusals; in a program they are easier raised."""
    if isinstance(answer, models.Problem) or answer is None:
        raise RuntimeError(answer)
    return answer


def gone(response: Response[Any]) -> None:
    if response.status_code != HTTPStatus.NO_CONTENT:
        raise RuntimeError(response)


def event_sources(client: AuthenticatedClient, limit: int) -> Iterator[models.EventSource]:
    cursor: str | None | Unset = UNSET
    while cursor is not None:
        page = ok(list_event_sources.sync(SUBSCRIPTION, client=client, limit=limit, cursor=cursor))
        yield from page.sources
        cursor = None if page.uri is None else parse_qs(urlsplit(page.uri).query)["cursor"][0]


def print_refusal(answer: object) -> None:
    assert isinstance(answer, models.Problem), answer
    faults = sorted(f" {fault.pointer} {fault.code}" for fault in answer.errors or [])
    print(f"{answer.status} {answer.code}{':' if faults else ''}{','.join(faults)}")


def main(client: AuthenticatedClient) -> None:
    body = models.HTTPSEdgeCreate(
        description="Public storefront",
        metadata='{"team":"web"}',
        hostports=["shop.example.com:443"],
        tls_termination=models.EndpointTLSTerminationAtEdge(min_version=models.TLSVersion.TLS_1_3),
    )
    edge = ok(create_edge.sync(client=client, body=body))
    assert edge.tls_termination is not None
    print(f"created edge: {edge.description} [{', '.join(edge.hostports)}], TLS {edge.tls_termination.min_version}")

    github = models.EndpointOAuthGitHubMutate(organizations=["acme"])
    oauth = models.EndpointOAuthMutate(provider=models.EndpointOAuthProviderMutate(github=github))
    new_route = models.HTTPSEdgeRouteCreate(match_type=models.MatchType.PATH_PREFIX, match="/", oauth=oauth)
    route = ok(create_route.sync(edge.id, client=client, body=new_route))
    assert route.oauth is not None and route.oauth.provider.github is not None
    organizations = ", ".join(route.oauth.provider.github.organizations)
    print(f"created route: {route.match_type} {route.match}, oauth github [{organizations}]")

    for type_ in ["ip_policy_created.v0", "http_request_complete.v0", "ip_policy_updated.v0"]:
        ok(create_event_source.sync(SUBSCRIPTION, client=client, body=models.EventSourceCreate(type_=type_)))
    for source in event_sources(client, limit=1):
        print(f"source: {source.type_}")

    # None is null: the description is reset. What is UNSET, here the metadata, stays.
    updated = ok(update_edge.sync(edge.id, client=client, body=models.HTTPSEdgeUpdate(description=None)))
    print(f'updated edge: description "{updated.description}", metadata {updated.metadata}')

    oidc = models.EndpointOIDCMutate(issuer="https://id.example.com", client_id="storefront", client_secret="s3cret")
    change = models.HTTPSEdgeRouteUpdate(oauth=None, oidc=oidc)
    swapped = ok(update_route.sync(edge.id, route.id, client=client, body=change))
    assert swapped.oidc is not None
    print(f"updated route: oauth {'null' if swapped.oauth is None else 'set'}, oidc {swapped.oidc.issuer}")

    print_refusal(create_edge.sync(client=client, body=models.HTTPSEdgeCreate(description="é" * 200, hostports=["no-port"])))
    print_refusal(get_edge.sync("edghts_unknown", client=client))
    again = models.EventSourceCreate(type_="ip_policy_created.v0")
    print_refusal(create_event_source.sync(SUBSCRIPTION, client=client, body=again))

    gone(delete_event_source.sync_detailed(SUBSCRIPTION, "ip_policy_created.v0", client=client))
    gone(delete_route.sync_detailed(edge.id, route.id, client=client))
    gone(delete_edge.sync_detailed(edge.id, client=client))
    print("deleted")
    print_refusal(get_edge.sync(edge.id, client=client))


with AuthenticatedClient(base_url=os.environ["EDGE_URL"], token=os.environ["EDGE_TOKEN"]) as api:
    main(api)
