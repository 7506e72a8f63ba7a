"""What rows are divided into, folds or parts of given sizes, and what stays together meanwhile."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from optisplit.errors import OptionError
from optisplit.folds.constraints import check_constraints
from optisplit.text import counted, percent

if TYPE_CHECKING:
    from optisplit.io.splits.base import Kind
    from optisplit.ui.groups_file import Groups

DEFAULT_SHARES = "80, 10, 10"
MAX_PARTS = 10


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
        return [what] if self.groups is None else [what, f"{counted(self.groups.n_groups, 'group')} kept whole"]

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
