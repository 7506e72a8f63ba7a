"""A table: named columns of cells, whatever file they stand in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from optisplit.io.source import Source

Cell: TypeAlias = "str | list[str] | dict[str, Any] | None"
"""A cell: a text; or what JSON and Parquet have too, a list, a dictionary, or nothing."""

Chunk: TypeAlias = "tuple[Sequence[int], list[Sequence[Any]]]"
"""Some rows: the line or number of each, and their cells, column by column."""

N_SAMPLE = 500
"""Rows that are looked at to find the layout."""


@dataclass(frozen=True, slots=True)
class Guess:
    """One thing that was guessed of a file, and what else it could be."""

    option: str  # the argument of :func:`optisplit.load` that sets it
    value: Any  # what was taken, as that argument takes it
    why: str  # the reason, for people; no full stop
    is_sure: bool = True  # whether hardly anything else can be meant
    others: tuple[Any, ...] = ()  # what else it could be, likeliest first, as the argument takes it


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What was asked for of how to read a table; None: to be guessed. :func:`optisplit.load` says what they mean."""

    label_columns: int | Sequence[str] | None = None
    layout: str | None = None
    label_separator: str | None = None
    header: bool | None = None
    comment: str | None = None
    delimiter: str | None = None
    key: str | None = None
    threshold: float | None = None
    absent_label: str | None = None


@dataclass(frozen=True, slots=True)
class ArrowLists:
    """A column of lists, with the names of rows beside it, as Arrow reads them."""

    batches: Iterator[Any]
    class_names: list[str] | None = None  # the names of class numbers, where the file has them
    sorts_numbers: bool = True  # whether labels that are numbers are put in order


@dataclass
class Table:
    """A table as it is opened: what its columns are called, its first rows, and a way to go through all of them."""

    source: Source
    names: list[str]  # what its columns are called, as the file has it
    sample: Sequence[Sequence[Cell]]  # the first rows, column by column
    # goes through all rows, in some columns or all; cells of columns that are not needed are not given
    chunks: Callable[[Collection[int] | None], Iterator[Chunk]]
    unit: Literal["line", "row"] = "line"  # what its rows are counted by
    form: str = ""  # what it is, for people
    id_column: int | None = None  # the column that names its rows
    # of a text table that Arrow can read: what stands between its columns, and the lines above its rows
    text: tuple[str, int] | None = None
    # gives a column of lists, and that of row names, as Arrow reads them; None where it cannot
    lists: Callable[[int, int | None], ArrowLists | None] | None = None
    # goes through all rows in columns of texts or whole numbers, as Arrow reads them; None where that is no quicker
    quickly: Callable[[Collection[int] | None], Iterator[Chunk]] | None = None
    notes: list[str] = field(default_factory=list)
    late_notes: Callable[[], list[str]] = list  # what there is to say once all rows were gone through
    guesses: list[Guess] = field(default_factory=list)
