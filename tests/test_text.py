from __future__ import annotations

import math

import pytest

from optisplit.text import counted, joined, number, number_with_spread, percent, short_number


@pytest.mark.parametrize(
    ("value", "padded", "short"),
    [
        (0.0, "0", "0"),
        (1e-13, "0", "0"),  # what rounding leaves
        (0.5, "0.500", "0.5"),
        (0.021137, "0.0211", "0.02114"),
        (12.0, "12", "12"),
        (1234.5, "1,234", "1,234"),
        (2.5e-7, "2.50e-07", "2.500e-07"),
        (math.nan, "–", "–"),
        (math.inf, "∞", "∞"),
    ],
)
def test_numbers_have_the_digits_that_count(value, padded, short):
    assert number(value) == padded
    assert short_number(value) == short


def test_spreads_percentages_counts_and_lists():
    assert number_with_spread(0.5, 0.0123) == ("0.500", "0.012")
    assert [percent(share) for share in (0.8, 0.125, 1 / 3, 0.9999)] == ["80 %", "12.5 %", "33.33 %", "99.99 %"]
    assert [counted(1, "row"), counted(1000, "entry"), counted(0, "label", "is")] == [
        "1 row",
        "1,000 entries",
        "0 labels are",
    ]
    assert [joined([]), joined(["a"]), joined(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert joined(["a", "b", "c", "d"], limit=2) == "a, b and 2 more"
