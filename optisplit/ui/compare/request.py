"""What a comparison is asked to do, how rows are divided in it, and doing it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from optisplit.comparison.experiment import ComparisonResult, compare
from optisplit.comparison.forecasts import forecast
from optisplit.errors import OptionError
from optisplit.folds.constraints import check_constraints
from optisplit.measures.registry import name_of, objectives
from optisplit.methods import METHODS
from optisplit.methods.rare import RARE
from optisplit.text import counted, joined, percent
from optisplit.ui.jobs import Reporter
from optisplit.ui.shapes import shape_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from optisplit.comparison.forecasts import Forecast
    from optisplit.comparison.runs import Progress, Run
    from optisplit.io.encoding.targets import Target
    from optisplit.io.splits.base import Kind
    from optisplit.ui.datasets import ChosenData
    from optisplit.ui.groups_file import Groups
    from optisplit.ui.jobs import OnReport


DEFAULT_SHARES = "80, 10, 10"
MAX_PARTS = 10

_OPTION_WORDS = {
    "measure": "measure", "max_epochs": "passes", "effort": "effort", "balance_pairs": "pairs of labels",
    "rare": "rare labels",
}  # fmt: skip
_OPTION_VALUES: dict[str, str] = {
    "True": "balanced too",
    "False": "not balanced",
    **{key: name_of(key) for key in objectives()},
    **{key: each.title.lower() for key, each in RARE.items()},
}
"""Options of methods in the form, and their values, in words."""


@dataclass(frozen=True)
class Division:
    """What the rows are divided into."""

    n_splits: int  # folds or parts
    shares: tuple[float, ...] = ()  # the share of the rows in each part; empty for equal folds
    groups: Groups | None = None  # what stays together
    warning: str = ""  # what about it is possible, but not quite as asked; empty where all is well

    @property
    def noun(self) -> str:
        """What a piece is called."""
        return "part" if self.shares else "fold"

    @property
    def kind(self) -> Kind:
        """What the pieces are for."""
        return "parts" if self.shares else "folds"

    @property
    def constraints(self) -> dict[str, Any]:
        """What the library is to keep to, as :func:`optisplit.compare` takes it."""
        given = {"fold_sizes": list(self.shares) or None, "groups": self.groups and self.groups.of_rows}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def words(self) -> list[str]:
        """What the rows are divided into, in a few words each."""
        if self.shares:
            shares = [percent(share).removesuffix(" %") for share in self.shares]
            what = f"parts of {', '.join(shares[:-1])} and {shares[-1]} % of the rows"
        else:
            what = counted(self.n_splits, "fold")
        return [what] if self.groups is None else [what, f"{self.groups.words} kept whole"]

    @property
    def stem(self) -> str:
        """The same for a file's name."""
        return "-".join(f"{100 * share:.4g}" for share in self.shares) or f"{self.n_splits}-folds"

    def named(self, piece: int) -> str:
        """Name a fold or part."""
        return f"{piece} ({percent(self.shares[piece])})" if self.shares else str(piece)

    @property
    def fold_names(self) -> tuple[str, ...]:
        """What the folds or parts are called in tables and figures."""
        return tuple(f"{self.noun} {self.named(piece)}" for piece in range(self.n_splits))

    def asked(self, piece: int) -> str:
        """Say, after a number of rows, what share was asked for."""
        if not self.shares:
            return ""
        return f" ({percent(self.shares[piece])}{' asked for' if piece == 0 else ''})"


def read_shares(text: str) -> tuple[float, ...]:
    """Read shares in per cent."""
    words = re.split(r"[,;/\s]+", text.replace("%", " ").strip(" ,;/\t"))
    odd = [word for word in words if not re.fullmatch(r"\d{1,9}(\.\d{0,9})?|\.\d{1,9}", word, re.ASCII)]
    if odd:
        msg = f"“{odd[0][:20]}” is no number." if odd[0] else "Give the share of each part, such as 80, 10, 10."
        raise OptionError(msg)
    shares = [Decimal(word) for word in words]  # exact: 33.3 + 33.3 + 33.4 is 100
    if not 2 <= len(shares) <= MAX_PARTS:
        msg = f"From 2 to {MAX_PARTS} parts, please; these are {len(shares)}."
        raise OptionError(msg)
    if not all(shares):
        msg = "Each part needs a share above 0."
        raise OptionError(msg)
    total = sum(shares, start=Decimal(0))
    if total != 100:
        msg = f"The shares must add up to 100; these add up to {total.normalize():f}."
        raise OptionError(msg)
    return tuple(float(share / 100) for share in shares)


def checked(division: Division, n_rows: int) -> Division:
    """Check a division against the rows, and note what the library warns of."""
    constraints = check_constraints(n_rows, division.n_splits, **division.constraints)
    if division.groups is not None and division.groups.n_groups < division.n_splits:
        n_groups, pieces = division.groups.n_groups, counted(division.n_splits, division.noun)
        msg = f"{counted(n_groups, 'group')} cannot fill {pieces}: at least as many groups as {division.noun}s, please."
        raise OptionError(msg)
    return Division(division.n_splits, division.shares, division.groups, constraints.large_groups)


@dataclass(frozen=True)
class CompareRequest:
    """What a comparison was asked to do."""

    chosen: ChosenData  # the data
    methods: tuple[str, ...]  # keys of the methods
    division: Division  # what the rows are divided into
    n_seeds: int  # seeds, from 0
    options: Mapping[str, Mapping[str, Any]]  # the methods' own options
    time_limit_s: float  # most seconds for one run
    balance: tuple[Target, ...] = ()  # columns to balance beside the labels
    # methods that were compared before, or would be, but are not able to do what is needed; and what that is
    left_out: tuple[str, ...] = field(default=(), compare=False)
    needed: tuple[str, ...] = field(default=(), compare=False)

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
            parts.append(f"rare labels: {RARE[annealing['rare']].title.lower()}")
        if self.balance:
            parts.append(f"balanced too: {joined([each.column for each in self.balance])}")
        return " · ".join(parts)

    def changes(self, since: CompareRequest) -> list[str]:
        """Say in what this differs from what was asked before, a few words each."""
        before, is_other = since._settings, self.chosen.data.digest != since.chosen.data.digest
        return [
            f"{name}: {value} instead of {before[name]}" if name in before else f"{name}: {value}"
            for name, value in self._settings.items()
            if value != before.get(name) or (name == "data" and is_other)
        ]

    @property
    def _settings(self) -> dict[str, str]:
        """Everything that was asked for, in words."""
        settings = {
            "data": self.chosen.data.name,
            "divided into": joined(self.division.words),
            "methods": joined([METHODS[key].name for key in self.methods]),
            "seeds": str(self.n_seeds),
            "time limit a run": f"{self.time_limit_s:g} s",
            "balanced too": joined([each.column for each in self.balance]) or "nothing",
        }
        for method in self.methods:
            for option, value in self.options.get(method, {}).items():
                words = _OPTION_VALUES.get(str(value), str(value))
                settings[f"{METHODS[method].name}, {_OPTION_WORDS[option]}"] = words
        return settings

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

    def tell(progress: Progress) -> None:
        report(progress.fraction, progress.words)
        if isinstance(report, Reporter):
            report.keep(progress.runs)

    return compare(
        request.chosen.data,
        request.methods,
        request.division.n_splits,
        **request.division.constraints,
        seeds=range(request.n_seeds),
        options={key: given for key, given in request.options.items() if key in request.methods},
        balance=request.balance or None,
        time_limit_s=request.time_limit_s,
        on_progress=tell,
    )


def so_far(request: CompareRequest, runs: Sequence[Run]) -> ComparisonResult:
    """Make a comparison of the runs that have ended until now."""
    methods = tuple(key for key in request.methods if any(run.method == key for run in runs))
    return ComparisonResult(
        tuple(sorted(runs, key=lambda run: (methods.index(run.method), run.seed))), methods,
        request.division.n_splits, request.chosen.data.n_rows, request.options, request.division.constraints,
    )  # fmt: skip
