"""Which hosts the server answers to, and pages of which origin: forged ones get nothing."""

import asyncio
import base64
import os
import socket
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from optisplit.ui import hosts

NAME = "split.example.org"


def asked(monkeypatch, host, origin=None, *, kind="websocket", method="GET", path="/_stcore/stream", **options):
    """Give the status of a request with these headers: 0 where it was passed on."""
    given = {"server.address": "127.0.0.1", "browser.serverAddress": "localhost", "browser.serverPort": 8501, **options}
    monkeypatch.setattr(hosts, "get_option", given.get)
    headers = [(b"host", each.encode()) for each in ([host] if isinstance(host, str) else host)]
    headers += [] if origin is None else [(b"origin", origin.encode())]
    sent = []

    async def app(*_):
        sent.append({"status": 0})

    async def receive():
        return {"type": f"{kind}.connect"}

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "method": method, "path": path, "headers": headers}
    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have a loop in this thread
        apart.submit(asyncio.run, hosts.OnlyOwnHosts(app)(scope, receive, send)).result()
    return 403 if sent[0].get("type") == "websocket.close" else sent[0]["status"]


LISTENS_TO_ALL = {"server.address": "0.0.0.0"}
IS_NAMED = {"browser.serverAddress": NAME}


@pytest.mark.parametrize(
    ("host", "origin", "options"),
    [
        ("localhost:8501", "http://localhost:8501", {}),
        ("127.0.0.1:8501", "http://127.0.0.1:8501", {}),
        ("[::1]:8501", "http://[::1]:8501", {}),
        ("LOCALHOST:8501", "http://localhost:8501", {}),
        ("localhost", "http://localhost", {}),
        ("localhost:8501", None, {}),
        ("10.0.0.3:8501", "http://10.0.0.3:8501", LISTENS_TO_ALL),
        ("10.0.0.3:8501", "http://10.0.0.3:8501", {"server.address": "10.0.0.3"}),
        ("10.0.0.3:8501", "http://10.0.0.3:8501", {"server.address": None}),
        (f"{socket.gethostname()}:8501", f"http://{socket.gethostname()}:8501", LISTENS_TO_ALL),
        (NAME, f"https://{NAME}", IS_NAMED),
        (f"{NAME}:443", f"https://{NAME}", IS_NAMED),
        ("127.0.0.1:8501", f"https://{NAME}", IS_NAMED),  # a proxy that asks by a number
        (NAME, f"https://{NAME}", {"server.allowedHosts": ["*.example.org"]}),
        ("127.0.0.1:8501", "https://a.b", {"server.corsAllowedOrigins": ["https://a.b"]}),
    ],
)
def test_own_hosts_are_answered(monkeypatch, host, origin, options):
    assert asked(monkeypatch, host, origin, **options) == 0


@pytest.mark.parametrize(
    ("host", "origin", "options"),
    [
        ("evil.example:8501", "http://evil.example:8501", {}),  # its name was made to lead here
        ("evil.example:8501", "http://evil.example:8501", LISTENS_TO_ALL),
        ("evil.example:8501", None, {}),
        ("localhost.evil.example:8501", "http://localhost.evil.example:8501", {}),
        ("localhost:8501", "http://evil.example", {}),
        ("localhost:8501", "http://localhost:3000", {}),  # another server of this machine
        ("localhost:8501", "http://127.0.0.1:8501", {}),
        ("localhost:8501", "null", {}),
        ("localhost:8501", "file://", {}),
        ("localhost:8501", "http://localhost:8501@evil.example", {}),
        ("localhost:8501@evil.example", "http://localhost:8501", {}),
        ("10.0.0.3:8501", "http://10.0.0.3:8501", {}),
        ("localhost:x", None, {}),
        ("[::1:8501", None, {}),
        ("", None, {}),
        ([], None, {}),
        (["localhost:8501", "evil.example"], None, {}),
        (NAME, f"https://{NAME}", {}),
        ("evil.org", "https://evil.org", IS_NAMED),
        ("127.0.0.1:8501", f"https://{NAME}:8443", IS_NAMED),
        ("127.0.0.1:8501", f"https://not-{NAME}", IS_NAMED),
    ],
)
def test_others_are_refused(monkeypatch, host, origin, options):
    assert asked(monkeypatch, host, origin, **options) == 403


def test_pages_may_be_linked_to_and_uploads_may_not_be_sent_from_elsewhere(monkeypatch):
    elsewhere = ("localhost:8501", "http://evil.example")
    assert asked(monkeypatch, *elsewhere, kind="http", path="/") == 0
    assert asked(monkeypatch, *elsewhere, kind="http", method="PUT", path="/_stcore/upload_file/a/b") == 403
    assert asked(monkeypatch, "evil.example", kind="http", path="/") == 403
    assert asked(monkeypatch, "evil.example", kind="http", path="/_stcore/health") == 0


def handshake(url, **headers):
    """Ask for the websocket as any program can, and give the status."""
    parts = urlsplit(url)
    sent = {"Host": parts.netloc, "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **headers}  # fmt: skip
    lines = ["GET /_stcore/stream HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as raw:
        raw.sendall("\r\n".join(lines).encode())
        return int(raw.recv(4096).split()[1])


def test_a_forged_websocket_gets_403(server):
    port = urlsplit(server.url).port
    assert handshake(server.url) == 101
    assert handshake(server.url, Origin=server.url) == 101
    assert handshake(server.url, Host=f"localhost:{port}", Origin=f"http://localhost:{port}") == 101
    assert handshake(server.url, Host=f"[::1]:{port}", Origin=f"http://[::1]:{port}") == 101
    assert handshake(server.url, Origin="http://evil.example") == 403
    assert handshake(server.url, Origin=f"http://127.0.0.1:{port + 1}") == 403
    assert handshake(server.url, Host=f"evil.example:{port}", Origin=f"http://evil.example:{port}") == 403
    assert handshake(server.url, Host=f"evil.example:{port}") == 403
