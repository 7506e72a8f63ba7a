"""Compare MultilabelKFold with the peers' classes on the samples, side by side in one run, and print a table.

    python benchmarks/bench_model_selection.py [--samples NAME ...] [--limit SECONDS] [--seeds N]

Side by side: MultilabelKFold(5) as it comes (effort="quick") and with effort="normal", iterative-stratification's
MultilabelStratifiedKFold(5, shuffle=True), and scikit-multilearn's IterativeStratification(5, order=1), each peer in a
process of its own, which is ended at the limit. Scores are means over the seeds, less is better; the time is processor
seconds of one call, the peers' without starting and importing. At the end it says where a peer is better than
MultilabelKFold in rLD, DCP or ED, or faster.
"""

from __future__ import annotations

import argparse
import time
import warnings
from statistics import mean

import numpy as np

import optisplit
from optisplit.model_selection import MultilabelKFold

N_SPLITS = 5
OURS = "MultilabelKFold"
PEERS = {"iterstrat": "iterative-stratification", "skml-is": "scikit-multilearn"}
FIGURES = ("rld", "dcp", "ed", "time_s")


def our_figures(data: optisplit.MultilabelDataset, n_seeds: int, effort: str) -> dict[str, float]:
    rows = np.zeros((data.n_rows, 1))
    found = []
    for seed in range(n_seeds):
        start = time.thread_time()
        pairs = list(MultilabelKFold(N_SPLITS, random_state=seed, effort=effort).split(rows, data.labels))
        took = time.thread_time() - start
        report = optisplit.evaluate(data, pairs)
        found.append({"rld": report.rld, "dcp": report.dcp, "ed": report.ed, "time_s": took})
    return {figure: mean(each[figure] for each in found) for figure in FIGURES}


def peer_figures(data: optisplit.MultilabelDataset, n_seeds: int, limit_s: float) -> dict[str, dict[str, float] | str]:
    result = optisplit.compare(
        data, list(PEERS), N_SPLITS, seeds=range(n_seeds), time_limit_s=dict.fromkeys(PEERS, limit_s), n_jobs=1
    )
    found: dict[str, dict[str, float] | str] = {}
    for key, name in PEERS.items():
        if len(result.runs_of(key)) == n_seeds:
            found[name] = {figure: float(result.summary.loc[key, (figure, "mean")]) for figure in FIGURES}
        else:
            reasons = [run.reason for run in result.runs if run.method == key and run.reason]
            found[name] = f"over {limit_s:g} s" if "time limit" in reasons[0] else reasons[0].splitlines()[0]
    return found


def line(name: str, tool: str, figures: dict[str, float] | str) -> str:
    if isinstance(figures, str):
        return f"| {name} | {tool} | {figures} | | | |"
    return (
        f"| {name} | {tool} | {figures['rld']:.4f} | {figures['dcp']:.4f} | {figures['ed']:.2f} | "
        f"{figures['time_s']:,.3f} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", nargs="+", default=list(optisplit.SAMPLES), help="samples' names or files")
    parser.add_argument("--limit", type=float, default=60, help="most seconds for one run of a peer")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each")
    given = parser.parse_args()

    warnings.simplefilter("ignore", optisplit.SplitWarning)  # that peers will be stopped at the limit
    optisplit.METHODS["optisplit-sa"].prepare()
    print("| data | tool | rLD | DCP | ED (rows) | seconds |\n|---|---|---|---|---|---|")
    worse = []
    for source in given.samples:
        data = optisplit.load(source)
        ours = our_figures(data, given.seeds, "quick")
        print(line(f"{data.name} {data.n_rows:,} × {data.n_labels:,}", f"**{OURS}**", ours), flush=True)
        print(line("", f'{OURS}, effort="normal"', our_figures(data, given.seeds, "normal")), flush=True)
        for tool, theirs in peer_figures(data, given.seeds, given.limit).items():
            print(line("", tool, theirs), flush=True)
            if not isinstance(theirs, str):
                worse += [
                    f"{data.name}, {figure}: {tool} {theirs[figure]:.6g}, ours {ours[figure]:.6g}"
                    for figure in FIGURES
                    if theirs[figure] < ours[figure] - 1e-12
                ]
    print("\nWhere a peer is better or faster:", *(worse or ["nowhere"]), sep="\n- ")


if __name__ == "__main__":
    main()
