"""Calls that write several files are ended at random moments: what is there then, and after the next call.

Each call writes its files anew in a folder that has older ones, and is killed (kill -9), ended (SIGTERM), finds its
disk full or its folder read-only. Afterwards all files have to be the old ones, or all the new ones, with nothing
beside them.

    python benchmarks/kill_writers.py --calls 500
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import optisplit
from optisplit.cli import main as command
from optisplit.io import target
from optisplit.io.target import scratch_folder, write_file

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = ("kill", "term", "full", "read-only")
FAR = 65_534  # the number of nobody

CALLS = {
    "split": "split emotions -k 5 --method random --seed {seed} -o {to}/folds.csv --save-recipe {to}/recipe.json",
    "convert": "convert {data} -o {to}/labels.npz",
    "repair": "repair emotions --folds {data}.csv --max-moved {seed}0 -o {to}/better.csv --moves {to}/moves.csv "
    "--report {to}/report.html",
}


def call(name: str, folder: Path, made: Path, seed: int) -> int:
    """Run a command in this process, and give its exit code."""
    text = CALLS[name].format(to=folder, seed=seed, data=made / f"data{seed}.parquet")
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        try:
            return int(command(text.split()) or 0)
        except SystemExit as ended:
            return int(ended.code or 0)


def contents(folder: Path) -> dict[str, bytes]:
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def started(name: str, folder: Path, made: Path, way: str, rng: random.Random) -> tuple[int, int]:
    """Start a call in a copy of this process; give its number, and a pipe that says when it begins to write."""
    ours, theirs = os.pipe()
    most_bytes = int(2 ** rng.uniform(4, 20))
    number = os.fork()
    if number:
        os.close(theirs)
        return number, ours
    os.close(ours)

    def tell(sign: bytes, was: Callable[..., object], *args: object) -> object:
        with suppress(OSError):
            os.write(theirs, sign)
        return was(*args)

    target.beside = partial(tell, b"w", target.beside)
    target.put_in_place = partial(tell, b"m", target.put_in_place)
    sys.dont_write_bytecode = True  # Python leaves a part of it where the disk is full
    if way == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    if way == "read-only" and os.getuid() == 0:
        os.setgid(FAR)
        os.setuid(FAR)
    os._exit(call(name, folder, made, 2))


def ended(name: str, folder: Path, made: Path, way: str, writing_s: float, rng: random.Random) -> int:
    """End a call in some way at a random moment, and give its exit code."""
    number, pipe = started(name, folder, made, way, rng)
    if way in ("kill", "term"):
        moment = rng.choice(("any", "writing", "moving"))
        wanted = {"any": b"", "writing": b"w", "moving": b"m"}[moment]
        while wanted and (sign := os.read(pipe, 1)) and sign != wanted:
            continue
        time.sleep(rng.uniform(0, {"any": 0.5, "writing": 1.5 * writing_s, "moving": 0.002}[moment]))
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL if way == "kill" else signal.SIGTERM)
    code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    os.close(pipe)
    return code


def prepare(made: Path) -> None:
    """Make what the calls read."""
    data = optisplit.load("emotions")
    for seed in (1, 2):
        some = optisplit.MultilabelDataset.from_labels(
            data.labels[: 300 * seed], [f"{name} {seed}" for name in data.label_names],
            row_ids=[f"r{row}" for row in range(300 * seed)][: data.n_rows],
        )  # fmt: skip
        optisplit.save(some, made / f"data{seed}.parquet")
        folds = optisplit.split(data, 5, method="random", random_state=seed)
        optisplit.save_split(folds, made / f"data{seed}.parquet.csv", data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    before, after = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as held:
        root = Path(held)
        root.chmod(0o755)
        made = root / "made"
        made.mkdir()
        prepare(made)
        versions, writing_s = {}, {}
        for name in CALLS:
            for seed in (1, 2):
                folder = root / f"{name}{seed}"
                folder.mkdir()
                call(name, folder, made, seed)
                versions[name, seed] = contents(folder)
            number, pipe = started(name, root / f"{name}2", made, "", rng)
            os.read(pipe, 1)
            began = time.perf_counter()
            os.waitpid(number, 0)
            writing_s[name] = time.perf_counter() - began
        tempfile.tempdir = str(root / "tmp")
        (root / "tmp").mkdir(mode=0o777)
        for at in range(options.calls):
            name, way = rng.choice(list(CALLS)), WAYS[at % len(WAYS)]
            folder = root / "work"
            shutil.copytree(root / f"{name}1", folder)
            folder.chmod(0o755 if os.getuid() == 0 else 0o555 if way == "read-only" else 0o755)
            code = ended(name, folder, made, way, writing_s[name], rng)
            folder.chmod(0o755)
            before[way, state(contents(folder), versions, name)] += 1
            write_file(folder / "next", "")  # the next call
            with scratch_folder("next"):
                pass
            (folder / "next").unlink()
            found = state(contents(folder), versions, name)
            found += " and more in the temporary folder" if list((root / "tmp").iterdir()) else ""
            after[way, found] += 1
            if found not in ("old", "new"):
                print(f"call {at}, {name}, {way}, exit code {code}: {found}: {sorted(contents(folder))}")
            shutil.rmtree(folder)
    for title, counts in (("at once", before), ("after the next call", after)):
        for (way, found), count in sorted(counts.items()):
            print(f"{title:20} {way:10} {found:30} {count}")
    sys.exit(any(found not in ("old", "new") for _, found in after))


def state(found: dict[str, bytes], versions: dict[tuple[str, int], dict[str, bytes]], name: str) -> str:
    """Say which files are there."""
    for title, seed in (("old", 1), ("new", 2)):
        if found == versions[name, seed]:
            return title
    known = versions[name, 1].keys() | versions[name, 2].keys()
    rest = {each: content for each, content in found.items() if each in known}
    if rest in (versions[name, 1], versions[name, 2]):
        return "whole, with leftovers"
    return "a mixture"


if __name__ == "__main__":
    main()
