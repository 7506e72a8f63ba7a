from __future__ import annotations

import math

import pytest

from optisplit.text import bytes_words, counted, joined, named, number, number_with_spread, percent, short_number


@pytest.mark.parametrize(
    ("value", "padded", "short"),
    [
        (0.0, "0", "0"),
        (1e-13, "0", "0"),  # what rounding leaves
        (0.05, "0.0500", "0.05"),
        (1.234, "1.23", "1.234"),
        (12345.6, "12,346", "12,346"),
        (2e-9, "2.00e-09", "2.000e-09"),
        (0.5, "0.500", "0.5"),
        (0.021137, "0.0211", "0.02114"),
        (12.0, "12", "12"),
        (1234.5, "1,234", "1,234"),
        (999.96, "1,000", "1,000"),
        (2.5e-7, "2.50e-07", "2.500e-07"),
        (math.nan, "–", "–"),
        (math.inf, "∞", "∞"),
    ],
)
def test_numbers_have_the_digits_that_count(value, padded, short):
    assert number(value) == padded
    assert short_number(value) == short


@pytest.mark.parametrize(
    ("mean", "std", "texts"),
    [
        (0.154, 0.0004, ("0.154", "0.0004")),
        (27.3, 9.27, ("27.3", "9.3")),
        (5.0, 0.5, ("5", "0.5")),
        (66830.0, 117.2, ("66,830", "117")),
    ],
)
def test_a_deviation_has_the_decimals_of_its_mean(mean, std, texts):
    assert number_with_spread(mean, std) == texts


def test_percentages_counts_and_lists():
    assert [percent(share) for share in (0.8, 0.125, 1 / 3, 0.9999)] == ["80 %", "12.5 %", "33.33 %", "99.99 %"]
    assert [percent(share, 2, signed=True) for share in (0.254, -0.254, 0, -1e-15)] == ["+25 %", "−25 %", "0 %", "0 %"]
    assert [counted(1, "row"), counted(1000, "entry"), counted(0, "label", "is")] == [
        "1 row",
        "1,000 entries",
        "0 labels are",
    ]
    assert [joined([]), joined(["a"]), joined(["a", "b", "c"])] == ["", "a", "a, b and c"]
    assert joined(["a", "b", "c", "d"], limit=2) == "a, b and 2 more"


def test_amounts_of_bytes_have_three_digits_and_powers_of_ten():
    sizes = [0, 1, 999, 1000, 2_345_678, 999_700_000, 2**30, 1.5e12, 1 << 60]
    words = ["0 bytes", "1 byte", "999 bytes", "1 kB", "2.35 MB", "1,000 MB", "1.07 GB", "1,500 GB", "1,152,921,505 GB"]
    assert list(map(bytes_words, sizes)) == words


def test_a_dozen_names_are_given_in_full_and_of_more_the_first():
    assert named("abcdefghijkl").endswith("'j', 'k', 'l'")
    assert named("abcdefghijklm") == "'a', 'b', 'c', 'd', 'e' and 8 more"
