"""Measure every method, fit the coefficients of the cost model, and show how near its estimates come.

    python benchmarks/bench_costs.py [--limit SECONDS] [--runs FILE] [DATA ...]

DATA are samples' names or files; default: all samples that come along. Each method runs with several numbers of
folds and options, a peer on some of the rows too where the whole takes it long. A run that takes longer than the limit
is stopped and left out of the fit. What is measured is added to the file given by ``--runs``, line by line, and not
measured again. At the end come the table of measured and estimated processor seconds, by the new coefficients and by
those of :mod:`optisplit.methods.costs`, and the new ones to paste there.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import least_squares, nnls

import optisplit
from optisplit.errors import OptisplitError, TimeLimitReached
from optisplit.methods.costs import COEFFICIENTS, terms
from optisplit.methods.shapes import Shape

N_SPLITS = (5, 2, 10)
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "optisplit": [{"measure": "dcp"}, {"measure": "ld"}, {"max_epochs": 1}],
    "optisplit-sa": [
        {"effort": "quick"}, {"measure": "dcp"}, {"measure": "ld"}, {"measure": "dcp", "effort": "quick"},
        {"measure": "ld", "effort": "quick"}, {"balance_pairs": True, "effort": "quick"}, {"balance_pairs": True},
        {"effort": "thorough"},
    ],
}  # fmt: skip
PARTS = (1 / 16, 1 / 4)
SMALL_S = 0.01
"""Seconds by which an estimate may be off without weight."""

LEAST_SHARE = 0.02
"""A term that is never a larger part of an estimate is left out."""

LARGE = 100_000
"""Rows from which on only five folds are tried, no variants but the first two, and no peers, which take hours."""


def case_key(case: dict[str, Any]) -> str:
    return json.dumps({name: case[name] for name in ("data", "rows", "method", "n_splits", "options")}, sort_keys=True)


def measure(labels: Any, case: dict[str, Any], limit_s: float) -> float | None:
    """Run once; None where it takes too long, NaN where it fails."""
    method = optisplit.METHODS[case["method"]]
    method.prepare()
    clock = time.monotonic if method.is_peer else time.thread_time  # what a peer's process takes is known at its end
    deadline = clock() + limit_s

    def stop_in_time(_done: int, _total: int, _score: float) -> None:
        if clock() > deadline:
            raise TimeLimitReached("over the limit")

    rng = np.random.default_rng(0)
    try:
        run = method.run(labels, case["n_splits"], rng=rng, options=case["options"], on_progress=stop_in_time)
    except TimeLimitReached:
        return None
    except OptisplitError as error:
        print(f"{case['method']} on {case['rows']:,} rows of {case['data']}: {error}")
        return math.nan
    return run.cpu_s


def cases_of(name: str, n_rows: int) -> list[dict[str, Any]]:
    parts = [n_rows] if n_rows >= LARGE else [*(int(n_rows * part) for part in PARTS if n_rows * part >= 400), n_rows]
    cases = []
    for rows in parts:
        for key, method in optisplit.METHODS.items():
            if (rows < n_rows and not method.is_peer) or (n_rows >= LARGE and method.is_peer):
                continue
            variants = VARIANTS.get(key, [])[: 2 if n_rows >= LARGE else None]
            tried = [(n_splits, {}) for n_splits in (N_SPLITS[:1] if n_rows >= LARGE else N_SPLITS)]
            tried += [(N_SPLITS[0], options) for options in variants]
            cases += [
                {"data": name, "rows": rows, "method": key, "n_splits": n_splits, "options": options}
                for n_splits, options in tried
            ]
    return cases


def measure_all(sources: list[str], limit_s: float, path: Path | None) -> list[dict[str, Any]]:
    if limit_s <= 0:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path else []
    known: dict[str, dict[str, Any]] = {}
    if path is not None and path.exists():
        known = {case_key(case): case for case in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    for source in sources:
        data = optisplit.load(source)
        too_long: set[str] = set()
        for case in cases_of(data.name, data.n_rows):
            key = case_key(case)
            if key not in known:
                if case["method"] in too_long and not case["options"]:
                    continue
                case["cpu_s"] = measure(data.labels[: case["rows"]], case, limit_s)
                if case["cpu_s"] is not None and math.isnan(case["cpu_s"]):
                    continue
                known[key] = case
                if path is not None:
                    with path.open("a", encoding="utf-8") as lines:
                        lines.write(json.dumps(case) + "\n")
            if known[key]["cpu_s"] is None:
                too_long.add(case["method"])
    return list(known.values())


def fit(cases: list[dict[str, Any]], shapes: dict[tuple[str, int], Shape]) -> dict[str, float]:
    """Fit one method's coefficients: none below 0, least squares of the logarithm of estimated by measured."""
    rows = [
        terms(case["method"], shapes[case["data"], case["rows"]], case["n_splits"], case["options"]) for case in cases
    ]
    names = sorted({name for row in rows for name in row})
    table = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    times = np.array([case["cpu_s"] for case in cases])
    kept = np.flatnonzero(table.max(axis=0) > 0)
    for _ in range(len(names)):
        scales = table[:, kept].max(axis=0) / times.max()
        scaled = table[:, kept] / scales
        start = nnls(scaled / (times + SMALL_S)[:, None], times / (times + SMALL_S))[0]

        def off(x: Any, scaled: Any = scaled) -> Any:
            return np.log((scaled @ x + SMALL_S) / (times + SMALL_S))

        solved = least_squares(off, np.maximum(start, 1e-9), bounds=(0, np.inf)).x
        shares = (scaled * solved / (scaled @ solved)[:, None]).max(axis=0)
        if shares.min() > LEAST_SHARE:
            break
        kept = np.delete(kept, shares.argmin())
    return {names[at]: float(f"{x:.3g}") for at, x in zip(kept, solved / scales, strict=True)}


def seconds_of(case: dict[str, Any], shape: Shape, prices: dict[str, float]) -> float:
    amounts = terms(case["method"], shape, case["n_splits"], case["options"])
    return sum(prices.get(name, 0.0) * amount for name, amount in amounts.items())


def show(
    cases: list[dict[str, Any]], shapes: dict[tuple[str, int], Shape], fitted: dict[str, dict[str, float]]
) -> None:
    print("| data | rows | method | folds | options | measured s | fitted s | ratio | costs.py ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for case in cases:
        shape, key = shapes[case["data"], case["rows"]], case["method"]
        new, old = (seconds_of(case, shape, prices[key]) for prices in (fitted, {key: {}, **COEFFICIENTS}))
        options = ", ".join(f"{name} {value}" for name, value in case["options"].items())
        cells = [case["data"], f"{case['rows']:,}", key, case["n_splits"], options]
        ratios = [f"{each / case['cpu_s']:.2f}" for each in (new, old)]
        print("|", " | ".join(map(str, [*cells, f"{case['cpu_s']:.3f}", f"{new:.3f}", *ratios])), "|")
    print("\n| method | runs | over 0.5 s | within a factor of 2 | furthest low | furthest high |")
    print("|---|---|---|---|---|---|")
    for key in optisplit.METHODS:
        of_method = [case for case in cases if case["method"] == key]
        ratios = np.array(
            [
                seconds_of(case, shapes[case["data"], case["rows"]], fitted[key]) / case["cpu_s"]
                for case in of_method
                if case["cpu_s"] > 0.5
            ]
        )
        within = int(((ratios >= 0.5) & (ratios <= 2)).sum())
        extremes = f"{ratios.min():.2f} | {ratios.max():.2f}" if ratios.size else "- | -"
        print(f"| {key} | {len(of_method)} | {ratios.size} | {within} | {extremes} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", nargs="*")
    parser.add_argument("--limit", type=float, default=60, help="most seconds for a run")
    parser.add_argument("--runs", type=Path, help="file of what was measured")
    parser.add_argument("--shapes", type=Path, help="file to write the figures of the samples to")
    given = parser.parse_args()
    sources = given.data or list(optisplit.SAMPLES)
    if given.shapes is not None:
        figures = {key: dataclasses.asdict(Shape.of(optisplit.load(key).labels)) for key in optisplit.SAMPLES}
        given.shapes.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    cases = [case for case in measure_all(sources, given.limit, given.runs) if case["cpu_s"]]
    shapes = {}
    for source in sources:
        data = optisplit.load(source)
        for name, rows in {(case["data"], case["rows"]) for case in cases if case["data"] == data.name}:
            shapes[name, rows] = Shape.of(data.labels[:rows])
    cases = [case for case in cases if (case["data"], case["rows"]) in shapes]
    fitted = {
        key: fit(of_method, shapes) if (of_method := [case for case in cases if case["method"] == key]) else {}
        for key in optisplit.METHODS
    }
    show(cases, shapes, fitted)
    print("\nCOEFFICIENTS =", json.dumps(fitted, indent=4))


if __name__ == "__main__":
    main()
