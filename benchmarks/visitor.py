"""A visitor of the app without a browser: speaks the protocol that Streamlit's page speaks with its server.

Good for many visitors at a time, each a few kilobytes where a browser's page takes a hundred megabytes. Reads what is
sent, presses buttons, brings files, follows what draws itself anew; draws nothing.
"""

from __future__ import annotations

import contextlib
import io
import re
import time
import uuid
from urllib.parse import urlsplit

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect


class Uploaded:
    """A file that the server has."""

    def __init__(self, file_id: str, name: str, size: int, urls) -> None:
        self.file_id, self.name, self.size, self.urls = file_id, name, size, urls


PRESSED = object()


class Visitor:
    """One browser tab.

    Parameters
    ----------
    url : str
        Where the server is, such as ``http://127.0.0.1:8501``.
    query : str
        What the address has after its question mark.
    page : str
        Which page, such as ``check``; default: the first one.
    """

    def __init__(self, url: str, query: str = "", page: str = "") -> None:
        self.url, self.query, self.page = url, query, page
        self.session_id = ""
        self.elements: dict[tuple[int, ...], object] = {}
        self.fragments: dict[tuple[int, ...], str] = {}
        self.is_running = True
        self._timers: dict[str, tuple[float, float]] = {}  # by fragment: seconds between, and when next
        self._texts: dict[tuple[int, ...], tuple[object, str]] = {}
        self._known: dict[str, bytes] = {}
        self._answers: dict[str, object] = {}
        self._http = requests.Session()
        self._http.get(url + "/_stcore/health", timeout=20)
        self._xsrf = self._http.cookies.get("_streamlit_xsrf", "")
        parts = urlsplit(url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        cookies = "; ".join(f"{name}={value}" for name, value in self._http.cookies.items())
        self._opened = contextlib.ExitStack()
        made = connect(
            f"{scheme}://{parts.netloc}/_stcore/stream",
            origin=f"{parts.scheme}://{parts.netloc}",
            subprotocols=["streamlit", *([self._xsrf] if self._xsrf else [])],
            additional_headers={"Cookie": cookies} if cookies else None,
            max_size=None,
            open_timeout=30,
        )
        self.socket = self._opened.enter_context(made)
        self.run()

    def close(self) -> None:
        self._opened.close()
        self._http.close()

    def vanish(self) -> None:
        """Go without a word, as a killed browser does."""
        self.socket.socket.close()

    # what is sent

    def run(self, fragment: str = "", *, is_auto: bool = False, **widget: object) -> None:
        """Have the page drawn anew."""
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.fragment_id, state.is_auto_rerun = self.query, fragment, is_auto
        state.page_name = self.page
        for key, value in widget.items():
            self._set(state.widget_states.widgets.add(), key, value)
        self.is_running = True
        self.socket.send(message.SerializeToString())

    def _set(self, state, key: str, value: object) -> None:
        path = self.path_of(key)
        state.id = self._id(self.elements[path])
        if value is PRESSED:
            state.trigger_value = True
        elif isinstance(value, bool):
            state.bool_value = value
        elif isinstance(value, float):
            state.double_array_value.data.append(value)
        elif isinstance(value, int):
            state.double_value = value
        elif isinstance(value, str):
            state.string_value = value
        elif isinstance(value, list) and value and isinstance(value[0], Uploaded):
            for file in value:
                info = state.file_uploader_state_value.uploaded_file_info.add()
                info.file_id, info.name, info.size = file.file_id, file.name, file.size
                info.file_urls.CopyFrom(file.urls)
        elif isinstance(value, list):
            state.string_array_value.data.extend(value)
        else:
            raise TypeError(type(value))

    def press(self, key: str) -> None:
        self.choose(key, PRESSED)

    def choose(self, key: str, value: object) -> None:
        """Set a widget, such as which tab is open."""
        self.run(self.fragments.get(self.path_of(key), ""), **{key: value})

    def send(self, name: str, content: bytes, **headers: str) -> Uploaded | int:
        """Send a file's bytes, as an uploader does; gives the answer's status where it is refused."""
        message = BackMsg()
        request = message.file_urls_request
        request.request_id, request.session_id = uuid.uuid4().hex, self.session_id
        request.file_names.append(name)
        self.socket.send(message.SerializeToString())
        self.until(lambda: request.request_id in self._answers)
        urls = self._answers.pop(request.request_id).file_urls[0]
        address = self.url + urls.upload_url if urls.upload_url.startswith("/") else urls.upload_url
        answer = self._http.put(
            address,
            files={"file": (name, io.BytesIO(content))},
            headers={"X-Xsrftoken": self._xsrf, **headers},
            timeout=120,
        )
        return Uploaded(urls.file_id, name, len(content), urls) if answer.ok else answer.status_code

    def upload(self, key: str, **files: bytes) -> None:
        """Bring files to an uploader; of a name, two underscores are a dot."""
        sent = [self.send(name.replace("__", "."), content) for name, content in files.items()]
        self.run(**{key: sent})

    # what is received

    def listen(self, seconds: float = 0.05) -> None:
        """Take in what comes within some time, and have drawn what draws itself anew by the clock."""
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            with contextlib.suppress(TimeoutError):
                self._take(self.socket.recv(timeout=max(0.0, left)))
            now = time.monotonic()
            for fragment, (interval, due) in list(self._timers.items()):
                if now >= due and not self.is_running:
                    self._timers[fragment] = (interval, now + interval)
                    self.run(fragment, is_auto=True)
            if now >= deadline:
                return

    def until(self, condition, timeout_s: float = 60.0) -> None:
        deadline = time.monotonic() + timeout_s
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(self.text()[-2000:])
            self.listen()

    def settle(self, timeout_s: float = 60.0) -> None:
        """Wait until the page is drawn."""
        self.until(lambda: not self.is_running, timeout_s)

    def _take(self, data: bytes | str) -> None:
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "ref_hash":
            known = ForwardMsg()
            known.ParseFromString(self._known[message.ref_hash])
            known.metadata.CopyFrom(message.metadata)
            message, kind = known, known.WhichOneof("type")
        elif message.hash:
            self._known[message.hash] = data
        if kind == "new_session":
            self.session_id = message.new_session.initialize.session_id or self.session_id
            self.is_running = True
            if not message.metadata.run.fragment_ids:
                self.elements.clear()
                self._texts.clear()
                self.fragments.clear()
                self._timers.clear()
        elif kind == "delta":
            path, what = tuple(message.metadata.delta_path), message.delta.WhichOneof("type")
            if what == "add_block":
                for old in [each for each in self.elements if each[: len(path)] == path]:
                    del self.elements[old]
            if what in ("new_element", "add_block"):  # of blocks, tabs are widgets
                self.elements[path] = getattr(message.delta, what)
                if message.delta.fragment_id:
                    self.fragments[path] = message.delta.fragment_id
        elif kind == "auto_rerun":
            interval = message.auto_rerun.interval
            self._timers[message.auto_rerun.fragment_id] = (interval, time.monotonic() + interval)
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "file_urls_response":
            self._answers[message.file_urls_response.response_id] = message.file_urls_response
        elif kind == "script_finished":
            self.is_running = False

    # what is on the page

    @staticmethod
    def _id(element) -> str:
        kind = element.WhichOneof("type")
        return getattr(getattr(element, kind), "id", "") if kind else ""

    def path_of(self, key: str) -> tuple[int, ...]:
        return next(path for path, element in self.elements.items() if self._id(element).endswith(f"-{key}"))

    def key_like(self, pattern: str) -> str:
        """Find the key of something on the page by a pattern; empty where there is none."""
        found = (re.search(f"-({pattern})$", self._id(element)) for element in self.elements.values())
        return next((match[1] for match in found if match is not None), "")

    def has(self, key: str) -> bool:
        return any(self._id(element).endswith(f"-{key}") for element in self.elements.values())

    def of_kind(self, kind: str) -> list:
        """The elements of a kind, such as ``alert``, ``button`` or ``exception``."""
        return [getattr(each, kind) for each in self.elements.values() if each.WhichOneof("type") == kind]

    def can_press(self, key: str) -> bool:
        return self.has(key) and not self.elements[self.path_of(key)].button.disabled

    def text(self) -> str:
        """All words on the page, and more; what is escaped for Markdown as it is seen."""
        for path, element in self.elements.items():
            if path not in self._texts or self._texts[path][0] is not element:
                self._texts[path] = (element, str(element).replace("\\", ""))
        return "\n".join(self._texts[path][1] for path in self.elements)
