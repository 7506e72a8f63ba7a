"""Step 4 of the lesson: splits of real data, ranked by LD and by rLD."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.labels import positives_per_label
from optisplit.plots.split_ranks import plot_split_ranks, split_ranks_info
from optisplit.studies.lesson.formulas import number
from optisplit.studies.lesson.rankings import N_SPLITS, RUNS, rank_splits
from optisplit.text import percent
from optisplit.ui import datasets, jobs_panel, keys, session
from optisplit.ui.learn.parts import Field, numbers_table, one_of, seen, to_do
from optisplit.ui.widgets import chart, md

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.studies.lesson.rankings import Ranking, Turn
    from optisplit.ui.jobs import OnReport

FOLDS = (3, 5, 10)
FIELDS = (Field(keys.LEARN_DATA_FOLDS, "folds_of_data", N_SPLITS, one_of(FOLDS)),)
"""The number of folds; the data set is in the address already."""

MAX_POSITIVES = 500_000
"""Labels of all rows together: with more, the splits take longer than a lesson waits."""

TURNING = ("bibtex", "enron", "yeast", "medical")
"""Data sets to offer where no order turns, or where the data are too large."""


def show() -> None:
    """Draw the step."""
    to_do(
        "Real data: where the order turns",
        "Choose a data set at the left, and the folds here. Each line is one split: look for lines that cross.",
    )
    chosen = datasets.chosen()
    if chosen is None:
        return
    data = chosen.data
    if data.labels.nnz > MAX_POSITIVES:
        st.info(
            f"{md(data.name)} has {data.labels.nnz:,} ones in its labels. This step splits {len(RUNS)} times while you "
            f"wait, and takes up to {MAX_POSITIVES:,}. Choose a smaller data set:",
            icon=":material/hourglass_top:",
        )
        _offer(chosen.key)
        return
    st.segmented_control("Folds", FOLDS, key=keys.LEARN_DATA_FOLDS, required=True, persist_state="session")
    n_splits: int = st.session_state[keys.LEARN_DATA_FOLDS]
    ranking = _ranking(chosen.uploaded is not None, data.digest, n_splits, data)
    turns = ranking.turns()
    left, right = st.columns(2, gap="medium")
    with left:
        _chart(ranking)
    with right:
        if turns:
            _turn(data, turns[0], len(turns))
        else:
            st.info(f"On {md(data.name)} with {n_splits} folds no order turns.", icon=":material/swap_vert:")
            st.markdown("Here it does:")
            _offer(chosen.key)
    with st.expander("The ranking as a table"):
        st.dataframe(ranking.table, hide_index=True, key="learn_ranking", alt="Every split with its places and scores")
    if turns:
        _seen(turns[0])
    else:
        seen(
            f"LD and rLD agree on every pair of these splits. The largest label has {_spread(data)} times the rows of "
            "the smallest: the closer that is to 1, the less it matters that LD counts large labels for more."
        )


def _spread(data: MultilabelDataset) -> str:
    sizes = positives_per_label(data.labels)
    return number(float(sizes.max() / max(1, sizes[sizes > 0].min(initial=sizes.max()))))


def _offer(present: str) -> None:
    with st.container(horizontal=True):
        for key in TURNING:
            if key in SAMPLES and key != present:
                st.button(SAMPLES[key].title, key=f"learn_use_{key}", on_click=_use, args=(key,))


def _use(key: str) -> None:
    st.session_state[keys.DATA] = key


@session.cached_for_data(max_entries=8, show_spinner="Splitting in many ways …")
def _ranking(digest: str, n_splits: int, _data: MultilabelDataset) -> Ranking:
    return jobs_panel.wait_for(rank, (_data, n_splits))


def rank(request: tuple[MultilabelDataset, int], report: OnReport) -> Ranking:
    """Split in several ways and rank the splits; the work of a job."""
    data, n_splits = request
    return rank_splits(data, n_splits=n_splits, on_split=lambda done, name: report(done / len(RUNS), name))


def _chart(ranking: Ranking) -> None:
    info = split_ranks_info(ranking)
    chart(plot_split_ranks(info), "ranks", key="learn_ranks", alt=info.alt_text)


def _turn(data: MultilabelDataset, turn: Turn, n_turns: int) -> None:
    a, b = turn.by_ld, turn.by_rld
    pairs = f"{n_turns} pairs turn; the clearest is" if n_turns > 1 else "One pair turns:"
    st.markdown(
        f"{pairs} **{md(a.name)}** and **{md(b.name)}**. By LD the first is better ({number(a.report.ld)} against "
        f"{number(b.report.ld)}), by rLD the second ({number(b.report.rld)} against {number(a.report.rld)})."
    )
    lines: list[dict[str, Any]] = []
    for title, half in turn.halves.items():
        line: dict[str, Any] = {
            "Labels": f"{half.n_labels} {'largest' if title == 'frequent' else 'smallest'}",
            "Rows": f"{half.smallest:,}–{half.largest:,}",
        }
        for name, values in (("LD", half.ld), ("rLD", half.rld)):
            texts = [number(value) for value in values]
            better = 0 if values[0] <= values[1] else 1
            texts[better] = f"**{texts[better]}**"
            line[f"{name}: {md(a.name)} / {md(b.name)}"] = " / ".join(texts)
        lines.append(line)
    numbers_table(lines, "Mean LD and rLD of both splits over the larger and the smaller half of the labels")
    sizes, names = a.report.positives, data.label_names
    words = [
        f"for {md(split.name)} by {name} it is **{md(names[label])}** ({int(sizes[label]):,} rows)"
        for label, name, split in ((turn.ld_driver, "LD", a), (turn.rld_driver, "rLD", b))
    ]
    st.markdown(f"The label that speaks most: {'; '.join(words)}.")


def _seen(turn: Turn) -> None:
    frequent, rare = turn.halves["frequent"], turn.halves["rare"]
    a, b = turn.by_ld, turn.by_rld
    even = "is more even on the small labels" if rare.rld[1] < rare.rld[0] else "comes closer to what is due"
    seen(
        f"Of all LD of these two splits, {percent(frequent.ld_share, 2)} comes from the {frequent.n_labels} largest "
        f"labels; of all rLD, {percent(frequent.rld_share, 2)}. So LD rewards **{md(a.name)}**, and hides that "
        f"**{md(b.name)}** "
        f"{even}, where {percent(rare.rld_share, 2)} of rLD lies. Which split you take depends on the measure you read."
    )
