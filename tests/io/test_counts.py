"""Rows, labels, positives and names of rows agree with a reading by others: pandas, SciPy and a few lines of Python."""

from __future__ import annotations

import ast
import csv
import gzip
import itertools
import json
import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from asked import asked, read_by
from scipy.io.arff import ParseArffError, loadarff
from sklearn.datasets import load_svmlight_file
from test_quirks import CASES as QUIRKS
from test_quirks import QUIRKS as QUIRKS_FOLDER

import optisplit
from optisplit.errors import OptisplitError
from optisplit.io.samples import SAMPLES, sample_file

MOST_COLUMNS = 40
if TYPE_CHECKING:
    from pathlib import Path

YES = {"x", "1", "1.0", "1,0", "true", "t", "yes", "y"}


# ----------------------------------------------------------------------- samples


def arff_rows(text: str, names: list[str]) -> list[set[str]]:
    """Read the labels of a tidy ARFF file: no quotes in its rows."""
    head, _, body = re.split(r"(?im)^(@data)\s*$", text, maxsplit=1)
    attributes = [name.strip("'\"") for name in re.findall(r"(?im)^@attribute\s+('[^']*'|\"[^\"]*\"|\S+)", head)]
    places = {attributes.index(name): name for name in names}
    rows = []
    for line in body.splitlines():
        if line.startswith("{"):
            pairs = [pair.split() for pair in line.strip("{} ").split(",") if pair.strip()]
            rows.append({places[int(place)] for place, value in pairs if value == "1" and int(place) in places})
        elif line.strip() and not line.startswith("%"):
            cells = line.split(",")
            rows.append({name for place, name in places.items() if cells[place].strip() == "1"})
    return rows


@pytest.mark.parametrize("key", SAMPLES)
def test_samples(key):
    sample, data = SAMPLES[key], optisplit.load(key)
    file, *beside = (sample_file(name) for name in sample.files)
    if file.suffix == ".npz":
        matrix = sp.load_npz(file)
        assert data.labels.shape == matrix.shape
        assert (data.labels != sp.csr_array(matrix)).nnz == 0
        for other in beside:
            lines = gzip.decompress(other.read_bytes()).decode().splitlines()
            assert list(data.label_names if ".labels." in other.name else data.row_ids) == lines
        return
    tree = ElementTree.parse(beside[0])
    names = [each.get("name") for each in tree.iter() if each.tag.endswith("label")]
    rows = arff_rows(gzip.decompress(file.read_bytes()).decode(), names)
    assert labels_of(data) == rows


# ----------------------------------------------------------------------- tables


def facts(data) -> dict:
    """Say what is claimed of how a file was read."""
    return {guess.option: guess.value for guess in data.reading.guesses} | dict(data.reading.options)


def class_names(path: Path, frame: pd.DataFrame) -> pd.DataFrame:
    """Put the names of classes, which Hugging Face's files have in their metadata, in place of numbers."""
    described = json.loads((pq.read_schema(path).metadata or {}).get(b"huggingface", b"{}"))
    for column, feature in described.get("info", {}).get("features", {}).items():
        names = feature.get("feature", {}).get("names")
        if names:
            frame[column] = [[names[int(item)] for item in cell] for cell in frame[column]]
    return frame


def frame_of(path: Path, claimed: dict) -> pd.DataFrame:
    """Read a table with pandas, all cells as texts."""
    kind = claimed["format"]
    if kind == "parquet":
        return class_names(path, pd.read_parquet(path).reset_index())  # row names too
    if kind == "jsonl":
        text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
        try:
            whole = json.loads(text)
        except ValueError:
            whole = [json.loads(line) for line in text.splitlines() if line.strip()]
        if isinstance(whole, dict) and set(whole) == {"columns", "index", "data"}:  # as pandas splits them
            return pd.DataFrame(whole["data"], columns=whole["columns"], dtype=object)
        if isinstance(whole, dict) and isinstance(next(iter(whole.values())), list) and claimed["layout"] == "one-hot":
            return pd.DataFrame(whole, dtype=object)  # a list for each column
        if isinstance(whole, dict):
            lists = [value for value in whole.values() if isinstance(value, list) and isinstance(value[0], dict)]
            if lists:
                whole = lists[0]
            elif all(isinstance(each, dict) for each in whole.values()):
                whole = [{"key": key, **each} for key, each in whole.items()]
            elif claimed["label_columns"] == ["labels"] and "labels" not in whole:
                whole = [{"key": key, "labels": each} for key, each in whole.items()]
            else:
                whole = [whole]
        if isinstance(whole[0], list):  # the labels of each row
            whole = [{"labels": each} for each in whole]
        return pd.DataFrame(whole, dtype=object)
    if path.suffix == ".xlsx":
        frame = pd.read_excel(path, dtype=str, keep_default_na=False, engine="openpyxl")
        return frame.map(lambda cell: cell.removesuffix(" 00:00:00"))
    content = path.read_bytes()
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    else:
        encoding = "utf-8-sig"
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            encoding = "latin-1"
    mark, lines, at = claimed.get("comment"), content.decode(encoding).splitlines(), 0
    while mark and lines[at].startswith(mark):  # comments stand above; the last may have the names of the columns
        at += 1
    delimiter = claimed["delimiter"]
    has_header = claimed.get("header", True)
    are_texts = delimiter == "\t" and any(line.count('"') % 2 for line in lines)  # quotes that do not pair
    frame = pd.read_csv(
        path, sep=delimiter, header=None, names=range(MOST_COLUMNS), dtype=str, skiprows=at, keep_default_na=False,
        na_filter=False, quoting=csv.QUOTE_NONE if are_texts else csv.QUOTE_MINIMAL, encoding=encoding,
        skipinitialspace=True, index_col=False, engine="python" if len(delimiter) > 1 else "c",
    )  # fmt: skip
    widest = int((frame.notna() & (frame != "")).any().to_numpy().nonzero()[0].max()) + 1
    frame = frame.iloc[:, :widest].fillna("")
    if not has_header:
        names = [f"column {number}" for number in range(1, widest + 1)]
    elif at and "header" not in claimed:
        names = [name.strip() for name in lines[at - 1].lstrip(mark).split(delimiter)]
    else:
        names = next(csv.reader([lines[at]], delimiter=delimiter, skipinitialspace=True))
        frame = frame.iloc[1:]
    frame = frame[(frame != "").any(axis=1)].copy()
    if len(names) == widest - 1 and claimed["layout"] == "one-hot":  # the names of the rows have no title
        names = ["", *names]
    if len(names) < widest:  # the last cells are all of the last column
        rest = frame.iloc[:, len(names) - 1 :].agg(lambda cells: [cell for cell in cells if cell], axis=1)
        frame = frame.iloc[:, : len(names)].astype(object)
        frame.isetitem(len(names) - 1, rest)
    frame.columns = names[: len(frame.columns)]
    return frame


def list_of(cell, separator: str | None) -> list[str]:
    """Take the labels in a cell."""
    if isinstance(cell, list | np.ndarray):
        return [str(int(item) if isinstance(item, bool) else item) for item in cell]
    text = str(cell).strip()
    if text == "()" or text.startswith(("('", '("')):
        return [str(item) for item in ast.literal_eval(text)]
    if text.startswith("array("):  # as NumPy prints it
        text = text.removeprefix("array(").removesuffix(", dtype=object)")
    if text == "set()" or (text[:2] == "{'" and "':" not in text):
        return [] if text == "set()" else sorted(ast.literal_eval(text))
    if text[:1] == "[" and text[-1:] == "]":
        text = re.sub(r"(?<=['\"]) (?=['\"])", ", ", text)  # as NumPy prints them
        if separator is None or "'" in text or '"' in text:
            return [str(item) for item in ast.literal_eval(text)]
        text = text[1:-1]
    if text[:1] == "{" and text[-1:] == "}":
        text = text[1:-1]
        if ":" in text:
            return list(ast.literal_eval("{" + text + "}"))
        separator = separator or ","
    if text[:1] == "<" and text[-1:] == ">":
        return text[1:-1].split("><")
    return text.split(separator) if separator else [text]


def dictionary_of(cell) -> dict:
    """Take the dictionary of numbers in a cell; empty where there is none."""
    if isinstance(cell, str) and cell.strip().startswith("{") and ":" in cell:
        cell = ast.literal_eval(cell.strip().replace("true", "True").replace("false", "False"))
    is_one = isinstance(cell, dict) and all(isinstance(each, int | float) or each is None for each in cell.values())
    return {key: value for key, value in cell.items() if value is not None} if is_one else {}


def rows_of(frame: pd.DataFrame, claimed: dict, data) -> list[set[str]]:
    """Give the labels of each row, as the layout that is claimed has them."""
    layout, columns = claimed["layout"], claimed.get("label_columns")
    if isinstance(columns, int):
        columns = list(data.label_names) if set(data.label_names) <= set(frame.columns) else frame.columns[-columns:]
    if layout == "one-hot":
        yes = YES | ({"-1", "-1.0"} if claimed.get("uncertain") == "one" else set())
        yes |= {""} if claimed.get("missing") == "one" else set()
        cells = [[str(cell).strip().lower() for cell in row] for row in frame[list(columns)].to_numpy()]
        if (least := claimed.get("threshold")) is not None:
            cells = [[str(int(float(cell or "nan") >= least)) for cell in row] for row in cells]
        if claimed.get("uncertain") == "drop-rows":
            cells = [row for row in cells if not {"-1", "-1.0"} & set(row)]
        if claimed.get("missing") == "drop-rows":
            cells = [row for row in cells if "" not in row]
        named = zip(data.label_names, zip(*cells, strict=True), strict=False)
        by_label = {name: [cell in yes for cell in column] for name, column in named}
        return [{name for name, column in by_label.items() if column[row]} for row in range(len(cells))]
    least = claimed.get("threshold")
    if layout == "long":
        by_row: dict[str, set[str]] = {}
        for row, *label, value in frame[list(columns)].itertuples(index=False):
            if not label and set(frame[columns[-1]]) <= {"0", "1"}:  # row and label in one cell
                row, _, label = row.rpartition("_")
                label = [label]
            has_label = float(value) >= (1 if least is None else least) if label else bool(str(value).strip())
            by_row.setdefault(row, set()).update({(label or [value])[0]} if has_label else ())
        return list(by_row.values())
    separator = claimed.get("label_separator")
    dictionaries = [dictionary_of(cell) for cell in frame[columns[0]]] if len(columns) == 1 else []
    if any(dictionaries):
        values = {value for each in dictionaries for value in each.values()}
        least = 1 if values <= {0, 1} else least
        return [{str(key) for key, value in each.items() if least is None or value >= least} for each in dictionaries]
    rows = [[item for column in columns for item in list_of(row[column], separator)] for _, row in frame.iterrows()]
    if data.label_names[0] in ("label 0", "column 1"):  # a 0 or 1 for each label
        return [{name for name, item in zip(data.label_names, row, strict=True) if float(item)} for row in rows]
    return [{item.strip() for item in row if item.strip()} for row in rows]


TABLES = ("delimited", "jsonl", "parquet")


BESIDE = {"long/all-rows-named-beside.csv"}
"""Whose rows are named in another file."""


def labels_of(data) -> list[set[str]]:
    indptr, indices = data.labels.indptr, data.labels.indices
    return [{data.label_names[label] for label in indices[start:end]} for start, end in itertools.pairwise(indptr)]


def compare(path: Path, how: dict) -> None:
    data = optisplit.load(path, **how)
    claimed = facts(data)
    if claimed["format"] not in TABLES:
        pytest.skip("no table")
    frame = frame_of(path, claimed)
    rows = rows_of(frame, claimed, data)
    assert labels_of(data) == [row - {claimed.get("absent_label")} for row in rows]
    if data.row_ids is not None and data.key in frame and data.n_rows == len(frame):
        assert list(data.row_ids) == frame[data.key].astype(str).str.strip().tolist()


def readable_quirks():
    folders = ("csv", "tags", "wide", "long", "jsonl", "parquet")
    return [
        pytest.param(path, how, id=path) for path, _, _, _, _, error, how in (each.values for each in QUIRKS)
        if error is None and path not in BESIDE and path.split("/")[0] in folders
    ]  # fmt: skip


@pytest.mark.parametrize(("path", "how"), readable_quirks())
def test_quirks(path, how):
    compare(QUIRKS_FOLDER / path, how)


@pytest.mark.parametrize("case", asked("test_counts_of_cases", of="rows"))
def test_counts_of_cases(case):
    try:
        read_by("library", case.path, case.how)
    except OptisplitError:  # which is another test's matter
        return
    compare(case.path, case.how)


# ----------------------------------------------------------------------- what is no table


def by_others(path: Path, data) -> list[set[str]] | None:
    """Read it with SciPy or scikit-learn; None where they cannot, or give something else than labels."""
    try:
        if path.suffix == ".npz":
            matrix = sp.csr_array(sp.load_npz(path))
            return [{data.label_names[label] for label in matrix[[row]].nonzero()[1]} for row in range(matrix.shape[0])]
        if path.suffix == ".svm":
            return [{str(int(label)) for label in row} for row in load_svmlight_file(str(path), multilabel=True)[1]]
        table, _ = loadarff(path)
        return [{name for name in data.label_names if row[name] in (b"1", 1.0)} for row in table]
    except (ValueError, KeyError, NotImplementedError, ParseArffError, UnicodeDecodeError):
        return None


def test_quirks_that_others_can_read():
    n_read = 0
    for each in QUIRKS:
        path, error, how = QUIRKS_FOLDER / each.values[0], each.values[5], each.values[6]
        if error is not None or path.suffix not in (".npz", ".svm", ".arff"):
            continue
        data = optisplit.load(path, **how)
        rows = by_others(path, data)
        if rows is not None and data.n_rows == len(rows):
            n_read += 1
            assert labels_of(data) == rows, path.name
    assert n_read >= 20
