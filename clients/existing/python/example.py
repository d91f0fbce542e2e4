"""The public Python client of an API of this form, pointed at another service by its base URL alone."""

import os

import ngrok
from ngrok.datatypes import EndpointBackendMutate, EndpointCompression, EndpointMutualTLSMutate

SUBSCRIPTION = "sub_existing_python"

client = ngrok.Client(os.environ["EDGE_TOKEN"], base_url=os.environ["EDGE_URL"])
edges, routes, sources = client.edges.https, client.edges.https_routes, client.event_sources


def is_not_found(call, *args) -> bool:
    try:
        call(*args)
    except ngrok.NotFoundError:
        return True
    return False


mutual_tls = EndpointMutualTLSMutate(client, {"certificate_authority_ids": ["ca_partners"]})
edge = edges.create(description="existing client", hostports=["shop.example.com:443"], mutual_tls=mutual_tls)
print("edge created:", edge.description, edge.hostports)

backend = EndpointBackendMutate(client, {"backend_id": "bkd_shop"})
route = routes.create(edge.id, match_type="path_prefix", match="/", backend=backend)
print("route created:", route.match, route.backend.backend.id)
print("edge read, with routes:", len(edges.get(edge.id).routes))
print("edge changed:", edges.update(edge.id, description="changed").description)

# This client sends "" for a match that is not given, so that it is always given.
compression = EndpointCompression(client, {"enabled": True})
updated = routes.update(edge.id, route.id, match_type="path_prefix", match="/api", compression=compression)
print("route changed:", updated.match, updated.compression.enabled, updated.backend.backend.id)

for _ in range(2):
    edges.create(description="another")
print("edges listed:", len(list(edges.list(limit="1"))))

source = sources.create(SUBSCRIPTION, "ip_policy_created.v0")
sources.get(SUBSCRIPTION, source.type)
print("sources listed:", len(sources.list(SUBSCRIPTION).sources))
sources.update(SUBSCRIPTION, source.type)
sources.delete(SUBSCRIPTION, source.type)
print("source deleted, not found:", is_not_found(sources.get, SUBSCRIPTION, source.type))

routes.delete(edge.id, route.id)
edges.delete(edge.id)
print("edge deleted, not found:", is_not_found(edges.get, edge.id))

try:
    edges.create(hostports=["no-port"])
except ngrok.Error as error:
    print("refused:", error.http_status_code == 400, error.error_code == "invalid_request")
