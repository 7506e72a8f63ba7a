"""Groups that stay whole, and folds as equal in size as they allow."""

from __future__ import annotations

import itertools
import re
import time
import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import example, given
from hypothesis import strategies as st
from strategies import SETTINGS, label_matrices

import optisplit
from optisplit import FREE, SplitWarning, evaluate, split
from optisplit.errors import Stopped
from optisplit.folds.constraints import check_constraints
from optisplit.kernels.trades import trade
from optisplit.kernels.units import place_in_turn
from optisplit.labels import as_labels
from optisplit.methods.annealing import profiles
from optisplit.methods.annealing import search as search_module
from optisplit.methods.annealing.losses import total_loss
from optisplit.methods.annealing.profiles import nearest_profile
from optisplit.methods.annealing.search import Search
from optisplit.methods.annealing.trades import trade_groups
from optisplit.methods.annealing.units import Units
from optisplit.methods.optisplit_sa import optisplit_sa

EMOTIONS = optisplit.load("emotions")
METHODS = ["optisplit-sa", "random"]


def quick(method):
    return {"effort": "quick"} if method == "optisplit-sa" else {}


def split_quietly(*args, **options):
    """Split, whatever is said of large groups."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SplitWarning)
        return split(*args, **options)


def assert_whole(groups, folds):
    pairs = pd.DataFrame({"group": groups, "fold": folds}).drop_duplicates()
    assert not pairs["group"].duplicated().any()


def equal_sizes(n_rows, n_splits):
    return [n_rows // n_splits + (fold < n_rows % n_splits) for fold in range(n_splits)]


# Sizes.


def sizes_of_every_split(group_sizes, n_splits):
    """Fold sizes of every way to put groups into folds, shape (n_splits ** n_groups, n_splits)."""
    ways = np.array(list(itertools.product(range(n_splits), repeat=len(group_sizes))))
    return np.stack([(ways == fold) @ np.array(group_sizes) for fold in range(n_splits)], axis=1)


@SETTINGS
@given(
    group_sizes=st.lists(st.integers(1, 9), min_size=3, max_size=8),
    n_splits=st.integers(2, 3),
    method=st.sampled_from(METHODS),
    seed=st.integers(0, 9),
)
@example(group_sizes=[4, 4, 2], n_splits=3, method="random", seed=0)
@example(group_sizes=[5, 3, 2, 7, 7, 6], n_splits=3, method="optisplit-sa", seed=0)
@example(group_sizes=[1, 5, 6, 8], n_splits=3, method="random", seed=0)
def test_sizes_are_as_equal_as_groups_allow(group_sizes, n_splits, method, seed):
    groups = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(group_sizes)), group_sizes))
    labels = np.random.default_rng(seed).random((len(groups), 3)) < 0.4
    folds = split_quietly(labels, n_splits, groups=groups, method=method, random_state=seed, **quick(method))
    assert_whole(groups, folds)
    found = np.bincount(folds, minlength=n_splits)
    assert found.sum() == len(groups)
    ed = abs(sizes_of_every_split(group_sizes, n_splits) - len(groups) / n_splits).mean(axis=1)
    assert evaluate(labels, folds, n_splits=n_splits).ed == pytest.approx(ed.min(), abs=1e-9)


@SETTINGS
@given(
    group_sizes=st.lists(st.integers(1, 9), min_size=3, max_size=8),
    weights=st.lists(st.integers(1, 6), min_size=2, max_size=3),
    method=st.sampled_from(METHODS),
    seed=st.integers(0, 9),
)
def test_sizes_are_as_near_to_those_asked_for_as_groups_allow(group_sizes, weights, method, seed):
    n_rows = sum(group_sizes)
    shares = np.array(weights) / sum(weights)
    if (shares * n_rows < 1).any():
        return
    groups = np.repeat(np.arange(len(group_sizes)), group_sizes)
    labels = np.random.default_rng(seed).random((n_rows, 3)) < 0.4
    options = {"method": method, "random_state": seed, **quick(method)}
    folds = split_quietly(labels, groups=groups, fold_sizes=shares, **options)
    assert_whole(groups, folds)
    wanted = check_constraints(n_rows, fold_sizes=shares).sizes
    least = abs(sizes_of_every_split(group_sizes, len(shares)) - wanted).sum(axis=1).min()
    assert abs(np.bincount(folds, minlength=len(shares)) - wanted).sum() == least


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("group_size", [1, 2, 7])
def test_groups_of_equal_size(method, group_size):
    groups = np.random.default_rng(0).permutation(np.repeat(np.arange(60), group_size))
    labels = EMOTIONS.labels[: len(groups)]
    folds = split(labels, 5, groups=groups, method=method, random_state=0, **quick(method))
    assert_whole(groups, folds)
    assert np.bincount(folds).tolist() == [12 * group_size] * 5


def test_groups_of_one_row_are_rows():
    # the order of rows is drawn in another way, so the split is another one, but as good
    found = evaluate(EMOTIONS, split(EMOTIONS, 5, groups=np.arange(593), rare="cover", random_state=0))
    assert found.ed < 0.5
    assert found.rld <= found.rld_bound * 1.02


@pytest.mark.parametrize("method", METHODS)
def test_one_group_a_fold(method):
    groups = np.repeat(["x", "y", "z"], [5, 4, 6])
    folds = split_quietly(EMOTIONS.labels[:15], 3, groups=groups, method=method)
    assert_whole(groups, folds)
    assert sorted(np.bincount(folds).tolist()) == [4, 5, 6]


@pytest.mark.parametrize("method", METHODS)
def test_fewer_groups_than_folds(method):
    groups = np.repeat(["x", "y"], [7, 8])
    with pytest.warns(SplitWarning, match=r"'y' \(8 rows\) and 'x' \(7 rows\); sizes cannot be kept"):
        folds = split(EMOTIONS.labels[:15], 3, groups=groups, method=method)
    assert_whole(groups, folds)
    assert sorted(np.bincount(folds, minlength=3).tolist()) == [0, 7, 8]


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
def test_a_group_larger_than_a_fold(measure):
    groups = np.random.default_rng(0).integers(0, 100, 593).astype(str)
    groups[:200] = "hospital"
    message = "1 group is larger than the 119 rows of a fold: 'hospital' (200 rows); sizes cannot be kept."
    message = message.replace("the 119 rows of a fold", "the 118 rows of the smallest fold")
    with pytest.warns(SplitWarning, match=f"^{re.escape(message)}$"):
        folds = split(EMOTIONS, 5, groups=groups, measure=measure, random_state=0)
    assert_whole(groups, folds)
    sizes = np.bincount(folds).tolist()
    assert folds[0] == sizes.index(200)
    assert np.ptp(sorted(sizes)[:4]) <= 2  # they are to have 118 or 119


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
@pytest.mark.parametrize("n_splits", [2, 5, 9])
def test_groups_of_real_data(n_splits, measure):
    groups = np.random.default_rng(0).integers(0, 60, 593)
    kept = groups.copy()
    found = split(EMOTIONS, n_splits, groups=groups, measure=measure, rare="cover", random_state=0)
    by_chance = split(EMOTIONS, n_splits, groups=groups, method="random", random_state=0)
    np.testing.assert_array_equal(groups, kept)
    for folds in (found, by_chance):
        assert_whole(groups, folds)
        assert sorted(np.bincount(folds), reverse=True) == equal_sizes(593, n_splits)
    scores = [getattr(evaluate(EMOTIONS, folds), measure) for folds in (found, by_chance)]
    assert scores[0] < 0.5 * scores[1]


def test_groups_are_balanced_nearly_as_well_as_rows():
    groups = np.arange(593) // 4
    report = evaluate(EMOTIONS, split(EMOTIONS, 5, groups=groups, random_state=0))
    assert report.rld <= report.rld_bound * 1.6


@pytest.mark.parametrize("method", METHODS)
def test_very_different_sizes(method):
    # one tenth of the rows in one group, and so on down to single rows
    sizes = np.maximum(1, (300 * 0.8 ** np.arange(60)).astype(int))
    groups = np.repeat(np.arange(60), sizes)
    labels = np.random.default_rng(0).random((len(groups), 5)) < 0.3
    folds = split_quietly(labels, 4, groups=groups, method=method, random_state=0, **quick(method))
    assert_whole(groups, folds)
    assert sorted(np.bincount(folds), reverse=True) == equal_sizes(len(groups), 4)


def test_parts_and_groups_together():
    groups = np.random.default_rng(5).integers(0, 120, 593)
    folds = split(EMOTIONS, fold_sizes=[0.8, 0.1, 0.1], groups=groups, random_state=0)
    assert_whole(groups, folds)
    assert np.bincount(folds).tolist() == [475, 59, 59]
    report = evaluate(EMOTIONS, folds)
    by_chance = split(EMOTIONS, fold_sizes=[0.8, 0.1, 0.1], groups=groups, method="random", random_state=0)
    assert report.rld < 0.5 * evaluate(EMOTIONS, by_chance).rld


def test_a_start_that_divides_groups():
    groups = np.random.default_rng(5).integers(0, 120, 593)
    start = np.random.default_rng(6).integers(0, 5, 593)
    folds = split(EMOTIONS, 5, groups=groups, initial=start, random_state=0)
    assert_whole(groups, folds)
    assert sorted(np.bincount(folds), reverse=True) == equal_sizes(593, 5)


def test_pairs_and_groups_together():
    groups = np.random.default_rng(5).integers(0, 200, 593)
    pairs = optisplit.label_pairs(EMOTIONS, min_rows=2)
    plain, balanced = (
        evaluate(pairs, split(EMOTIONS, 5, groups=groups, balance_pairs=wished, random_state=0)).rld
        for wished in (False, True)
    )
    assert balanced < 0.8 * plain


# How many groups of each size in each fold.


def compositions(total, n_parts):
    """Every way to write a number as a sum of whole numbers."""
    for bars in itertools.combinations(range(total + n_parts - 1), n_parts - 1):
        edges = (-1, *bars, total + n_parts - 1)
        yield [edges[i + 1] - edges[i] - 1 for i in range(n_parts)]


def least_distance(counts, kind_sizes, targets):
    """Look at every profile with these row sums: the least distance, and then the least sum of squares."""
    ways = [np.array(list(compositions(count, len(targets)))) for count in counts]
    totals = np.zeros((1, len(targets)), dtype=int)
    for size, way in zip(kind_sizes, ways, strict=True):
        totals = np.unique((totals[:, None] + size * way[None]).reshape(-1, len(targets)), axis=0)
    off = totals - targets
    return min(zip(abs(off).sum(axis=1).tolist(), (off**2).sum(axis=1).tolist(), strict=True))


@st.composite
def profile_problems(draw):
    n_splits = draw(st.integers(2, 3))
    kind_sizes = draw(st.lists(st.integers(1, 12), min_size=1, max_size=3, unique=True))
    profile = [draw(st.lists(st.integers(0, 2), min_size=n_splits, max_size=n_splits)) for _ in kind_sizes]
    profile = np.array(profile, dtype=np.int64)
    total = int(np.array(kind_sizes) @ profile.sum(axis=1))
    if draw(st.booleans()):
        targets = np.array(equal_sizes(total, n_splits))
    else:
        targets = np.array(draw(st.lists(st.integers(0, max(1, total)), min_size=n_splits, max_size=n_splits)))
    return profile, np.array(kind_sizes, dtype=np.int64), targets.astype(np.int64)


@SETTINGS
@given(profile_problems())
def test_profiles_are_nearest(problem):
    profile, kind_sizes, targets = problem
    kept = profile.copy()
    found = nearest_profile(profile, kind_sizes, targets)
    np.testing.assert_array_equal(profile, kept)
    assert found.shape == profile.shape
    assert (found >= 0).all()
    np.testing.assert_array_equal(found.sum(axis=1), profile.sum(axis=1))
    off, off_before = kind_sizes @ found - targets, kind_sizes @ profile - targets
    least = least_distance(profile.sum(axis=1), kind_sizes, targets)
    assert abs(off).sum() == least[0]
    if (abs(off_before).sum(), (off_before**2).sum()) == least:
        np.testing.assert_array_equal(found, profile)  # nothing is moved for nothing


def test_units_are_moved_at_random_where_exchanges_are_stuck():
    # groups of 2, 2 and 3 rows into folds of 4 and 3: exchanges first bring the 3 to the fold of 4
    profile, kind_sizes, targets = np.array([[0, 2], [0, 1]]), np.array([2, 3]), np.array([4, 3])
    assert nearest_profile(profile, kind_sizes, targets).tolist() == [[2, 0], [0, 1]]
    assert nearest_profile(profile, kind_sizes, targets, may_shake=False).tolist() == [[0, 2], [1, 0]]


def test_few_rows_move_where_units_are_moved_at_random(monkeypatch):
    """Twenty groups of which three have left a profile that was right."""
    moved = []
    for n_returns in (0, profiles.N_RETURNS):
        monkeypatch.setattr(profiles, "N_RETURNS", n_returns)
        moved.append(0)
        for seed in range(6):
            rng = np.random.default_rng(seed)
            kind_sizes = np.sort(rng.choice(np.arange(5, 90), 20, replace=False))
            right = np.zeros((20, 4), dtype=np.int64)
            right[np.arange(20), rng.integers(0, 4, 20)] = 1
            start = right.copy()
            start[:3] = np.roll(start[:3], 1, axis=1)
            found = nearest_profile(start, kind_sizes, kind_sizes @ right)
            assert abs(kind_sizes @ found - kind_sizes @ right).sum() <= 2
            moved[-1] += int(kind_sizes @ abs(found - start).sum(axis=1)) // 2
    assert moved[1] < 0.75 * moved[0]


def test_sums_of_twenty_unlike_sizes_are_found():
    """Each time there are some that are right; exchanges alone are up to 8 rows off."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        sizes, folds = rng.integers(5, 90, 20), rng.integers(0, 4, 20)
        kind_sizes, kinds = np.unique(sizes, return_inverse=True)
        targets = np.bincount(folds, sizes, 4).astype(np.int64)
        start = np.bincount(kinds * 4 + rng.permutation(folds), minlength=4 * len(kind_sizes)).reshape(-1, 4)
        assert abs(kind_sizes @ nearest_profile(start, kind_sizes, targets) - targets).sum() <= 2


def test_a_group_larger_than_a_fold_does_not_take_long():
    profile = np.ones((200, 8), dtype=np.int64)
    kind_sizes = np.append(np.arange(1, 200), 400_000)
    profile[-1, 1:] = 0
    started = time.perf_counter()
    found = nearest_profile(profile, kind_sizes, np.array(equal_sizes(int(kind_sizes @ profile.sum(axis=1)), 8)))
    assert time.perf_counter() - started < 5
    assert np.ptp((kind_sizes @ found)[found[-1] == 0]) <= 2


def test_exchanges_alone_serve_where_there_are_many_units():
    rng = np.random.default_rng(0)
    for _ in range(20):
        kind_sizes = np.sort(rng.choice(np.arange(1, 60), 12, replace=False))
        profile = rng.integers(0, 6, (12, 5))
        total = int(kind_sizes @ profile.sum(axis=1))
        targets = np.array(equal_sizes(total, 5))
        found = nearest_profile(profile, kind_sizes, targets, may_shake=False)
        np.testing.assert_array_equal(found.sum(axis=1), profile.sum(axis=1))
        assert (found >= 0).all()
        assert abs(kind_sizes @ found - targets).sum() <= 2


def test_profiles_are_always_the_same():
    rng = np.random.default_rng(1)
    for _ in range(5):
        kind_sizes, profile = np.array([7, 11, 13]), rng.integers(0, 3, (3, 4))
        targets = np.array(equal_sizes(int(kind_sizes @ profile.sum(axis=1)), 4))
        first = nearest_profile(profile, kind_sizes, targets)
        np.testing.assert_array_equal(nearest_profile(profile, kind_sizes, targets), first)


def test_no_groups_to_place():
    nothing = np.empty((0, 3), dtype=np.int64)
    assert nearest_profile(nothing, np.empty(0, dtype=np.int64), np.array([1, 2, 3])).shape == (0, 3)


# Units.


def test_placed_in_turn_where_there_is_most_room():
    rng = np.random.default_rng(0)
    for kernel in (place_in_turn, place_in_turn.py_func):
        for _ in range(20):
            sizes, order = rng.integers(1, 9, 15).astype(np.int32), rng.permutation(15)
            room = rng.integers(0, 40, 4)
            folds, left = np.full(15, -7, dtype=np.int32), room.copy()
            kernel(sizes, order, left, folds)
            expected = room.copy()
            for unit in order:
                best = int(np.argmax(expected))
                assert folds[unit] == best
                expected[best] -= sizes[unit]
            np.testing.assert_array_equal(left, expected)


@SETTINGS
@given(
    labels=label_matrices(min_rows=4),
    groups=st.lists(st.integers(0, 5), min_size=24, max_size=24),
    fixed=st.lists(st.sampled_from([FREE, FREE, FREE, 0, -1]), min_size=6, max_size=6),
    has_groups=st.booleans(),
    seed=st.integers(0, 5),
)
def test_units_hold_what_their_rows_hold(labels, groups, fixed, has_groups, seed):
    groups = np.array(groups[: len(labels)])
    fixed = np.array(fixed)[groups]
    if (fixed != -1).sum() < 2:
        return
    held, n_free = int((fixed == 0).sum()), int((fixed == FREE).sum())
    if n_free == 0 or held + n_free < 2:
        return
    options = {"groups": groups} if has_groups else {}
    constraints = check_constraints(len(labels), fold_sizes=[held + n_free - 1, 1], fixed=fixed, **options)
    matrix, is_free = as_labels(labels), fixed == FREE
    units = Units.of(constraints, np.random.default_rng(seed))
    assert units.are_rows is not has_groups
    np.testing.assert_array_equal(units.of_row >= 0, is_free)
    np.testing.assert_array_equal(np.bincount(units.of_row[is_free], minlength=len(units)), units.sizes)
    assert units.count_positives(matrix) == labels[is_free].sum()
    made = units.gather(matrix)
    amounts = made.amounts[np.arange(len(made.indices)) * int(made.stride)]
    assert (amounts > 0).all()
    dense = sp.csr_array((amounts, made.indices, made.indptr), shape=(len(units), labels.shape[1]))
    assert dense.has_canonical_format
    expected = np.array([labels[units.of_row == unit].sum(axis=0) for unit in range(len(units))])
    np.testing.assert_array_equal(dense.toarray(), expected)
    np.testing.assert_array_equal(made.totals(labels.shape[1]), expected.sum(axis=0))
    assert (made.indptr.dtype, made.indices.dtype, made.amounts.dtype) == (np.int32, np.int32, np.float32)
    np.testing.assert_array_equal(
        units.fixed_counts(matrix).T, [labels[fixed == fold].sum(axis=0) for fold in range(2)]
    )
    np.testing.assert_array_equal(units.fixed_held(), [held, 0])
    folds = np.random.default_rng(seed).integers(0, 2, len(units)).astype(np.int32)
    rows = units.rows(folds)
    np.testing.assert_array_equal(rows[~is_free], fixed[~is_free])
    np.testing.assert_array_equal(rows[is_free], folds[units.of_row[is_free]])
    np.testing.assert_array_equal(units.from_rows(rows), folds)


def test_a_divided_group_starts_where_most_of_its_rows_are():
    groups = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2])
    units = Units.of(check_constraints(9, 3, groups=groups))
    folds = np.array([2, 1, 2, 0, 1, 1, 0, 2, 1], dtype=np.int32)
    assert units.rows(units.from_rows(folds)).tolist() == [2, 2, 2, 0, 0, 0, 0, 1, 1]


def test_the_order_of_units_is_random_or_as_they_come():
    constraints = check_constraints(9, 3, groups=[0, 0, 0, 1, 1, 1, 1, 2, 2])
    assert Units.of(constraints).of_row.tolist() == [0, 0, 0, 1, 1, 1, 1, 2, 2]
    orders = {tuple(Units.of(constraints, np.random.default_rng(seed)).of_row) for seed in range(30)}
    assert len(orders) == 6


def test_groups_from_a_generator_are_kept_to():
    listed = split(EMOTIONS, 5, groups=[row // 3 for row in range(593)], random_state=0)
    drawn = split(EMOTIONS, 5, groups=(row // 3 for row in range(593)), random_state=0)
    assert (drawn == listed).all()


# Few groups, which exchanges of groups of one size leave far from the best.


def sample_groups(n_rows, n_groups, seed=0):
    """Put rows into groups of very unlike size."""
    weights = 1 / np.arange(1, n_groups + 1) ** 0.7
    return np.random.default_rng(seed).choice(n_groups, n_rows, p=weights / weights.sum())


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
def test_few_groups_end_at_the_best_of_all_splits(measure):
    rng = np.random.default_rng(1)
    labels = (rng.random((60, 4)) < [0.1, 0.2, 0.3, 0.5]).astype(np.int8)
    groups = sample_groups(60, 10)
    ways = np.array(list(itertools.product(range(2), repeat=9)))  # the first group may be in fold 0
    ways = np.hstack([np.zeros((len(ways), 1), np.int64), ways])[:, groups]
    off = np.abs(ways.sum(axis=1) - 30)
    best = min(getattr(evaluate(labels, way, n_splits=2), measure) for way in ways[off == off.min()])
    found = evaluate(labels, split(labels, 2, groups=groups, measure=measure, rare="score", random_state=0))
    assert getattr(found, measure) == pytest.approx(best, abs=1e-6)


# .098 and .023 without trades
@pytest.mark.parametrize(("n_groups", "effort", "highest"), [(25, "quick", 0.065), (60, "normal", 0.0172)])
def test_few_groups_of_emotions(n_groups, effort, highest):
    groups = sample_groups(593, n_groups)
    folds = split(EMOTIONS, 5, groups=groups, random_state=0, effort=effort)
    assert_whole(groups, folds)
    assert np.bincount(folds).tolist().count(119) == 3  # and 118: as equal as without groups
    assert evaluate(EMOTIONS, folds).rld < highest


def test_trading_reaches_the_sizes_by_itself(monkeypatch):
    monkeypatch.setattr(profiles, "_shaken", lambda *_: pytest.fail("asked"))
    for seed in range(3):
        folds = split(EMOTIONS, 5, groups=sample_groups(593, 25), random_state=seed)
        assert np.ptp(np.bincount(folds)) <= 1


def test_where_no_sizes_are_right_they_are_as_near_as_can_be():
    # 776 rows into 4 folds of 194: of all sums of 83 groups of 7 rows, one of 5 and one of 190, these are the nearest
    groups = np.concatenate([np.repeat(np.arange(83), 7), np.full(5, 83), np.full(190, 84)])
    labels = (np.random.default_rng(0).random((len(groups), 6)) < 0.2).astype(np.int8)
    for seed in range(2):
        folds = split(labels, 4, groups=groups, random_state=seed, effort="quick")
        assert_whole(groups, folds)
        assert sorted(np.bincount(folds).tolist()) == [190, 194, 196, 196]


def test_a_trade_keeps_the_loss_that_it_says():
    groups = sample_groups(593, 30)
    constraints = check_constraints(593, 3, groups=groups)
    rng = np.random.default_rng(0)
    units = Units.of(constraints, rng)
    search = Search(
        EMOTIONS.labels, units, units.at_random(rng), importance=np.ones(6), is_label=np.ones(6, np.bool_),
        measure="rld", rng=rng, n_sweeps=1,
    )  # fmt: skip
    problem, state = search._problem, search._state
    before, kept, losses = total_loss(problem, state), state.folds.copy(), np.zeros(3)
    sizes = constraints.sizes
    trade(search._task, 20_000, 3.0, 1.0, sizes, sizes, kept, losses)
    search.count_afresh()
    assert before + losses[0] == pytest.approx(total_loss(problem, state), rel=1e-5)
    state.folds[:] = kept
    search.count_afresh()
    assert before + losses[1] == pytest.approx(total_loss(problem, state), rel=1e-5)
    assert losses[1] < 0
    assert search.surplus.tolist() == [0, 0, 0]


def test_where_trading_stops_the_best_so_far_is_kept(monkeypatch):
    groups = sample_groups(593, 25)
    told = []

    def begin(*given):
        told.append("trading")
        trade_groups(*given)

    def stop(done, n_steps, score):
        told.append(score)
        if "trading" in told and len(told) > told.index("trading") + 50:
            raise Stopped

    monkeypatch.setattr(search_module, "trade_groups", begin)
    monkeypatch.setattr(search_module, "REPORT_S", -1.0)  # everything is told, however fast
    with pytest.raises(Stopped) as stopped:
        optisplit_sa(EMOTIONS.labels, 5, rng=np.random.default_rng(0), groups=groups, on_progress=stop, effort="quick")
    assert_whole(groups, stopped.value.folds)
    assert np.ptp(np.bincount(stopped.value.folds)) <= 1
