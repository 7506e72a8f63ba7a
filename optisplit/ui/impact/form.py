"""What to study: a data set with features, methods, folds, seeds, a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from optisplit.io.samples import SAMPLES
from optisplit.methods import METHODS
from optisplit.studies.impact import MODELS, SAMPLES_WITH_FEATURES, measure_impact
from optisplit.studies.impact.study import DEFAULT_METHODS
from optisplit.text import counted
from optisplit.ui import jobs_panel, keys
from optisplit.ui.datasets import title_of
from optisplit.ui.forms import run_button
from optisplit.ui.widgets import md, whole_number

if TYPE_CHECKING:
    from optisplit.studies.impact import ImpactResult
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

MODEL_TITLES = {"ridge": "Ridge regression", "logistic": "Logistic regression"}
DEFAULT_SEEDS, DEFAULT_HOLDOUTS = 5, 3


@dataclass(frozen=True)
class ImpactRequest:
    """What was asked for."""

    data: str  # key of a sample
    methods: tuple[str, ...]  # keys of the methods
    n_splits: int  # folds, seeds and held-out sets
    n_seeds: int  # folds, seeds and held-out sets
    n_holdouts: int  # folds, seeds and held-out sets
    model: str  # key of the model
    chosen: ChosenData | None = None  # what a reload puts back into the picker: nothing here

    @property
    def n_trainings(self) -> int:
        """How many models are trained."""
        n_methods = len({"random", *self.methods})
        return self.n_holdouts * (1 + n_methods * self.n_seeds * self.n_splits)

    @property
    def code(self) -> str:
        """Python that does the same."""
        return (
            "from optisplit.studies.impact import measure_impact\n\n"
            f"result = measure_impact(\n    {self.data!r}, {list(self.methods)!r}, n_splits={self.n_splits},\n"
            f"    seeds=range({self.n_seeds}), n_holdouts={self.n_holdouts}, model={self.model!r},\n)\n"
            "print(result.summary)\n"
            "print(*result.verdicts, sep='\\n')\n"
        )


def run(request: ImpactRequest, report: OnReport) -> ImpactResult:
    """Measure what the split does to estimates; the work of a job."""
    report(0.0, "Getting ready")
    return measure_impact(
        request.data,
        request.methods,
        n_splits=request.n_splits,
        seeds=range(request.n_seeds),
        n_holdouts=request.n_holdouts,
        model=request.model,
        on_progress=lambda done, total, score: report(done / total, f"{done:,} of {total:,} models trained"),
    )


def data_field() -> str | None:
    """Ask which data set to study."""
    at_hand = [key for key in SAMPLES_WITH_FEATURES if key in SAMPLES]
    if not at_hand:
        st.info("No sample data is installed.")
        return None
    state = st.session_state
    picked = state.get(keys.DATA)
    # the page follows the picker, until something else is chosen here
    if keys.IMPACT_DATA not in state or (picked in at_hand and picked != state.get(keys.IMPACT_SEEN)):
        state[keys.IMPACT_DATA] = picked if picked in at_hand else at_hand[0]
    state[keys.IMPACT_SEEN] = picked
    if picked and picked not in at_hand:
        st.info(
            f"A model needs features, and of {md(title_of(picked))} the app has labels only. The samples below have "
            "both. For features of your own, use Python: `measure_impact((X, Y))`.",
            icon=":material/info:",
        )
    return st.segmented_control(
        "Data set with features", at_hand, format_func=title_of, key=keys.IMPACT_DATA,
        persist_state="session", required=True,
    )  # fmt: skip


def show(data: str) -> None:
    """Draw the rest of the form; start the work when asked."""
    with st.container(border=True):
        methods = st.pills(
            "Methods", [key for key in METHODS if not METHODS[key].obstacle], selection_mode="multi",
            default=list(DEFAULT_METHODS),
            format_func=lambda key: METHODS[key].name, key=keys.IMPACT_METHODS, persist_state="session",
            help="Random folds are always there: the others are compared to them.",
        )  # fmt: skip
        columns = st.columns(4)
        n_splits = whole_number(columns[0], "Folds", (2, 20), 5, key=keys.IMPACT_FOLDS, help="Folds of each run.")
        n_seeds = whole_number(
            columns[1], "Seeds", (2, 50), DEFAULT_SEEDS, key=keys.IMPACT_SEEDS,
            help="Runs of each method. More of them make the intervals narrower.",
        )  # fmt: skip
        n_holdouts = whole_number(
            columns[2], "Held-out sets", (2, 20), DEFAULT_HOLDOUTS, key=keys.IMPACT_HOLDOUTS,
            help="How often 30 % of the rows are put aside, to see what the model really scores.",
        )  # fmt: skip
        model = columns[3].selectbox(
            "Model", list(MODELS), format_func=MODEL_TITLES.__getitem__, key=keys.IMPACT_MODEL, persist_state="session",
            help="; ".join(f"{MODEL_TITLES[key]}: {what}" for key, what in MODELS.items()) + ".",
        )  # fmt: skip
        others = [key for key in METHODS if key in methods and key != "random"]
        caption, request = "Choose at least one method besides random folds.", None
        if others:
            caption = ""
            if n_splits is not None and n_seeds is not None and n_holdouts is not None:
                request = ImpactRequest(data, ("random", *others), n_splits, n_seeds, n_holdouts, str(model))
                caption = f"{counted(request.n_trainings, 'model')} to train"
        if run_button("run_impact", caption, can_run=request is not None):
            jobs_panel.start("impact", run, request)
