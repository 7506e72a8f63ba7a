"""The app's server: what is in a page before Streamlit's program is there, and what is loaded before anybody comes."""

from __future__ import annotations

import html
import json
import threading
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from starlette.middleware import Middleware
from streamlit import get_option

from optisplit.ui import brand
from optisplit.ui.hosts import OnlyOwnHosts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]
    Asgi = Callable[[Message, Receive, Send], Awaitable[None]]

FIRST_LOADED = ("optisplit.ui.frame", "optisplit.ui.compare.landing")
"""What every page is made of, and the first one: more would hold up the visitor who comes at once."""

NEXT_LOADED = (
    "pandas", "optisplit.ui.compare.form", "optisplit.ui.check.form", "optisplit.ui.check.preview",
    "optisplit.ui.learn.view", "optisplit.ui.compare.result", "optisplit.ui.check.result", "optisplit.ui.data.view",
    "optisplit.ui.impact.view", "optisplit.ui.paper", "optisplit.ui.learn.points", "optisplit.ui.learn.sizes",
    "optisplit.ui.learn.ranks", "optisplit.ui.learn.rare", "optisplit.ui.learn.trace", "optisplit.methods.optisplit",
)  # fmt: skip
"""What the other pages and results are made of: loaded while the first visitor reads."""

MOMENT_S = 0.3
"""Until what was drawn is sent."""

SPLASH = f'<div class="splash">{brand.MASTHEAD}<p role="status">Opening …</p></div>'
"""What is seen until Streamlit's program has come and draws the page in its place."""

SPLASH_STYLE = f"""<style>
.splash {{ font-family: "Source Sans", system-ui, sans-serif; padding: 0 max(1rem, 4vw); }}
html:has(.splash) {{ color-scheme: light dark; background: {brand.PAPER["light"]}; }}
@media (prefers-color-scheme: dark) {{ html:has(.splash) {{ background: {brand.PAPER["dark"]}; color: #fafafa; }} }}
</style>"""


def middleware() -> list[Middleware]:
    """Give what stands before Streamlit's server, and begin to load what the first visitor waits for."""
    threading.Thread(target=_load, daemon=True).start()
    return [Middleware(OnlyOwnHosts), Middleware(FirstPage)]


def _load() -> None:
    """Load modules: some while the first visitor's browser is still loading the page, the rest once it is drawn."""
    for name in FIRST_LOADED:
        import_module(name)
    import_module("optisplit.ui.frame").first_drawn.wait()
    time.sleep(MOMENT_S)
    for name in NEXT_LOADED:
        import_module(name)


class FirstPage:
    """Puts into the page that every address is answered with what is to be there at once.

    That is the product's name and style, and the server's own address: otherwise the program looks for it below the
    page's, finds nothing there, and waits before it looks further up.
    """

    def __init__(self, app: Asgi) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or have it answered."""
        if scope["type"] != "http" or scope["method"] != "GET" or not _asks_for_page(scope):
            await self.app(scope, receive, send)
            return
        # as it is: to be changed, it may not be packed yet
        scope["headers"] = [each for each in scope["headers"] if each[0] != b"accept-encoding"]
        start: Message = {}
        body = bytearray()

        async def take(message: Message) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            if not _is_page(start):
                if start:
                    await send(dict(start))
                    start.clear()
                await send(message)
                return
            body.extend(message.get("body", b""))
            if not message.get("more_body", False):
                content = dressed(body.decode("utf-8")).encode("utf-8")
                await send({**start, "headers": _headers(start, len(content))})
                await send({"type": "http.response.body", "body": content})

        await self.app(scope, receive, take)


def dressed(page: str) -> str:
    """Put name, style, and what is seen at first into Streamlit's page."""
    base = str(get_option("server.baseUrlPath") or "").strip("/")
    found = f"window.__streamlit = {{BACKEND_BASE_URL: location.origin + {json.dumps('/' + base)}}}"
    head = f"{brand.style()}{SPLASH_STYLE}<script>{found}</script></head>"
    page = page.replace("<title>Streamlit</title>", f"<title>{html.escape(brand.NAME)}</title>", 1)
    return page.replace("</head>", head, 1).replace('<div id="root"></div>', f'<div id="root">{SPLASH}</div>', 1)


def _asks_for_page(scope: Message) -> bool:
    return any(name == b"accept" and b"text/html" in value for name, value in scope["headers"])


def _is_page(start: Message) -> bool:
    if start.get("status") != 200:
        return False
    return dict(start["headers"]).get(b"content-type", b"").startswith(b"text/html")


def _headers(start: Message, length: int) -> list[tuple[bytes, bytes]]:
    """Give the headers of the changed page, which is not the file that they speak of."""
    left = (b"content-length", b"etag", b"last-modified", b"accept-ranges")
    kept = [(name, value) for name, value in start["headers"] if name.lower() not in left]
    return [*kept, (b"content-length", str(length).encode())]
