"""Let many visitors compare at once on one server, and see whether it stays right, fair and slim.

    python benchmarks/load_sessions.py [--sessions 20] [--minutes 10] [--rounds 1] [--url URL --pid PID] [--leave S]

Starts the app as a user does, unless it is told where one runs. Each visitor brings a file of a name, number of rows
and number of labels of its own, and compares again and again until the time is over. Looked at: errors on the page,
results that are somebody else's, how often the queue was full (then the visitor comes again after a while), how long a
comparison took from press to result, and the server's memory before, at its peak, and once everybody has left and what
they left behind has been let go. Before means after a visitor has compared once: all is imported and compiled. With
several rounds, everybody comes again after having left; what memory grows from the second round on is never given back.

The visitors have no browser (see ``visitor.py``): twenty of those would need more of the machine than the server.
Ends with code 1 where something was wrong.
"""

from __future__ import annotations

import argparse
import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import psutil
from visitor import Visitor

ROOT = Path(__file__).parents[1]
DONE = "Take this split"
FILES = "Take away"
"""The tab with a split's program and the sizes of its folds."""
BUSY = "The server is busy"
GRACE_S, KEPT_S, TTL_S = 5, 10, 10
MOST_GROWTH = 0.2
MOST_LATER_GROWTH = 0.03
"""From the second round to the last."""


@dataclass
class Seen:
    """What one visitor saw."""

    name: str
    times_s: list[float] = field(default_factory=list)
    n_refused: int = 0
    most_ahead: int = 0
    wrong: list[str] = field(default_factory=list)


def table(number: int) -> tuple[str, bytes, str]:
    """A visitor's data: name, bytes, and how the app writes its size."""
    n_rows, n_labels = 400 + 17 * number, 5 + number % 11
    labels = np.random.default_rng(number).random((n_rows, n_labels)) < 0.2
    lines = [",".join(f"label{number}_{column}" for column in range(n_labels))]
    lines += [",".join(map(str, row)) for row in labels.astype(int)]
    name = f"visitor{number:03d}.csv"
    return name, "\n".join(lines).encode(), f"{name} · {n_rows:,} × {n_labels}"


def is_of(number: int, text: str) -> bool:
    """Tell whether a page's data, verdict, program and folds are a visitor's own."""
    name, content, title = table(number)
    sizes = re.search(r"Rows in each fold: ([\d, ]+)\.", text)
    n_rows = sum(int(size.replace(",", "")) for size in sizes[1].split(", ")) if sizes else 0
    own = (title, f"{Path(name).stem}, 5 folds", f"optisplit.load('{name}')")
    return all(each in text for each in own) and n_rows == content.count(b"\n")


def compare_once(visitor: Visitor, seen: Seen, until: float) -> bool:
    """Press Run and wait for the result; tells whether there was one."""
    visitor.until(lambda: visitor.can_press("run"))
    start = time.monotonic()
    earlier = visitor.query
    visitor.press("run")
    while True:
        visitor.listen(0.1)
        text = visitor.text()
        if not visitor.is_running and BUSY in text:
            seen.n_refused += 1
            time.sleep(2)
            visitor.press("run")
        ahead = re.search(r"(\d+) jobs? before yours", text)
        seen.most_ahead = max(seen.most_ahead, int(ahead[1]) if ahead else 0)
        if not visitor.is_running and visitor.query != earlier and DONE in text and visitor.can_press("run"):
            seen.times_s.append(time.monotonic() - start)
            return True
        if time.monotonic() > until + 300:
            seen.wrong.append("no result within 300 s")
            return False


def visit(url: str, number: int, until: float, seen: Seen, names: list[str]) -> None:
    name, content, title = table(number)
    visitor = Visitor(url)
    try:
        visitor.settle()
        visitor.upload("upload_0", **{name.replace(".", "__"): content})
        visitor.until(lambda: title in visitor.text())
        visitor.settle()
        while time.monotonic() < until and compare_once(visitor, seen, until):
            visitor.choose("details", FILES)
            try:  # what ends first may be an earlier drawing
                visitor.until(lambda: not visitor.is_running and is_of(number, visitor.text()))
            except TimeoutError:
                seen.wrong.append("a result without its own data")
            text = visitor.text()
            if visitor.of_kind("exception"):
                seen.wrong.append("an exception on the page")
            others = [other for other in names if other != name and other in text]
            if others:
                seen.wrong.append(f"something of {others[0]}")
    except Exception as error:
        seen.wrong.append(f"{type(error).__name__}: {str(error)[:300]}")
    finally:
        visitor.close()


class Memory:
    """The server's resident memory, looked at several times a second."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self.peak_mb = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def now_mb(self) -> float:
        return self._process.memory_info().rss / 2**20

    def _watch(self) -> None:
        while self._process.is_running():
            try:
                self.peak_mb = max(self.peak_mb, self.now_mb())
            except psutil.Error:
                return
            time.sleep(0.2)


def start_server() -> tuple[str, subprocess.Popen[bytes]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    short = {
        "OPTISPLIT_JOB_GRACE_S": str(GRACE_S),
        "OPTISPLIT_RESULT_GRACE_S": str(KEPT_S),
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(TTL_S),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.headless", "true"],
        cwd=ROOT, env={**short, **os.environ}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(600):
        try:
            with urllib.request.urlopen(url + "/_stcore/health", timeout=1):
                return url, process
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise RuntimeError("the server did not start")


def one_round(url: str, all_seen: list[Seen], names: list[str], minutes: float, memory: Memory) -> float:
    """Let everybody compare for some minutes; give the memory when the last one leaves."""
    until = time.monotonic() + 60 * minutes
    threads = [
        threading.Thread(target=visit, args=(url, number, until, seen, names)) for number, seen in enumerate(all_seen)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return memory.now_mb()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--url", help="where a server runs; default: one is started")
    parser.add_argument("--pid", type=int, help="its process")
    parser.add_argument("--leave", type=float, default=max(GRACE_S, KEPT_S, TTL_S) + 10.0,
                        help="seconds to wait once everybody has left")  # fmt: skip
    options = parser.parse_args()
    process = None
    url, pid = options.url, options.pid
    if url is None:
        url, process = start_server()
        pid = process.pid
    memory = Memory(pid)
    names = [table(number)[0] for number in range(options.sessions)]
    try:
        first = Seen("first")
        visit(url, 999, time.monotonic(), first, [])  # brings a file
        first_visitor = Visitor(url, "data=emotions")
        first_visitor.settle()
        compare_once(first_visitor, first, time.monotonic())
        first_visitor.close()
        time.sleep(options.leave)
        begin_mb = memory.now_mb()
        memory.peak_mb = begin_mb
        all_seen = [Seen(name) for name in names]
        ends_mb = []
        for _ in range(options.rounds):
            left_mb = one_round(url, all_seen, names, options.minutes, memory)
            time.sleep(options.leave)
            ends_mb.append(memory.now_mb())
    finally:
        if process is not None:
            process.terminate()
            process.wait(30)
    print(f"{'visitor':<16}{'done':>6}{'median s':>10}{'longest s':>11}{'refused':>9}{'most ahead':>12}  wrong")
    for seen in all_seen:
        times = seen.times_s or [float("nan")]
        print(f"{seen.name:<16}{len(seen.times_s):>6}{statistics.median(times):>10.1f}{max(times):>11.1f}"
              f"{seen.n_refused:>9}{seen.most_ahead:>12}  {'; '.join(dict.fromkeys(seen.wrong))}")  # fmt: skip
    done = [len(seen.times_s) for seen in all_seen]
    growth = ends_mb[-1] / begin_mb - 1
    later = ends_mb[-1] / ends_mb[1] - 1 if len(ends_mb) > 2 else 0.0
    and_later = f"; {later:+.1%} after round 2" if len(ends_mb) > 2 else ""
    ends = ", ".join(f"{each:.0f}" for each in ends_mb)
    print(f"\n{sum(done)} comparisons, {min(done)} to {max(done)} a visitor")
    print(f"server's memory, MB: {begin_mb:.0f} before, {memory.peak_mb:.0f} at its peak, {left_mb:.0f} when the last "
          f"one left, {ends} after {options.leave:.0f} s ({growth:+.0%}{and_later})")  # fmt: skip
    is_slim = growth <= MOST_GROWTH and later <= MOST_LATER_GROWTH
    return int(any(seen.wrong for seen in all_seen) or first.wrong != [] or not is_slim)


if __name__ == "__main__":
    sys.exit(main())
