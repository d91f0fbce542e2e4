"""An example service: the core level of the contract on FastAPI. A JSON Schema validator reads openapi.yaml at start,
so that no rule on bodies is repeated here. The data are in memory: put your storage in their place, or keep one worker.

    CONTRACT=openapi.yaml PORT=8080 API_TOKEN=secret PUBLIC_URL=https://api.example.com python service.py

Without API_TOKEN, it runs open. Without PUBLIC_URL, each `uri` begins with the host that the client named.
"""

import hmac
import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from http import HTTPStatus
from typing import Annotated, Any
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

import uvicorn
import yaml
from fastapi import Depends, FastAPI, Request, Response
from fastapi.responses import JSONResponse
from jsonschema import Draft202012Validator, ValidationError, validators
from referencing import Registry
from referencing.jsonschema import DRAFT202012
from starlette.requests import ClientDisconnect
from starlette.routing import Match

TOKEN = os.environ.get("API_TOKEN", "")
PUBLIC_URL = os.environ.get("PUBLIC_URL", "")
MOST_BYTES = 1_048_576


def max_bytes(validator, most, text, schema) -> Iterator[ValidationError]:
    """`maxLength` counts characters, while the limits of the contract are bytes of UTF-8."""
    if isinstance(text, str) and len(text.encode()) > most:
        yield ValidationError("too many bytes")


def pattern(validator, expression, text, schema) -> Iterator[ValidationError]:
    """By ECMA-262, `$` is the end of the text. In Python, it also stands before a line feed at the end."""
    if isinstance(text, str) and not re.search(re.sub(r"\$$", r"\\Z", expression), text):
        yield ValidationError("another form")


# The extended level needs the formats, too: give the validator a `format_checker`.
Validator = validators.extend(Draft202012Validator, {"x-max-bytes": max_bytes, "pattern": pattern})
with open(os.environ.get("CONTRACT", "openapi.yaml"), encoding="utf-8") as file:
    REGISTRY = Registry().with_resource("urn:contract", DRAFT202012.create_resource(yaml.safe_load(file)))


def schema(component: str) -> Draft202012Validator:
    return Validator({"$ref": f"urn:contract#/components/{component}"}, registry=REGISTRY)


RESOURCE_ID = schema("schemas/ResourceId")
PAGE = {name: schema(f"parameters/{name.title()}/schema") for name in ("limit", "cursor")}

# The table "Field errors" of the contract.
CODES = {
    **{"type": "type", "enum": "value", "const": "value", "pattern": "format", "format": "format"},
    **{"minLength": "too_short", "maxLength": "too_long", "x-max-bytes": "too_many_bytes", "uniqueItems": "duplicate"},
    **{"minimum": "too_small", "maximum": "too_large", "minItems": "too_few", "maxItems": "too_many"},
    **{"minProperties": "too_few", "maxProperties": "too_many"},
}


def pointer(place: list) -> str:
    """A place whose pointer would be too long is named by the object around it."""
    text = "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in place)
    return text if len(text) <= 4096 else pointer(place[:-1])


def field_error(code: str, **place: str) -> dict:
    return {**place, "code": code, "detail": f"The contract says otherwise: {code}."}


def field_errors(failed: ValidationError) -> Iterator[dict]:
    """What the validator found, in the terms of the contract."""
    if failed.validator == "oneOf":
        for error in failed.context:
            # "A module or null" fails for both: the error is what the module says.
            if error.path or error.validator_value != "null":
                yield from field_errors(error)
        return
    place = list(failed.absolute_path)
    if failed.validator == "required":
        missing = [name for name in failed.validator_value if name not in failed.instance]
        yield from (field_error("required", pointer=pointer([*place, name])) for name in missing)
    elif failed.validator == "additionalProperties":
        unknown = [name for name in failed.instance if name not in failed.schema.get("properties", {})]
        yield from (field_error("unknown", pointer=pointer([*place, name])) for name in unknown)
    else:
        is_conditional = {"then", "else"}.intersection(failed.absolute_schema_path)
        code = "not_allowed_here" if is_conditional and leaves_nothing(failed) else CODES[failed.validator]
        yield field_error(code, pointer=pointer(place))


def leaves_nothing(failed: ValidationError) -> bool:
    """Whether the keyword leaves null, false or what is empty, and nothing else."""
    stated = failed.validator_value
    is_size = failed.validator in ("maxLength", "maxItems", "maxProperties")
    return (failed.validator, stated) == ("type", "null") or stated is None or stated is False or is_size and stated == 0


class Refusal(Exception):
    def __init__(self, status: int, code: str, detail: str, errors: list | None = None, headers=None):
        self.status, self.headers = status, headers
        self.problem = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
        self.problem |= {"code": code, "detail": detail, **({"errors": errors[:100]} if errors else {})}

    def response(self) -> JSONResponse:
        return JSONResponse(self.problem, self.status, self.headers, media_type="application/problem+json")


def not_found() -> Refusal:
    return Refusal(404, "not_found", "There is no such resource.")


def already_exists() -> Refusal:
    return Refusal(409, "already_exists", "The subscription has a source of this type.")


# --- a request, in the order of docs/write-a-server.md ---

app = FastAPI(openapi_url=None, redirect_slashes=False)


@app.middleware("http")
async def target(request: Request, call_next) -> Response:
    """Routing by the path as it was sent: FastAPI would decode it first, and %2F would separate two segments."""
    path = request.scope["raw_path"].decode("latin-1")
    request.scope["path"] = re.sub("^https?://[^/]*", "", path)  # the form that proxies send
    host = urlsplit(f"http://{request.headers.get('host', '')}").hostname
    known = {"localhost", "127.0.0.1", "::1", urlsplit(PUBLIC_URL).hostname}
    # Without tokens, a web page could reach the service under a name of its own (DNS rebinding).
    if not host or (not TOKEN and host not in known):
        return Refusal(400, "malformed_request", "This host is not served here.").response()
    return await call_next(request)


app.add_exception_handler(Refusal, lambda request, refusal: refusal.response())
app.add_exception_handler(404, lambda request, error: not_found().response())
app.add_exception_handler(Exception, lambda request, error: Refusal(500, "internal_error", "It failed.").response())


@app.exception_handler(405)
async def no_such_method(request: Request, error: Exception) -> Response:
    """Starlette would name the methods of one route alone, and refuse OPTIONS."""
    routes = [route for route in app.routes if route.matches(request.scope)[0] != Match.NONE]
    allow = {"Allow": ", ".join({"OPTIONS"}.union(*(route.methods for route in routes)))}
    if request.method == "OPTIONS":  # also without a token
        return Response(status_code=204, headers=allow)
    return Refusal(405, "method_not_allowed", "The path does not have this method.", headers=allow).response()


@dataclass
class Call:
    """A request that keeps the contract."""

    path: dict[str, str]
    query: dict[str, str]
    body: Any
    base: str  # how each `uri` begins


def checked(body: str | None = None, *, body_required: bool = True, query: dict | None = None):
    """The dependency that refuses what breaks the contract. Without a schema, a body is ignored."""
    body_schema = body and schema(f"schemas/{body}")

    async def check(request: Request) -> Call:
        authenticate(request)
        if request.method != "DELETE" and not accepts_json(",".join(request.headers.getlist("accept"))):
            raise Refusal(406, "not_acceptable", "The Accept header excludes application/json.")
        try:
            path = {name: unquote(text, errors="strict") for name, text in request.path_params.items()}
            sent = parse_qsl(request.scope["query_string"].decode("latin-1"), keep_blank_values=True, errors="strict")
        except UnicodeDecodeError:
            raise Refusal(400, "malformed_request", "The path or the query is not UTF-8.") from None
        errors = list(check_query(sent, query or {}))
        value = None
        if body_schema:
            content = await read(request)
            if content:  # else Content-Type says nothing
                name, parameters = media_type(request.headers.get("content-type", ""))
                if name != "application/json" or parameters.get("charset", "utf-8").lower() != "utf-8":
                    raise Refusal(415, "unsupported_media_type", "Send the body as application/json in UTF-8.")
                if request.headers.get("content-encoding", "identity").lower() != "identity":
                    raise Refusal(415, "unsupported_media_type", "Send the body without a Content-Encoding.")
                value, lone = parse(content)  # the validator could not encode lone surrogates
                errors += lone or [one for error in body_schema.iter_errors(value) for one in field_errors(error)]
            elif body_required:
                errors.append(field_error("required", pointer=""))
        if errors:
            raise Refusal(400, "invalid_request", "The request breaks the contract.", errors)
        if not RESOURCE_ID.is_valid(path.get("subscription_id", "any")):
            raise not_found()  # other ids need no check: what is not stored is not found
        return Call(path, dict(sent), {} if value is None else value, PUBLIC_URL or f"http://{request.headers['host']}")

    return Depends(check)


def authenticate(request: Request) -> None:
    # Two headers are no token: a proxy in front may have looked at the other one.
    scheme, _, token = ", ".join(request.headers.getlist("authorization")).partition(" ")
    is_right = scheme.lower() == "bearer" and hmac.compare_digest(token.encode(), TOKEN.encode())
    if TOKEN and not is_right:
        challenge = {"WWW-Authenticate": "Bearer"}
        raise Refusal(401, "unauthorized", "Send a bearer token in the Authorization header.", headers=challenge)


def media_type(text: str) -> tuple[str, dict[str, str]]:
    message = Message()
    message["content-type"] = text
    return message.get_content_type(), {name.lower(): value for name, value in message.get_params([])[1:]}


def accepts_json(header: str) -> bool:
    """The narrowest range that holds JSON decides (RFC 9110, 12.5.1)."""
    ranges = {name: parameters.get("q", "1") for name, parameters in map(media_type, header.split(","))}
    narrowest = next((ranges[name] for name in ("application/json", "application/*", "*/*") if name in ranges), "0")
    return header == "" or bool(re.fullmatch(r"1(\.0*)?|0?\.0*[1-9]\d*", narrowest))


def check_query(sent: list[tuple[str, str]], known: dict) -> Iterator[dict]:
    times = Counter(name for name, _ in sent)
    for name, text in dict(sent).items():
        if name not in known:
            yield field_error("unknown", parameter=name[:4096])
        elif times[name] > 1:
            yield field_error("repeated", parameter=name)
        else:
            # int() would take `+1`, `01` and ` 1`, too. Another text stays one, which is the wrong type.
            is_number = name == "limit" and re.fullmatch("0|[1-9][0-9]*", text)
            value = int(text[:9]) if is_number else text  # nine digits are too large already
            for failed in known[name].iter_errors(value):
                yield field_error(CODES[failed.validator], parameter=name)


async def read(request: Request) -> bytes:
    content = b""
    try:
        async for chunk in request.stream():  # request.body() would keep all of a body that is too large
            content += chunk
            if len(content) > MOST_BYTES:
                raise Refusal(413, "content_too_large", f"The body may have at most {MOST_BYTES} bytes.")
    except ClientDisconnect:
        raise Refusal(400, "malformed_request", "The body does not come to its end.") from None
    return content


def parse(content: bytes) -> tuple[Any, list[dict]]:
    """Stricter than json.loads, which guesses the encoding, takes NaN, and keeps the last of two equal names."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    def unique(pairs: list[tuple[str, Any]]) -> dict:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name twice")
        return dict(pairs)

    try:
        value = json.loads(content.decode("utf-8"), parse_constant=refuse, object_pairs_hook=unique)
        return value, list(lone_surrogates(value, []))
    except (ValueError, RecursionError):  # also where it is too deep
        detail = "The body is not JSON in UTF-8, or has a name twice in one object."
        raise Refusal(400, "malformed_request", detail) from None


def lone_surrogates(value: Any, place: list) -> Iterator[dict]:
    if isinstance(value, str) and re.search("[\ud800-\udfff]", value):
        yield field_error("unicode", pointer=pointer(place))
    for key, item in value.items() if isinstance(value, dict) else enumerate(value if isinstance(value, list) else []):
        is_named = not list(lone_surrogates(key, []))  # else the place is the object around
        yield from [] if is_named else [field_error("unicode", pointer=pointer(place))]
        yield from lone_surrogates(item, [*place, key] if is_named else place)


# --- the operations: each runs without `await` between reading and writing, so that it is atomic ---

EDGES: dict[str, dict] = {}  # as they were sent
SOURCES: dict[str, set[str]] = {}  # types by subscription
SOURCE_LIST = "/event_subscriptions/{subscription_id}/sources"
SOURCE = SOURCE_LIST + "/{type}"
READ = ["GET", "HEAD"]
# The extended level goes here: GET /edges/https, PATCH and DELETE of an edge, and the operations of routes.


def default(sent: dict, name: str, otherwise: Any) -> Any:
    """In a create request, null and omitted are one. `or` would also replace false, "" and {}."""
    return otherwise if sent.get(name) is None else sent[name]


def shown(edge: dict, base: str) -> dict:
    mutual_tls, termination = edge.get("mutual_tls"), edge.get("tls_termination")
    if mutual_tls is not None:
        ids = default(mutual_tls, "certificate_authority_ids", [])
        refs = [{"id": one, "uri": f"{base}/certificate_authorities/{one}"} for one in ids]
        mutual_tls = {"enabled": mutual_tls.get("enabled", True), "certificate_authorities": refs}
    if termination is not None:
        at = termination.get("terminate_at", "edge")
        version = default(termination, "min_version", "1.2") if at == "edge" else None
        termination = {"enabled": termination.get("enabled", True), "terminate_at": at, "min_version": version}
    texts = {name: default(edge, name, "") for name in ("description", "metadata")}
    settings = {"hostports": default(edge, "hostports", []), "mutual_tls": mutual_tls, "tls_termination": termination}
    return {**edge, **texts, **settings, "uri": f"{base}/edges/https/{edge['id']}", "routes": []}


def created(shown: dict) -> JSONResponse:
    return JSONResponse(shown, 201, {"Location": shown["uri"]})


@app.post("/edges/https")
async def create_edge(call: Annotated[Call, checked("HTTPSEdgeCreate")]) -> Response:
    edge = {**call.body, "id": f"edghts_{secrets.token_hex(12)}", "created_at": datetime.now(UTC).isoformat()}
    EDGES[edge["id"]] = edge
    return created(shown(edge, call.base))


@app.api_route("/edges/https/{edge_id}", methods=READ)
async def get_edge(call: Annotated[Call, checked()]) -> Response:
    if call.path["edge_id"] not in EDGES:
        raise not_found()
    return JSONResponse(shown(EDGES[call.path["edge_id"]], call.base))


def source(call: Call, name: str) -> dict:
    return {"type": name, "uri": call.base + SOURCE.format(subscription_id=call.path["subscription_id"], type=name)}


def types_of(call: Call) -> set[str]:
    """Those of the subscription, which has the type in the path."""
    types = SOURCES.setdefault(call.path["subscription_id"], set())
    if "type" in call.path and call.path["type"] not in types:
        raise not_found()
    return types


@app.post(SOURCE_LIST)
async def create_source(call: Annotated[Call, checked("EventSourceCreate")]) -> Response:
    types, name = types_of(call), call.body["type"]
    if name in types:
        raise already_exists()
    types.add(name)
    return created(source(call, name))


@app.api_route(SOURCE_LIST, methods=READ)
async def list_sources(call: Annotated[Call, checked(query=PAGE)]) -> Response:
    limit = int(call.query.get("limit", "100"))
    # A cursor is the last type of the page before, which may be gone by now.
    names = sorted(name for name in types_of(call) if name > call.query.get("cursor", ""))
    page, uri = names[:limit], None
    if len(names) > limit:
        list_uri = call.base + SOURCE_LIST.format(subscription_id=call.path["subscription_id"])
        uri = f"{list_uri}?{urlencode({'limit': limit, 'cursor': page[-1]})}"
    return JSONResponse({"sources": [source(call, name) for name in page], "uri": uri})


@app.api_route(SOURCE, methods=READ)
async def get_source(call: Annotated[Call, checked()]) -> Response:
    types_of(call)
    return JSONResponse(source(call, call.path["type"]))


@app.patch(SOURCE)
async def update_source(call: Annotated[Call, checked("EventSourceUpdate", body_required=False)]) -> Response:
    types, name = types_of(call), call.path["type"]
    new = call.body.get("type", name)
    if new != name and new in types:
        raise already_exists()
    types.remove(name)
    types.add(new)
    return JSONResponse(source(call, new))


@app.delete(SOURCE)
async def delete_source(call: Annotated[Call, checked()]) -> Response:
    types_of(call).remove(call.path["type"])
    return Response(status_code=204)


if __name__ == "__main__":
    uvicorn.run(app, port=int(os.environ.get("PORT", "8080")), log_level="warning")
