"""The formats of labels and the forms of splits: one entry each, and what else asks for them looks here.

Nothing heavy is imported: functions are named, and fetched when they are first called.
"""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from optisplit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from optisplit.labels import Reading

Function: TypeAlias = "str | Callable[..., Any] | None"
"""A function, or where it is: ``module:name``."""

Layout: TypeAlias = Literal["one-hot", "tags", "wide", "long"]
Missing: TypeAlias = Literal["error", "zero", "one", "drop-rows", "drop-labels"]

LAYOUTS: dict[Layout, str] = {
    "one-hot": "A column of 0 and 1 for each label",
    "tags": "One column with a list of labels",
    "wide": "Several columns, each with a label's name or nothing",
    "long": "A line for each pair of row and label",
}
"""How a table holds labels, and what that is called."""

MISSING: dict[Missing, str] = {
    "error": "Refuse the file",
    "zero": "The row does not have the label: read them as 0",
    "one": "The row has the label: read them as 1",
    "drop-rows": "Nobody knows: leave out the rows",
    "drop-labels": "Nobody knows: leave out the labels",
}
"""What becomes of label cells that are missing, or that say that nobody is certain."""


Unmatched: TypeAlias = Literal["error", "leave-out"]
UNMATCHED: dict[Unmatched, str] = {
    "error": "Refuse the file",
    "leave-out": "Leave out what does not match",
}
"""What becomes of rows that another file says nothing of, and of what it names that is no row."""


@dataclass(frozen=True)
class ReadOption:
    """One thing that can be said of how a file is read; an argument of :func:`optisplit.load`."""

    key: str  # name of the argument
    flag: str  # what it is called at the command line
    title: str  # what it is called in the app
    help: str  # what it means, for all doors
    kind: Literal["choice", "text", "columns", "yes-no", "number", "file", "labels", "merging"] = "text"
    choices: str = ""  # the name in here of what can be chosen
    metavar: str = ""


# fmt: off
READ_OPTIONS: dict[str, ReadOption] = {each.key: each for each in (
    ReadOption("format", "--format", "Format", "of the file, where its content should not decide", "choice",
               "readable"),
    ReadOption("layout", "--layout", "Where a table has its labels", "how a table holds labels", "choice", "LAYOUTS"),
    ReadOption("label_columns", "--label-columns", "Label columns",
               "labels of an ARFF or table: N for the last N columns, -N for the first N; or names, patterns such as "
               "dx_*, or places such as #3 and #5-9, with commas between", "columns", metavar="COLUMNS"),
    ReadOption("label_separator", "--label-separator", "Between the labels of a list",
               "what stands between the labels of a cell", metavar="TEXT"),
    ReadOption("key", "--key", "Column that names the rows",
               "the column whose values say which row is meant, also in files of groups, folds and splits",
               metavar="COLUMN"),
    ReadOption("header", "--header", "First line has the names of the columns",
               "whether the first line of a text table has the names of its columns", "yes-no"),
    ReadOption("delimiter", "--delimiter", "Between columns", "what stands between the columns of a text table",
               metavar="TEXT"),
    ReadOption("comment", "--comment", "Comment lines begin with",
               "what lines begin with that are comments; an empty text: there are none", metavar="TEXT"),
    ReadOption("missing", "--missing", "What does a missing label mean?", "what label cells without a value become",
               "choice", "MISSING"),
    ReadOption("uncertain", "--uncertain", "What does -1 mean?", "what label cells with -1, for uncertain, become",
               "choice", "MISSING"),
    ReadOption("threshold", "--threshold", "A row has a label from which value on?",
               "values of labels (likelihoods, confidences, counts) from which on a row has the label", "number",
               metavar="VALUE"),
    ReadOption("absent_label", "--absent-label", "Label that says that there is none",
               "a label that means that a row has none, such as 'No Finding'", metavar="LABEL"),
    ReadOption("merge_labels", "--merge-labels", "Labels put together",
               "labels to make one of, such as NEW=A,B, with semicolons between several", "merging", metavar="NEW=A,B"),
    ReadOption("drop_labels", "--drop-labels", "Labels left out", "labels to leave out, with commas between", "labels",
               metavar="LABELS"),
    ReadOption("names", "--names", "Label names", "label names, one a line, for formats that have numbers only",
               "file", metavar="FILE"),
    ReadOption("label_file", "--xml", "MULAN's XML", "MULAN's XML that names the labels, if it is not beside the .arff",
               "file", metavar="FILE"),
)}
# fmt: on
"""What can be said of how a file is read, by key. To add an option is to put it in here, and to read it."""

OF_LINES = ("comment", "delimiter")
"""Options of text tables that say something of lines, which spreadsheets have not."""

_TEXT_OPTIONS = ("header", *OF_LINES)
_TABLE_OPTIONS = ("label_columns", "layout", "label_separator", "key", "threshold", "absent_label")


@dataclass(frozen=True)
class Format:
    """A format that labels can be read from, written in, or both.

    Parameters
    ----------
    key : str
        Short name, as users type it.
    name : str
        Name to show.
    endings : tuple of str
        Endings of its files, such as ``.csv``; a file to write whose name ends so gets this format.
    more_endings : tuple of str
        Endings that its files have too, but that say nothing of the format to write.
    sniff : callable or str, optional
        ``sniff(head) -> bool`` for a :class:`optisplit.io.formats.sniffing.Head`: whether a file is of this format.
        The format without it that comes first is taken where no other is found.
    read : callable or str, optional
        ``read(source, **options)`` gives a :class:`optisplit.io.parsed.Parsed`; None: it cannot be read.
    features : callable or str, optional
        ``features(source, reading)`` gives what the file says of rows beside their labels, a DataFrame or a sparse
        array, or None.
    options : tuple of str
        Arguments of :func:`optisplit.load` that `read` takes.
    beside : tuple of str
        Endings of files beside it that hold names, such as ``.labels.txt``.
    write : callable or str, optional
        ``write(data, out, tick)``, or with `layouts` also ``layout`` and ``label_separator``; ``tick`` is to be called
        with the number of rows written. None: it cannot be written.
    layouts : tuple of str
        Keys of `LAYOUTS` that a table can be written in, the usual one first.
    read_as : str
        Key of the format that what is written is read as; empty: its own.
    holds_row_ids, holds_unused : bool
        Whether row ids, and labels that are on no row, have a place in what is written.
    note : str
        What whoever writes it is told.
    takes_folder : bool
        Whether a folder can be read as it, as well as a zip.
    """

    key: str
    name: str
    endings: tuple[str, ...] = ()
    more_endings: tuple[str, ...] = ()
    sniff: Function = None
    read: Function = None
    features: Function = None
    options: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    write: Function = None
    layouts: tuple[str, ...] = ()
    read_as: str = ""
    holds_row_ids: bool = False
    holds_unused: bool = True
    note: str = ""
    takes_folder: bool = False

    @cached_property
    def sniffer(self) -> Callable[[Any], bool]:
        """The function that tells a file of this format."""
        return _fetched(self.sniff)

    @cached_property
    def reader(self) -> Callable[..., Any]:
        """The function that reads it."""
        return _fetched(self.read)

    @cached_property
    def feature_reader(self) -> Callable[..., Any]:
        """The function that reads what is no label."""
        return _fetched(self.features)

    @cached_property
    def writer(self) -> Callable[..., None]:
        """The function that writes it."""
        return _fetched(self.write)


@dataclass(frozen=True)
class Form:
    """A form that a split can be written in."""

    key: str
    ending: str  # of a file of this form; empty: that of the data's own file
    title: str  # what to call it
    help: str  # what is in it, in a sentence
    make: Function  # ``make(request)`` for a :class:`optisplit.io.writers.parts.Request` gives the content
    needs_file: bool = False  # whether it is made from the data's own file
    of_formats: tuple[str, ...] = ()  # formats of that file that it goes with; none: all
    is_usual: bool = False  # whether files with its ending get this form unless another is asked for

    def goes_with(self, reading: Any) -> bool:
        """Whether it can be made of a file that was read so."""
        return not self.of_formats or (reading is not None and reading.format in self.of_formats)

    @cached_property
    def maker(self) -> Callable[[Any], Any]:
        """The function that makes it."""
        return _fetched(self.make)


def _fetched(function: Function) -> Any:
    return pkgutil.resolve_name(function) if isinstance(function, str) else function


def _by_key(entries: Iterable[Any]) -> dict[str, Any]:
    return {entry.key: entry for entry in entries}


_FEATURES = "optisplit.io.features"
_READERS, _TABLES, _WRITERS = "optisplit.io.formats", "optisplit.io.tables", "optisplit.io.writers.label_formats"
_NUMBERS_ONLY = "Each row has one feature that is always 1, since features are not known."

# fmt: off
FORMATS: dict[str, Format] = _by_key((
    Format(
        "arff", "ARFF (MULAN, MEKA)", (".arff",), beside=(".xml",), options=("label_columns", "label_file"),
        sniff=f"{_READERS}.arff:is_arff", read=f"{_READERS}.arff:read_arff", features=f"{_FEATURES}:of_arff",
    ),
    Format(
        "delimited", "CSV, TSV, spreadsheet or other table", (".csv", ".tsv", ".tab"),
        (".txt", ".dat", ".xlsx", ".xls", ".ods"),
        options=(*_TABLE_OPTIONS, *_TEXT_OPTIONS),
        read=f"{_READERS}.tables:read_delimited", features=f"{_FEATURES}:of_text",
    ),
    Format(
        "parquet", "Parquet", (".parquet",), options=_TABLE_OPTIONS,
        sniff=f"{_TABLES}.parquet:is_parquet", read=f"{_READERS}.tables:read_parquet",
        features=f"{_FEATURES}:of_parquet",
        write=f"{_WRITERS}:write_parquet", holds_row_ids=True, holds_unused=False,
    ),
    Format(
        "coco", "COCO JSON", more_endings=(".json",),
        sniff=f"{_READERS}.coco:is_coco", read=f"{_READERS}.coco:read_coco",
    ),
    Format(
        "jsonl", "JSON Lines", (".jsonl", ".ndjson"), (".json",), options=_TABLE_OPTIONS,
        sniff=f"{_TABLES}.objects:is_json", read=f"{_READERS}.tables:read_json", features=f"{_FEATURES}:of_json",
        write=f"{_WRITERS}:write_json_lines", holds_row_ids=True, holds_unused=False,
    ),
    Format(
        "yolo", "YOLO: a folder or zip", more_endings=(".zip",), takes_folder=True,
        sniff=f"{_READERS}.yolo:is_yolo", read=f"{_READERS}.yolo:read_yolo",
    ),
    Format(
        "voc", "Pascal VOC: a folder or zip", more_endings=(".zip",), takes_folder=True,
        sniff=f"{_READERS}.voc:is_voc", read=f"{_READERS}.voc:read_voc",
    ),
    Format(
        "npz", "NumPy or SciPy, .npz", (".npz",), beside=(".labels.txt", ".rows.txt"), options=("names",),
        sniff=f"{_READERS}.npz:is_npz", read=f"{_READERS}.npz:read_npz",
        write=f"{_WRITERS}:write_npz", holds_row_ids=True,
    ),
    Format(
        "npy", "NumPy, .npy", (".npy",), beside=(".labels.txt", ".rows.txt"), options=("names",),
        sniff=f"{_READERS}.npz:is_npy", read=f"{_READERS}.npz:read_npy",
    ),
    Format(
        "idtext", "Id, labels and text, with tabs", more_endings=(".txt",),
        sniff=f"{_READERS}.id_text:is_id_text", read=f"{_READERS}.id_text:read_id_text",
    ),
    Format(
        "libsvm", "LIBSVM", (".svm", ".libsvm"), beside=(".labels.txt",), options=("names",),
        sniff=f"{_READERS}.label_text:is_libsvm", read=f"{_READERS}.label_lists:read_libsvm",
        features=f"{_FEATURES}:of_lists",
        write=f"{_WRITERS}:write_libsvm", note=_NUMBERS_ONLY,
    ),
    Format(
        "xmc", "Extreme classification repository", more_endings=(".txt",), beside=(".labels.txt",), options=("names",),
        sniff=f"{_READERS}.label_text:is_xmc", read=f"{_READERS}.label_lists:read_xmc",
        features=f"{_FEATURES}:of_lists",
        write=f"{_WRITERS}:write_xmc", note=_NUMBERS_ONLY,
    ),
    Format(
        "xmc-labels", "Extreme classification repository, labels alone", more_endings=(".txt",),
        beside=(".labels.txt",), options=("names",),
        sniff=f"{_READERS}.label_text:is_xmc_labels", read=f"{_READERS}.label_lists:read_xmc_labels",
        write=f"{_WRITERS}:write_xmc_labels",
    ),
    Format(
        "csv", "CSV", (".csv",), write=f"{_WRITERS}:write_csv", layouts=("one-hot", "tags", "long"),
        read_as="delimited", holds_row_ids=True,
    ),
    Format(
        "tsv", "TSV", (".tsv", ".tab"), write=f"{_WRITERS}:write_tsv", layouts=("one-hot", "tags", "long"),
        read_as="delimited", holds_row_ids=True,
    ),
    Format("mulan", "ARFF and XML of MULAN", write=f"{_WRITERS}:write_mulan", read_as="arff", beside=(".xml",)),
    Format("meka", "ARFF of MEKA", (".arff",), write=f"{_WRITERS}:write_meka", read_as="arff", beside=(".xml",)),
))
"""The formats of labels, by key. To add one is to put it in here."""

OWN_FORMATS = frozenset(FORMATS)
"""Keys of the formats that come along; what a program puts in beside them, other processes do not know."""

_SPLITS, _OWN = "optisplit.io.writers.splits", "optisplit.io.writers.own_files"

FORMS: dict[str, Form] = _by_key((
    Form("csv", ".csv", "CSV", "A line a row: its id or number, and its fold.", f"{_SPLITS}:as_csv"),
    Form(
        "json", ".json", "JSON: training and test rows of each fold",
        "Row numbers from 0, as lists: folds, each with train and test.", f"{_SPLITS}:as_json", is_usual=True,
    ),
    Form("npz", ".npz", "NPZ", "The fold of each row as a NumPy array.", f"{_SPLITS}:as_npz", is_usual=True),
    Form(
        "predefined", ".py", "Python with scikit-learn's PredefinedSplit",
        "A program that stands on its own; it makes a cv= for cross_val_score.", f"{_SPLITS}:as_python", is_usual=True,
    ),
    Form(
        "huggingface", ".json", "JSON for Hugging Face datasets",
        "Row numbers for dataset.select(...), by fold, or train, validation and test.", f"{_SPLITS}:as_huggingface",
    ),
    Form(
        "column", "", "Your own table, with a column more",
        "Every byte of your file as it was, with a column for the fold.", f"{_OWN}:with_column", needs_file=True,
        of_formats=("delimited", "jsonl", "parquet"),
    ),
    Form(
        "files", ".zip", "A file for each fold, in your own format",
        "A zip; rows are written byte for byte as they stand in your file. For detectors: COCO JSON for each part, or "
        "lists of images with YOLO's data.yaml.", f"{_OWN}:files_of_parts",
        needs_file=True, is_usual=True,
    ),
))
# fmt: on
"""The forms of splits, by key. To add one is to put it in here."""


def features_of(format: str) -> Callable[[Reading], Any] | None:
    """Give what reads the columns beside the labels, where files of a format have some."""
    return None if FORMATS[format].features is None else _read_features


def _read_features(reading: Reading) -> Any:
    """Read what is no label."""
    return pkgutil.resolve_name(f"{_FEATURES}:read_features")(reading)


def readable() -> dict[str, Format]:
    """Give the formats that can be read."""
    return {key: each for key, each in FORMATS.items() if each.read is not None}


def writable() -> dict[str, Format]:
    """Give the formats that can be written."""
    return {key: each for key, each in FORMATS.items() if each.write is not None}


def save_layouts() -> tuple[str, ...]:
    """Give the layouts that tables can be written in."""
    return tuple(dict.fromkeys(layout for each in writable().values() for layout in each.layouts))


def check_choice(what: str, value: str | None, choices: Iterable[str]) -> None:
    """Refuse what is not among the choices."""
    if value is not None and value not in choices:
        raise OptionError.unknown(what, str(value), tuple(choices))
