"""What a model would see of a split: labels it cannot be scored on, and how wide the intervals of their scores are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from optisplit.measures.widths import score_widths, width_sentences

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from optisplit.io.splits.base import SplitFile
    from optisplit.measures.report import Report


WIDTHS_HELP = (
    "A model's score on a label rests on the label's positives in the test rows. The width is that of the 95 % "
    "interval of its recall there (Wilson's, the mean over all recalls): 1 means that nothing is known. Rows are taken "
    "to be independent; where they come in groups, intervals are wider."
)


def widths_table(report: Report, split: SplitFile) -> pd.DataFrame:
    """List the labels with the tested part that has fewest of their positives, the widest interval first."""
    import pandas as pd

    at, fewest = _fewest(report, split)
    table = pd.DataFrame(
        {
            "label": list(report.label_names),
            "positives": report.positives,
            "part": [split.part_names[split.tested[place]] for place in at],
            "in_test": fewest,
            "width": score_widths(fewest),
        }
    )
    return table.sort_values(["in_test", "positives"], kind="stable", ignore_index=True)


def widths_in_words(report: Report, split: SplitFile) -> tuple[str, ...]:
    """Say which labels cannot be scored, and how wide the intervals of the others are, in sentences."""
    is_one = len(split.tested) == 1
    where = f"in {split.part_names[split.tested[0]]}" if is_one else f"in the {split.noun} with fewest of them"
    return tuple(width_sentences(_fewest(report, split)[1], report.label_names, where=where))


def _fewest(report: Report, split: SplitFile) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find, for each label, which of the tested parts has fewest of its positives, and how many."""
    counts = report.counts[list(split.tested)].astype(np.int64)
    return counts.argmin(axis=0), counts.min(axis=0)
