"""The side that watches: starts the process that reads, keeps what it dies of or hangs in, and says how it went."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

import psutil

from .readers import TESTS, WAYS, answer_of, way_of
from .worker import HEAD, MOST_PROCESSOR_S, PLACE_BYTES, name_of

FOUND = TESTS / "fuzz" / "found"
ANSWERS = FOUND / "answers.json"
MOST_CLOCK_S = 90
"""Seconds for one input: other processes may need the machine, too."""

MOST_START_S = 600
"""Until the first input: some of each way are read before."""


def run(minutes: float, seed: int, parquet: float) -> int:
    """Fuzz for so long; give 1 where anything was found."""
    until = time.time() + 60 * minutes
    counts: Counter[str] = Counter()
    n_read: Counter[str] = Counter()
    n_inputs = 0
    with tempfile.NamedTemporaryFile(prefix="optisplit-fuzz-") as place:
        place.truncate(PLACE_BYTES)
        while time.time() < until:
            n_inputs = _watched(Path(place.name), n_inputs, until, seed, parquet, counts, n_read)
    told = ", ".join(f"{count} x {name}" for name, count in counts.most_common()) or "nothing"
    print(*(f"{count:,} {way}" for way, count in n_read.most_common()), sep="\n")
    print(f"{n_inputs:,} inputs in {minutes:g} minutes; found: {told}")
    return int(bool(counts))


def _watched(
    place: Path, first: int, until: float, seed: int, parquet: float, counts: Counter[str], n_read: Counter[str]
) -> int:
    """Have inputs read from a number on until the process ends; give the number to go on from."""
    with place.open("r+b") as file:
        file.write(HEAD.pack(first, 0, 0.0))  # no input is begun; the last one's would be taken for this process's
    command = [sys.executable, str(TESTS / "fuzz"), "--seed", str(seed), "--parquet", str(parquet)]
    process = subprocess.Popen(
        [*command, "--worker", str(place), str(first), str(until)], cwd=TESTS.parent, stdout=subprocess.PIPE, text=True
    )
    lines: queue.Queue[str] = queue.Queue()
    assert process.stdout is not None
    threading.Thread(target=lambda: [lines.put(line) for line in process.stdout], daemon=True).start()
    hang, last, since, told = "", -1, time.monotonic(), time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        _keep_all(lines, counts, n_read)
        number, content, began = _begun(place)
        if number != last:
            last, since = number, time.monotonic()
        busy, passed = _processor_s(process.pid) - began, time.monotonic() - since
        if passed > (MOST_CLOCK_S if content else MOST_START_S) or (content and busy > 3 * MOST_PROCESSOR_S):
            hang = f"{busy:.0f} s of the processor, {passed:.0f} s by the clock"
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(f"{number:,} inputs, {sum(counts.values())} findings", flush=True)
    time.sleep(0.2)
    _keep_all(lines, counts, n_read)
    number, content, _ = _begun(place)
    if process.returncode == 0:
        return number
    if not content:
        raise RuntimeError(f"The process that reads did not begin with an input: {hang or process.returncode}.")
    what = "hang" if hang else f"signal{-process.returncode}"
    _keep(what, way_of(content), content, hang or f"ended with {process.returncode}", counts)
    return number + 1


def _begun(place: Path) -> tuple[int, bytes, float]:
    with place.open("rb") as file:
        number, length, began = HEAD.unpack(file.read(HEAD.size))
        return number, file.read(length), began


def _processor_s(number: int) -> float:
    try:
        times = psutil.Process(number).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def _keep_all(lines: queue.Queue[str], counts: Counter[str], n_read: Counter[str]) -> None:
    while not lines.empty():
        found = json.loads(lines.get())
        if "read" in found:
            n_read.update(found["read"])
            continue
        _keep(found["what"], found["where"], bytes.fromhex(found["content"]), found["told"], counts)


def _keep(what: str, where: str, content: bytes, told: str, counts: Counter[str]) -> None:
    """Keep what was found, once for each place."""
    name = name_of(what, where)
    counts[name] += 1
    if counts[name] > 1:
        return
    FOUND.mkdir(exist_ok=True)
    (FOUND / name).write_bytes(content[1:])
    _note(name, {"way": way_of(content), "answer": None})
    print(f"{name}: {way_of(content)}: {where}\n{told}", flush=True)


def answers() -> dict[str, dict[str, str]]:
    """Give, for each file that was found, in which way it is read, and what is said of it."""
    return json.loads(ANSWERS.read_text()) if ANSWERS.exists() else {}


def _note(name: str, entry: dict[str, object]) -> None:
    noted = answers() | {name: entry}
    ANSWERS.write_text(json.dumps(dict(sorted(noted.items())), indent=1, ensure_ascii=False) + "\n")


def note_answers() -> None:
    """Note what is said of each file that was found."""
    for name, entry in answers().items():
        if entry["way"] in WAYS:
            _note(name, {"way": entry["way"], "answer": answer_of(entry["way"], (FOUND / name).read_bytes())})
