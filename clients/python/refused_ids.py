"""Which values of a path parameter are refused before anything is sent. Every language prints the same."""

import os
from collections.abc import Callable
from typing import Any

from edge_client import Client
from edge_client.api.edges import delete_edge
from edge_client.api.event_sources import delete_event_source
from edge_client.api.routes import delete_route

client = Client(base_url=os.environ["EDGE_URL"])


def outcome(name: str, call: Callable[[], Any]) -> str:
    try:
        call()
    except (TypeError, ValueError) as error:
        assert f"path parameter {name} must" in str(error), error
        return name
    return "sent"


def outcomes(value: Any) -> str:
    return " ".join([
        outcome("edge_id", lambda: delete_edge.sync(value, client=client)),
        outcome("edge_id", lambda: delete_route.sync(value, "r1", client=client)),
        outcome("route_id", lambda: delete_route.sync("e1", value, client=client)),
        outcome("subscription_id", lambda: delete_event_source.sync(value, "a.v0", client=client)),
        outcome("type", lambda: delete_event_source.sync("s1", value, client=client)),
    ])


for value in ["", ".", "..", "a/b", "%2e%2e", "../..", "a\n"]:
    print(f"'{value.encode('unicode_escape').decode()}' refused: {outcomes(value)}")
print(f"missing refused: {outcomes(None)}")
print(f"route r1: {outcome('route_id', lambda: delete_route.sync('e1', 'r1', client=client))}")
