"""What a split has to keep to: everything that is refused, in the very words, and everything that is taken."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SETTINGS

import optisplit
from optisplit import FREE, SplitWarning, split
from optisplit.errors import FoldAssignmentError, OptionError
from optisplit.folds.constraints import as_fold_sizes, as_groups, check_constraints, check_fold_sizes, check_places
from optisplit.methods import METHODS

LABELS = np.eye(3, dtype=np.int8)[np.arange(12) % 3]


def raises(error, message):
    """Expect exactly this message."""
    return pytest.raises(error, match=f"^{re.escape(message)}$")


# Sizes.


@pytest.mark.parametrize(
    ("fold_sizes", "n_rows", "expected"),
    [
        ([0.8, 0.1, 0.1], 10, [8, 1, 1]),
        ([0.8, 0.1, 0.1], 593, [475, 59, 59]),  # remainders .4, .3, .3: one row is left over
        ([0.7, 0.15, 0.15], 101, [71, 15, 15]),
        ([0.15, 0.15, 0.7], 101, [15, 15, 71]),
        ([1 / 3, 1 / 3, 1 / 3], 10, [4, 3, 3]),
        ([0.5, 0.25, 0.25], 11, [5, 3, 3]),
        ([0.6, 0.4], 3, [2, 1]),
        ([0.35, 0.35, 0.3], 2_000, [700, 700, 600]),  # 0.35 x 2000 is a little less in floating point
        ([0.1] * 10, 25, [3, 3, 3, 3, 3, 2, 2, 2, 2, 2]),
        ([0.1] * 10, 10, [1] * 10),
        ([0.07, 0.93], 100, [7, 93]),
        ([0.9999995, 0.0000005], 2_000_000, [1_999_999, 1]),
        ([5, 3, 2], 10, [5, 3, 2]),
        ((5, 5), 10, [5, 5]),
        (np.array([0.5, 0.5], dtype=np.float32), 10, [5, 5]),
        (np.array([6, 4], dtype=np.uint8), 10, [6, 4]),
        (np.array([200, 100], dtype=np.uint8), 300, [200, 100]),
        (pd.Series([0.75, 0.25], index=["train", "test"]), 8, [6, 2]),
        ([np.int64(3), np.int32(2)], 5, [3, 2]),
        ([np.float64(0.5), 0.5], 7, [4, 3]),
        (["0.5", "0.5"], 8, [4, 4]),
    ],
)
def test_sizes_that_are_taken(fold_sizes, n_rows, expected):
    sizes = check_fold_sizes(fold_sizes, n_rows)
    assert sizes.dtype == np.int64
    assert sizes.tolist() == expected
    constraints = check_constraints(n_rows, fold_sizes=fold_sizes)
    assert constraints.sizes.tolist() == expected
    assert constraints.n_splits == len(expected)
    np.testing.assert_allclose(constraints.shares, np.array(expected) / n_rows, rtol=1e-12)


@pytest.mark.parametrize(
    ("fold_sizes", "n_rows", "message"),
    [
        ([0.8, 0.1, 0.2], 50, "fold_sizes [0.8, 0.1, 0.2] add up to 1.1; shares must add up to 1."),
        ([0.8, 0.1], 50, "fold_sizes [0.8, 0.1] add up to 0.9; shares must add up to 1."),
        (
            [80.0, 10.0, 10.0],
            50,
            "fold_sizes [80, 10, 10] add up to 100; shares must add up to 1.\n"
            "Hint: they look like per cent; divide them by 100.",
        ),
        (
            [80, 10, 10],
            1_050,
            "fold_sizes [80, 10, 10] add up to 100, but there are 1,050 rows to divide.\n"
            "Hint: give shares that add up to 1, such as [0.8, 0.1, 0.1], to have the numbers worked out.",
        ),
        ([5.0, 3.0, 2.0], 10, "fold_sizes [5, 3, 2] add up to 10; shares must add up to 1."),
        ([0.5, 0.6, -0.1], 10, "fold_sizes must be positive numbers, got [0.5, 0.6, -0.1]."),
        ([10, 0], 10, "fold_sizes must be positive numbers, got [10, 0]."),
        ([0.5, np.nan, 0.5], 10, "fold_sizes must be positive numbers, got [0.5, nan, 0.5]."),
        ([0.5, np.inf], 10, "fold_sizes must be positive numbers, got [0.5, inf]."),
        ([0.5, None], 10, "fold_sizes must be positive numbers, got [0.5, nan]."),
        ([0.98, 0.02], 20, "fold_sizes gives part 1 a share of 0.02, less than one of the 20 rows."),
        ([0.01, 0.98, 0.01], 1_000, None),
        (0.8, 10, "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got 0.8."),
        ("halves", 10, "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got 'halves'."),
        (["a", "b"], 10, "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got ['a', 'b']."),
        ([[0.5, 0.5]], 10, "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got [[0.5, 0.5]]."),
        ([[0.5], 0.5], 10, "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got [[0.5], 0.5]."),
        (
            {"train": 0.8, "test": 0.2},
            10,
            "fold_sizes must be a list of numbers such as [0.8, 0.1, 0.1], got {'train': 0.8, 'test': 0.2}.",
        ),
        ([1.0], 10, "fold_sizes has 1 entry; a split needs at least two parts."),
        ([0.25] * 4, 3, "fold_sizes asks for 4 parts of 3 rows."),
    ],
)
def test_sizes_that_are_refused(fold_sizes, n_rows, message):
    if message is None:
        assert check_fold_sizes(fold_sizes, n_rows).tolist() == [10, 980, 10]
        return
    with raises(OptionError, message):
        check_fold_sizes(fold_sizes, n_rows)


@pytest.mark.parametrize("fold_sizes", [[1.0], [], [0.05] * 20])
def test_a_wrong_number_of_parts_is_told_of_as_what_was_given(fold_sizes):
    with pytest.raises(OptionError, match=r"^fold_sizes "):
        split(LABELS, fold_sizes=fold_sizes)


def test_sizes_and_number_of_folds_have_to_agree():
    message = "fold_sizes has 3 entries, but n_splits=5; leave n_splits out."
    with raises(OptionError, message):
        split(LABELS, 5, fold_sizes=[0.8, 0.1, 0.1])
    with raises(OptionError, message):
        split(LABELS, 5, fold_sizes=[0.8, 0.1, 0.1], method="random")
    assert np.bincount(split(LABELS, 3, fold_sizes=[0.5, 0.25, 0.25])).tolist() == [6, 3, 3]
    with raises(OptionError, "Give n_splits or fold_sizes."):
        check_constraints(10)


@SETTINGS
@given(weights=st.lists(st.integers(1, 1_000), min_size=2, max_size=9), n_rows=st.integers(9, 10_000))
def test_sizes_of_shares_are_the_nearest_whole_numbers(weights, n_rows):
    shares = np.array(weights) / sum(weights)
    exact = shares * n_rows
    if exact.min() < 1:
        return
    sizes = check_fold_sizes(shares, n_rows)
    assert sizes.sum() == n_rows
    assert (abs(sizes - exact) < 1).all()
    # largest remainders: no row would be better off in another part
    over, under = (sizes - exact).max(), (sizes - exact).min()
    assert over - under <= 1 + 1e-5


@SETTINGS
@given(
    off=st.floats(-9.9e-7, 9.9e-7),
    weights=st.lists(st.integers(1, 9), min_size=2, max_size=6),
    n_rows=st.integers(1_000_000, 2**31 - 1),
)
def test_sizes_add_up_where_shares_do_not_quite(off, weights, n_rows):
    shares = np.array(weights) / sum(weights)
    shares[0] += off
    sizes = check_fold_sizes(shares, n_rows)
    assert sizes.sum() == n_rows
    assert (abs(sizes - shares * n_rows) <= 1 + abs(off) * n_rows).all()


@pytest.mark.parametrize(("n_rows", "n_splits", "expected"), [(10, 3, [4, 3, 3]), (9, 3, [3] * 3), (4, 4, [1] * 4)])
def test_sizes_are_equal_by_default(n_rows, n_splits, expected):
    constraints = check_constraints(n_rows, n_splits)
    assert constraints.sizes.tolist() == expected
    assert constraints.shares.tolist() == [1 / n_splits] * n_splits
    assert constraints.fixed.tolist() == [FREE] * n_rows
    assert constraints.is_free.all()
    assert constraints.groups is None


def test_rows_left_over_go_where_fixed_rows_need_them():
    fixed = [2, 2, 2, 2] + [None] * 6
    assert check_constraints(10, 3, fixed=fixed).sizes.tolist() == [3, 3, 4]
    fixed = [2, 2, 2, 2, 1, 1, 1, 1] + [None] * 3
    assert check_constraints(11, 3, fixed=fixed).sizes.tolist() == [3, 4, 4]
    assert check_constraints(11, 3, fixed=[1] * 3 + [None] * 8).sizes.tolist() == [4, 4, 3]


def test_sizes_are_of_the_rows_in_folds():
    fixed = [-1, -1, 0] + [None] * 9
    assert check_constraints(12, 2, fixed=fixed).sizes.tolist() == [5, 5]
    assert check_constraints(12, fold_sizes=[0.8, 0.2], fixed=fixed).sizes.tolist() == [8, 2]
    assert check_constraints(12, fold_sizes=[7, 3], fixed=fixed).sizes.tolist() == [7, 3]
    with pytest.raises(OptionError, match=r"^fold_sizes \[8, 4\] add up to 12, but there are 10 rows to divide\."):
        check_constraints(12, fold_sizes=[8, 4], fixed=fixed)


@pytest.mark.parametrize(("n_splits", "said"), [(1, "n_splits=1 makes"), (13, "n_splits=13 exceeds"), (2.0, "whole")])
def test_numbers_of_folds_that_are_refused(n_splits, said):
    with pytest.raises(FoldAssignmentError, match=said):
        check_constraints(12, n_splits)


def test_numbers_stay_whole_or_not():
    assert as_fold_sizes([1, 2]).dtype == np.int64
    assert as_fold_sizes([1, 2.0]).dtype == np.float64
    assert as_fold_sizes([0.5, 0.5]).dtype == np.float64


# Fixed rows.


@pytest.mark.parametrize(
    "fixed",
    [
        [0, None, -1, 2],
        [0, np.nan, -1, 2],
        [0, pd.NA, -1, 2],
        [0, FREE, -1, 2],
        [0, -2, -1, 2],
        (0, None, -1, 2),
        np.array([0, np.nan, -1, 2]),
        np.array([0, np.nan, -1, 2], dtype=np.float32),
        np.array([0, -2, -1, 2], dtype=np.int8),
        np.array([0, None, -1, 2], dtype=object),
        pd.Series([0, None, -1, 2]),
        pd.Series([0, None, -1, 2], dtype="Int64"),
        pd.Series([0, None, -1, 2], dtype="Int8", index=[7, 7, 3, -1]),
        pd.Series([0, None, -1, 2], dtype="Float64"),
        pd.Series([0, -2, -1, 2], index=list("dcba")),
        pd.array([0, None, -1, 2], dtype="Int64"),
        pd.Series(pd.Categorical([0, None, -1, 2])),
        ["0", None, "-1", "2"],
        pd.Series(["0", None, "-1", "2"]),
    ],
    ids=lambda fixed: f"{type(fixed).__name__} {getattr(fixed, 'dtype', '')}",
)
def test_places_in_any_usual_form(fixed):
    places = check_places(fixed, 4, 3)
    assert places.dtype == np.int32
    assert places.tolist() == [0, FREE, -1, 2]
    assert FREE == -2


@pytest.mark.parametrize(
    ("fixed", "message"),
    [
        ([0, 1], "fixed has 2 entries, but there are 4 rows."),
        ([0] * 1_234, "fixed has 1,234 entries, but there are 4 rows."),
        (
            [0, 3, 7, FREE],
            "2 entries of fixed are no place for a row: '3', '7'. "
            "Places are folds 0 to 2, -1 (always in training), and -2, None or NaN (free).",
        ),
        (
            [0, -3, 0.5, "x"],
            "3 entries of fixed are no place for a row: '-3', '0.5', 'x'. "
            "Places are folds 0 to 2, -1 (always in training), and -2, None or NaN (free).",
        ),
        (
            [np.inf, -np.inf, 1, 5],
            "3 entries of fixed are no place for a row: 'inf', '-inf', '5.0'. "
            "Places are folds 0 to 2, -1 (always in training), and -2, None or NaN (free).",
        ),
    ],
)
def test_places_that_are_refused(fixed, message):
    with raises(OptionError, message):
        check_places(fixed, 4, 3)
    with raises(OptionError, message):
        check_constraints(4, 3, fixed=fixed)


@pytest.mark.parametrize("fixed", [np.zeros((4, 2)), [[0], 1, 1, 1], [0, 1j, 1, 1], 7, {0, 1}, "abcd"])
def test_places_that_are_no_list_are_refused_politely(fixed):
    with pytest.raises(OptionError):
        check_places(fixed, 4, 3)


@pytest.mark.parametrize("fixed", [[True, False, True, False], np.array([True, False, True, True]), [True, None] * 2])
def test_true_and_false_are_no_places(fixed):
    # what they mean depends on whether there is a split already; as numbers they would be folds 1 and 0
    with pytest.raises(OptionError):
        check_places(fixed, 4, 3)


def test_the_odd_places_listed_are_few():
    with pytest.raises(OptionError, match=r"^9 entries .* '10', '11', '12', '13', '14' and 4 more\. Places are"):
        check_places([*range(10, 19), 0], 10, 3)


def test_too_many_fixed_rows_in_a_fold():
    fixed = [0] * 5 + [1] * 4 + [None] * 3
    message = "fixed rows make these sizes impossible: fold 0 is to have 4, but 5 are fixed there."
    with raises(OptionError, message + "\nHint: give fold_sizes that leave room for them."):
        check_constraints(12, 3, fixed=fixed)
    assert check_constraints(12, fold_sizes=[5, 4, 3], fixed=fixed).sizes.tolist() == [5, 4, 3]
    message = (
        "fixed rows make these sizes impossible: fold 0 is to have 3, but 5 are fixed there; "
        "fold 1 is to have 2, but 4 are fixed there."
    )
    with raises(OptionError, message + "\nHint: give fold_sizes that leave room for them."):
        check_constraints(12, fold_sizes=[3, 2, 7], fixed=fixed)


def test_too_few_rows_left():
    with raises(OptionError, "2 rows are left for 3 folds: the others are always in training (-1)."):
        check_constraints(12, 3, fixed=[-1] * 10 + [0, None])
    with raises(OptionError, "0 rows are left for 2 folds: the others are always in training (-1)."):
        check_constraints(12, 2, fixed=[-1] * 12)


# Groups.


@pytest.mark.parametrize(
    "groups",
    [
        ["b", "a", "b", "c"],
        [7, 3, 7, 1],
        [7.5, 3.0, 7.5, 1.0],
        ("b", "a", "b", "c"),
        np.array(["b", "a", "b", "c"]),
        np.array([7, 3, 7, 1], dtype=np.uint16),
        np.array(["b", "a", "b", "c"], dtype=object),
        [("x", 1), ("x", 2), ("x", 1), ("y", 1)],
        [1, "1", 1, "a"],
        pd.Series(["b", "a", "b", "c"], index=[5, 5, 5, 0]),
        pd.Series([7, 3, 7, 1], index=list("zyxw")),
        pd.Series([7, 3, 7, 1], dtype="Int64"),
        pd.Series(["b", "a", "b", "c"], dtype="string"),
        pd.Series(["b", "a", "b", "c"], dtype="category"),
        pd.Series(pd.to_datetime(["2020-01-02", "2020-01-01", "2020-01-02", "2021-01-01"])),
        pd.Index(["b", "a", "b", "c"]),
        pd.Index([7, 3, 7, 1]),
        pd.Categorical(["b", "a", "b", "c"]),
        [-1, 0, -1, -2],
        [True, False, True, "x"],
    ],
    ids=lambda groups: f"{type(groups).__name__} {getattr(groups, 'dtype', '')}",
)
def test_groups_in_any_usual_form(groups):
    codes, names = as_groups(groups, 4)
    assert codes.dtype == np.int32
    assert codes.tolist() == [0, 1, 0, 2]
    assert len(names) == 3


def test_group_names_are_kept_in_order_of_appearance():
    assert list(as_groups(["b", "a", "b", "c"], 4)[1]) == ["b", "a", "c"]
    assert list(as_groups(pd.Series([7, 3, 7, 1]), 4)[1]) == [7, 3, 1]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA, pd.NaT, "", "  ", "\t"])
@pytest.mark.parametrize("as_type", [list, lambda values: pd.Series(values, dtype=object, index=[3, 3, 2, 1, 0])])
def test_rows_without_a_group_are_refused(missing, as_type):
    message = "2 rows have no group, at positions '1', '4'."
    with raises(OptionError, message + "\nHint: give each of them a group of its own if they belong to none."):
        as_groups(as_type(["a", missing, "b", "a", missing]), 5)


@pytest.mark.parametrize(
    "groups",
    [
        pd.Series(["a", None, "b"], dtype="category"),
        pd.Series([1, None, 2], dtype="Int64"),
        pd.Series([1, None, 2]),
        pd.Series(["a", None, "b"], dtype="string"),
        np.array([1, np.nan, 2]),
        pd.Index(["a", None, "b"]),
        pd.Categorical(["a", None, "b"]),
        pd.Series(pd.to_datetime(["2020-01-01", None, "2020-01-02"])),
    ],
    ids=lambda groups: f"{type(groups).__name__} {groups.dtype}",
)
def test_missing_groups_of_any_type_are_refused(groups):
    with pytest.raises(OptionError, match=r"^1 row has no group, at position '1'\."):
        as_groups(groups, 3)


def test_the_positions_listed_are_few():
    with pytest.raises(OptionError, match=r"^1,500 rows .* '0', '1', '2', '3', '4' and 1,495 more\."):
        as_groups([None] * 1_500, 1_500)


def test_a_wrong_number_of_groups_is_refused():
    for groups in ([1, 2], pd.Series([1, 2]), pd.Index([1, 2]), np.array([1, 2])):
        with raises(OptionError, "groups has 2 entries, but there are 1,000 rows."):
            as_groups(groups, 1_000)


def test_groups_that_are_no_names_are_refused():
    message = "groups must have one name or number a row, got lists or other things that cannot be compared."
    for groups in ([[1], [2], [1]], [{}, {}, {}]):
        with raises(OptionError, message):
            as_groups(groups, 3)
    for groups in (np.zeros((3, 2)), pd.DataFrame({"a": [1, 2, 1], "b": 0})):
        with raises(OptionError, "groups has 2 columns; give the one that names the group of each row."):
            as_groups(groups, 3)


def test_groups_in_one_column_are_taken_from_any_table():
    import pyarrow as pa

    column = ["p", "q", "p"]
    frame = pd.DataFrame({"who": column}, index=[7, 3, 5])
    array = np.array(column)[:, None]
    for groups in (frame, frame["who"], array, pa.table({"who": column}), pa.chunked_array([column])):
        codes, names = as_groups(groups, 3)
        assert (codes.tolist(), list(names)) == ([0, 1, 0], ["p", "q"])
        assert check_constraints(3, 2, groups=groups).groups.tolist() == [0, 1, 0]
    with raises(OptionError, "groups has 3 entries, but there are 4 rows."):
        as_groups(frame, 4)


@pytest.mark.parametrize("groups", [5, 0.5, object()])
def test_groups_that_are_no_list_are_refused_politely(groups):
    with pytest.raises(OptionError):
        as_groups(groups, 3)


def test_an_index_of_several_levels_is_taken_or_refused_politely():
    try:
        codes, _ = as_groups(pd.MultiIndex.from_tuples([("x", 1), ("x", 2), ("x", 1)]), 3)
    except OptionError:
        return
    assert codes.tolist() == [0, 1, 0]


LARGE = [
    (
        {"n_splits": 3, "groups": ["big"] * 7 + ["a"] * 2 + list("bcd")},
        "1 group is larger than the 4 rows of a fold: 'big' (7 rows); sizes cannot be kept.",
    ),
    (
        {"fold_sizes": [0.6, 0.4], "groups": ["big"] * 8 + ["a"] * 4, "fixed": [None] * 12},
        "1 group is larger than the 5 rows of the smallest fold: 'big' (8 rows); sizes cannot be kept.",
    ),
    (
        {"fold_sizes": [10, 2], "groups": [5] * 7 + [6] * 2 + [7, 8, 9]},
        "1 group is larger than the 2 rows of the smallest fold: '5' (7 rows); they can only go to the larger folds.",
    ),
    (
        {"n_splits": 6, "groups": np.repeat([0, 1, 2], [3, 5, 4])},
        "3 groups are larger than the 2 rows of a fold: '1' (5 rows), '2' (4 rows) and '0' (3 rows); sizes cannot be "
        "kept.",
    ),
]


@pytest.mark.parametrize(("options", "message"), LARGE)
def test_a_group_larger_than_a_fold_is_told_of(options, message):
    with pytest.warns(SplitWarning, match=f"^{re.escape(message)}$") as told:
        check_constraints(12, **options).warn_of_large_groups()
    assert len(told) == 1


@pytest.mark.parametrize("method", ["random", "optisplit-sa"])
@pytest.mark.parametrize(("options", "message"), LARGE)
def test_a_group_larger_than_a_fold_is_told_of_when_splitting(options, message, method):
    with pytest.warns(SplitWarning, match=f"^{re.escape(message)}$") as told:
        folds = split(LABELS, method=method, random_state=0, **options)
    assert [each.filename for each in told] == [__file__]
    n_groups = len(set(options["groups"]))
    assert len(set(zip(map(str, options["groups"]), folds.tolist(), strict=True))) == n_groups


def test_many_large_groups_are_told_of_in_few_words():
    groups = np.repeat(np.arange(10), [9, 8, 7, 6, 5, 4, 3, 2, 1, 5])
    message = (
        "8 groups are larger than the 2 rows of a fold: "
        "'0' (9 rows), '1' (8 rows), '2' (7 rows), '3' (6 rows), '4' (5 rows) and 3 more; sizes cannot be kept."
    )
    with pytest.warns(SplitWarning, match=f"^{re.escape(message)}$"):
        check_constraints(50, 25, groups=groups).warn_of_large_groups()


def test_groups_that_fit_are_not_told_of():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_constraints(12, 3, groups=np.repeat([0, 1, 2], 4)).warn_of_large_groups()
        check_constraints(12, 3).warn_of_large_groups()
        # fixed groups are where they were put, however large
        options = {"groups": np.repeat([0, 1, 2], [6, 3, 3]), "fixed": [0] * 6 + [None] * 6}
        check_constraints(12, fold_sizes=[8, 4], **options).warn_of_large_groups()


def test_a_group_goes_where_one_of_its_rows_is_fixed():
    groups = list("aabbccdd") + ["e"] * 4
    fixed = [0, None, None, 1, -1, None] + [None] * 6
    constraints = check_constraints(12, 2, groups=groups, fixed=fixed)
    assert constraints.fixed.tolist() == [0, 0, 1, 1, -1, -1] + [FREE] * 6
    assert constraints.sizes.tolist() == [5, 5]
    assert constraints.groups.tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 4]


def test_fixed_rows_that_divide_groups_are_refused():
    groups = list("aabbccdd")
    message = "fixed would divide 1 group with rows in different places: 'b'."
    with raises(OptionError, message):
        check_constraints(8, 2, groups=groups, fixed=[0, 0, 0, 1, None, None, 1, None])
    message = "fixed would divide 2 groups with rows in different places: 'a', 'c'."
    with raises(OptionError, message):
        check_constraints(8, 2, groups=groups, fixed=[0, -1, 0, 0, -1, 1, None, None])


def test_room_is_reckoned_with_whole_groups():
    groups, fixed = [0] * 6 + [1, 2, 3, 4, 5, 6], [0] + [None] * 11
    message = (
        "fixed rows (with the rest of their groups) make these sizes impossible: "
        "fold 0 is to have 4, but 6 are fixed there.\nHint: give fold_sizes that leave room for them."
    )
    with raises(OptionError, message):
        check_constraints(12, 3, groups=groups, fixed=fixed)


def test_an_index_does_not_matter():
    shuffled = np.random.default_rng(0).permutation(12)
    groups, fixed = np.repeat([0, 1, 2, 3], 3), np.array([0] * 3 + [FREE] * 9)
    plain = split(LABELS, 2, groups=groups, fixed=fixed, random_state=0)
    for index in (shuffled, np.zeros(12), list("abcdefghijkl")):
        found = split(
            pd.DataFrame(LABELS, index=index),
            2,
            groups=pd.Series(groups, index=index),
            fixed=pd.Series(fixed, index=index),
            random_state=0,
        )
        np.testing.assert_array_equal(found, plain)


def test_the_names_of_groups_do_not_matter():
    groups = np.array([4, 4, 1, 1, 3, 3, 0, 0, 2, 2, 5, 5])
    plain = split(LABELS, 3, groups=groups, random_state=0)
    for names in ("tuvwxy", [5, 4, 3, 2, 1, 0], [(0,), (1,), (2,), (3,), (4,), (5,)]):
        np.testing.assert_array_equal(split(LABELS, 3, groups=[names[g] for g in groups], random_state=0), plain)


def test_nothing_given_is_changed():
    groups = pd.Series(["a", "b", "a", "c"] * 3, index=range(12, 0, -1))
    fixed = pd.Series([0, None] * 6, dtype="Int64")
    fixed[:] = [0, None, 0, None] * 3
    sizes = pd.Series([0.75, 0.25])
    kept = [each.copy() for each in (groups, fixed, sizes)]
    check_constraints(12, fold_sizes=sizes, groups=groups, fixed=fixed)
    for each, before in zip((groups, fixed, sizes), kept, strict=True):
        pd.testing.assert_series_equal(each, before)


@pytest.mark.parametrize("method", ["optisplit", "skml-is"])
@pytest.mark.parametrize(
    "options", [{"fold_sizes": [0.5, 0.5]}, {"groups": [0] * 12}, {"fixed": [0] * 12}, {"balance_pairs": False}]
)
def test_methods_that_cannot_say_so(method, options):
    name = next(iter(options))
    takers = ", ".join(repr(key) for key, each in METHODS.items() if name in each.options)
    assert takers.endswith("'optisplit-sa'")
    with raises(OptionError, f"Method {method!r} takes no option {name!r}; these methods do: {takers}."):
        split(LABELS, 2, method=method, **options)


def test_free_is_public():
    assert optisplit.FREE == FREE == -2
    assert issubclass(optisplit.SplitWarning, UserWarning)
