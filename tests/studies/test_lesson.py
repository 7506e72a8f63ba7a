"""The lesson's arithmetic: known examples, known numbers, and the real algorithm step by step."""

from __future__ import annotations

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

import optisplit
from optisplit.errors import OptionError
from optisplit.measures.registry import objectives
from optisplit.measures.report import evaluate
from optisplit.methods.optisplit import optisplit as run_optisplit
from optisplit.methods.optisplit import optisplit_steps
from optisplit.plots.odds_curve import OddsCurveInfo, plot_odds_curve
from optisplit.plots.rounding_choice import plot_rounding_choice, rounding_choice_alt_text
from optisplit.plots.size_scores import plot_size_scores, size_scores_alt_text
from optisplit.plots.split_scores import plot_split_scores, split_scores_info
from optisplit.studies.lesson import rankings, rare, teaching
from optisplit.studies.lesson.formulas import work_out, worked_table
from optisplit.studies.lesson.odds import OddsStep
from optisplit.studies.lesson.points import (
    LABEL_SIZES,
    N_SPLITS,
    POINTS,
    folds_from_text,
    folds_to_text,
    move_point,
    points_data,
    random_folds,
    report_of,
    rows_data,
    stratified_folds,
    swapped_folds,
)
from optisplit.studies.lesson.rankings import RUNS, RankedSplit, Ranking, places_of, rank_splits
from optisplit.studies.lesson.sizes import ERRORS, FORMULAS, amounts_of, error_words, size_scores
from optisplit.studies.lesson.trace import MAX_EPOCHS, end_loss, frames_of, result_of, trace, trace_table
from optisplit.studies.lesson.words import deviation, meaning, number, part, times, worst_fold, worst_label


def test_the_points_are_24_of_three_classes():
    data = points_data()
    assert data.labels.shape == (24, 3)
    assert data.labels.sum(axis=0).tolist() == list(LABEL_SIZES.values())
    assert (data.labels.sum(axis=1) == 1).all()
    assert POINTS[:5] == ("A1", "A2", "A3", "A4", "B1")


def test_the_stratified_split_is_without_error():
    report = evaluate(points_data(), stratified_folds())
    assert (report.ld, report.rld, report.dcp, report.ed) == pytest.approx((0, 0, 0, 0))


def test_one_swap_is_worse_for_the_large_class_by_ld_and_for_the_small_one_by_rld():
    """A has 0, 2, 1, 1 points, C has 4, 2, 3, 3, of 6 a fold."""
    report = evaluate(points_data(), swapped_folds())
    assert report.counts.T.tolist() == [[0, 2, 1, 1], [2, 2, 2, 2], [4, 2, 3, 3]]
    np.testing.assert_allclose(report.ld_per_class, [(0.2 + 0.3) / 4, 0, (1 + 0.5) / 4])
    np.testing.assert_allclose(report.rld_per_class, [2 / 4, 0, 2 / 3 / 4], atol=1e-15)
    assert report.ed == 0


@pytest.mark.parametrize("folds", [stratified_folds(), swapped_folds(), random_folds(3), np.zeros(24, np.int32)])
def test_the_lesson_scores_as_evaluate_does(folds):
    for data in (points_data(), rows_data()):
        mine, wanted = report_of(data, folds), evaluate(data, folds, n_splits=N_SPLITS)
        np.testing.assert_array_equal(mine.counts, wanted.counts)
        assert (mine.ld, mine.rld, mine.dcp, mine.ed) == (wanted.ld, wanted.rld, wanted.dcp, wanted.ed)


def test_folds_go_into_the_address_and_back():
    for folds in (stratified_folds(), swapped_folds(), random_folds(3)):
        np.testing.assert_array_equal(folds_from_text(folds_to_text(folds)), folds)
    moved = move_point(stratified_folds(), 5, 3)
    assert folds_to_text(moved) == "0123" + "0323" + "0123" * 4


@pytest.mark.parametrize("text", ["", "0123", "4" * 24, "0" * 25, "٠" * 24, "0" * 24 + "\n", "-" * 24])
def test_nothing_else_is_read_as_folds(text):
    with pytest.raises(OptionError, match="24 digits below 4"):
        folds_from_text(text)


@pytest.mark.parametrize("folds", [random_folds(0), swapped_folds(), np.zeros(24, np.int32), np.arange(24) // 8])
@pytest.mark.parametrize("label", range(3))
def test_the_last_line_of_a_formula_adds_up_to_the_measure(folds, label):
    """The terms are written with three digits: so far the sum may be off."""
    report = evaluate(points_data(), folds.astype(np.int32), n_splits=N_SPLITS)
    worked = work_out(report, label)
    for key in ("ld", "rld", "ed"):
        terms = worked[key].lines[-1].rpartition("(")[2].removesuffix(")").replace(",", "").split("+")
        assert len(terms) == N_SPLITS
        assert sum(map(float, terms)) / N_SPLITS == pytest.approx(worked[key].value, abs=0.006, rel=0.005)
    largest, share = worked["dcp"].lines[-1].removeprefix("= ").split("-")
    assert float(largest) - float(share) == pytest.approx(worked["dcp"].value, abs=0.001)
    values = (report.ld_per_class[label], report.rld_per_class[label], report.dcp_per_class[label], report.ed)
    assert tuple(each.value for each in worked.values()) == values
    for each in worked.values():
        assert number(each.value) in each.latex
        assert each.latex.count("{") == each.latex.count("}")


def test_the_table_behind_the_formulas():
    table = worked_table(evaluate(points_data(), swapped_folds()), 2)
    assert table["fold"].tolist() == ["0", "1", "2", "3", "all"]
    assert table["c_j"].tolist() == [4, 2, 3, 3, 12]
    np.testing.assert_allclose(table["odds"], [2, 0.5, 1, 1, 1])
    np.testing.assert_allclose(table["share"], [4 / 12, 2 / 12, 3 / 12, 3 / 12, 1])


def test_a_step_of_a_fifth():
    small, large = OddsStep(0.001, 0.2), OddsStep(0.1, 0.2)
    assert large.change / small.change == pytest.approx(100)
    assert large.odds_change == pytest.approx(0.12 / 0.88 - 0.1 / 0.9)
    assert large.odds_change / small.odds_change > 120
    assert small.odds_change / small.odds < large.odds_change / large.odds


def test_places():
    assert places_of([0.2, 0.1, 0.2 + 1e-14]) == [2, 1, 2]


def make_report(counts):
    """Build a report of four folds of 100 rows each."""
    folds = np.repeat(np.arange(4, dtype=np.int32), 100)
    labels = np.zeros((400, len(counts)), dtype=np.int8)
    for label, held in enumerate(counts):
        for fold, c in enumerate(held):
            labels[fold * 100 : fold * 100 + c, label] = 1
    return evaluate(labels, folds)


def test_where_the_order_turns_and_which_classes_do_it():
    """The first split is even on the large class, the second one on the small class."""
    even_large, even_small = make_report([[40, 40, 40, 40], [4, 0, 2, 2]]), make_report([[48, 32, 40, 40], [2] * 4])
    ranking = Ranking(
        (RankedSplit("a", "is", even_large, 1, 2), RankedSplit("b", "ss", even_small, 2, 1)), 4
    )  # fmt: skip
    (turn,) = ranking.turns()
    assert ranking.pair is not None
    assert (ranking.pair.by_ld, ranking.pair.by_rld) == (turn.by_ld, turn.by_rld)
    assert (turn.by_ld.name, turn.by_rld.name) == ("a", "b")
    frequent, rare = turn.halves["frequent"], turn.halves["rare"]
    assert (frequent.n_labels, frequent.smallest, rare.largest) == (1, 160, 8)
    assert frequent.ld == pytest.approx((0, (48 / 52 - 40 / 60 + 40 / 60 - 32 / 68) / 4))
    assert rare.rld == pytest.approx((0.5, 0), abs=1e-12)
    assert frequent.ld_share + rare.ld_share == pytest.approx(1)
    assert frequent.rld_share == pytest.approx(0.1 / 0.6)
    assert list(ranking.table["split"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("first", "second", "has_pair", "n_turned"),
    [
        ((1, 1.02), (1.02, 1), True, 1),
        ((1, 1.005), (1.5, 1), False, 0),  # as good as the best by rLD
        ((1, 1.5), (1.005, 1), True, 0),  # LD does not tell them apart
    ],
)
def test_what_differs_by_less_than_a_hundredth_is_no_order(first, second, has_pair, n_turned):
    reports = [SimpleNamespace(ld=ld, rld=rld) for ld, rld in (first, second)]
    ranking = Ranking((RankedSplit("Random", "random", reports[0], 1, 2), RankedSplit("IS", "is", reports[1], 2, 1)), 5)
    assert (ranking.pair is not None, len(ranking.turns())) == (has_pair, n_turned)
    assert (ranking.by_rld_of_best == "best") != has_pair


@pytest.mark.parametrize(("name", "turns"), [("emotions", False), ("bibtex", True), ("enron", True), ("yeast", True)])
def test_the_order_turns_where_the_lesson_says_so(name, turns):
    seen = []
    ranking = rank_splits(optisplit.load(name), on_split=lambda done, title: seen.append((done, title)))
    assert seen == [(at, run[0]) for at, run in enumerate(RUNS)]
    assert bool(ranking.turns()) == turns
    for turn in ranking.turns():
        assert turn.by_ld.report.ld < turn.by_rld.report.ld
        assert turn.by_rld.report.rld < turn.by_ld.report.rld
    info = split_scores_info(ranking)
    assert sum(info.strong) == (2 if ranking.pair else 0)
    assert sum(split_scores_info(ranking, ("ld",)).strong) == (1 if ranking.pair else 0)
    for bars, measure in zip(plot_split_scores(info).data, ("ld", "rld"), strict=True):
        np.testing.assert_allclose(bars.x, [getattr(each.report, measure) for each in ranking.splits])
    assert len(ranking.splits) == len(RUNS)
    assert info.alt_text.count("rLD 0.") == len(RUNS)
    assert "rLD" not in split_scores_info(ranking, ("ld",)).alt_text.replace("OptiSplit for rLD", "")


def test_the_rows_of_the_last_step():
    labels = rows_data().labels
    assert labels.shape == (24, 5)
    assert (2 * labels.sum(axis=0) <= 24).all()
    assert (labels.sum(axis=1) >= 1).all()


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("seed", range(5))
def test_replaying_the_trace_gives_what_the_algorithm_gives(measure, seed):
    steps = trace(measure, seed)
    labels = rows_data().labels
    wanted = run_optisplit(
        labels, N_SPLITS, rng=np.random.default_rng(seed), measure=measure, max_epochs=MAX_EPOCHS
    )  # fmt: skip
    replay(steps, labels, N_SPLITS, measure)
    np.testing.assert_array_equal(result_of(steps), wanted)


@pytest.mark.parametrize("measure", objectives())
@pytest.mark.parametrize("name", ["emotions", "yeast", "medical"])
def test_the_steps_on_real_data_are_the_algorithm(name, measure):
    """Yeast has classes of more than half of the rows; medical has classes with fewer rows than folds."""
    labels = optisplit.load(name).labels
    wanted = run_optisplit(labels, 5, rng=np.random.default_rng(1), measure=measure, max_epochs=2)
    steps = list(optisplit_steps(labels, 5, rng=np.random.default_rng(1), measure=measure, max_epochs=2))
    np.testing.assert_array_equal(replay(steps, labels, 5, measure), wanted)


def replay(steps, labels, n_splits, measure):
    """Carry out the steps that are kept, and check what each one says of itself."""
    folds = steps[0].folds.copy()
    for step in steps:
        np.testing.assert_array_equal(step.folds, folds)
        before, after = (evaluate(labels, each, n_splits=n_splits) for each in (step.folds, step.folds_after))
        assert step.loss == pytest.approx(getattr(before, measure))
        assert step.loss_after == pytest.approx(getattr(after, measure))
        scores = np.nan_to_num(getattr(before, f"{measure}_per_class"))
        np.testing.assert_allclose(step.scores, scores, atol=1e-12)
        assert (scores > scores[step.label] + 1e-9).sum() <= step.rank
        assert (step.folds[step.rows] != step.targets).all()
        if step.kept:
            assert step.loss_after < step.loss
            folds[step.rows] = step.targets
    return folds


def test_steps_start_from_given_folds_and_leave_them_alone():
    initial = np.arange(24, dtype=np.int32) % 4
    given = initial.copy()
    steps = list(optisplit_steps(rows_data().labels, 4, rng=np.random.default_rng(0), initial=given))
    np.testing.assert_array_equal(steps[0].folds, initial)
    np.testing.assert_array_equal(given, initial)
    with pytest.raises(OptionError, match="max_epochs"):
        next(optisplit_steps(rows_data().labels, 4, rng=np.random.default_rng(0), max_epochs=0))


def test_the_curves_and_the_steps_on_them():
    info = OddsCurveInfo(OddsStep(0.001, 0.2), OddsStep(0.1, 0.2), 100_000, "a fifth more than due")
    assert info.ratio == pytest.approx(OddsStep(0.1, 0.2).odds_change / OddsStep(0.001, 0.2).odds_change)
    figure = plot_odds_curve(info)
    assert [each.text for each in figure.layout.annotations] == [
        "<b>x / (1 − x)</b>", "<b>x</b>", "100 rows:<br><b>+0.0002</b>", "10,000 rows:<br><b>+0.0253</b>",
        "Thick: the fold that has a fifth more than due",
    ]  # fmt: skip
    assert "0.0253" in info.alt_text


def test_a_step_goes_down_where_a_fold_has_none_and_nowhere_without_an_error():
    info = OddsCurveInfo(OddsStep(0.001, -1), OddsStep(0.1, -1), 100_000, "none at all")
    assert info.large.odds_change == pytest.approx(-0.1 / 0.9)
    assert "by −0.111" in info.alt_text
    info = OddsCurveInfo(OddsStep(0.001, 0), OddsStep(0.1, 0), 100_000, "just what is due")
    figure = plot_odds_curve(info)
    assert len(figure.data) == 2
    assert [each.text for each in figure.layout.annotations][-1] == "No step: every fold has what is due"


def test_the_fold_that_is_the_farthest_off():
    farthest = [
        size_scores(amounts_of(error, 4, 0.2, free)).farthest
        for error, free in (("equal", ()), ("difference", ()), ("missing", ()), ("free", (300, 0, 0, 100)))
    ]
    assert farthest == pytest.approx([1, 1.2, 0, 3])


def test_the_run_as_a_table():
    steps = trace("rld", 4)
    table = trace_table(steps)
    assert len(table) == len(steps)
    assert table["decision"].tolist() == [
        "kept" if step.kept else "undone" if step.rows.size else "nothing to move" for step in steps
    ]
    assert table["moves"][0] == "D 2→3, D 2→3"


def luminance(color):
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot(linear, [0.2126, 0.7152, 0.0722]))


def test_colours_of_rows_can_be_read_on_light_and_on_dark():
    """White text on each 4.5 : 1, each on both backgrounds 3 : 1; labels differ by more than colour."""
    from pathlib import Path

    style = (Path(optisplit.__file__).parent / "ui" / "learn" / "stage.css").read_text(encoding="utf-8")
    colors = set(re.findall(r"background: (#[0-9a-f]{6})", style))
    assert len(colors) == 4
    for color in colors:
        assert 1.05 / (luminance(color) + 0.05) >= 4.5
        assert (luminance(color) + 0.05) / (luminance("#0e1117") + 0.05) >= 3
    assert len(set(re.findall(r"^\.token\.[AC] .*border-radius: ([^;]+)", style, re.MULTILINE))) == 2


def test_what_is_off_in_words():
    assert deviation(12, 10) == "a fifth more than due"
    assert deviation(4, 3) == "a third more than due"
    assert (deviation(2, 1), deviation(0, 3), deviation(3, 3)) == (
        "twice what is due",
        "none at all",
        "just what is due",
    )
    assert (deviation(7, 2), deviation(1, 1.4)) == ("3.5 times what is due", "29 % less than due")
    assert (part(0.5), part(0.37), times(3), times(1.0)) == ("half", "37 %", "3 times as much", "as much")
    assert meaning("rld", 0.25) == "a quarter off what is due, on average"
    assert meaning("ld", 0) == "nothing is off"
    assert meaning("dcp", 0.25) == "fullest fold: 50 % of a label's rows; 1/k is 25 %"
    report = report_of(points_data(), swapped_folds())
    assert worst_fold(report, 2) == "fold 0 has 4 of 3 due, a third more than due"
    assert worst_fold(report, 1) is None
    assert worst_label(report, "ld") == (2, 0, pytest.approx(3))
    assert worst_label(report, "rld") == (0, 2, pytest.approx(3))
    assert worst_label(report_of(points_data(), stratified_folds()), "ld") is None


@pytest.mark.parametrize("n_splits", [3, 10])
@pytest.mark.parametrize("error", ERRORS)
def test_ld_alone_climbs_with_the_size_of_the_label(error, n_splits):
    free = [150, 50, *[100] * (n_splits - 2)]
    info = size_scores(amounts_of(error, n_splits, 0.2, free))
    assert info.growing == ([] if error == "equal" else ["ld"])
    assert info.sizes[0] == 10
    assert np.allclose(np.diff(np.log(info.sizes[12:])), np.log(info.sizes[-1] / 10) / 37, rtol=0.05)
    for measure in FORMULAS:
        assert (info.lowest[measure] <= info.scores[measure] + 1e-9).all()
        assert (info.scores[measure] <= info.highest[measure] + 1e-9).all()
    if error != "equal":  # twice the size, twice the LD, while the label is small; rLD and DCP are the same for all
        slope = np.diff(np.log(info.exact["ld"][:20])) / np.diff(np.log(info.sizes[:20]))
        np.testing.assert_allclose(slope, 1, atol=0.02)
        np.testing.assert_allclose(info.exact["rld"], info.exact["rld"][0], rtol=1e-5)
        np.testing.assert_allclose(info.exact["dcp"], info.exact["dcp"][0], rtol=1e-5)
    said = error_words(error, 0.2)
    assert said.startswith({"equal": "every fold", "free": "the folds have the amounts"}.get(error, "one fold"))
    assert ("a fifth more" in said) == (error == "difference")
    assert f"10 to {info.sizes[-1]:,} rows" in size_scores_alt_text(info)
    for is_log in (True, False):
        figure = plot_size_scores(info, is_log=is_log)
        assert {each.text for each in figure.layout.annotations} == {"<b>LD</b>", "<b>rLD</b>", "<b>DCP</b>"}


def test_the_band_is_of_all_ways_to_round():
    """Against every choice of folds to round up."""
    info = size_scores(amounts_of("difference", 3, 0.2))
    wanted = info.amounts[:, None] * info.sizes / 3
    rows, shares = np.full(3, info.n_rows // 3), np.full(3, 1 / 3)
    for at in range(8):
        floors = np.floor(wanted[:, at] + 1e-9)
        whole = wanted[:, at] - floors < 1e-9
        ways = [up for up in itertools.product((0, 1), repeat=3) if floors.sum() + sum(up) == info.sizes[at]]
        counts = [floors + up for up in ways if not (whole & np.array(up, bool)).any()]
        for measure, formula in FORMULAS.items():
            scores = [formula(each[:, None].astype(int), rows, shares)[0] for each in counts]
            assert info.lowest[measure][at] == pytest.approx(min(scores), abs=1e-9)
            assert info.highest[measure][at] == pytest.approx(max(scores), abs=1e-9)


@pytest.mark.parametrize("measure", objectives())
def test_the_pictures_of_a_run_go_from_its_start_to_its_end(measure):
    steps = trace(measure, 4)
    frames = frames_of(steps, measure)
    assert len(frames) == 2 + sum(2 if step.rows.size else 1 for step in steps)
    np.testing.assert_array_equal(frames[0].folds, steps[0].folds)
    np.testing.assert_array_equal(frames[-1].folds, result_of(steps))
    said = [words for frame in frames for words, _ in frame.says]
    assert said.count("Kept:") == sum(step.kept for step in steps)
    assert said.count("Undone:") == sum(bool(step.rows.size) and not step.kept for step in steps)
    assert end_loss(steps) == pytest.approx(report_of(rows_data(), result_of(steps)).value(measure))
    assert not frames[0].tally
    assert [frame.is_proof for frame in frames] == sorted(frame.is_proof for frame in frames)
    assert frames[-1].is_proof
    for before, after in itertools.pairwise(frames):  # what slides is what is said to have moved
        assert set(np.flatnonzero(before.folds != after.folds)) <= set(after.moved)


def test_each_picture_says_what_it_shows():
    frames = frames_of(trace("rld", 4), "rld")
    assert frames[1].says[1] == (
        "Which rows?",
        "From where D has too many to where it has too few, rows with few labels first: D from fold 2 to 3 and D from "
        "fold 2 to 3.",
    )
    assert "The worst label, D, as bad as A, comes first" in frames[0].says[0][1]
    assert frames[1].says[0][1] == "Round 1: D, as bad as A, was worst, with rLD 0.5 before the move."
    assert frames[1].tally.endswith("mean rLD is still 0.35. With this move it would be 0.319, as drawn.")
    words, text = frames[2].says[0]
    assert (words, text) == ("Kept:", "A gets worse, but the mean rLD of all labels falls from 0.35 to 0.319.")
    assert frames[2].tally == "So far 1 move kept and 0 undone; mean rLD fell from 0.35 to 0.319."
    assert frames[4].says[0][1].startswith("B, C, D and E get worse, and the mean rLD of all labels would not fall")
    for at in (8, 14):  # the label that was to be repaired gets worse itself: its row makes folds of other sizes
        assert frames[at].says[0][1].startswith("E itself, which was to be repaired, and B, C and D get worse")
    before, after = (report_of(rows_data(), frames[at].folds).per_label("rld")[4] for at in (6, 7))
    assert (before, after) == (pytest.approx(0.146, abs=5e-4), pytest.approx(0.1625))
    assert not any("to be repaired" in each.says[0][1] for at, each in enumerate(frames) if at not in (8, 14))


def test_rld_is_lowest_where_rare_labels_leave_the_test_part():
    choice = rare.rounding_choice()
    assert (choice.lowest("rld"), choice.lowest("together")) == (0, rare.DUE)
    assert (np.diff(choice.rld) > 0).all()
    # 180 of 200 rows train, where 160 are due, and none tests, where 20 are
    assert choice.together[0] == pytest.approx(0.1)
    report = rare.rounded(7)
    assert report.counts.sum(axis=1).tolist() == [200 - 20 - 7, 20, 7]
    assert report.rld == pytest.approx(choice.rld[7])
    figure = plot_rounding_choice(choice, 7)
    assert [line.x[1] for line in figure.data if line.mode == "markers"] == [7, 7]
    assert "rLD is lowest with 0 of 100" in rounding_choice_alt_text(choice, 7)


def test_the_kept_counts_are_those_of_the_methods():
    """The last one takes seconds to make: its fairness is looked at alone."""
    reports = rare.reports_of_parts()
    for method, made in rare.made_reports(rare.METHODS[:-1]).items():
        assert_same_counts(reports[method], made)
    assert min(reports, key=lambda key: reports[key].rld) == "is"
    assert reports["is"].rare_table["test"].iloc[0] == 0
    without = {method: report.rows_by_n_labels[:, 0] for method, report in reports.items()}
    assert without["is"].tolist() == [113, 0, 0]
    assert without["optisplit-sa"][2] / 113 == pytest.approx(0.1, abs=0.01)
    assert min(reports, key=lambda key: reports[key].rare_shares) == "optisplit-sa"


def test_the_kept_ranking_is_that_of_the_methods():
    """Make it anew with ``keep_reports(sample_file(rankings.KEPT), rank_splits(load(rankings.DATA)).reports)``."""
    data = optisplit.load(rankings.DATA)
    kept, made = rankings.kept_ranking(data), rank_splits(data)
    for mine, wanted in zip(kept.splits, made.splits, strict=True):
        assert (mine.name, mine.ld_rank, mine.rld_rank) == (wanted.name, wanted.ld_rank, wanted.rld_rank)
        assert_same_counts(mine.report, wanted.report)


def assert_same_counts(kept, made):
    np.testing.assert_array_equal(kept.counts, made.counts)
    np.testing.assert_array_equal(kept.fold_sizes, made.fold_sizes)
    np.testing.assert_array_equal(kept.rows_by_n_labels, made.rows_by_n_labels)
    np.testing.assert_allclose(kept.shares, made.shares)
    assert (kept.label_names, kept.fold_names) == (made.label_names, made.fold_names)


def test_the_teachers_page_is_what_is_computed():
    """Make it anew with ``teaching.FILE.write_text(teaching.page())``."""
    assert teaching.FILE.read_text(encoding="utf-8") == teaching.page()
    assert teaching.page().count("**Ask:**") == 6
    assert len(teaching.QUESTIONS) == len(teaching.answers()) == 5
