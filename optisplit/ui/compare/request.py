"""What a comparison is asked to do, and doing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.comparison.experiment import ComparisonResult, compare
from optisplit.comparison.forecasts import forecast
from optisplit.measures.registry import name_of
from optisplit.text import counted
from optisplit.ui.forms import shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.comparison.forecasts import Forecast
    from optisplit.ui.compare.division import Division
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport


@dataclass(frozen=True)
class CompareRequest:
    """What a comparison was asked to do."""

    chosen: ChosenData  # the data
    methods: tuple[str, ...]  # keys of the methods
    division: Division  # what the rows are divided into
    n_seeds: int  # seeds, from 0
    options: Mapping[str, Mapping[str, Any]]  # the methods' own options
    time_limit_s: float  # most seconds for one run

    @property
    def runs_words(self) -> str:
        """How many runs, and whatever is special about them, in words."""
        what = f"{counted(len(self.methods), 'method')} × {counted(self.n_seeds, 'seed')}"
        special = self.division.words if self.division.shares else self.division.words[1:]
        return " · ".join([what, *special])

    @property
    def summary(self) -> str:
        """The settings in one line."""
        optimisers = {"optisplit", "optisplit-sa"} & set(self.methods)
        parts = [*self.division.words, counted(self.n_seeds, "seed")]
        if optimisers:
            parts.append(f"OptiSplit lowers {name_of(self.options['optisplit']['measure'])}")
        if "optisplit-sa" in optimisers:
            annealing = self.options["optisplit-sa"]
            parts.append(f"effort {annealing['effort']}")
            parts.append("label pairs balanced too" if annealing["balance_pairs"] else "label pairs not balanced")
            if not annealing["cover_rare"]:
                parts.append("rare labels not first")
        line = " · ".join(parts)
        return line[:1].upper() + line[1:]

    def forecasts(self) -> list[Forecast]:
        """Estimate what each method takes."""
        shape = shape_of(self.chosen)
        if shape is None:
            return []
        limits_s = dict.fromkeys(self.methods, self.time_limit_s)
        return forecast(
            shape, self.methods, self.division.n_splits, self.n_seeds, options=self.options, limits_s=limits_s
        )


def run(request: CompareRequest, report: OnReport) -> ComparisonResult:
    """Compare; the work of a job."""
    report(0.0, "Getting ready")
    import pandas  # noqa: F401 - the result needs both, and loading them later would hold up the timing
    import plotly.graph_objects  # noqa: F401

    return compare(
        request.chosen.data,
        request.methods,
        request.division.n_splits,
        **request.division.constraints,
        seeds=range(request.n_seeds),
        options={key: given for key, given in request.options.items() if key in request.methods},
        time_limit_s=request.time_limit_s,
        on_progress=lambda progress: report(progress.fraction, progress.words),
    )
