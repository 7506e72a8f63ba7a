"""What a reader of labels hands over, and the refusal of a file that states more than it can hold."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from optisplit.io.layouts.group_columns import LikelyGroups
    from optisplit.io.tables.table import Guess


@dataclass(frozen=True, slots=True)
class Unknown:
    """Label cells of one kind that say neither 0 nor 1: the user has to say what they mean."""

    option: Literal["missing", "uncertain"]  # the argument of :func:`load_file` that says it
    message: str  # where they are in the file: the names of labels, counts and the first place
    cells: NDArray[np.integer[Any]] | None = None  # shape (n_cells, 2): row and label number of each
    rows: NDArray[np.integer[Any]] | None = None  # shape (n_rows,): rows all of whose labels are unknown
    advice: str = ""  # what else can be done about them


@dataclass(slots=True)
class Parsed:
    """What a reader found in a file."""

    labels: Any  # shape (n_rows, n_labels): label indicators, not yet checked
    label_names: list[str] | None = None  # names as the file has them
    row_ids: list[str] | None = None  # names as the file has them
    notes: list[str] = field(default_factory=list)  # sentences for the user: what should be looked at
    form: str = ""  # the form of the file for people, such as ``MULAN ARFF, sparse rows``
    rule: str = ""  # how the label columns were chosen, one sentence
    # what else there is to say, for people: ``{"Separator of labels": "'|'"}``
    details: dict[str, str] = field(default_factory=dict)
    # arguments of :func:`load_file` that lead to the same reading; only what goes into JSON
    options: dict[str, Any] = field(default_factory=dict)
    key: str | None = None  # the column that `row_ids` are from
    # shape (n_rows, n_labels): how many instances of a label a row has, where the file says so; 0 where `labels` is 0
    counts: Any = None
    guesses: list[Guess] = field(default_factory=list)  # what was guessed, and can be set
    sample: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # a table's columns, and their first cells
    # given the rows that are kept, if not all: columns that look like groups, the likeliest first, and the names of all
    # whose values stand on several rows, these first
    find_groups: Callable[[NDArray[np.int64] | None], tuple[list[LikelyGroups], list[str]]] | None = None
    # the first so many rows are the training rows of a split that the file itself states (MEKA)
    n_train: int | None = None
    unknown: list[Unknown] = field(default_factory=list)  # label cells that are neither 0 nor 1; 0 in `labels`
