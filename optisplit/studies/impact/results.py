"""What a study of impact found, with intervals, and put into words."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.methods import METHODS
from optisplit.text import html_table, short_number

if TYPE_CHECKING:
    import pandas as pd

SCORES = {
    "macro_ap": "macro average precision",
    "macro_f1": "macro F1, absent labels as 0",
    "macro_f1_present": "macro F1, absent labels left out",
    "micro_f1": "micro F1",
}
"""The scores, and what they are called."""

CONFIDENCE = 0.95


@dataclass(frozen=True)
class ImpactResult:
    """The estimates of cross-validation under each method's folds."""

    data_name: str  # name of the data
    # A line for each method, seed and held-out set: the estimate of each score, the score on the held-out rows
    # (``..._held_out``), and labels that could not be scored: ``labels_unscored_somewhere`` (in at least one fold),
    # ``unscored_per_fold``, ``no_positive_in_test`` and ``no_positive_in_training`` (pairs of fold and label)
    table: pd.DataFrame = field(repr=False)
    n_rows: int  # rows and labels of the data, and folds
    n_labels: int  # rows and labels of the data, and folds
    n_splits: int  # rows and labels of the data, and folds
    model: str = "ridge"  # what was trained
    holdout_size: float = 0.3  # share of the rows that was held out

    @property
    def score_names(self) -> dict[str, str]:
        """Names of the scores, by their keys."""
        return SCORES

    @cached_property
    def methods(self) -> list[str]:
        """Keys of the methods, "random" first."""
        return list(dict.fromkeys(self.table["method"]))

    @property
    def n_seeds(self) -> int:
        """Number of seeds."""
        return int(self.table["seed"].nunique())

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
          over the held-out sets. They overlap, so the variance of the mean is taken as
          :math:`(1/H + h / (1 - h)) s^2`, where h is the share held out (Nadeau and Bengio 2003), and not as
          :math:`s^2 / H`.
        - ``error``, ``gain``, ``gain_low``, ``gain_high``: mean of abs(estimate - held-out score); how much smaller it
          is than with random folds, paired within each held-out set, and its 95 % interval, by the same way.
        - ``unscored``: mean number of labels that could not be scored in at least one fold.
        """
        import pandas as pd
        from scipy import stats

        lines = []
        holdouts, seeds = self.n_holdouts, self.n_seeds
        freedom = holdouts * (seeds - 1)
        tail = (1 - CONFIDENCE) / 2
        f_high = stats.f.ppf(1 - tail, freedom, freedom)
        overlap = self.holdout_size / (1 - self.holdout_size)
        t_high = stats.t.ppf(1 - tail, holdouts - 1) * np.sqrt(1 / holdouts + overlap)
        for key in SCORES:
            base = self._estimates("random", key)
            base_sd = _pooled_sd(base)
            target = self._held_out(key)
            base_error = np.abs(base - target[:, None]).mean(axis=1)
            for method in self.methods:
                found = self._estimates(method, key)
                deviation = _pooled_sd(found)
                ratio = deviation / base_sd if base_sd > 0 else np.nan
                bias = found.mean(axis=1) - target
                error = np.abs(found - target[:, None]).mean(axis=1)
                gain = base_error - error
                width = t_high * gain.std(ddof=1)
                lines.append(
                    {
                        "score": key,
                        "method": method,
                        "estimate": found.mean(),
                        "held_out": target.mean(),
                        "sd": deviation,
                        "ratio": ratio,
                        "ratio_low": ratio / np.sqrt(f_high),
                        "ratio_high": ratio * np.sqrt(f_high),
                        "bias": bias.mean(),
                        "bias_low": bias.mean() - t_high * bias.std(ddof=1),
                        "bias_high": bias.mean() + t_high * bias.std(ddof=1),
                        "error": error.mean(),
                        "gain": gain.mean(),
                        "gain_low": gain.mean() - width,
                        "gain_high": gain.mean() + width,
                        "unscored": self.table.loc[self.table["method"] == method, "labels_unscored_somewhere"].mean(),
                    }
                )
        return pd.DataFrame(lines)

    def _estimates(self, method: str, key: str) -> np.ndarray[Any, Any]:
        """Estimates of shape (n_holdouts, n_seeds)."""
        of_method = self.table[self.table["method"] == method]
        return of_method.pivot(index="holdout", columns="seed", values=key).to_numpy(dtype=np.float64)

    def _held_out(self, key: str) -> np.ndarray[Any, Any]:
        return self.table.groupby("holdout")[f"{key}_held_out"].first().to_numpy(dtype=np.float64)

    @cached_property
    def verdicts(self) -> list[str]:
        """What is found, in sentences, one for each score and method but random; also where it makes no difference."""
        return [self._sentence(line) for line in self.summary.to_dict("records") if line["method"] != "random"]

    def _sentence(self, line: dict[Any, Any]) -> str:
        name = METHODS[line["method"]].name
        what = f"{name}, {SCORES[line['score']]}:"
        low, high = line["ratio_low"], line["ratio_high"]
        end = f"{_distance(line)} {_unscored(line['unscored'], self._unscored_by_chance)}"
        if np.isnan(line["sd"]):
            return f"{what} no label could be scored in some run."
        if np.isnan(line["ratio"]):
            return f"{what} with random folds, estimates do not differ between seeds at all. {end}"
        interval = f"{100 * CONFIDENCE:.0f} % interval: {_change(high)} to {_change(low)}"
        if high < 1 or low > 1:
            return (
                f"{what} the spread over seeds is {_change(line['ratio'])} than with random folds ({interval}). {end}"
            )
        shown = f"{self.n_seeds} seeds and {self.n_holdouts} held-out sets show no difference in spread"
        return f"{what} {shown} ({interval}). {end}"

    @property
    def _unscored_by_chance(self) -> float:
        return float(self.table.loc[self.table["method"] == "random", "labels_unscored_somewhere"].mean())

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
                METHODS[line["method"]].name,
                short_number(line["estimate"]),
                short_number(line["sd"]),
                f"{line['ratio']:.0%}",
                f"{line['ratio_low']:.0%} to {line['ratio_high']:.0%}",
                short_number(line["error"]),
                short_number(line["unscored"]),
            )
            for line in self.summary.to_dict("records")
        ]
        return html_table("Estimates of cross-validation under each method's folds", titles, lines)


def _pooled_sd(estimates: np.ndarray[Any, Any]) -> float:
    return float(np.sqrt(estimates.var(axis=1, ddof=1).mean()))


def _change(ratio: float) -> str:
    return f"{100 * abs(1 - ratio):.0f} % {'smaller' if ratio < 1 else 'larger'}"


def _distance(line: dict[Any, Any]) -> str:
    """Say whether estimates are nearer to the held-out score than with random folds."""
    interval = f"95 % interval of the gain: {short_number(line['gain_low'])} to {short_number(line['gain_high'])}"
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
