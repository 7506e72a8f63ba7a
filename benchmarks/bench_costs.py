"""Measure every method, and show how near the estimates come.

    python benchmarks/bench_costs.py [--limit SECONDS] [--shapes FILE] [DATA ...]

DATA are samples' names or files; default: all samples that come along. A run that takes longer than the limit is
stopped and left out. A line is printed for each run: as tests/methods/measured_times.py holds them, then by how
much the estimate is off. ``--shapes`` writes the figures of the samples that estimates are made of.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import optisplit
from optisplit.errors import OptisplitError
from optisplit.methods.shapes import Shape

VARIANTS: dict[str, list[dict[str, Any]]] = {
    "optisplit": [{}, {"measure": "dcp"}, {"measure": "ld"}],
    "optisplit-sa": [
        {}, {"effort": "quick"}, {"measure": "dcp", "effort": "quick"}, {"measure": "ld", "effort": "quick"},
        {"balance_pairs": True, "effort": "quick"},
    ],
}  # fmt: skip


class TooLongError(Exception):
    """The limit is reached."""


def measure(labels: Any, key: str, n_splits: int, options: dict[str, Any], limit_s: float) -> float:
    method = optisplit.METHODS[key]
    method.prepare()
    deadline = time.monotonic() + limit_s

    def stop_in_time(_done: int, _total: int, _score: float) -> None:
        if time.monotonic() > deadline:
            raise TooLongError

    rng = np.random.default_rng(0)
    return method.run(labels, n_splits, rng=rng, options=options, on_progress=stop_in_time).cpu_s


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="*")
    parser.add_argument("--limit", type=float, default=60, help="most seconds for a run")
    parser.add_argument("--shapes", type=Path, help="file to write the figures of the samples to")
    given = parser.parse_args()
    if given.shapes is not None:
        figures = {key: dataclasses.asdict(Shape.of(optisplit.load(key).labels)) for key in optisplit.SAMPLES}
        given.shapes.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    for source in given.data or optisplit.SAMPLES:
        labels = optisplit.load(source).labels
        shape = Shape.of(labels)
        for key, method in optisplit.METHODS.items():
            for options in VARIANTS.get(key, [{}]):
                for n_splits in (5, 20):
                    try:
                        seconds = measure(labels, key, n_splits, options, given.limit)
                    except (TooLongError, OptisplitError) as error:
                        print(f"# {source} {key} {n_splits} {options}: {error or 'over the limit'}")
                        continue
                    ratio = method.seconds(shape, n_splits, options) / seconds
                    print(f"({source!r}, {key!r}, {n_splits}, {options}, {seconds:.2g}),  # off by {ratio:.2f}")


if __name__ == "__main__":
    main()
