"""Whether 95 % intervals of the studies of impact hold what they say: how many of 1,000 simulations they cover.

    python benchmarks/bench_intervals.py [folds] [parts] [apart] [--draws 1000]

- ``folds``: new rows each time, from a known population; what is to be covered is the mean over all simulations.
- ``parts``: one data set, new seeds each time; what is to be covered is the mean over very many seeds.
- ``apart``: new rows each time; what is to be covered is .5, or where parts differ the mean over all simulations.
"""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from optisplit.studies.impact import PartsImpact, measure_impact, measure_parts_impact
from optisplit.studies.impact.apart import tell

if TYPE_CHECKING:
    from collections.abc import Iterator

AIM = (0.93, 0.97)
PART_SCORES_ASKED = ("macro_f1", "micro_f1", "macro_ap")


def population(rng: np.random.Generator, n_rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw features and labels of four sizes."""
    X = rng.normal(size=(n_rows, 5))
    return X, (X[:, :4] + rng.normal(size=(n_rows, 4)) > [0.3, 0.6, 1, 1.6]).astype(np.int8)


def covered(found: pd.DataFrame, truth: dict[str, float], what: str) -> Iterator[tuple[str, float]]:
    for name, value in truth.items():
        inside = (found[f"{name}_low"] <= value) & (value <= found[f"{name}_high"])
        yield f"{what}: {name}", float(inside.mean())


def folds(n_draws: int) -> Iterator[tuple[str, float]]:
    rng, lines = np.random.default_rng(1), []
    for _ in range(n_draws):
        result = measure_impact(population(rng, 150), ["is"], n_splits=3, seeds=range(4), n_holdouts=4)
        lines += result.summary.to_dict("records")
    for (score, method), found in pd.DataFrame(lines).groupby(["score", "method"]):
        truth = {"bias": found["bias"].mean()}
        if method != "random":
            spreads = [float((each["sd"] ** 2).mean()) for each in (found, of(lines, score, "random"))]
            truth |= {"gain": found["gain"].mean(), "ratio": float(np.sqrt(spreads[0] / spreads[1]))}
        yield from covered(found, truth, f"folds, {score}, {method}")


def of(lines: list[dict], score: str, method: str) -> pd.DataFrame:
    return pd.DataFrame([line for line in lines if line["score"] == score and line["method"] == method])


def parts(n_draws: int, n_seeds: int = 20) -> Iterator[tuple[str, float]]:
    data = population(np.random.default_rng(2), 160)
    many = measure_parts_impact(data, ["is"], fold_sizes=[0.7, 0.3], seeds=range(max(2000, 3 * n_draws)))
    seeds, rng, lines = many.table["seed"].unique(), np.random.default_rng(3), []
    by_seed = many.table.set_index("seed")
    for _ in range(n_draws):
        mine = by_seed.loc[rng.choice(seeds, n_seeds, replace=False)].reset_index()
        lines += PartsImpact("drawn", mine, 160, 4, (0.7, 0.3)).summary.to_dict("records")
    truth = true_values(many.table)
    names = ("bias", "sd", "rmse", "bias_change", "sd_change", "rmse_change", "held_out")
    for (score, method), found in pd.DataFrame(lines).groupby(["score", "method"]):
        if score in PART_SCORES_ASKED:
            wanted = [name for name in names if method != "random" or not name.endswith("change")]
            known = {name: truth[score, method][name] for name in wanted}
            yield from covered(found, known, f"parts, {score}, {method}")


def true_values(table: pd.DataFrame) -> dict[tuple[str, str], dict[str, float]]:
    found = {}
    for score in PART_SCORES_ASKED:
        for method, mine in table.groupby("method"):
            error = mine[score] - mine[f"{score}_held_out"]
            found[score, str(method)] = {
                "bias": error.mean(), "sd": error.std(), "rmse": np.sqrt((error**2).mean()),
                "held_out": mine[f"{score}_held_out"].mean(),
            }  # fmt: skip
        for method in {method for _, method in found}:
            for name in ("bias", "sd", "rmse"):
                change = found[score, method][name] - found[score, "random"][name]
                found[score, method] |= {f"{name}_change": change}
    return found


def apart(n_draws: int) -> Iterator[tuple[str, float]]:
    rng = np.random.default_rng(4)
    for sizes, n_columns in (((200, 200), 10), ((80, 80, 80, 80, 80), 10), ((320, 40, 40), 10), ((96, 24), 30)):
        codes = np.repeat(np.arange(len(sizes)), sizes)
        for shift in (0.0, 0.7, 1.5):
            found = np.empty((n_draws, 3))
            for draw in range(n_draws):
                X = rng.normal(size=(len(codes), n_columns))
                X[codes == len(sizes) - 1, 0] += shift
                told = tell((X - X.mean(axis=0)) / X.std(axis=0), codes, 1, rng)
                found[draw] = told.auc[-1], told.low[-1], told.high[-1]
            truth = found[:, 0].mean() if shift else 0.5
            inside = (found[:, 1] <= truth) & (truth <= found[:, 2])
            yield f"apart, {'/'.join(map(str, sizes))}, {n_columns} columns, area {truth:.2f}", float(inside.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("studies", nargs="*", choices=["folds", "parts", "apart", []], default=[])
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    with threadpool_limits(1):
        for study in given.studies or ["folds", "parts", "apart"]:
            start = time.process_time()
            for what, share in globals()[study](given.draws):
                mark = "" if AIM[0] <= share <= AIM[1] else "  <- beyond 93 to 97 %"
                print(f"{100 * share:5.1f} %  {what}{mark}", flush=True)
            print(f"{study}: {time.process_time() - start:.0f} s of processor time")


if __name__ == "__main__":
    main()
