"""What a call ends with when attempts fail. Every language prints the same."""

import asyncio
import os
from collections.abc import Callable

import httpx

from edge_client import AuthenticatedClient, models
from edge_client.api.edges import delete_edge, get_edge, update_edge
from edge_client.api.event_sources import create_event_source, update_event_source
from edge_client.calls import ApiError, call, event_sources_asyncio



def connected() -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["EDGE_URL"], token="failures-token")


client = connected()


def tried(what: str, operation: Callable[[], object]) -> None:
    try:
        operation()
        print(f"{what}: success")
    except ApiError as error:
        print(f"{what}: {error.status} {error.code or 'unexpected'}")
        check_message(error)
    except httpx.TransportError as error:
        print(f"{what}: no response")
        if "no response to " not in error.__notes__[0]:
            raise RuntimeError(error.__notes__) from error


def check_message(error: ApiError) -> None:
    url = str(error.response.url)
    if url not in str(error) or any(str(one.pointer) not in str(error) for one in error.errors):
        raise RuntimeError(f"a message does not help: {error}")
    for one in error.errors:
        if one.to_dict()["code"] != one.code:
            raise RuntimeError(f"an error is not shown as it was sent: {one}")


def get(script: str) -> None:
    tried(f"get {script}", lambda: call(get_edge.sync, script, client=client))


def delete(script: str) -> None:
    tried(f"delete {script}", lambda: call(delete_edge.sync, script, client=client))


def update(script: str) -> None:
    body = models.HTTPSEdgeUpdate(metadata="m")
    operation = update_edge.asyncio
    tried(f"update {script}", lambda: asyncio.run(call.asyncio(operation, script, client=connected(), body=body)))


def create_source(script: str) -> None:
    body = models.EventSourceCreate(type_="a.v0")
    tried(f"create source {script}", lambda: call(create_event_source.sync, script, client=client, body=body))


def update_source(script: str) -> None:
    body = models.EventSourceUpdate(type_="b.v0")
    tried(f"update source {script}", lambda: call(update_event_source.sync, script, "a.v0", client=client, body=body))


async def print_sources(subscription_id: str) -> None:
    async for source in event_sources_asyncio(connected(), subscription_id):
        print(f"source {source.type_}")


for script in ["503_200", "502_504_200", "500_500_500_200", "0_200", "0_0_0", "404", "400", "502_502_502", "503w_200", "200h"]:
    get(script)
for script in ["204", "503_404", "404", "429_404"]:
    delete(script)
update("0_200")
for script in ["503_201", "0_201", "429_201"]:
    create_source(script)
update_source("503_200")
asyncio.run(print_sources("pages"))
