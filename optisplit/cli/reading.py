"""What commands read: the data, a split that exists, and what a split has to keep to."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from optisplit.cli.options import READING, file_and_column, given_only
from optisplit.cli.spelling import ROW_NAMINGS, label_names, merged_names
from optisplit.cli.terminal import transfer
from optisplit.errors import OptionError
from optisplit.io.layouts.columns import parse_label_columns
from optisplit.io.samples import SAMPLES, load, sample_file
from optisplit.io.source import NamedBytes
from optisplit.io.splits import read_split, read_train_test, row_digests

if TYPE_CHECKING:
    import argparse

    from optisplit.cli.answer import Answer
    from optisplit.io.splits import SplitFile
    from optisplit.labels import MultilabelDataset

STDIN = "-"


@dataclass(frozen=True)
class Input:
    """What was named as data: a sample, a file, or standard input, which is held since it comes only once."""

    typed: str  # what was typed
    content: bytes | None = None  # what came from standard input
    name: str = "stdin"  # what to call that

    @property
    def source(self) -> str | BinaryIO:
        """What :func:`optisplit.load` takes."""
        return self.typed if self.content is None else NamedBytes(self.content, self.name)

    @property
    def file(self) -> Path | BinaryIO:
        """The data's own file, also a sample's."""
        if self.content is not None:
            return NamedBytes(self.content, self.name)
        return sample_file(SAMPLES[self.typed].files[0]) if self.typed in SAMPLES else Path(self.typed)


def read_stdin(name: str) -> bytes:
    """Read standard input to its end."""
    if sys.stdin.isatty():
        msg = f"{name} is to come from standard input, which is a terminal; pipe a file into it."
        raise OptionError(msg)
    stream = getattr(sys.stdin, "buffer", None)
    content = sys.stdin.read().encode() if stream is None else stream.read()
    return bytes(content)


def input_of(options: argparse.Namespace) -> Input:
    """Take what was named as data."""
    if options.data != STDIN:
        if options.name is not None:
            options.usage_error("--name is for data from standard input")
        return Input(options.data)
    if (getattr(options, "folds", None) or "").partition(":")[0] == STDIN:
        options.usage_error("only one of the data and --folds can come from standard input")
    return Input(STDIN, read_stdin("The data"), options.name or "stdin")


def load_data(options: argparse.Namespace, answer: Answer) -> tuple[MultilabelDataset, Input]:
    """Load the data."""
    if options.data is None:
        options.usage_error("the following arguments are required: DATA")
    given = input_of(options)
    how = reading_of(options)
    with transfer(f"reading {given.typed if given.content is None else given.name}", answer.progress) as on_progress:
        data = load(given.source, on_progress=on_progress, **how)
    if given.content is not None and data.reading is not None:  # which cannot be opened again
        data = replace(data, reading=replace(data.reading, file=given.content))
    put_data(data, answer)
    return data, given


def reading_of(options: argparse.Namespace) -> dict[str, Any]:
    """Give what was said of how to read the data, as arguments of :func:`optisplit.load`."""
    how = given_only(**{name: getattr(options, name) for name in READING})
    if "key" in how:  # what another file calls it is said in the same breath
        how["key"] = how["key"].partition("=")[0].strip()
    if "label_columns" in how:
        how["label_columns"] = parse_label_columns(how["label_columns"])
    if "drop_labels" in how:
        how["drop_labels"] = label_names(how["drop_labels"])
    if "merge_labels" in how:
        how["merge_labels"] = merged_names(how["merge_labels"])
    return how


def joining(options: argparse.Namespace) -> dict[str, Any]:
    """Give what was said of how rows of other files are found."""
    return given_only(key=options.key, unmatched=getattr(options, "unmatched", None))


def put_data(data: MultilabelDataset, answer: Answer) -> None:
    """Say in the document what the data is."""
    answer.put(
        data={
            "name": data.name, "n_rows": data.n_rows, "n_labels": data.n_labels, "n_positives": data.n_positives
        }
    )  # fmt: skip


def has_split(options: argparse.Namespace) -> bool:
    """Tell whether a split that exists was given."""
    return any(getattr(options, name) is not None for name in ("folds", "part", "column", "train", "test"))


def load_split(options: argparse.Namespace, answer: Answer) -> tuple[MultilabelDataset, SplitFile, Input | None]:
    """Load the data and read its split, and say how they were read."""
    has_two_files = options.train is not None or options.test is not None
    _check_usage(options, has_two_files=has_two_files)
    given = None
    if has_two_files:
        how = reading_of(options)
        label_file = how.pop("label_file", None)
        data, split = read_train_test(options.train, options.test, label_file=label_file, options=how)
        put_data(data, answer)
    else:
        data, given = load_data(options, answer)
        file, column = _split_source(options, given)
        naming: Any = None if options.rows is None else ROW_NAMINGS[options.rows]
        split = read_split(file, data, column=column, kind=options.kind, rows=naming, **joining(options))
    answer.note(*split.notes)
    return data, split, given


def _split_source(options: argparse.Namespace, given: Input) -> tuple[Any, str | None]:
    if options.part is not None:
        return _part_files(options), None
    if options.folds is None:
        return given.file, options.column
    file, _, column = options.folds.partition(":")
    if file == STDIN:
        return NamedBytes(read_stdin("The split"), "stdin"), column or None
    return file_and_column(options.folds)


def _part_files(options: argparse.Namespace) -> dict[str, str]:
    """Take the file of each part."""
    files: dict[str, str] = {}
    for given in options.part:
        part, mark, file = given.partition("=")
        if not (part and mark and file) or part in files:
            options.usage_error(
                f"--part takes a name and a file, as in train=train.txt, once for each part; got {given}"
            )
        files[part] = file
    return files


def _check_usage(options: argparse.Namespace, *, has_two_files: bool) -> None:
    n_ways = sum(getattr(options, name) is not None for name in ("folds", "part", "column")) + has_two_files
    if n_ways != 1:
        options.usage_error("give the split: one of --folds, --part, --column, or --train with --test")
    if has_two_files and (options.train is None or options.test is None or options.data is not None):
        options.usage_error("--train and --test go together, and in place of DATA")
    if has_two_files and options.name is not None:
        options.usage_error("--name does not go with --train and --test")
    elif not has_two_files and options.data is None:
        options.usage_error("the following arguments are required: DATA")


def row_digests_of(options: argparse.Namespace, data: MultilabelDataset, given: Input | None) -> Any:
    """Give each row a number that is equal where rows are."""
    if given is None:
        return row_digests(data, options.train, options.test)
    return row_digests(data, given.file, split_column=options.column)
