"""Make what the page Check shows before the first check: ``python -m optisplit.ui.check.make_preview``."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from optisplit.check.checks import check_split
from optisplit.check.example import faulty_split
from optisplit.check.repairs import repair
from optisplit.check.verdict import repaired_sentences
from optisplit.io.samples import SAMPLES, load
from optisplit.io.splits import read_split
from optisplit.plots.random_range import plot_random_range, random_range_info
from optisplit.plots.svg import to_svg
from optisplit.ui.check.preview import FILE
from optisplit.ui.datasets import DEFAULT_SAMPLE
from optisplit.ui.widgets import PHONE

if TYPE_CHECKING:
    from optisplit.measures.grade import Grade

RECIPE = {"data": DEFAULT_SAMPLE}
"""The sample that is chosen where nobody chose: pressing the button gives the same."""

TITLE = "Between random splits and the best possible"

WIDTHS = {"wide": 430, "narrow": PHONE}
"""Pixels of the figure, on wide and narrow pages."""


def made() -> dict[str, Any]:
    """Check and repair the example, and put into words and a figure what the page shows."""
    sample = SAMPLES[RECIPE["data"]]
    data = load(sample.key)
    split = read_split(io.BytesIO(faulty_split(data).encode()), data, name="example.csv")
    check = check_split(data, split)
    repaired = repair(data, split, random_state=0)
    after = check_split(data, repaired.split)
    info = random_range_info(check, after)
    return {
        "recipe": {**RECIPE, "digest": data.digest},
        "title": sample.title,
        "before": _grade(check.grade),
        "sentences": list(check.sentences),
        "after": _grade(after.grade),
        "repaired": list(repaired_sentences(check, after, repaired)),
        "drawings": {
            page: to_svg(plot_random_range(info), TITLE, info.alt_text, width=width) for page, width in WIDTHS.items()
        },
    }


def _grade(grade: Grade) -> dict[str, str]:
    return {"title": grade.title, "severity": grade.severity}


if __name__ == "__main__":
    FILE.write_text(json.dumps(made(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
