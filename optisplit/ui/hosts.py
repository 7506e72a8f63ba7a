"""Which names the server answers to, and pages of which origin: others may be a stranger's, in a visitor's browser."""

from __future__ import annotations

import ipaddress
import logging
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from streamlit import get_option

from optisplit.text import clean_name

if TYPE_CHECKING:
    from optisplit.ui.server import Asgi, Message, Receive, Send

logger = logging.getLogger(__name__)

HEALTH = "/_stcore/health"
"""Asked for by whatever name a machine that watches over the server has for it."""

_DEFAULT_PORTS = {"http": 80, "ws": 80, "https": 443, "wss": 443}
_SAFE = ("GET", "HEAD", "OPTIONS")


class OnlyOwnHosts:
    """Refuses, with 403, what is meant for another host, or comes from a page of another origin.

    - The server answers to this machine's own addresses, to the one that it listens on, and to the names in
      ``browser.serverAddress`` and ``server.allowedHosts``. Where it listens on all, to numbers and its machine's name
      too: a stranger's page can make its own name lead here, but no number.
    - What changes anything, and the websocket, has to come from a page of the host that was asked, or from the name in
      ``browser.serverAddress``, for proxies that ask by another. No browser leaves the origin out.
    """

    def __init__(self, app: Asgi) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        kind = scope["type"]
        problem = "" if kind not in ("http", "websocket") or scope["path"].endswith(HEALTH) else _problem(scope)
        if not problem:
            await self.app(scope, receive, send)
            return
        logger.warning(problem)
        if kind == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": ""})  # before it is accepted: 403
            return
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
        await send({"type": "http.response.start", "status": 403, "headers": headers})
        await send({"type": "http.response.body", "body": f"{problem}\n".encode()})


def _problem(scope: Message) -> str:
    """Say why a request is refused; empty where it is not."""
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    host = _split(f"//{hosts[0]}") if len(hosts) == 1 else None
    if host is None:
        return "A request has to name the host that it is meant for."
    if not is_own(host[0]):
        told = clean_name(host[0], 100)
        return f"This server does not answer to {told!r}. If that is its name, start it with " + _how(told)
    origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
    if not origins or (scope["type"] == "http" and scope["method"] in _SAFE):
        return ""
    if all(_is_from(origin, host) for origin in origins):
        return ""
    return "A page of another origin has asked, so nothing was done. Behind a proxy, start the server with " + _how()


def _how(name: str = "NAME") -> str:
    return f"STREAMLIT_BROWSER_SERVER_ADDRESS={name} in its environment."


def is_own(name: str) -> bool:
    """Tell whether the server answers to a host's name or number."""
    address = _number(name)
    if name == "localhost" or (address is not None and address.is_loopback):
        return True
    listens = str(get_option("server.address") or "").strip("[]")
    named = {listens.lower(), str(get_option("browser.serverAddress") or "").lower()}
    if name in named or any(_fits(name, pattern) for pattern in get_option("server.allowedHosts") or ()):
        return True
    at = _number(listens)
    if listens and (at is None or not at.is_unspecified):
        return False
    machine = socket.gethostname().lower()
    return address is not None or name in (machine, f"{machine}.local")


def _fits(name: str, pattern: str) -> bool:
    pattern = pattern.strip().lower().rstrip(".")
    return name.endswith(pattern[1:]) if pattern.startswith("*.") else name == pattern


def _is_from(origin: str, host: tuple[str, int | None]) -> bool:
    """Tell whether a page's origin is the host that it asked, or the one that the server is known by."""
    parts = _split(origin)
    if parts is None:
        return False
    usual = _DEFAULT_PORTS.get(origin.partition(":")[0].lower())
    name, port = parts[0], parts[1] or usual
    if (name, port) == (host[0], host[1] or usual):
        return True
    if origin in (get_option("server.corsAllowedOrigins") or ()):
        return True
    known = str(get_option("browser.serverAddress") or "").lower()
    return name == known != "localhost" and port in (usual, get_option("browser.serverPort"))


def _split(address: str) -> tuple[str, int | None] | None:
    """Take name and port out of an address; None where there is more, or they are none."""
    try:
        parts = urlsplit(address)
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name or parts.path or parts.query or parts.fragment or "@" in parts.netloc:
        return None
    return name.rstrip("."), port


def _number(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
