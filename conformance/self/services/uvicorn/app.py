"""Plain uvicorn: whatever no application sees, uvicorn responds to; the rest goes to the correct service at UPSTREAM."""

import asyncio
import os
from http.client import HTTPConnection


async def app(scope, receive, send):
    if scope["type"] != "http":
        return
    if scope["method"] == "CONNECT":  # Node would close the connection, which no application can do here.
        await send({"type": "http.response.start", "status": 405})
        return await send({"type": "http.response.body"})
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    response, content = await asyncio.to_thread(forward, scope, body)
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in response.getheaders()]
    headers = [one for one in headers if one[0] not in HOP_BY_HOP]
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


HOP_BY_HOP = {b"connection", b"keep-alive", b"transfer-encoding", b"date"}


def forward(scope, body):
    query = scope["query_string"]
    target = scope["raw_path"] + (b"?" + query if query else b"")
    upstream = HTTPConnection(os.environ["UPSTREAM"])
    upstream.putrequest(scope["method"], target.decode("ascii"), skip_host=True, skip_accept_encoding=True)
    for name, value in scope["headers"]:
        if name not in HOP_BY_HOP | {b"content-length"}:
            upstream.putheader(name, value)
    if body or scope["method"] in ("POST", "PATCH", "PUT"):
        upstream.putheader("content-length", str(len(body)))
    upstream.endheaders(body)
    response = upstream.getresponse()
    return response, response.read()
