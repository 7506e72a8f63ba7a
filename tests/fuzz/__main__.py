"""Long rounds of fuzzing, outside the tests.

From the folder ``tests``; with mutations of the corpus, so many inputs, on one processor::

    python -m fuzz --inputs 1000000 --seed 1

With a fuzzer that follows which lines are reached (``pip install atheris``); arguments after CORPUS are libFuzzer's::

    python -m fuzz CORPUS -max_total_time=3600 -timeout=20 -rss_limit_mb=2048
"""

from __future__ import annotations

import argparse
import random
import resource
import sys
import time
from itertools import islice
from pathlib import Path

MOST_SECONDS = 2.0
"""Any input of the corpus' size is read in a hundredth of this."""

READERS = [
    "optisplit.io.formats",
    "optisplit.io.splits",
    "optisplit.methods.recipes",
    "optisplit.labels",
    "optisplit.labels",
]


def count_up(n_inputs: int, seed: int) -> None:
    """Read so many mutations; stop at the first that brings anything but an error of the package."""
    from fuzz.readers import FIXED_BYTES, MOST_TIMES, mutations, one_input, peak_bytes, seeds

    starts = seeds()
    for content in starts:
        one_input(content)
    start = time.monotonic()
    slowest, largest = 0.0, 0
    for number, content in enumerate(islice(mutations(random.Random(seed), starts), n_inputs), start=1):
        began = time.thread_time()
        try:
            if number % 500 == 0:
                peak = peak_bytes(content)
                largest = max(largest, peak)
                assert peak <= FIXED_BYTES + MOST_TIMES * len(content), f"{peak:,} bytes for {len(content):,}"
            else:
                one_input(content)
                took = time.thread_time() - began
                assert took < MOST_SECONDS, f"{took:.1f} seconds for {len(content):,} bytes"
        except BaseException:
            found = Path(f"crash-{seed}-{number}")
            found.write_bytes(content)
            print(f"input {number:,} of seed {seed} is kept as {found}", flush=True)
            raise
        slowest = max(slowest, time.thread_time() - began)
        if number % 50_000 == 0:
            rate = number / (time.monotonic() - start)
            held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"{number:,} inputs, {rate:,.0f} a second, slowest {slowest:.2f} s, most memory for one "
                  f"{largest / 1e6:.1f} MB, of the process {held:,.0f} MB", flush=True)  # fmt: skip


def follow_lines(arguments: list[str]) -> None:
    """Let libFuzzer mutate, guided by the lines of the readers that it reaches."""
    import atheris

    with atheris.instrument_imports(include=READERS):
        from fuzz.readers import WAYS, one_input, seeds

    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(seeds()):
        for way in range(len(WAYS)):
            (folder / f"seed-{number}-{way}").write_bytes(bytes((way,)) + content[1:])
    atheris.Setup([sys.argv[0], *arguments], one_input)
    atheris.Fuzz()


def main() -> None:
    """Choose the round by the arguments."""
    if sys.argv[1:] and not sys.argv[1].startswith("--"):
        follow_lines(sys.argv[1:])
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    count_up(options.inputs, options.seed)


if __name__ == "__main__":
    main()
