"""What a split has to keep to: sizes as they are typed, groups and fixed rows from files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from optisplit.cli.options import file_and_column
from optisplit.cli.reading import joining
from optisplit.errors import OptionError
from optisplit.folds.arrays import ALWAYS_TRAIN
from optisplit.folds.constraints import FREE, check_fold_sizes
from optisplit.io import rows
from optisplit.io.encoding.encode import Balance, balanceable
from optisplit.io.encoding.targets import parse_targets
from optisplit.measures.report import evaluate
from optisplit.text import counted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.cli.answer import Answer
    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import MultilabelDataset
    from optisplit.measures.report import Report


def read_constraints(options: argparse.Namespace, data: MultilabelDataset, answer: Answer) -> dict[str, Any]:
    """Read what the split has to keep to, as far as given, and say how it was read."""
    found: dict[str, Any] = {}
    if options.fold_sizes is not None:
        found["fold_sizes"] = parse_sizes(options.fold_sizes)
    if options.groups is not None:
        found["groups"], notes = read_groups(options.groups, data, **joining(options))
        answer.note(*notes)
    if getattr(options, "fixed", None) is not None:
        found["fixed"], notes = read_fixed(options.fixed, data, **joining(options))
        answer.note(*notes)
    return found


def read_groups(given: str, data: MultilabelDataset, **how: Any) -> tuple[list[str], tuple[str, ...]]:
    """Read the group of each row, and what is to be said of it."""
    file, column = file_and_column(given)
    read = rows.read_groups(file, data, column, **how)
    values = rows.GroupNames.of(read.values, column or os.path.basename(file))
    return values, (f"{read.name}: {read.how}; {counted(len(set(read.values)), 'group')}.", *read.notes)


def read_fixed(given: str, data: MultilabelDataset, **how: Any) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Read the place of each row, and what is to be said of it."""
    file, column = file_and_column(given)
    read = rows.read_column(file, data, column, usual="fold", **how)
    places = rows.places_in(read)
    n_fixed, n_training = int((places != FREE).sum()), int((places == ALWAYS_TRAIN).sum())
    fixed = f"{counted(n_fixed, 'row', 'is')} fixed, {n_training:,} of them always in training"
    return places, (f"{read.name}: {read.how}; {fixed}.", *read.notes)


def read_balance(options: argparse.Namespace, data: MultilabelDataset, answer: Answer) -> Balance | None:
    """Read the columns to balance beside the labels, as far as given, and say what is made of them."""
    if not options.balance:
        return None
    return told_of_balance(Balance.of(data, parse_targets(options.balance, balanceable(data))), answer)


def told_of_balance(balance: Balance | None, answer: Answer) -> Balance | None:
    """Say what is made of columns to balance."""
    if balance is not None:
        answer.note(f"Balanced beside the labels: {balance.words}.")
    return balance


def parse_sizes(text: str) -> list[int] | list[float]:
    """Read the sizes of folds, as people type them."""
    parts = text.split(",")
    try:
        return [int(part) for part in parts]
    except ValueError:
        pass
    try:
        return [float(part) for part in parts]
    except ValueError:
        msg = f"--fold-sizes must be numbers with commas between, such as 0.8,0.1,0.1; got {text!r}."
        raise OptionError(msg) from None


def report_of(
    data: MultilabelDataset,
    folds: FoldArray,
    n_splits: int,
    constraints: Mapping[str, Any],
    balance: Balance | None = None,
) -> Report:
    """Measure a split, against the sizes that were asked for."""
    shares = shares_of(folds, n_splits, constraints)
    return evaluate(data, folds, n_splits=n_splits, shares=shares, balance=balance)


def shares_of(folds: FoldArray, n_splits: int, constraints: Mapping[str, Any]) -> Any:
    """Turn the sizes that were asked for, if they were, into shares."""
    if "fold_sizes" not in constraints:
        return None
    sizes = check_fold_sizes(constraints["fold_sizes"], int((folds >= 0).sum()), n_splits)
    return sizes / sizes.sum()
