"""Visitors bring damaged and hostile files while another one compares: the server has to live, stay right and slim.

    python benchmarks/hostile_visitors.py [--made 1000] [--visitors 10] [--folder FOLDER]

Half of the visitors bring files as data, the others as a split to check: all of ``tests/io/hostile`` (and of FOLDER),
and files made anew from the tests' corpus. Another visitor compares all the while, and its results have to be the same
as before. Looked at: whether the server answers within a second throughout, exceptions on pages, and the server's
memory with the processes it started, before (after a round of the same, to warm up) and after everybody has left.

Ends with code 1 where something was wrong.
"""

from __future__ import annotations

import argparse
import re
import sys
import threading
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from load_sessions import DONE, ROOT, start_server
from visitor import Visitor

sys.path.insert(0, str(ROOT / "tests"))
from fuzz.readers import seeds
from fuzz.worker import FOLDERS, made

ENDINGS = ("csv", "parquet", "npz", "arff", "jsonl", "json", "xlsx", "zip", "txt", "tsv", "csv.gz", "svm")
MOST_HEALTH_S, MOST_GROWTH = 1.0, 0.10
LEAVE_S = 30
COMPARED = "data=emotions&methods=random,ss&seeds=2"
File = tuple[str, bytes]


@dataclass
class Seen:
    """What went on."""

    n_sent: int = 0
    n_refused: int = 0
    wrong: list[str] = field(default_factory=list)
    slowest_health_s: float = 0.0
    n_compared: int = 0
    longest_s: float = 0.0


def files_of(number: int, n_visitors: int, n_made: int, given: list[File]) -> list[File]:
    """Give a visitor's files: all hostile ones, and its share of those made anew."""
    starts = seeds(*FOLDERS)
    of_parquet = [each for each in starts if each[1:5] == b"PAR1"]
    mine = range(number, n_made, n_visitors)
    new = [(f"made{at}.{ENDINGS[at % len(ENDINGS)]}", made(at, 99, 0.2, starts, of_parquet)[1:]) for at in mine]
    return given + new


def bring(url: str, number: int, files: list[File], seen: Seen) -> None:
    """Be a visitor who brings one file after the other, as data or as a split."""
    page = "check" if number % 2 else ""
    visitor: Visitor | None = None
    for name, content in files:
        for is_last in (False, True):  # who loses the place begins anew, as people do
            try:
                visitor = visitor or Visitor(url, page=page)
                bring_one(visitor, page, name, content, seen)
                break
            except Exception as error:
                if is_last:
                    seen.wrong.append(f"{name}: {type(error).__name__}: {str(error)[:200]}")
                if visitor is not None:
                    visitor.close()
                visitor = None
    if visitor is not None:
        visitor.close()


def bring_one(visitor: Visitor, page: str, name: str, content: bytes, seen: Seen) -> None:
    """Bring a file to the uploader of a page, and wait for what is said of it."""
    pattern = r"check_file_\d+" if page else r"upload_\d+"
    quiet(visitor)
    if page and visitor.has("check_file_remove"):
        visitor.press("check_file_remove")
        quiet(visitor)
    began = time.monotonic()
    visitor.until(lambda: visitor.key_like(pattern), 60)
    sent = visitor.send(name, content)
    seen.n_sent += 1
    if isinstance(sent, int):
        seen.n_refused += 1
        return
    visitor.run(**{visitor.key_like(pattern): [sent]})
    quiet(visitor)
    seen.longest_s = max(seen.longest_s, time.monotonic() - began)
    if visitor.of_kind("exception"):
        seen.wrong.append(f"{name}: an exception on the page: {visitor.of_kind('exception')[0].type}")


def quiet(visitor: Visitor) -> None:
    """Wait until a page is drawn, and is not drawn again at once."""
    while True:
        visitor.settle(180)
        visitor.listen(0.3)
        if not visitor.is_running:
            return


def compare(url: str, is_over: threading.Event, expected: list[str], seen: Seen) -> None:
    """Compare again and again; the results have to be those of the first time."""
    while not is_over.is_set() or not seen.n_compared:
        visitor = Visitor(url, COMPARED)
        try:
            visitor.settle(120)
            visitor.until(lambda visitor=visitor: visitor.can_press("run"), 120)
            visitor.press("run")
            visitor.until(lambda visitor=visitor: not visitor.is_running and DONE in visitor.text(), 300)
            found = re.findall(r"rLD[^\n]{0,80}", visitor.text())[:20]
            expected.extend(found if not expected else [])
            if found != expected:
                seen.wrong.append("a comparison has another result than before")
            seen.n_compared += 1
        except Exception as error:
            seen.wrong.append(f"comparison: {type(error).__name__}: {str(error)[-200:]}")
        finally:
            visitor.close()


def watch(url: str, is_over: threading.Event, seen: Seen) -> None:
    """Ask the server how it is, several times a second."""
    while not is_over.is_set():
        began = time.monotonic()
        try:
            with urllib.request.urlopen(url + "/_stcore/health", timeout=20):
                pass
        except OSError as error:
            seen.wrong.append(f"no health: {error}")
        seen.slowest_health_s = max(seen.slowest_health_s, time.monotonic() - began)
        time.sleep(0.2)


def memory_mb(pid: int) -> float:
    process = psutil.Process(pid)
    total = 0
    for each in (process, *process.children(recursive=True)):
        try:
            total += each.memory_full_info().uss
        except psutil.Error:
            continue
    return total / 2**20


def round_of(url: str, n_visitors: int, n_made: int, given: list[File], expected: list[str]) -> Seen:
    """Let everybody come, and wait until all have left."""
    seen, is_over = Seen(), threading.Event()
    others = [threading.Thread(target=watch, args=(url, is_over, seen)),
              threading.Thread(target=compare, args=(url, is_over, expected, seen))]  # fmt: skip
    visitors = [
        threading.Thread(target=bring, args=(url, number, files_of(number, n_visitors, n_made, given), seen))
        for number in range(n_visitors)
    ]
    for thread in (*others, *visitors):
        thread.start()
    for thread in visitors:
        thread.join()
    is_over.set()
    for thread in others:
        thread.join()
    time.sleep(LEAVE_S)
    return seen


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", type=int, default=1000, help="files that are made anew, for all visitors together")
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="more files that each visitor brings")
    options = parser.parse_args()
    folders = [ROOT / "tests" / "io" / "hostile", *([options.folder] if options.folder else [])]
    given = [(each.name, each.read_bytes()) for folder in folders for each in sorted(folder.iterdir())]
    url, process = start_server()
    expected: list[str] = []
    try:
        warm = round_of(url, options.visitors, options.made // 5, given, expected)
        before_mb = memory_mb(process.pid)
        seen = round_of(url, options.visitors, options.made, given, expected)
        lives = process.poll() is None
        after_mb = memory_mb(process.pid) if lives else float("nan")
    finally:
        process.terminate()
        process.wait(30)
    for problem in dict.fromkeys((*warm.wrong, *seen.wrong)):
        print(problem)
    growth = after_mb / before_mb - 1
    state = "lives" if lives else "is gone"
    print(f"{seen.n_sent} files brought, {seen.n_refused} refused on their way in, longest {seen.longest_s:.1f} s")
    print(f"{seen.n_compared} comparisons; the server {state}, and answered within {seen.slowest_health_s:.2f} s")
    print(f"memory {before_mb:.0f} MB -> {after_mb:.0f} MB ({growth:+.0%})")
    is_slim = growth <= MOST_GROWTH and seen.slowest_health_s <= MOST_HEALTH_S
    return int(bool(seen.wrong) or not lives or not is_slim)


if __name__ == "__main__":
    sys.exit(main())
