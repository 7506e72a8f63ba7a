"""What cross-validation says of a model under each method's folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.methods import METHODS
from optisplit.methods.variants import variant_name
from optisplit.plots.estimates import estimates_info, plot_estimates
from optisplit.studies.impact import SCORES, measure_impact
from optisplit.studies.impact.kept import kept_impact
from optisplit.studies.impact.study import DEFAULT_METHODS
from optisplit.text import capital, counted, percent, short_number
from optisplit.ui import jobs_panel, keys
from optisplit.ui.datasets import of_sample
from optisplit.ui.forms import run_button
from optisplit.ui.impact import own
from optisplit.ui.impact.forecast import forecast_words
from optisplit.ui.impact.request import MODEL_TITLES, StudyRequest, telling
from optisplit.ui.impact.study import Study, headline, model_field, rare_words, seeds_field
from optisplit.ui.widgets import md, whole_number

if TYPE_CHECKING:
    from optisplit.studies.impact import ImpactResult
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport


DEFAULT_SEEDS, DEFAULT_HOLDOUTS = 5, 3


@dataclass(frozen=True)
class ImpactRequest(StudyRequest):
    """What was asked for."""

    n_splits: int  # folds
    n_holdouts: int  # held-out sets

    @property
    def n_trainings(self) -> int:
        """How many models are trained."""
        n_methods = len({"random", *self.methods})
        return self.n_holdouts * (1 + n_methods * self.n_seeds * self.n_splits)

    @property
    def n_splittings(self) -> int:
        """How often each method divides rows."""
        return self.n_holdouts * self.n_seeds

    @property
    def settings(self) -> dict[str, str]:
        """Everything that was asked for, in words."""
        return super().settings | {"folds": str(self.n_splits), "held-out sets": str(self.n_holdouts)}

    @property
    def code(self) -> str:
        """Python that does the same."""
        load, data = self.code_of_data
        return (
            f"from optisplit.studies.impact import measure_impact\n{load}\n"
            f"result = measure_impact(\n    {data}, {list(self.methods)!r}, n_splits={self.n_splits},\n"
            f"    seeds=range({self.n_seeds}), n_holdouts={self.n_holdouts}, {self.call_end},\n)\n"
            "print(result.summary)\n"
            "print(*result.verdicts, sep='\\n')\n"
        )


def run(request: ImpactRequest, report: OnReport) -> ImpactResult:
    """Measure what the split does to estimates; the work of a job."""
    report(0.0, "Reading the features")
    return measure_impact(
        request.given,
        request.methods,
        n_splits=request.n_splits,
        seeds=range(request.n_seeds),
        n_holdouts=request.n_holdouts,
        model=request.model,
        leave_out=request.left_out,
        on_progress=telling(report),
    )


def _run_form(chosen: ChosenData) -> ImpactRequest | None:
    """Draw the rest of the form; start the work when asked; give what is asked for, where it can be done."""
    with st.container(border=True):
        left_out = own.ask_left_out(chosen)
        methods = st.pills(
            "Methods", [key for key in METHODS if not METHODS[key].obstacle], selection_mode="multi",
            default=list(DEFAULT_METHODS),
            format_func=lambda key: METHODS[key].name, key=keys.IMPACT_METHODS, persist_state="session",
            help="Random folds are always there: the others are compared to them.",
        )  # fmt: skip
        columns = st.columns(4)
        n_splits = whole_number(columns[0], "Folds", (2, 20), 5, key=keys.IMPACT_FOLDS, help="Folds of each run.")
        more = "Runs of each method. More of them make the intervals narrower."
        n_seeds = seeds_field(columns[1], DEFAULT_SEEDS, keys.IMPACT_SEEDS, more)
        n_holdouts = whole_number(
            columns[2], "Held-out sets", (2, 20), DEFAULT_HOLDOUTS, key=keys.IMPACT_HOLDOUTS,
            help="How often 30 % of the rows are put aside, to see what the model really scores.",
        )  # fmt: skip
        model = model_field(columns[3], chosen)
        others = [key for key in METHODS if key in methods and key != "random"]
        caption, request = "Choose at least one method besides random folds.", None
        if others:
            caption = ""
            if n_splits is not None and n_seeds is not None and n_holdouts is not None:
                request = ImpactRequest(
                    chosen, ("random", *others), n_seeds, model, left_out, n_splits, n_holdouts,
                )  # fmt: skip
                caption = forecast_words(request, request.n_trainings, n_splits)
        if run_button("run_impact", caption, can_run=request is not None) and request is not None:
            jobs_panel.start("impact", run, request)
    return request


def _settings(result: ImpactResult) -> str:
    parts = (
        counted(result.n_splits, "fold"),
        counted(result.n_seeds, "seed"),
        counted(result.n_holdouts, "held-out set"),
        MODEL_TITLES[result.model].lower(),
    )
    return "; ".join([", ".join(parts), *rare_words(result.methods)])


def _ask_score(result: ImpactResult) -> str:
    score = st.segmented_control(
        "Score", list(SCORES), format_func=lambda key: capital(SCORES[key]), default="macro_ap",
        key=keys.IMPACT_SCORE, persist_state="session", required=True,
        help="**Macro average precision**: how well a label's rows are ranked, mean over labels. **F1**: of the labels "
        "predicted. Labels missing from a fold count as 0 in scikit-learn's macro F1, which punishes a split for them; "
        "left out, they are nowhere scored.",
    )  # fmt: skip
    return str(score)


def _figure(result: ImpactResult, score: str) -> tuple[Any, Any]:
    info = estimates_info(result, score)
    return info, plot_estimates(info)


def _differs(line: dict[Any, Any]) -> bool:
    """Tell whether the spread or the distance from the held-out score is other than by chance."""
    return bool(line["ratio_high"] < 1 or line["ratio_low"] > 1 or line["gain_low"] > 0 or line["gain_high"] < 0)


def _headlines(result: ImpactResult, score: str) -> list[str]:
    """Put into words what is found of each method besides random folds."""
    summary = result.summary[result.summary["score"] == score]
    by_chance = float(summary.loc[summary["method"] == "random", "unscored"].iloc[0])
    return [
        _headline(line, by_chance, result.holdout_size)
        for line in summary.to_dict("records")
        if line["method"] != "random"
    ]


def _headline(line: dict[Any, Any], unscored_by_chance: float, held_out: float) -> str:
    low, high = line["ratio_low"], line["ratio_high"]
    interval = f"95 % interval {_range(low, high)} of random folds' spread"
    if high < 1:
        said = f"**estimates differ less by chance: spread {percent(line['ratio'], 2)}**"
        way = "smaller"
    elif low > 1:
        said = f"**estimates differ more by chance: spread {percent(line['ratio'], 3)}**"
        way = "larger"
    else:
        said, way = "**no difference in spread that these runs can show**", "none"
    gain = ""
    if line["gain_low"] > 0 or line["gain_high"] < 0:
        which = "nearer to" if line["gain"] > 0 else "farther from"
        ends = sorted((abs(line["gain_low"]), abs(line["gain_high"])))
        by, low, high = (short_number(each, 2) for each in (abs(line["gain"]), *ends))
        gain = f" **Estimates are {which} the held-out score, by {by}** ({low} to {high})."
    labels = ""
    if abs(line["unscored"] - unscored_by_chance) >= 0.1:
        n_labels = round(line["unscored"], 1)
        labels = (
            f" **{short_number(n_labels)} {'label' if n_labels == 1 else 'labels'}** (mean of the seeds) cannot be "
            f"scored in some fold; with random folds {short_number(round(unscored_by_chance, 1))}; "
            f"{percent(held_out, 2)} of the rows are held out first, so that fewer are left for folds."
        )
    return headline(line["method"], way, said, interval, gain, labels)


def _range(low: float, high: float) -> str:
    return f"{short_number(100 * low, 2)} to {percent(high, 2)}"


def _line(line: dict[Any, Any]) -> dict[str, str]:
    return {
        "Method": md(variant_name(line["method"])),
        "Mean estimate": f"{line['estimate']:.4f}",
        "Held-out score": f"{line['held_out']:.4f}",
        "Spread over seeds": f"{line['sd']:.4f}",
        "Of random folds' (95 % interval)": "100 %"
        if line["method"] == "random"
        else f"{percent(line['ratio'], 2)} ({_range(line['ratio_low'], line['ratio_high'])})",
        "Mean distance from held-out": f"{line['error']:.4f}",
        "Nearer by (95 % interval)": "–"
        if line["method"] == "random"
        else f"{line['gain']:.4f} ({line['gain_low']:.4f} to {line['gain_high']:.4f})",
        "Labels not scored in some fold": f"{line['unscored']:.1f}",
    }


def _request_of(result: ImpactResult) -> ImpactRequest:
    chosen, methods = of_sample(result.data_name), tuple(result.methods)
    return ImpactRequest(chosen, methods, result.n_seeds, result.model, (), result.n_splits, result.n_holdouts)


STUDY = Study(
    kind="impact",
    title="Cross-validation",
    how=(
        "1. Some rows, 30 %, are **held out**. No fold ever has them.\n"
        "2. Each method divides the other rows into folds, once for each seed. A plain model for each label is "
        "trained for each fold and scored on it. The mean over the folds is the **estimate** of that run: the "
        "number that people report.\n"
        "3. **Spread**: how much estimates differ between seeds. It is noise that the split alone makes.\n"
        "4. The same model, trained on all rows that are not held out, is scored on those that are: what the "
        "estimates are meant to foretell.\n"
        "5. All of it is done again with other rows held out.\n\n"
        "An interval of the spread that includes 100 % means: these runs cannot tell the method from random "
        "folds. It is by the F distribution, over seeds. An interval of the distance that includes 0 means the "
        "same; it is by Student's distribution over the held-out sets, made wider since these share rows (after "
        "Nadeau and Bengio, 2003)."
    ),
    kept=kept_impact,
    request_of=_request_of,
    settings=_settings,
    score="macro_f1",
    score_names=SCORES,
    differs=_differs,
    headlines=_headlines,
    figure=_figure,
    ask_score=_ask_score,
    points=(
        "Every estimate, less what the model scores on held-out rows",
        "One point a run. Points of one held-out set are on one line; how far they lie apart is the spread. The "
        "dotted line is a perfect forecast.",
    ),
    line=_line,
    table_alt="Estimates, spread and labels not scored, by method",
    form=_run_form,
)
"""What the page shows of this study."""
