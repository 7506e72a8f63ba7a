"""Make what the landing shows: ``python -m optisplit.ui.compare.make_landing``."""

from __future__ import annotations

import json
from typing import Any

from optisplit.comparison.experiment import compare
from optisplit.io.samples import SAMPLES, load
from optisplit.measures.grade import GRADED_BY
from optisplit.measures.registry import in_words
from optisplit.methods import METHODS
from optisplit.methods.base import DEFAULT_METHODS
from optisplit.plots.fold_maps import MethodMap, fold_maps_info, plot_fold_maps
from optisplit.plots.summary import leading, summary_info
from optisplit.plots.svg import to_svg
from optisplit.text import counted
from optisplit.ui.compare.landing import FILE
from optisplit.ui.widgets import PHONE

RECIPE: dict[str, Any] = {"data": "enron", "n_splits": 10, "n_seeds": 3, "methods": list(DEFAULT_METHODS)}
"""Of the samples, and of 5 and 10 folds, where random folds lose the largest part of the labels that can be kept."""

RANDOM = "random"

WIDTHS: dict[str, tuple[int | None, int]] = {"wide": (None, 860), "narrow": (1, PHONE)}
"""Maps side by side, and pixels, of the drawings for each kind of page."""


def made() -> dict[str, Any]:
    """Compare, and put into words and numbers what the landing shows."""
    sample, names = SAMPLES[RECIPE["data"]], {key: method.name for key, method in METHODS.items()}
    data, n_splits = load(sample.key), RECIPE["n_splits"]
    result = compare(data, RECIPE["methods"], n_splits, seeds=range(RECIPE["n_seeds"]))
    info = summary_info(result, names)
    assert info.grade is not None
    timed, _ = leading(info.noun)["time_s"]  # which is another everywhere
    shown = {key: info.reports[key] for key in (RANDOM, info.best)}
    maps = fold_maps_info(shown, names=names, n_missing=info.n_missing)
    random, best = maps.methods
    what = f"{sample.title}: {sample.what}, {data.n_rows:,} rows with {data.n_labels:,} labels, in {n_splits} folds."
    return {
        "recipe": {**RECIPE, "digest": data.digest},
        "about": f"{what} Made beforehand, best of {counted(RECIPE['n_seeds'], 'seed')}.",
        "headline": [_of_random(random, data.n_labels), _of_best(best)],
        "grade": {each: getattr(info.grade, each) for each in ("title", "severity", "reason")},
        "verdict": list(info.verdict),
        "help": in_words((GRADED_BY,)),
        "leaderboard": [{title: text for title, text in line.items() if title != timed} for line in info.leaderboard],
        "drawings": {
            page: to_svg(plot_fold_maps(maps, columns=columns), "Fold maps", maps.alt_text, width=width)
            for page, (columns, width) in WIDTHS.items()
        },
    }


def _of_random(random: MethodMap, n_labels: int) -> str:
    n = int(random.n_labels_missing)
    return f"Random folds: {n:,} of {n_labels:,} labels are missing from folds that should have them: no score there."


def _of_best(best: MethodMap) -> str:
    n = int(best.n_labels_missing)
    even = "every label is as even as rounding allows" if best.is_blank else "labels are more even"
    return f"This split, by {best.name}: {n or 'none'}, and {even}."


def written(landing: dict[str, Any]) -> str:
    """Write it as JSON, a line a part."""
    lines = (f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in landing.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written(made()), encoding="utf-8")
