"""What a test part says of a model under each method's parts, beside rows set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from optisplit.methods import METHODS
from optisplit.methods.variants import variant_name
from optisplit.plots.part_estimates import part_estimates_info, plot_part_estimates
from optisplit.studies.impact import PART_SCORES, measure_parts_impact
from optisplit.studies.impact.kept import kept_parts_impact
from optisplit.studies.impact.parts import DEFAULT_PART_METHODS, DEFAULT_PARTS
from optisplit.studies.impact.parts_results import sizes_words, span
from optisplit.text import capital, counted, percent, short_number
from optisplit.ui import jobs_panel, keys
from optisplit.ui.datasets import of_sample
from optisplit.ui.forms import run_button
from optisplit.ui.impact import own
from optisplit.ui.impact.forecast import forecast_words
from optisplit.ui.impact.request import MODEL_TITLES, StudyRequest, telling
from optisplit.ui.impact.study import Study, headline, model_field, rare_words, seeds_field
from optisplit.ui.widgets import md

if TYPE_CHECKING:
    from optisplit.studies.impact import PartsImpact
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

DEFAULT_SEEDS = 10
SIZES = {"80/10/10": DEFAULT_PARTS, "80/20": (0.8, 0.2), "60/20/20": (0.6, 0.2, 0.2)}


@dataclass(frozen=True)
class PartsRequest(StudyRequest):
    """What was asked for."""

    fold_sizes: tuple[float, ...]  # shares of the parts

    @property
    def n_trainings(self) -> int:
        """How many models are trained."""
        return len({"random", *self.methods}) * self.n_seeds

    @property
    def settings(self) -> dict[str, str]:
        """Everything that was asked for, in words."""
        return super().settings | {"parts": sizes_words(self.fold_sizes)}

    @property
    def code(self) -> str:
        """Python that does the same."""
        load, data = self.code_of_data
        methods = "".join(f"        {method!r},\n" for method in self.methods)
        return (
            f"from optisplit.studies.impact import measure_parts_impact\n{load}\n"
            f"result = measure_parts_impact(\n    {data},\n    [\n{methods}    ],\n"
            f"    fold_sizes={list(self.fold_sizes)!r}, seeds=range({self.n_seeds}), {self.call_end},\n)\n"
            "print(result.summary)\n"
            "print(*result.verdicts, sep='\\n')\n"
        )


def run(request: PartsRequest, report: OnReport) -> PartsImpact:
    """Measure what the parts do to estimates; the work of a job."""
    report(0.0, "Reading the features")
    return measure_parts_impact(
        request.given,
        request.methods,
        fold_sizes=request.fold_sizes,
        seeds=range(request.n_seeds),
        model=request.model,
        leave_out=request.left_out,
        on_progress=telling(report),
    )


def _run_form(chosen: ChosenData) -> PartsRequest | None:
    """Draw the rest of the form; start the work when asked; give what is asked for, where it can be done."""
    others = [key for key in METHODS if METHODS[key].keeps("fold_sizes") and key not in _without_options()]
    offered = [*dict.fromkeys([*DEFAULT_PART_METHODS, *others])]
    with st.container(border=True):
        left_out = own.ask_left_out(chosen)
        methods = st.pills(
            "Methods", offered, selection_mode="multi", default=list(DEFAULT_PART_METHODS), format_func=variant_name,
            key=keys.IMPACT_PART_METHODS, persist_state="session",
            help="Random parts are always there: the others are compared to them.",
        )  # fmt: skip
        columns = st.columns(3)
        sizes = columns[0].selectbox(
            "Parts", list(SIZES), key=keys.IMPACT_PART_SIZES, persist_state="session",
            help="The first part is for training, the last is the test.",
        )  # fmt: skip
        n_seeds = seeds_field(
            columns[1], DEFAULT_SEEDS, keys.IMPACT_PART_SEEDS,
            "Runs of each method, each with other rows set aside. More of them make the intervals narrower.",
        )  # fmt: skip
        model = model_field(columns[2], chosen)
        picked = [key for key in offered if key in methods and key != "random"]
        caption, request = "Choose at least one method besides random parts.", None
        if picked:
            caption = ""
            if n_seeds is not None:
                fold_sizes = SIZES[str(sizes)]
                request = PartsRequest(chosen, ("random", *picked), n_seeds, model, left_out, fold_sizes)
                caption = forecast_words(request, request.n_trainings, len(fold_sizes))
        if run_button("run_impact_parts", caption, can_run=request is not None) and request is not None:
            jobs_panel.start("impact_parts", run, request)
    return request


def _without_options() -> set[str]:
    """Methods that are offered with options, and so not once more without."""
    return {method.partition(",")[0] for method in DEFAULT_PART_METHODS}


def _settings(result: PartsImpact) -> str:
    sizes = sizes_words(result.fold_sizes)
    parts = f"{sizes}, {counted(result.n_seeds, 'seed')}, {MODEL_TITLES[result.model].lower()}"
    return "; ".join([parts, *rare_words(result.methods)])


def _request_of(result: PartsImpact) -> PartsRequest:
    chosen, methods = of_sample(result.data_name), tuple(result.methods)
    return PartsRequest(chosen, methods, result.n_seeds, result.model, (), result.fold_sizes)


def _ask_score(result: PartsImpact) -> str:
    score = st.selectbox(
        "Score", list(PART_SCORES), format_func=lambda key: capital(PART_SCORES[key]),
        key=keys.IMPACT_PART_SCORE, persist_state="session",
        help="**Missing** labels have no positive in the test part. scikit-learn counts them as 0; left out, the mean "
        f"is over the other labels. **Rare** labels have fewer than {result.rare_below:g} positives due there. "
        "**Together**: as if all of them were one label.",
    )  # fmt: skip
    return str(score)


def _figure(result: PartsImpact, score: str) -> tuple[Any, Any]:
    info = part_estimates_info(result, score)
    return info, plot_part_estimates(info)


def _differs(line: dict[Any, Any]) -> bool:
    """Tell whether the distance from the truth is other than by chance."""
    return bool(line["rmse_change_high"] < 0 or line["rmse_change_low"] > 0)


def _headlines(result: PartsImpact, score: str) -> list[str]:
    """Put into words what is found of each method besides random parts."""
    summary = result.summary[result.summary["score"] == score]
    return [_headline(line) for line in summary.to_dict("records") if line["method"] != "random"]


def _headline(line: dict[Any, Any]) -> str:
    change = short_number(abs(line["rmse_change"]), 2)
    if line["rmse_change_high"] < 0:
        way, said = "smaller", f"**test estimates are nearer to the truth, by {change}**"
    elif line["rmse_change_low"] > 0:
        way, said = "larger", f"**test estimates are farther from the truth, by {change}**"
    else:
        way, said = "none", "**no difference in the distance from the truth that these runs can show**"
    labels = ""
    if line["unscored_change_high"] < 0 or line["unscored_change_low"] > 0:
        by_chance = line["unscored"] - line["unscored_change"]
        labels = (
            f" **{percent(line['unscored'], 2)} of the labels** cannot be scored; with random parts "
            f"{percent(by_chance, 2)}."
        )
    return headline(line["method"], way, said, f"95 % interval {span(line, 'rmse_change', 2)}", labels)


def _line(line: dict[Any, Any]) -> dict[str, str]:
    return {
        "Method": md(variant_name(line["method"])),
        "Mean estimate": f"{line['estimate']:.4f}",
        "Set aside": f"{line['held_out']:.4f}",
        "Bias (95 % interval)": f"{line['bias']:.4f} ({span(line, 'bias')})",
        "Spread (95 % interval)": f"{line['sd']:.4f} ({span(line, 'sd')})",
        "Root mean square (95 % interval)": f"{line['rmse']:.4f} ({span(line, 'rmse')})",
        "Less that of random parts (95 % interval)": "–"
        if line["method"] == "random"
        else f"{line['rmse_change']:.4f} ({span(line, 'rmse_change')})",
        "Labels not scored": percent(line["unscored"]),
    }


STUDY = Study(
    kind="impact_parts",
    title="A test part",
    how=(
        "1. Half of the rows, drawn at random for each seed, are **set aside**. They stand for all that the model will "
        "ever meet.\n"
        "2. Each method divides the other rows into parts. A plain model for each label is trained on the first part "
        "and scored on the last. That is the **estimate**: the number that people report.\n"
        "3. The same model is scored on the rows set aside: the **truth**, as far as it can be known.\n"
        "4. Estimate less truth is the **error** of the run. Its mean over seeds is the **bias**, its standard "
        "deviation the **spread**; the **root mean square** has both.\n\n"
        "Intervals are by the jackknife over seeds. All methods divide the same rows of a seed and are compared in "
        "pairs. An interval of the difference that includes 0 means: these runs cannot tell the method from random "
        "parts. "
        "There are many scores here, so that one interval in twenty leaves out 0 by chance. Labels without a positive "
        "among the rows to be divided, or among those set aside, are not looked at."
    ),
    kept=kept_parts_impact,
    request_of=_request_of,
    settings=_settings,
    score="macro_f1",
    score_names=PART_SCORES,
    differs=_differs,
    headlines=_headlines,
    figure=_figure,
    ask_score=_ask_score,
    points=(
        "Every test estimate, less what the same model scores on rows set aside",
        "One point a run, and the mean of each method with its 95 % interval. The dotted line is a perfect forecast.",
    ),
    line=_line,
    table_alt="Bias, spread and distance of test estimates, and labels not scored, by method",
    form=_run_form,
)
"""What the page shows of this study."""
