"""Calls that raise errors and are sent again where that is safe, and lists that walk all pages.

    edge = call(create_edge.sync, client=client, body=HTTPSEdgeCreate())
    for edge in edges(client):
        print(edge.id)

For asyncio: `await call.asyncio(create_edge.asyncio, client=client, body=HTTPSEdgeCreate())`, and
`async for edge in edges_asyncio(client)`.
"""

import asyncio
import random
import re
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Generic, ParamSpec, TypeVar, cast

import httpx

from .api.edges import list_edges
from .api.event_sources import list_event_sources
from .client import AuthenticatedClient, Client
from .models import EventSource, EventSourceList, FieldError, FieldErrorCode, HTTPSEdge, HTTPSEdgeList, Problem
from .types import UNSET, Unset

__all__ = ["ApiError", "Calls", "call", "edges", "edges_asyncio", "event_sources", "event_sources_asyncio"]

AnyClient = AuthenticatedClient | Client
Arguments = ParamSpec("Arguments")
Item = TypeVar("Item")
Parsed = TypeVar("Parsed")
Result = TypeVar("Result")


class ApiError(Exception):
    """The service refused a request, or the response is not one of the contract.

    Where there is no response, httpx raises a `TransportError`.
    """

    status: int
    code: str | None
    """The kind of problem, such as `ProblemCode.NOT_FOUND`. None if the response has no problem document: most often it
    comes from a proxy."""
    errors: list[FieldError]
    """Every error of an `invalid_request`, each with its place; empty for every other code."""
    request_id: str | None
    """Names the request in the log of the service, if it keeps one."""
    retry_after: float | None
    """Seconds to wait before the next request."""
    response: httpx.Response

    def __init__(self, response: httpx.Response) -> None:
        found = _problem(response) or {}
        self.status = response.status_code
        self.code = found.get("code")
        self.errors = [_field_error(one) for one in found.get("errors", [])]
        if self.code is None:
            message = f"HTTP {self.status} from {response.url} is not a response of the contract"
        else:
            message = f"{self.status} {self.code} from {response.url}: {found.get('detail')}{_places(self.errors)}"
        super().__init__(message)
        self.request_id = found.get("request_id")
        self.retry_after = _retry_after(response)
        self.response = response


class Calls:
    """Calls operations. `retries` is how often a request is sent again at most."""

    def __init__(self, retries: int = 2) -> None:
        if retries < 0:
            raise ValueError(f"retries must be 0 or more, not {retries}")
        self._retries = retries

    def __call__(
        self,
        operation: Callable[Arguments, Result | Problem | None],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """The result of an operation, such as `get_edge.sync`, which takes the other arguments.

        Raises:
            ApiError: If the service refuses the request.
            httpx.TransportError: If there is no response.
        """
        module, client, request = _request(operation, args, kwargs)
        response = self._send(client, request)
        return cast(Result, _parsed(response, lambda: module._parse_response(client=client, response=response)))

    async def asyncio(
        self,
        operation: Callable[Arguments, Coroutine[Any, Any, Result | Problem | None]],
        *args: Arguments.args,
        **kwargs: Arguments.kwargs,
    ) -> Result:
        """The same for `get_edge.asyncio`."""
        module, client, request = _request(operation, args, kwargs)
        response = await self._send_asyncio(client, request)
        return cast(Result, _parsed(response, lambda: module._parse_response(client=client, response=response)))

    def _send(self, client: AnyClient, request: Mapping[str, Any]) -> httpx.Response:
        http = client.get_httpx_client()
        attempts = _Attempts(client, http, request, self._retries)
        while True:
            try:
                response = http.send(attempts.request)
            except httpx.TransportError as error:
                if not attempts.again(None):
                    error.add_note(attempts.description)
                    raise
            else:
                if not attempts.again(response):
                    return attempts.success(response)
            time.sleep(attempts.pause)

    async def _send_asyncio(self, client: AnyClient, request: Mapping[str, Any]) -> httpx.Response:
        http = client.get_async_httpx_client()
        attempts = _Attempts(client, http, request, self._retries)
        while True:
            try:
                response = await http.send(attempts.request)
            except httpx.TransportError as error:
                if not attempts.again(None):
                    error.add_note(attempts.description)
                    raise
            else:
                if not attempts.again(response):
                    return attempts.success(response)
            await asyncio.sleep(attempts.pause)


call = Calls()


def edges(client: AnyClient, *, limit: int | Unset = UNSET, call: Calls = call) -> Iterator[HTTPSEdge]:
    """Every edge, newest first; `limit` is the largest number on a page."""
    walk = _edges_walk(limit)
    while walk.request is not None:
        yield from walk.items(call._send(client, walk.request))


def event_sources(
    client: AnyClient, subscription_id: str, *, limit: int | Unset = UNSET, call: Calls = call
) -> Iterator[EventSource]:
    """Every event source of the subscription, by ascending type; `limit` is the largest number on a page."""
    walk = _event_sources_walk(subscription_id, limit)
    while walk.request is not None:
        yield from walk.items(call._send(client, walk.request))


async def edges_asyncio(client: AnyClient, *, limit: int | Unset = UNSET, call: Calls = call) -> AsyncIterator[HTTPSEdge]:
    """The same as `edges`."""
    walk = _edges_walk(limit)
    while walk.request is not None:
        for edge in walk.items(await call._send_asyncio(client, walk.request)):
            yield edge


async def event_sources_asyncio(
    client: AnyClient, subscription_id: str, *, limit: int | Unset = UNSET, call: Calls = call
) -> AsyncIterator[EventSource]:
    """The same as `event_sources`."""
    walk = _event_sources_walk(subscription_id, limit)
    while walk.request is not None:
        for source in walk.items(await call._send_asyncio(client, walk.request)):
            yield source


def _request(
    operation: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> tuple[Any, AnyClient, Mapping[str, Any]]:
    """The module of the operation, the client, and what the client is to send."""
    if "client" not in kwargs:
        name = f"{operation.__module__.rpartition('.')[2]}.{operation.__name__}"
        raise TypeError(f"call needs the client: call({name}, ..., client=client)")
    module = sys.modules[operation.__module__]
    others = {name: value for name, value in kwargs.items() if name != "client"}
    return module, kwargs["client"], module._get_kwargs(*args, **others)


_SUCCESS = {200, 201, 204}
# The service may have made the change, or not. 502 and 504 come from a proxy.
_FAILURE = {500, 502, 503, 504}
_LONGEST_PAUSE = 60.0
_EVENT_SOURCE = re.compile(r"/event_subscriptions/[^/]+/sources/[^/]+$")


class _Attempts:
    """The attempts of one request: the table of "Retries" in the contract."""

    def __init__(
        self, client: AnyClient, http: httpx.Client | httpx.AsyncClient, request: Mapping[str, Any], retries: int
    ) -> None:
        self.request = http.build_request(**request)
        self.description = f"no response to {self.request.method} {self.request.url}"
        self.pause = 0.0
        self._left = retries
        self._number = 0
        self._may_be_done = False
        is_rename = self.request.method == "PATCH" and _EVENT_SOURCE.search(self.request.url.path) is not None
        self._is_repeatable = self.request.method != "POST" and not is_rename
        # The link to a page can lead to another host; the token is for this service only.
        is_foreign = _origin(self.request.url) != _origin(http.base_url)
        if is_foreign and isinstance(client, AuthenticatedClient):
            self.request.headers.pop(client.auth_header_name, None)

    def again(self, response: httpx.Response | None) -> bool:
        """Whether the request is to be sent again, after `pause` seconds."""
        has_failed = response is None or response.status_code in _FAILURE
        is_safe = has_failed and self._is_repeatable
        is_limited = response is not None and response.status_code == 429
        if self._left == 0 or not (is_safe or is_limited):
            return False
        asked = None if response is None else _retry_after(response)
        # Random, so that clients that failed together do not come back together.
        self.pause = asked if asked is not None else random.uniform(0.1, 0.2) * 2**self._number
        if self.pause > _LONGEST_PAUSE:
            return False
        self._may_be_done |= has_failed
        self._left -= 1
        self._number += 1
        return True

    def success(self, response: httpx.Response) -> httpx.Response:
        """The response to the last attempt. A deletion that an earlier one carried out is a success."""
        is_gone = self.request.method == "DELETE" and response.status_code == 404
        if is_gone and self._may_be_done:
            return httpx.Response(204, request=self.request)
        if response.status_code not in _SUCCESS:
            raise ApiError(response)
        return response


class _Walk(Generic[Item]):
    """The pages of a list; `request` is that of the next page, None after the last one."""

    def __init__(self, request: Mapping[str, Any], read: Callable[[Any], tuple[list[Item], str | None]]) -> None:
        self.request: Mapping[str, Any] | None = request
        self._read = read
        self._seen: set[str] = set()

    def items(self, response: httpx.Response) -> list[Item]:
        items, following = _parsed(response, lambda: self._read(response.json()))
        self.request = None
        if following is not None:
            if following in self._seen:
                raise RuntimeError(f"the pages go in a circle, at {following}")
            self._seen.add(following)
            self.request = {"method": "get", "url": following}
        return items


def _edges_walk(limit: int | Unset) -> _Walk[HTTPSEdge]:
    def read(body: Any) -> tuple[list[HTTPSEdge], str | None]:
        page = HTTPSEdgeList.from_dict(body)
        return page.https_edges, page.next_page_uri

    return _Walk(list_edges._get_kwargs(limit=limit), read)


def _event_sources_walk(subscription_id: str, limit: int | Unset) -> _Walk[EventSource]:
    def read(body: Any) -> tuple[list[EventSource], str | None]:
        page = EventSourceList.from_dict(body)
        return page.sources, page.uri

    return _Walk(list_event_sources._get_kwargs(subscription_id, limit=limit), read)


def _parsed(response: httpx.Response, parse: Callable[[], Parsed]) -> Parsed:
    try:
        parsed = parse()
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ApiError(response) from error
    is_deleted = response.request.method == "DELETE"
    if parsed is None and not is_deleted:
        raise ApiError(response)
    return parsed


def _problem(response: httpx.Response) -> Mapping[str, Any] | None:
    if not response.headers.get("content-type", "").lower().startswith("application/problem+json"):
        return None
    try:
        body = response.json()
    except ValueError:
        return None
    is_problem = isinstance(body, dict) and isinstance(body.get("code"), str)
    return body if is_problem else None


def _field_error(value: Mapping[str, Any]) -> FieldError:
    # Not `from_dict`, which refuses the codes that a later minor version adds.
    return FieldError(
        code=_field_error_code(value["code"]),
        detail=value["detail"],
        pointer=value.get("pointer", UNSET),
        parameter=value.get("parameter", UNSET),
    )


def _field_error_code(code: str) -> FieldErrorCode:
    try:
        return FieldErrorCode(code)
    except ValueError:
        return cast(FieldErrorCode, _LaterCode(code))


class _LaterCode(str):
    """A code that the generated enumeration does not have, with the attribute that its members have."""

    @property
    def value(self) -> str:
        return str(self)


_SHOWN_ERRORS = 5


def _places(errors: list[FieldError]) -> str:
    """The first errors in words: programs log the message alone."""
    if not errors:
        return ""
    words = [f"{error.pointer or error.parameter or 'the body'} {error.detail}" for error in errors[:_SHOWN_ERRORS]]
    if len(errors) > _SHOWN_ERRORS:
        words.append(f"{len(errors) - _SHOWN_ERRORS} more")
    return f" ({'; '.join(words)})"


def _retry_after(response: httpx.Response) -> float | None:
    """`Retry-After` in seconds: a number, or a date, of which one in the past is 0 (RFC 9110, 10.2.3)."""
    text = response.headers.get("retry-after", "")
    if re.fullmatch("[0-9]+", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    if date.tzinfo is None:
        return None
    return max(0.0, (date - datetime.now(UTC)).total_seconds())


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
