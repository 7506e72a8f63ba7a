"""What a study is asked to do: the data, the columns that the model does not see, the methods, the seeds."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from optisplit.io.samples import SAMPLES
from optisplit.methods.variants import variant_name
from optisplit.text import about_time, counted, joined
from optisplit.ui.datasets import title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.jobs import OnReport

MODEL_TITLES = {
    "ridge": "Ridge regression",
    "logistic": "Logistic regression",
    "fast": "Ridge regression for large data",
}

TOLD_AFTER_S = 2.0
"""So long models are trained before it is said how long the others will take."""


@dataclass(frozen=True)
class StudyRequest:
    """What was asked for, of either study."""

    chosen: ChosenData  # the data
    methods: tuple[str, ...]  # the methods, with their options
    n_seeds: int  # seeds
    model: str  # key of the model
    left_out: tuple[str, ...]  # columns that the model does not see

    @property
    def given(self) -> Any:
        """The data as the library takes it."""
        return self.chosen.key if self.chosen.uploaded is None else self.chosen.data

    @property
    def n_splittings(self) -> int:
        """How often each method divides rows."""
        return self.n_seeds

    @property
    def settings(self) -> dict[str, str]:
        """Everything that was asked for, in words."""
        return {
            "data": title_of(self.chosen.key),
            "methods": joined([variant_name(method) for method in self.methods]),
            "seeds": str(self.n_seeds),
            "model": MODEL_TITLES[self.model].lower(),
            "columns left out": joined(list(self.left_out)) or "none",
        }

    @property
    def code(self) -> str:
        """Python that does the same."""
        raise NotImplementedError

    @property
    def call_end(self) -> str:
        """The last arguments of the call in Python."""
        left_out = f", leave_out={list(self.left_out)!r}" if self.left_out else ""
        return f"model={self.model!r}{left_out}"

    @property
    def code_of_data(self) -> tuple[str, str]:
        """Python that loads the data, where that is needed, and what the call is given."""
        if self.chosen.key in SAMPLES:
            return "", repr(self.chosen.key)
        if self.chosen.uploaded is None:
            return f"import optisplit\ndata = optisplit.load('{self.chosen.key}.arff')  # a copy of your own\n", "data"
        return f"import optisplit\n{self.chosen.load_code}\n", "data"

    def changes(self, since: StudyRequest) -> list[str]:
        """Say in what this differs from what was asked before, a few words each."""
        before = since.settings
        return [
            f"{name}: {value} instead of {before[name]}"
            for name, value in self.settings.items()
            if value != before[name]
        ]


def telling(report: OnReport) -> Callable[[int, int, float], None]:
    """Report how many models are trained, and how long the others will take by those."""
    first: list[tuple[int, float]] = []  # how many were trained when the first was told of, and when

    def tell(done: int, total: int, score: float) -> None:
        if not done:
            report(0.0, "Reading the features")
            return
        now = time.monotonic()
        n_before, began = first[0] if first else (done, now)
        first[:] = [(n_before, began)]
        elapsed, n_since = now - began, done - n_before
        left = f", {about_time(elapsed / n_since * (total - done))} left" if elapsed > TOLD_AFTER_S else ""
        report(done / total, f"{done:,} of {counted(total, 'model')} trained{left}")

    return tell
