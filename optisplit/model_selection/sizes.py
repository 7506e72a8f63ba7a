"""Sizes of train, validation and test parts, as scikit-learn counts them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from optisplit.errors import OptionError
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable

Size: TypeAlias = float | int | None
"""A share of the rows between 0 and 1, a number of rows, or None: what remains."""

SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class PartSizes:
    """How large the parts are to be: shares, or numbers of rows; `default` is a share of the test part."""

    test_size: Size
    train_size: Size
    validation_size: Size
    default: float

    def __post_init__(self) -> None:
        shares = {}
        for name in ("test_size", "train_size", "validation_size"):
            size = getattr(self, name)
            is_number = isinstance(size, int | float | np.integer | np.floating) and not isinstance(size, bool)
            is_whole = isinstance(size, int | np.integer)
            if size is None:
                continue
            if not is_number or (size < 1 if is_whole else not 0 < size < 1):
                msg = f"{name}={size!r} must be a share above 0 and below 1, or a whole number of rows from 1."
                raise OptionError(msg)
            if not is_whole:
                shares[name] = float(size)
        if sum(shares.values()) > 1 + SUM_TOLERANCE:
            given = " + ".join(f"{name}={share:g}" for name, share in shares.items())
            msg = f"{given} is {sum(shares.values()):g}, more than all rows; shares add up to 1 at most."
            raise OptionError(msg)

    def rows(self, n_rows: int) -> tuple[int, ...]:
        """Work out the rows of train, validation, test and no part; as scikit-learn rounds: test up, train down."""
        test, train = self.test_size, self.train_size
        sizes = (test, train, self.validation_size)
        is_all = all(isinstance(size, float | np.floating) for size in sizes) and self.validation_size is not None
        if is_all and abs(sum(size for size in sizes if size is not None) - 1) < SUM_TOLERANCE:
            train = None  # what remains, so that rounding leaves no row over and takes none twice
        n_validation = _in_rows(self.validation_size, n_rows, math.ceil)
        if test is None and train is None:
            test = self.default
        n_test = n_rows - n_validation - _in_rows(train, n_rows, math.floor)
        if test is not None:
            n_test = _in_rows(test, n_rows, math.ceil)
        n_train = n_rows - n_validation - n_test if train is None else _in_rows(train, n_rows, math.floor)
        parts = [n_train, n_test] if self.validation_size is None else [n_train, n_validation, n_test]
        if min(parts) < 1 or sum(parts) > n_rows:
            given = ", ".join(
                f"{name}={size!r}"
                for name, size in zip(("test_size", "train_size", "validation_size"), sizes, strict=True)
                if size is not None
            )
            asked = given or f"test_size={self.default:g} (the default)"
            why = f"they ask for {sum(parts):,} rows" if sum(parts) > n_rows else "a part would be empty"
            msg = f"{asked} cannot be had of {counted(n_rows, 'row')}: {why}; use other sizes."
            raise OptionError(msg)
        rest = n_rows - sum(parts)
        return (*parts, rest) if rest else tuple(parts)


def _in_rows(size: Size, n_rows: int, rounded: Callable[[float], int]) -> int:
    if size is None:
        return 0
    if isinstance(size, int | np.integer):
        return int(size)
    return rounded(size * n_rows)
