"""The page that every address is answered with, before Streamlit's program has drawn anything."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit

from optisplit.ui import brand
from optisplit.ui.server import FirstPage

INDEX = (Path(streamlit.__file__).parent / "static" / "index.html").read_bytes()


def answer(content: bytes, kind: bytes, accept: bytes) -> tuple[dict[bytes, bytes], bytes]:
    async def app(scope, receive, send):
        headers = [(b"content-type", kind), (b"etag", b"1"), (b"content-length", str(len(content)).encode())]
        assert accept == b"*/*" or b"accept-encoding" not in dict(scope["headers"])
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content[:100], "more_body": True})
        await send({"type": "http.response.body", "body": content[100:]})

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "headers": [(b"accept", accept), (b"accept-encoding", b"gzip")]}
    with ThreadPoolExecutor(1) as thread:  # where a browser is open in this one, a loop of its own is running
        thread.submit(asyncio.run, FirstPage(app)(scope, None, send)).result()
    assert [each["type"] for each in sent][:1] == ["http.response.start"]
    return dict(sent[0]["headers"]), b"".join(each.get("body", b"") for each in sent[1:])


def test_name_and_style_are_there_before_the_program_and_it_is_told_where_the_server_is():
    headers, body = answer(INDEX, b"text/html; charset=utf-8", b"text/html,*/*;q=0.8")
    page = body.decode()
    assert headers[b"content-length"] == str(len(body)).encode()
    assert b"etag" not in headers
    root = page.partition('<div id="root">')[2]
    assert brand.SENTENCE in root
    assert "<title>OptiSplit</title>" in page
    head = page.partition("</head>")[0]
    assert brand.STYLE_FILE.read_text(encoding="utf-8") in head
    assert 'BACKEND_BASE_URL: location.origin + "/"' in head


@pytest.mark.parametrize(("kind", "accept"), [(b"text/html", b"*/*"), (b"text/javascript", b"text/html")])
def test_what_is_no_page_passes_as_it_is(kind, accept):
    headers, body = answer(INDEX, kind, accept)
    assert (headers[b"etag"], body) == (b"1", INDEX)
