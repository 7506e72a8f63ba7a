"""What a study of parts found, with intervals, and put into words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from scipy.special import stdtrit

from optisplit.methods.variants import variant_name
from optisplit.studies.impact.inputs import not_kept
from optisplit.studies.impact.results import CONFIDENCE, Runs
from optisplit.text import from_to, html_table, percent, short_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

PART_SCORES = {
    "macro_ap_present": "macro average precision, missing labels left out",
    "macro_ap": "macro average precision, missing labels as 0",
    "macro_f1_present": "macro F1, missing labels left out",
    "macro_f1": "macro F1, missing labels as 0",
    "micro_f1": "micro F1",
    "rare_ap": "average precision of rare labels together",
    "rare_f1": "F1 of rare labels together",
    "rare_macro_ap_present": "macro average precision of rare labels, missing ones left out",
    "rare_macro_ap": "macro average precision of rare labels, missing ones as 0",
    "rare_macro_f1_present": "macro F1 of rare labels, missing ones left out",
    "rare_macro_f1": "macro F1 of rare labels, missing ones as 0",
}
"""The scores of a test part, and what they are called."""

_Values: TypeAlias = "np.ndarray[Any, Any]"
_Statistic: TypeAlias = Callable[[_Values], _Values]


def _mean(values: _Values) -> _Values:
    return np.asarray(values.mean(axis=-1))


def _sd(values: _Values) -> _Values:
    return np.asarray(values.std(axis=-1, ddof=1))


def _rmse(values: _Values) -> _Values:
    return np.asarray(np.sqrt((values**2).mean(axis=-1)))


STATISTICS: dict[str, tuple[str, _Statistic]] = {
    "bias": ("error", _mean),
    "sd": ("error", _sd),
    "rmse": ("error", _rmse),
    "held_out": ("held_out", _mean),
    "unscored": ("unscored", _mean),
}
"""What is said of a method's runs: of which of their numbers, and how it is made of them."""


@dataclass(frozen=True, repr=False)
class PartsImpact(Runs):
    """Test estimates under each method's parts, and what the same models score on rows set aside."""

    # The table: each score on the test part, and on the rows set aside (``..._held_out``); ``n_test`` rows of the test
    # part; ``labels`` looked at, ``labels_unscored`` of them without a positive in the test part and
    # ``labels_untrained`` without one in training; ``rare_labels`` and ``rare_labels_unscored``
    fold_sizes: tuple[float, ...]  # shares of the parts; the last is the test
    model: str = "ridge"  # what was trained
    holdout_size: float = 0.5  # share of the rows that was set aside
    rare_below: float = 5.0  # rare labels have fewer positives than this due in the test part
    notes: tuple[str, ...] = ()  # what was left out of the features, or filled in
    rows_of: str = ""  # what rows seem to belong to, such as "patient (patient_id)", and were not kept together by

    @property
    def score_names(self) -> dict[str, str]:
        """Names of the scores, by their keys."""
        return PART_SCORES

    @cached_property
    def summary(self) -> pd.DataFrame:
        """A line for each score and method.

        - ``estimate``, ``held_out``: means over seeds of the score on the test part, and on the rows set aside.
        - ``bias``, ``sd``, ``rmse``: mean, standard deviation and root mean square over seeds of the error, which is
          estimate less held-out score.
        - ``unscored``: mean share of labels (for scores of rare labels: of those) without a positive in the test part.
        - ``..._low``, ``..._high``: 95 % interval, by the jackknife over seeds and Student's distribution.
        - ``..._change``: the method's less that of random parts, each with its interval; seeds are left out in
          pairs, so that what comes from the rows set aside cancels out.
        - ``n_runs``: seeds in which the score exists; where no label can be scored it does not, and such seeds are left
          out, for both of a pair.
        """
        lines = []
        tables = dict(iter(self.table.sort_values("seed").groupby("method", sort=False)))
        for key in PART_SCORES:
            runs = {method: _runs(tables[method], key) for method in self.methods}
            for method, mine in runs.items():
                exists = np.isfinite(mine["error"])
                line = {"score": key, "method": method, "n_runs": int(exists.sum())}
                line["estimate"] = float(mine["estimate"][exists].mean()) if exists.any() else np.nan
                both = exists & np.isfinite(runs["random"]["error"])
                for name, (of, statistic) in STATISTICS.items():
                    line |= _with_interval(name, statistic, mine[of][exists])
                    line |= _with_interval(f"{name}_change", statistic, mine[of][both], runs["random"][of][both])
                lines.append(line)
        return pd.DataFrame(lines)

    @cached_property
    def verdicts(self) -> list[str]:
        """What is found, in sentences, one for each score and method but random; also where it makes no difference.

        First that rows which seem to belong together were divided, where that is so.
        """
        return [
            *filter(None, (not_kept(self.rows_of),)),
            *(
                f"{variant_name(line['method'])}, {PART_SCORES[line['score']]}: {said}"
                for line in self.summary.to_dict("records")
                if line["method"] != "random" and (said := in_words(line))
            ),
        ]

    def __repr__(self) -> str:
        return (
            f"PartsImpact on {self.data_name}: {len(self.methods)} methods, {self.n_seeds} seeds, parts "
            f"{sizes_words(self.fold_sizes)}, model {self.model}"
        )

    def _repr_html_(self) -> str:
        titles = ("Score", "Method", "Bias", "Spread", "RMSE", "RMSE less random's", "95 % interval", "Not scored")
        lines = [
            (
                PART_SCORES[line["score"]],
                variant_name(line["method"]),
                *(short_number(line[key]) for key in ("bias", "sd", "rmse", "rmse_change")),
                from_to(line["rmse_change_low"], line["rmse_change_high"]),
                percent(line["unscored"]),
            )
            for line in self.summary.to_dict("records")
        ]
        return html_table("Test estimates less the score on rows set aside", titles, lines)


def _runs(table: pd.DataFrame, key: str) -> dict[str, _Values]:
    """Find the numbers of a method's runs, in the order of the seeds."""
    estimate, truth = (table[each].to_numpy(dtype=np.float64) for each in (key, f"{key}_held_out"))
    group = "rare_labels" if key.startswith("rare") else "labels"
    share = table[f"{group}_unscored"].to_numpy() / np.maximum(table[group].to_numpy(), 1)
    return {"estimate": estimate, "held_out": truth, "error": estimate - truth, "unscored": share}


def sizes_words(fold_sizes: Sequence[float]) -> str:
    """Write the sizes of parts, such as ``80/10/10``."""
    return "/".join(f"{100 * share:.0f}" for share in fold_sizes)


def span(line: dict[Any, Any], key: str, digits: int = 4) -> str:
    """Write the interval of a number."""
    return from_to(line[f"{key}_low"], line[f"{key}_high"], digits)


def in_words(line: dict[Any, Any]) -> str:
    """Say of a method and a score whether estimates are nearer to the truth than with random parts, and why."""
    if line["n_runs"] < 2:
        return ""
    return " ".join(filter(None, (_nearer(line), _bias(line), _models(line), _unscored(line))))


def _nearer(line: dict[Any, Any]) -> str:
    change = line["rmse_change"]
    interval = f"95 % interval of the change: {span(line, 'rmse_change')}"
    if line["rmse_change_high"] < 0:
        return f"estimates are nearer to the held-out score, by {short_number(-change)} ({interval})."
    if line["rmse_change_low"] > 0:
        return f"estimates are farther from the held-out score, by {short_number(change)} ({interval})."
    return f"no difference in the distance from the held-out score is shown ({interval})."


def _bias(line: dict[Any, Any]) -> str:
    if line["bias_low"] <= 0 <= line["bias_high"]:
        return f"No bias is shown ({span(line, 'bias')})."
    way = "high" if line["bias"] > 0 else "low"
    return f"They are too {way} by {short_number(abs(line['bias']))} on average ({span(line, 'bias')})."


def _models(line: dict[Any, Any]) -> str:
    if line["held_out_change_low"] <= 0 <= line["held_out_change_high"]:
        return ""
    way = "better" if line["held_out_change"] > 0 else "worse"
    return f"The models themselves are {way}, by {short_number(abs(line['held_out_change']))}."


def _unscored(line: dict[Any, Any]) -> str:
    by_chance = line["unscored"] - line["unscored_change"]
    if line["unscored"] == by_chance == 0:
        return "Every label can be scored."
    return f"{percent(line['unscored'])} of the labels cannot be scored; with random parts {percent(by_chance)}."


def _with_interval(name: str, statistic: _Statistic, values: _Values, less: _Values | None = None) -> dict[str, float]:
    """Give a statistic of runs, or its difference to that of other runs of the same seeds, and its interval.

    Its variance is the jackknife's, over seeds, and the quantile Student's: for a mean, the usual interval. Spreads and
    root mean squares, which are above 0, have theirs on the scale of logarithms.
    """
    n_runs, ends = len(values), (f"{name}_low", f"{name}_high")
    if n_runs < 2:
        return dict.fromkeys((name, *ends), np.nan)
    found = statistic(values) - (0 if less is None else statistic(less))
    if n_runs < 3 and statistic is not _mean:  # one run that is left says nothing of a spread
        return {name: float(found)} | dict.fromkeys(ends, np.nan)
    others = _others(n_runs)
    without = statistic(values[others]) - (0 if less is None else statistic(less[others]))
    is_log = less is None and statistic is not _mean and without.min() > 0
    middle, without = (np.log(found), np.log(without)) if is_log else (found, without)
    half = stdtrit(n_runs - 1, (1 + CONFIDENCE) / 2) * np.sqrt((n_runs - 1) * without.var())
    low, high = (np.exp([middle - half, middle + half])) if is_log else (middle - half, middle + half)
    return {name: float(found), ends[0]: float(low), ends[1]: float(high)}


@cache
def _others(n_runs: int) -> NDArray[np.int64]:
    """For each run, the others."""
    return np.stack([np.delete(np.arange(n_runs), run) for run in range(n_runs)])
