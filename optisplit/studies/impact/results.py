"""What a study of impact found, with intervals, and put into words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import fdtri, stdtrit

from optisplit.methods.variants import variant_name
from optisplit.studies.impact.inputs import not_kept
from optisplit.text import from_to, html_table, percent, short_number

SCORES = {
    "macro_ap": "macro average precision",
    "macro_f1": "macro F1, missing labels as 0",
    "macro_f1_present": "macro F1, missing labels left out",
    "micro_f1": "micro F1",
}
"""The scores, and what they are called."""

CONFIDENCE = 0.95

CORRELATION = 0.05
"""Of estimate less held-out score between held-out sets of the same rows: 0 to 0.05 in simulations."""


@dataclass(frozen=True)
class Runs:
    """The runs of a study."""

    data_name: str
    table: pd.DataFrame  # a line a run
    n_rows: int
    n_labels: int

    @cached_property
    def methods(self) -> list[str]:
        """The methods, with their options, "random" first."""
        return list(dict.fromkeys(self.table["method"]))

    @property
    def n_seeds(self) -> int:
        """Number of seeds."""
        return int(self.table["seed"].nunique())


@dataclass(frozen=True, repr=False)
class ImpactResult(Runs):
    """The estimates of cross-validation under each method's folds."""

    # The table: the estimate of each score, the score on the held-out rows (``..._held_out``), and labels that could
    # not be scored: ``labels_unscored_somewhere`` (in at least one fold), ``unscored_per_fold``,
    # ``no_positive_in_test`` and ``no_positive_in_training`` (pairs of fold and label)
    n_splits: int
    model: str = "ridge"  # what was trained
    holdout_size: float = 0.3  # share of the rows that was held out
    notes: tuple[str, ...] = ()  # what was left out of the features, or filled in
    rows_of: str = ""  # what rows seem to belong to, such as "patient (patient_id)", and were not kept together by

    @property
    def score_names(self) -> dict[str, str]:
        """Names of the scores, by their keys."""
        return SCORES

    @property
    def n_holdouts(self) -> int:
        """Number of held-out sets."""
        return int(self.table["holdout"].nunique())

    @cached_property
    def summary(self) -> pd.DataFrame:
        r"""A line for each score and method.

        - ``estimate``: mean of all estimates.
        - ``sd``: standard deviation over seeds, :math:`s_m`, from the variances within each held-out set.
        - ``ratio``, ``ratio_low``, ``ratio_high``: :math:`s_m / s_{random}` and its 95 % interval, from the F
          distribution with H (S - 1) degrees of freedom on both sides, for H held-out sets and S seeds, as if estimates
          were normal. It speaks of these held-out sets.
        - ``bias``, ``bias_low``, ``bias_high``: mean of estimate less held-out score, and its 95 % interval by Student
          over the held-out sets. They are drawn from the same rows, so the variance of the mean is taken as
          :math:`(1/H + r / (1 - r)) s^2` and not as :math:`s^2 / H`, as Nadeau and Bengio (2003) do, but with the
          correlation r = 0.05 that these differences were measured to have at most; theirs, the share held out, is for
          scores, and gives intervals twice as wide as need be.
        - ``error``, ``gain``, ``gain_low``, ``gain_high``: mean of abs(estimate - held-out score); how much smaller it
          is than with random folds, paired within each held-out set, and its 95 % interval, by the same way.
        - ``unscored``: mean number of labels that could not be scored in at least one fold.
        """
        holdouts, freedom = self.n_holdouts, self.n_holdouts * (self.n_seeds - 1)
        tail = (1 - CONFIDENCE) / 2
        width = np.sqrt(fdtri(freedom, freedom, 1 - tail))
        t_high = stdtrit(holdouts - 1, 1 - tail) * np.sqrt(1 / holdouts + CORRELATION / (1 - CORRELATION))
        lines = []
        for key in SCORES:
            target = self.table.groupby("holdout")[f"{key}_held_out"].first().to_numpy(dtype=np.float64)
            estimates = {method: self._estimates(method, key) for method in self.methods}
            errors = {method: np.abs(found - target[:, None]).mean(axis=1) for method, found in estimates.items()}
            random_sd = _pooled_sd(estimates["random"])
            for method, found in estimates.items():
                sd = _pooled_sd(found)
                ratio = sd / random_sd if random_sd > 0 else np.nan
                lines.append(
                    {
                        "score": key, "method": method, "estimate": found.mean(), "held_out": target.mean(), "sd": sd,
                        "ratio": ratio, "ratio_low": ratio / width, "ratio_high": ratio * width,
                        **_with_interval("bias", found.mean(axis=1) - target, t_high),
                        "error": errors[method].mean(),
                        **_with_interval("gain", errors["random"] - errors[method], t_high),
                        "unscored": self._unscored(method),
                    }
                )  # fmt: skip
        return pd.DataFrame(lines)

    def _estimates(self, method: str, key: str) -> np.ndarray[Any, Any]:
        """Estimates of shape (n_holdouts, n_seeds)."""
        of_method = self.table[self.table["method"] == method]
        return of_method.pivot(index="holdout", columns="seed", values=key).to_numpy(dtype=np.float64)

    def _unscored(self, method: str) -> float:
        return float(self.table.loc[self.table["method"] == method, "labels_unscored_somewhere"].mean())

    @cached_property
    def verdicts(self) -> list[str]:
        """What is found, in sentences, one for each score and method but random; also where it makes no difference.

        First that rows which seem to belong together were divided, where that is so.
        """
        said = [self._sentence(line) for line in self.summary.to_dict("records") if line["method"] != "random"]
        return [*filter(None, (not_kept(self.rows_of),)), *said]

    def _sentence(self, line: dict[Any, Any]) -> str:
        name = variant_name(line["method"])
        what = f"{name}, {SCORES[line['score']]}:"
        low, high = line["ratio_low"], line["ratio_high"]
        end = f"{_distance(line)} {_unscored(line['unscored'], self._unscored('random'))}"
        if np.isnan(line["sd"]):
            return f"{what} no label could be scored in some run."
        if np.isnan(line["ratio"]):
            return f"{what} with random folds, estimates do not differ between seeds at all. {end}"
        interval = f"{percent(CONFIDENCE)} interval: {_change(high)} to {_change(low)}"
        if high < 1 or low > 1:
            return (
                f"{what} the spread over seeds is {_change(line['ratio'])} than with random folds ({interval}). {end}"
            )
        shown = f"{self.n_seeds} seeds and {self.n_holdouts} held-out sets show no difference in spread"
        return f"{what} {shown} ({interval}). {end}"

    def __repr__(self) -> str:
        return (
            f"ImpactResult on {self.data_name}: {len(self.methods)} methods, {self.n_seeds} seeds, {self.n_holdouts} "
            f"held-out sets, model {self.model}"
        )

    def _repr_html_(self) -> str:
        titles = ("Score", "Method", "Estimate", "Spread", "Of random's", "95 % interval", "Error", "Labels not scored")
        lines = [
            (
                SCORES[line["score"]],
                variant_name(line["method"]),
                short_number(line["estimate"]),
                short_number(line["sd"]),
                percent(line["ratio"], 2),
                f"{percent(line['ratio_low'], 2)} to {percent(line['ratio_high'], 2)}",
                short_number(line["error"]),
                short_number(line["unscored"]),
            )
            for line in self.summary.to_dict("records")
        ]
        return html_table("Estimates of cross-validation under each method's folds", titles, lines)


def _with_interval(name: str, values: np.ndarray[Any, Any], t_high: float) -> dict[str, float]:
    """Give the mean of a value a held-out set, and its interval."""
    mean, width = values.mean(), t_high * values.std(ddof=1)
    return {name: mean, f"{name}_low": mean - width, f"{name}_high": mean + width}


def _pooled_sd(estimates: np.ndarray[Any, Any]) -> float:
    return float(np.sqrt(estimates.var(axis=1, ddof=1).mean()))


def _change(ratio: float) -> str:
    return f"{percent(abs(1 - ratio), 2)} {'smaller' if ratio < 1 else 'larger'}"


def _distance(line: dict[Any, Any]) -> str:
    """Say whether estimates are nearer to the held-out score than with random folds."""
    interval = f"95 % interval of the gain: {from_to(line['gain_low'], line['gain_high'])}"
    if line["gain_low"] > 0:
        return f"Estimates are nearer to the held-out score, by {short_number(line['gain'])} ({interval})."
    if line["gain_high"] < 0:
        return f"Estimates are farther from the held-out score, by {short_number(-line['gain'])} ({interval})."
    return f"No difference in the distance from the held-out score is shown ({interval})."


def _unscored(found: float, by_chance: float) -> str:
    """Say how many labels could not be scored."""
    if found == by_chance == 0:
        return "Every label could be scored in every fold."
    return f"{found:.1f} labels could not be scored in some fold; with random folds {by_chance:.1f}."
