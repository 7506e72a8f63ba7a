"""Fixtures for all tests; those for a real browser start a server and a Chromium of their own."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MAIN = sys.modules["__main__"]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--disable-software-rasterizer",
]

DRIVER_NOISE = re.compile(r"WebGL|GPU stall|swiftshader|GroupMarkerNotSet", re.IGNORECASE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Use one process more than there are processors: tests in a browser wait half of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items):
    """Begin with what waits for a browser or a server, so that others have the processors meanwhile."""
    items.sort(key=lambda item: "browser" not in item.path.name and item.path.name != "test_server.py")


@pytest.fixture(autouse=True, scope="module")
def _keep_the_main_module():
    """Put back the main module: Streamlit's test driver leaves a page there, which new processes would then run."""
    yield
    sys.modules["__main__"] = MAIN


class Server:
    """The app, started as a user starts it, on a free port."""

    def __init__(self, folder: Path, **environment: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = folder / f"server-{port}.log"
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        with self.log.open("w") as sink:
            self.process = subprocess.Popen(
                [*command, "--server.headless", "true"],
                cwd=ROOT, env={**os.environ, **environment}, stdout=sink, stderr=subprocess.STDOUT,
            )  # fmt: skip
        deadline = time.monotonic() + 60
        while not self._is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the server did not start: " + self.log.read_text())
            time.sleep(0.05)

    def _is_up(self) -> bool:
        try:
            with urllib.request.urlopen(self.url + "/_stcore/health", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture
def fresh_server(tmp_path):
    """A server that nobody has asked anything yet."""
    running = Server(tmp_path)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    if not Path(CHROMIUM).exists():
        pytest.fail(f"no Chromium at {CHROMIUM}: install Debian's package chromium, or set CHROMIUM")
    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=CHROMIUM, headless=True, args=CHROMIUM_FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser):
    """A page of a new visitor; fails the test on a console error or a request to anywhere else."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    tab = context.new_page()
    errors, outside = [], []

    def note_console(message):
        url = message.location.get("url", "")
        if message.type == "error" and not DRIVER_NOISE.search(message.text):
            errors.append((message.text, url))

    def note_request(request):
        if not request.url.startswith(("http://127.0.0.1", "ws://127.0.0.1", "data:", "blob:")):
            outside.append(request.url)

    tab.on("console", note_console)
    tab.on("pageerror", lambda error: errors.append((str(error), "")))
    tab.on("request", note_request)
    yield tab
    context.close()
    assert not errors
    assert not outside
