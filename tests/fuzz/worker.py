"""The process that reads: one input after the other, each where the watching process finds it if this one ends."""

from __future__ import annotations

import contextlib
import gc
import gzip
import hashlib
import io
import json
import lzma
import mmap
import os
import random
import re
import struct
import sys
import time
import traceback
import zipfile
from collections import Counter
from functools import cache
from pathlib import Path

from optisplit.io.child import limits, process
from optisplit.io.packing import ZIP_ERRORS

from .anew import anew
from .anew import parquet as make_parquet
from .kept import Kept
from .readers import FIXED_BYTES, MOST_TIMES, TESTS, WAYS, mutations, one_input, seeds, way_of

PLACE_BYTES = 1 << 22
HEAD = struct.Struct("<QQd")
"""The number of an input, its length, and when it was begun, on the processor's clock."""

FOLDERS = (TESTS / "cases", TESTS / "io" / "hostile", TESTS / "fuzz" / "found")
MOST_PROCESSOR_S = 10
"""For one input."""

MOST_TRIES = 400
WARM = 20
"""Inputs for each way, before memory is weighed."""

ANEW = 0.4
"""Share of the inputs that are made, where the others are mutations of files that there are."""

TOLD_EVERY = 5000
"""Inputs after which is told how many of each way there were."""


def work(place: str, first: str, until: str, *, seed: int, parquet: float) -> None:
    """Read inputs from a number on, until a moment, and tell what is found, a line each."""
    # Parquet and spreadsheets are read in processes of their own, which set their own limits
    starts = seeds(*FOLDERS)
    of_parquet = [each for each in starts if each[1:5] == b"PAR1"]
    process._copied = Kept().copied
    n_read: Counter[str] = Counter()
    with open(place, "r+b") as file, mmap.mmap(file.fileno(), PLACE_BYTES) as shared:
        number = int(first)
        for way in range(len(WAYS)):  # what is loaded once is no memory of an input's
            for content in starts[:: len(starts) // WARM]:
                with contextlib.suppress(Exception):
                    one_input(bytes((way,)) + content[1:])
        gc.collect()
        gc.freeze()  # what there is by now is not looked through again and again
        while time.time() < float(until):
            content = made(number, seed, parquet, starts, of_parquet)
            shared[HEAD.size : HEAD.size + len(content)] = content
            shared[: HEAD.size] = HEAD.pack(number, len(content), time.process_time())
            found = tried(content)
            if found is not None and found["what"] == "memory":  # from a peak that was before, or loaded once?
                _forget_peak()
                found = tried(content)
            if found is not None:
                smaller = shrunk(content, found["what"], found["where"])
                print(json.dumps(found | {"content": smaller.hex()}), flush=True)
            n_read[way_of(content)] += 1
            n_read["of all, begin as Parquet"] += content[1:5] == b"PAR1"
            number += 1
            if number % TOLD_EVERY == 0:
                _tell(n_read)
        _tell(n_read)
        shared[: HEAD.size] = HEAD.pack(number, 0, time.process_time())


def _tell(n_read: Counter[str]) -> None:
    print(json.dumps({"read": n_read}), flush=True)
    n_read.clear()


def made(number: int, seed: int, parquet: float, starts: list[bytes], of_parquet: list[bytes]) -> bytes:
    """Make an input anew from its number."""
    rng = random.Random(f"{seed}/{number}")
    is_parquet = rng.random() < parquet
    content = next(mutations(rng, of_parquet if is_parquet else starts, starts))
    if rng.random() < ANEW and (whole := anew(rng, make_parquet if is_parquet else None)) is not None:
        content = content[:1] + whole
        if rng.random() < 0.2:
            content = content[:1] + next(mutations(rng, [content], starts))[1:]
    dressed = rng.choice(_DRESSES)(content[1:], rng, starts) if rng.random() < 0.25 else content[1:]
    way = content[:1] if rng.random() < 0.3 else bytes((rng.randrange(len(WAYS)),))
    return (way + dressed)[: PLACE_BYTES - HEAD.size]


def _within(content: bytes, rng: random.Random, starts: list[bytes]) -> bytes:
    """Change a file, or its name, within a zip; or put all into one."""
    files = {"a.csv": content}
    zips = [each[1:] for each in starts if each[1:3] == b"PK"]
    with contextlib.suppress(*ZIP_ERRORS), zipfile.ZipFile(io.BytesIO(rng.choice(zips))) as archive:
        files = {each.filename: archive.read(each) for each in archive.infolist()[:50] if each.file_size < 1 << 20}
        chosen = rng.choice(list(files))
        files[chosen] = next(mutations(rng, [b"\0" + files[chosen]], starts))[1:]
    if rng.random() < 0.3:
        files[rng.choice(("", "/", "..", "a\0b", "fold.csv", "folds.csv", "x" * 300, "\ud800"))] = content
    stream = io.BytesIO()
    with contextlib.suppress(*ZIP_ERRORS), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, each in files.items():
            archive.writestr(zipfile.ZipInfo(name), each)
    return stream.getvalue()


_EXTREMES = (
    b"-1",
    b"0",
    b"1e308",
    b"-0",
    b"inf",
    b"nan",
    b"9" * 30,
    b"2147483648",
    b"-9223372036854775809",
    b"0.1",
    b"",
)


def _with_extremes(content: bytes, rng: random.Random, _: list[bytes]) -> bytes:
    """Put numbers that are out of the ordinary in the place of some."""
    return re.sub(rb"\d+", lambda found: rng.choice(_EXTREMES) if rng.random() < 0.1 else found[0], content)


def _repeated(content: bytes, rng: random.Random, _: list[bytes]) -> bytes:
    """Write lines again and again, as long files have them."""
    lines = content.splitlines(keepends=True)
    return b"".join(
        lines[:1] + lines[1:] * min(rng.choice((2, 5, 10, 10, 300, 3000)), 200_000 // (len(content) + 1) + 1)
    )


_DRESSES = (
    _within, _within, _with_extremes, _with_extremes, _repeated,
    lambda content, *_: gzip.compress(content), lambda content, *_: lzma.compress(content, preset=0),
    lambda content, *_: content.decode("latin-1").encode("utf-16"),
)  # fmt: skip


def tried(content: bytes) -> dict[str, str] | None:
    """Read an input, and say what is wrong with how that went."""
    before = _held_bytes()
    began = time.process_time()
    try:
        one_input(content)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return {"what": type(error).__name__, "where": _where(error), "told": traceback.format_exc()[-3000:]}
    took, peak = time.process_time() - began, _most_bytes() - before
    if peak > FIXED_BYTES + MOST_TIMES * len(content):
        return {"what": "memory", "where": way_of(content), "told": f"{peak:,} bytes for {len(content):,}"}
    if took > MOST_PROCESSOR_S:
        return {"what": "time", "where": way_of(content), "told": f"{took:.0f} s for {len(content):,} bytes"}
    return None


def shrunk(content: bytes, what: str, where: str) -> bytes:
    """Leave out of an input what it takes not to go wrong in the same way."""
    if what in ("memory", "time"):
        return content
    best, size, tries = content, len(content) // 2, 0
    deadline = time.monotonic() + 20
    while size:
        at = 1
        while at < len(best) and tries < MOST_TRIES and time.monotonic() < deadline:
            tries += 1
            less = best[:at] + best[at + size :]
            found = tried(less)
            if found is not None and (found["what"], found["where"]) == (what, where):
                best = less
            else:
                at += size
        size //= 2
    return best


def name_of(what: str, where: str) -> str:
    """Call a finding by what went wrong and where."""
    return f"{what}-{hashlib.sha256(where.encode()).hexdigest()[:8]}"


def _where(error: BaseException) -> str:
    frames = [each for each in traceback.extract_tb(error.__traceback__) if "optisplit" in each.filename]
    last = frames[-1] if frames else traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}:{last.name}:{last.line}"


def _forget_peak() -> None:
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as file:
        file.write("5")


def _most_bytes() -> int:
    """Tell the most memory that this process has held since its peak was forgotten."""
    return 1024 * limits.resource.getrusage(limits.resource.RUSAGE_SELF).ru_maxrss if sys.platform == "linux" else 0


def _held_bytes() -> int:
    return limits.resource.getpagesize() * int(os.pread(_statm(), 100, 0).split()[1]) if sys.platform == "linux" else 0


@cache
def _statm() -> int:
    return os.open("/proc/self/statm", os.O_RDONLY)
