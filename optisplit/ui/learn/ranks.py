"""Step 4 of the lesson: splits of real data, by LD and by rLD."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.labels import positives_per_label
from optisplit.plots.split_scores import plot_split_scores, split_scores_info
from optisplit.studies.lesson.rankings import DATA, KEPT, N_SPLITS, RUNS, kept_ranking, rank_splits
from optisplit.studies.lesson.words import number
from optisplit.text import percent
from optisplit.ui import datasets, jobs_panel, keys, session
from optisplit.ui.learn.fields import DATA_FOLDS
from optisplit.ui.learn.parts import Question, ask, drawing, is_answered, is_of_picture, seen
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.studies.lesson.rankings import Ranking, Turn
    from optisplit.ui.jobs import OnReport

HEIGHT = 275
METHODS_IN_WORDS = (
    "PMBSRS: strata of rows with labels of like frequency. SS: random folds, then rows change sides. IS: the rarest "
    "label's rows first. OptiSplit: repairs the worst label, as in step 5."
)
MAX_POSITIVES = 500_000
"""Labels of all rows together: with more, the splits are made in the background."""


def show() -> None:
    """Draw the step."""
    figure = st.container(height=HEIGHT + 16, border=False)
    left, right = st.columns(2, gap="medium")
    with left:
        place = st.container()
        chosen = _choose()
    if chosen is None:
        return
    n_splits: int = st.session_state[keys.LEARN_DATA_FOLDS]
    with figure:
        data = chosen.data
        if chosen.key == DATA and n_splits == N_SPLITS and sample_file(KEPT).is_file():
            ranking: Ranking | None = _kept(data)
        else:
            ranking = _ranking(chosen.uploaded is not None, data, n_splits)
        if ranking is None:
            return
        info = split_scores_info(ranking, ("ld", "rld") if is_answered(4) else ("ld",))
        figure, narrow = (plot_split_scores(info, HEIGHT, is_narrow=is_narrow) for is_narrow in (False, True))
        drawing(figure, "Splits by LD and rLD", info.alt_text, key="learn_scores", width=860, narrow=narrow)
    with place:
        what = (
            f"{md(datasets.title_of(chosen.key))}: {data.n_rows:,} rows, {data.n_labels:,} labels. By LD, "
            f"{md(ranking.splits[0].name)} is the best of {len(RUNS)} splits."
        )
        options = {
            "best": "Best too",
            "middle": "Nearer the best",
            "worst": "Nearer random",
        }
        question = Question(4, f"{what} Where is it by rLD?", options, ranking.by_rld_of_best)
        is_asked_of = is_of_picture(4, (chosen.key, n_splits))
        if is_asked_of:
            ask(question)
        else:
            st.markdown(what)
    if is_answered(4):
        with left:
            st.caption(METHODS_IN_WORDS)
        with right:
            seen(question, _seen(data, ranking), is_asked_of=is_asked_of)


def _choose() -> datasets.ChosenData | None:
    uploads: dict[str, datasets.ChosenData] = st.session_state.get(keys.UPLOADS, {})
    options = [*SAMPLES, *uploads]
    if not options:
        st.info("No sample data is installed; bring a file on the page Data.")
        return None
    if st.session_state[keys.LEARN_DATA] not in options:
        st.session_state[keys.LEARN_DATA] = options[0]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Data", options, format_func=datasets.title_of, key=keys.LEARN_DATA, persist_state="session", width=200
        )
        st.segmented_control("Folds", DATA_FOLDS, key=keys.LEARN_DATA_FOLDS, required=True, persist_state="session")
    key: str = st.session_state[keys.LEARN_DATA]
    return uploads[key] if key in uploads else datasets.ChosenData(key, "")


def _ranking(is_own: bool, data: MultilabelDataset, n_splits: int) -> Ranking | None:
    if data.labels.nnz <= MAX_POSITIVES:
        return _made(is_own, data.digest, n_splits, data)
    job = jobs_panel.shown_job("lesson")
    if job is not None and job.details == (data.digest, n_splits) and job.result is not None:
        made: Ranking = job.result
        return made
    st.info(
        f"{md(data.name)} has {data.labels.nnz:,} positives: {len(RUNS)} splits of it take a while. They are made in "
        "the background; go on meanwhile.",
        icon=":material/hourglass_top:",
    )
    if st.button("Split it", icon=":material/play_arrow:", key="learn_split_it", disabled=jobs_panel.is_busy()):
        jobs_panel.start("lesson", rank, (data, n_splits), (data.digest, n_splits))
    return None


@st.cache_resource(show_spinner=False)
def _kept(_data: MultilabelDataset) -> Ranking:
    return kept_ranking(_data)


@session.cached_for_data(max_entries=8, show_spinner=False)
def _made(digest: str, n_splits: int, _data: MultilabelDataset) -> Ranking:
    bar = st.progress(0.0, "Splitting …")

    def show_progress(fraction: float, message: str) -> None:
        bar.progress(min(fraction, 1.0), message or "Splitting …")

    ranking = jobs_panel.wait_for(rank, (_data, n_splits), show_progress)
    bar.empty()
    return ranking


def rank(request: tuple[MultilabelDataset, int], report: OnReport) -> Ranking:
    """Split in several ways and rank the splits; the work of a job."""
    data, n_splits = request
    return rank_splits(data, n_splits=n_splits, on_split=lambda done, name: report(done / len(RUNS), name))


def _seen(data: MultilabelDataset, ranking: Ranking) -> str:
    pair, n_pairs = ranking.pair, math.comb(len(RUNS), 2)
    turned = len(ranking.turns())
    count = f"In {turned or 'none'} of the {n_pairs} pairs of splits LD and rLD disagree which one is better."
    if pair is None:
        same = "the best by rLD too" if ranking.splits[0].rld_rank == 1 else "as good as the best by rLD"
        return (
            f"The best split by LD is {same}. {count} The largest label has {_spread(data)} times the rows "
            "of the smallest: the closer that is to 1, the less it matters that LD counts large labels for more."
        )
    a, b = pair.by_ld, pair.by_rld
    by_ld = f"is {_times(b.report.ld, a.report.ld)} better than" if pair.is_clear else "is as good as"
    return (
        f"By LD **{md(a.name)}** {by_ld} **{md(b.name)}**, the best by rLD ({number(a.report.ld)}, "
        f"{number(b.report.ld)}); by rLD it is {_times(a.report.rld, b.report.rld)} worse "
        f"({number(a.report.rld)}, {number(b.report.rld)}; random {number(_random(ranking))}). {_halves(pair)} {count}"
    )


def _times(worse: float, better: float) -> str:
    return f"{number(worse / better, digits=2)} times" if worse > 1.95 * better else percent(worse / better - 1, 2)


def _random(ranking: Ranking) -> float:
    return float(ranking.named(RUNS[0][0]).report.rld)


def _halves(turn: Turn) -> str:
    frequent = turn.halves["frequent"]
    return (
        f"The larger half of the labels ({frequent.smallest:,} rows or more) makes {percent(frequent.ld_share, 2)} of "
        f"the LD of these two splits, but {percent(frequent.rld_share, 2)} of their rLD."
    )


def _spread(data: MultilabelDataset) -> Any:
    sizes = positives_per_label(data.labels)
    return number(float(sizes.max() / max(1, sizes[sizes > 0].min(initial=sizes.max()))))
