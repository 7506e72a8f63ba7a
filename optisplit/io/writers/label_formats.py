"""One function a format of labels: rows in, bytes out, a few thousand rows at a time."""

from __future__ import annotations

import io
import json
import re
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from optisplit.cells import quoted
from optisplit.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from optisplit.labels import MultilabelDataset

    Tick = Callable[[int], None]

ROWS_AT_ONCE = 8192
_BYTES_AT_ONCE = 4_000_000
_NEEDS_QUOTES = re.compile(r"[^A-Za-z0-9_.-]")


def table_options(data: MultilabelDataset, layout: str, label_separator: str | None) -> dict[str, Any]:
    """Give the arguments of :func:`optisplit.load` for a table."""
    if layout == "one-hot":
        return {"layout": layout}
    if layout == "long":
        return {"layout": layout, "label_columns": ["row_id", "label"], "header": True}  # though a label be so called
    options: dict[str, Any] = {"layout": layout, "label_columns": ["labels"], "header": True}
    if label_separator is not None:
        options["label_separator"] = label_separator
        if (np.diff(data.labels.indptr) == 0).any():
            options["missing"] = "zero"
    return options


def mulan_xml(data: MultilabelDataset) -> bytes:
    """Write MULAN's list of labels."""
    lines = [f"  <label name={quoteattr(name)}></label>\n" for name in data.label_names]
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    return "".join([head, *lines, "</labels>\n"]).encode()


def _write_rows(data: MultilabelDataset, out: Any, tick: Tick, line: Callable[[int, list[int]], str]) -> None:
    """Write what `line` makes of each row's number and labels."""
    indptr, indices = data.labels.indptr, data.labels.indices
    for start in range(0, data.n_rows, ROWS_AT_ONCE):
        ends = indptr[start : start + ROWS_AT_ONCE + 1].tolist()
        numbers = indices[ends[0] : ends[-1]].tolist()
        rows = [numbers[a - ends[0] : b - ends[0]] for a, b in pairwise(ends)]
        out.write("".join([line(start + at, labels) for at, labels in enumerate(rows)]).encode())
        tick(start + len(rows))


def _write_table(
    data: MultilabelDataset, out: Any, tick: Tick, *, delimiter: str, layout: str, label_separator: str | None
) -> None:
    match layout:
        case "one-hot":
            _one_hot(data, out, tick, delimiter)
        case "tags":
            _tags(data, out, tick, delimiter, label_separator)
        case "long":
            _long(data, out, tick, delimiter)


write_csv = partial(_write_table, delimiter=",")
write_tsv = partial(_write_table, delimiter="\t")


def _one_hot(data: MultilabelDataset, out: Any, tick: Tick, delimiter: str) -> None:
    ids = data.row_ids
    header = ([] if ids is None else ["row_id"]) + [quoted(name) for name in data.label_names]
    out.write((delimiter.join(header) + "\n").encode())
    at_once = max(1, min(ROWS_AT_ONCE, _BYTES_AT_ONCE // (2 * data.n_labels)))
    line = np.frombuffer(f"0{delimiter}".encode() * data.n_labels, dtype=np.uint8).copy()
    line[-1] = ord("\n")
    indptr, indices = data.labels.indptr, data.labels.indices
    for start in range(0, data.n_rows, at_once):
        ends = indptr[start : start + at_once + 1]
        lines = np.tile(line, (len(ends) - 1, 1))
        lines[np.repeat(np.arange(len(ends) - 1), np.diff(ends)), 2 * indices[ends[0] : ends[-1]]] = ord("1")
        if ids is None:
            out.write(lines.tobytes())
        else:
            for row, cells in enumerate(lines):
                out.write(f"{quoted(ids[start + row])}{delimiter}".encode() + cells.tobytes())
        tick(start + len(ends) - 1)


def _tags(data: MultilabelDataset, out: Any, tick: Tick, delimiter: str, separator: str | None) -> None:
    ids = data.row_ids
    out.write(f"{'' if ids is None else f'row_id{delimiter}'}labels\n".encode())
    names = list(data.label_names)
    if separator is None:
        names = [json.dumps(name, ensure_ascii=False) for name in names]

    def line(row: int, labels: list[int]) -> str:
        told = (separator or ", ").join([names[j] for j in labels])
        cell = quoted(told if separator is not None else f"[{told}]")
        return f"{cell}\n" if ids is None else f"{quoted(ids[row])}{delimiter}{cell}\n"

    _write_rows(data, out, tick, line)


def _long(data: MultilabelDataset, out: Any, tick: Tick, delimiter: str) -> None:
    ids = data.row_ids
    names = [f"{delimiter}{quoted(name)}\n" for name in data.label_names]
    out.write(f"row_id{delimiter}label\n".encode())

    def lines(row: int, labels: list[int]) -> str:
        called = str(row) if ids is None else quoted(ids[row])
        return "".join([called + names[j] for j in labels])

    _write_rows(data, out, tick, lines)


def write_json_lines(data: MultilabelDataset, out: Any, tick: Tick) -> None:
    """Write JSON Lines."""
    ids = data.row_ids
    names = [json.dumps(name, ensure_ascii=False) for name in data.label_names]

    def line(row: int, labels: list[int]) -> str:
        called = "" if ids is None else f'"row_id": {json.dumps(ids[row], ensure_ascii=False)}, '
        return f'{{{called}"labels": [{", ".join([names[j] for j in labels])}]}}\n'

    _write_rows(data, out, tick, line)


def write_parquet(data: MultilabelDataset, out: Any, tick: Tick) -> None:
    """Write Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    ids, names = data.row_ids, pa.array(data.label_names, type=pa.string())
    fields = [] if ids is None else [pa.field("row_id", pa.string())]
    schema = pa.schema([*fields, pa.field("labels", pa.list_(pa.string()))])
    indptr, indices = data.labels.indptr, data.labels.indices
    at_once = 8 * ROWS_AT_ONCE
    try:
        with pq.ParquetWriter(pa.PythonFile(out, mode="w"), schema, compression="zstd") as writer:
            for start in range(0, data.n_rows, at_once):
                ends = indptr[start : start + at_once + 1]
                values = names.take(pa.array(indices[ends[0] : ends[-1]]))
                lists = pa.ListArray.from_arrays(pa.array((ends - ends[0]).astype(np.int32)), values)
                columns = [lists] if ids is None else [pa.array(ids[start : start + at_once], pa.string()), lists]
                writer.write_batch(pa.record_batch(columns, schema=schema))
                tick(start + len(ends) - 1)
    except pa.ArrowException as error:
        msg = f"The Parquet file cannot be written: {error}."
        raise OptionError(msg) from error


def write_npz(data: MultilabelDataset, out: Any, tick: Tick) -> None:
    """Write a sparse matrix of SciPy."""
    import scipy.sparse as sp

    buffer = io.BytesIO()  # a packed file cannot go back, as a zip's writer does
    sp.save_npz(buffer, data.labels)
    out.write(buffer.getbuffer())
    tick(data.n_rows)


def _numbers(data: MultilabelDataset, after: str = "") -> Sequence[str]:
    return [f"{j}{after}" for j in range(data.n_labels)]


def write_libsvm(data: MultilabelDataset, out: Any, tick: Tick, feature: str = "1:1") -> None:
    """Write LIBSVM text."""
    numbers = _numbers(data)
    _write_rows(data, out, tick, lambda _, labels: f"{','.join([numbers[j] for j in labels])} {feature}\n")


def write_xmc(data: MultilabelDataset, out: Any, tick: Tick) -> None:
    """Write the data file of the extreme classification repository."""
    out.write(f"{data.n_rows} 1 {data.n_labels}\n".encode())
    write_libsvm(data, out, tick, "0:1")


def write_xmc_labels(data: MultilabelDataset, out: Any, tick: Tick) -> None:
    """Write the label matrix of the extreme classification repository."""
    numbers = _numbers(data, ":1")
    out.write(f"{data.n_rows} {data.n_labels}\n".encode())
    _write_rows(data, out, tick, lambda _, labels: f"{' '.join([numbers[j] for j in labels])}\n")


def _write_arff(data: MultilabelDataset, out: Any, tick: Tick, *, is_meka: bool) -> None:
    # what looks like one of MEKA's options must not be in the name
    name = re.sub(r"(^|[:\s])-", r"\1_", data.name)
    relation = f"{name}: -C {data.n_labels}" if is_meka else name
    out.write(f"@relation {_arff_token(relation)}\n\n".encode())
    out.write("".join(f"@attribute {_arff_token(label)} {{0,1}}\n" for label in data.label_names).encode())
    out.write(b"\n@data\n")
    numbers = _numbers(data, " 1")
    _write_rows(data, out, tick, lambda _, labels: f"{{{','.join([numbers[j] for j in labels])}}}\n")


write_mulan = partial(_write_arff, is_meka=False)
write_meka = partial(_write_arff, is_meka=True)


def _arff_token(text: str) -> str:
    if text and not _NEEDS_QUOTES.search(text):
        return text
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
