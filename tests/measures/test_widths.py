"""How wide intervals of a label's score are to be."""

from __future__ import annotations

import numpy as np
import pytest

from optisplit.errors import OptionError
from optisplit.studies.impact import positives_for, score_widths, width_sentences


def wilson(hits, k, z=1.959963984540054):
    """Wilson's interval, as books write it."""
    share = hits / k
    centre = (share + z**2 / (2 * k)) / (1 + z**2 / k)
    half = z / (1 + z**2 / k) * np.sqrt(share * (1 - share) / k + z**2 / (4 * k**2))
    return centre - half, centre + half


@pytest.mark.parametrize("k", [1, 5, 30])
def test_widths_are_means_of_wilsons(k):
    low, high = wilson(np.arange(k + 1), k)
    assert score_widths([k])[0] == pytest.approx((high - low).mean())


def test_widths_fall_with_positives():
    widths = score_widths(np.arange(1500))
    assert widths[0] == 1
    assert (np.diff(widths) < 0).all()
    assert score_widths([]).shape == (0,)


def test_positives_for_a_width_are_the_fewest():
    for width in (0.9, 0.4, 0.2, 0.05):
        k = positives_for(width)
        assert score_widths([k])[0] <= width < score_widths([k - 1])[0]


def test_sentences():
    said = width_sentences([0, 0, 3, 8, 90], ["a", "b", "c", "d", "e"])
    assert said == [
        "2 labels of 5 have no positive in test, and cannot be scored there: 'a', 'b'.",
        "The 95 % interval of a label's recall is to be 0.47 wide (median of the 3 that can be scored; from 0.16 to "
        "0.65).",
        "4 labels have fewer than 13 positives there, 2 of them none: intervals wider than 0.4, so that one score says "
        "little.",
        "An interval of 0.2 takes 57 positives there; 1 label has as many.",
    ]
    assert width_sentences([200, 300], where="in part 2")[0] == "Every one of 2 labels has a positive in part 2."
    assert width_sentences([0]) == ["1 label of 1 has no positive in test, and cannot be scored there."]
    assert width_sentences([]) == []


@pytest.mark.parametrize(
    ("counts", "said"),
    [([-1], "none of them below 0"), ([1.5], "whole numbers"), (["a"], "one a label"), ([np.nan], "whole numbers")],
)
def test_wrong_counts(counts, said):
    with pytest.raises(OptionError, match=said):
        score_widths(counts)
    with pytest.raises(OptionError, match="width must be above 0"):
        positives_for(0)
