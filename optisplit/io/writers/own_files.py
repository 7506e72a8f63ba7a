"""A split in the data's own file: as a column more, or as a file for each part."""

from __future__ import annotations

import io
import json
from itertools import count
from typing import TYPE_CHECKING, Any

import scipy.sparse as sp

from optisplit.errors import FormatError, OptionError
from optisplit.folds.arrays import written_folds
from optisplit.io.packing import packed, unpacked_name, zipped
from optisplit.io.second_tables import object_in, options_of
from optisplit.io.source import UTF8_MARK, Source, read_source
from optisplit.io.splits.base import FOLDS_FILE
from optisplit.io.splits.row_lines import WITH_COUNT, RowLines, head_lines, row_lines
from optisplit.io.tables.parquet_file import open_parquet
from optisplit.io.tables.records import encoded, read_records
from optisplit.io.writers.detection import OWN_FORMS
from optisplit.io.writers.parts import Made, Request, folds_csv, part_names, parts_of_files, rows_of_file
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from optisplit.io.row_names import RowNumbers
    from optisplit.io.source import FileLike
    from optisplit.io.tables.records import Record
    from optisplit.labels import MultilabelDataset

_LINE_ENDS = ("\r\n", "\n", "\r")


def with_column(request: Request) -> Made:
    """Add a column with the split to the data's own table.

    - In text tables and JSON Lines, each line stays as it is, with the new value behind it. Rows that were left out
      have none.
    - The column is called ``fold``, or ``split`` for parts; ``fold_2`` and so on where there is one already.
    """
    folds, data, kind = request.folds, request.data, request.kind
    opened, format = _own_file(request)
    title = "fold" if kind == "folds" else "split"
    if kind == "parts":
        names = request.fold_names or part_names(request.n_splits)
        texts = [names[max(part, 0)] for part in folds.tolist()]
    else:
        texts = written_folds(folds, request.fold_names)
    are_numbers = kind == "folds" and all(text.lstrip("-").isdecimal() for text in set(texts))
    values = [""] * _n_file_rows(data)
    for number, text in zip(rows_of_file(data).tolist(), texts, strict=True):
        values[number] = text
    plain = [None if not value else int(value) if are_numbers else value for value in values]
    match format:
        case "delimited":
            content = _table_with_column(opened, data, title, values, texts)
        case "jsonl":
            content = _json_lines_with_column(opened, title, plain)
        case "parquet":
            content = _parquet_with_column(opened, title, plain, are_numbers=are_numbers)
        case _:
            msg = (
                f"{opened.name!r} was read as {format}, which has no place for a column of folds; CSV, TSV, JSON Lines "
                "and Parquet have. Use the form 'files' or 'csv'."
            )
            raise FormatError(msg)
    compression = opened.compression if opened.unpacked_name != opened.name else None
    stem = f"{opened.stem}-{title}" if request.stem is None else request.stem
    return Made(content, stem + opened.name[len(opened.stem) :], compression)


def files_of_parts(request: Request) -> Made:
    """Put the rows of the data's own file into a file for each part, in a zip.

    - Rows of text stay byte for byte as they are; the first line of an XMC file has the new number of rows, and
      MEKA's options in a relation name do not state a split of the old rows. Parquet rows are the same values, and
      .npz files have the same labels.
    - MULAN's XML, and lists of names beside the file, are copied for each. The files are packed as the old one.
    - Detection data become COCO JSON for each part, or lists of images with YOLO's ``data.yaml``; for folds, one for
      training and one for testing on each.
    - ``folds.csv`` in the zip says which row went where, and README.txt what the files are.
    """
    data = request.data
    opened, format = _own_file(request)
    if format in OWN_FORMS:
        return OWN_FORMS[format](request, opened)
    stem = request.stem or opened.stem
    parts = parts_of_files(request)
    lines = None if format in ("npz", "npy", "parquet") else _row_lines(opened, format, _n_file_rows(data))
    contents = _cut(opened, format, data, parts.values(), lines)
    beside = _beside(opened, request.label_file)
    ending = opened.unpacked_name[len(opened.stem) :]
    tail = unpacked_name(opened.name)[1]
    files: dict[str, bytes] = {}
    for (part, rows), content in zip(parts.items(), contents, strict=True):
        files[f"{stem}-{part}{ending}{tail}"] = packed(content, opened.compression if tail else None)
        files |= {f"{stem}-{part}{each}": names for each, names in beside.items()}
        if format in ("npz", "npy") and data.row_ids is not None:
            files[f"{stem}-{part}.rows.txt"] = "".join(f"{data.row_ids[row]}\n" for row in rows.tolist()).encode()
    files[FOLDS_FILE] = folds_csv(request.folds, data, request.fold_names)
    files["README.txt"] = _readme(stem, opened, parts, request, lines).encode()
    return Made(zipped(files), f"{stem}-{request.kind}.zip")


def _own_file(request: Request) -> tuple[Source, str]:
    """Open the data's own file, and give the format that it was read as."""
    assert request.source is not None
    source = read_source(request.source, takes_folder=True)
    if request.data.reading is None:
        msg = f"It is not known how {source.name!r} was read, since the data did not come from a file; load it first."
        raise OptionError(msg)
    return source, request.data.reading.format


def _n_file_rows(data: MultilabelDataset) -> int:
    return data.n_rows if data.reading is None else max(data.reading.n_file_rows, data.n_rows)


def _free_title(title: str, taken: Iterable[str]) -> str:
    known = {each.strip().lower() for each in taken}
    return title if title not in known else next(name for at in count(2) if (name := f"{title}_{at}") not in known)


def _other_rows(source: Source, n_rows: int) -> FormatError:
    msg = f"{source.name!r} has not the {n_rows:,} rows that the data were read from; give the same file as source."
    return FormatError(msg)


def _table_with_column(
    source: Source, data: MultilabelDataset, title: str, values: list[str], texts: list[str]
) -> bytes:
    records, dialect = read_records(source, options_of(source, data))
    n_head = head_lines(records, len(values))
    if n_head is None:  # several lines a row: long tables
        n_head = head_lines(records, None) or 0
        values = _values_by_id(source, records[n_head - 1].cells, records[n_head:], data, texts)
    head = records[max(n_head - 1, 0)].cells
    text = io.StringIO(newline="")
    pending = iter(values)
    for at, record in enumerate(records):
        if not any(record.cells) or at < n_head - 1:
            text.write(record.whole)
            continue
        value = _free_title(title, head) if at == n_head - 1 else next(pending)
        value = dialect.line([value])
        body, end = _without_end(record.raw)
        text.write(f"{record.above}{body}{dialect.delimiter}{value}{end}")
    return encoded(text.getvalue(), source)


def _values_by_id(
    source: Source, header: list[str], lines: list[Record], data: MultilabelDataset, texts: list[str]
) -> list[str]:
    """Find the row of each line by a column that holds row ids only, all of them."""
    value_of = dict(zip(data.row_ids or (), texts, strict=False))
    filled = [record for record in lines if any(record.cells)]
    for at in range(len(header)):
        ids = [clean_name(record.cell(at)) for record in filled]
        if value_of and ids and ids[0] in value_of and value_of.keys() <= set(ids):
            return [value_of.get(each, "") for each in ids]
    raise _other_rows(source, data.n_rows)


def _without_end(raw: str) -> tuple[str, str]:
    end = next((each for each in _LINE_ENDS if raw.endswith(each)), "")
    return raw[: len(raw) - len(end)], end


def _json_lines_with_column(source: Source, title: str, values: list[Any]) -> bytes:
    found = row_lines(source, "jsonl", len(values))
    if found is None:
        raise _other_rows(source, len(values))
    keys: dict[str, None] = {}
    for line in found.rows:
        row = object_in(line.removeprefix(UTF8_MARK))
        if row is None:
            msg = f"{source.name!r} has not one JSON object a line, so there is no place for a fold in each."
            raise FormatError(msg)
        keys |= dict.fromkeys(row)
    name = json.dumps(_free_title(title, keys))
    lines = []
    for line, value in zip(found.rows, values, strict=True):
        body = line.rstrip()
        before = body[:-1].rstrip()
        comma = b"" if before.endswith(b"{") else b", "
        lines.append(before + comma + f"{name}: {json.dumps(value)}}}".encode() + line[len(body) :])
    return b"".join(lines)


def _parquet_with_column(source: Source, title: str, values: list[Any], *, are_numbers: bool) -> bytes:
    import pyarrow as pa

    table = _parquet_table(source, len(values))
    column = pa.array(values, type=pa.int32() if are_numbers else pa.string())
    return _parquet_bytes(table.append_column(_free_title(title, table.column_names), column))


def _parquet_table(source: Source, n_rows: int) -> Any:
    with open_parquet(source) as file:
        table = file.read()
    if table.num_rows != n_rows:
        raise _other_rows(source, n_rows)
    return table


def _taken(table: Any, rows: RowNumbers) -> Any:
    """Take rows of a table; of columns of views, for which Arrow has not learnt it, by way of Python."""
    import pyarrow as pa

    columns = []
    for column in table.columns:
        try:
            columns.append(column.take(rows))
        except pa.ArrowNotImplementedError:
            values = column.to_pylist()
            columns.append(pa.array([values[row] for row in rows.tolist()], type=column.type))
    return pa.Table.from_arrays(columns, schema=table.schema)


def _parquet_bytes(table: Any) -> bytes:
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    return buffer.getvalue()


def _row_lines(source: Source, format: str, n_rows: int) -> RowLines:
    lines = row_lines(source, format, n_rows)
    if lines is None:
        msg = (
            f"{source.name!r} has not one line for each of the {n_rows:,} rows that the data were read from, so its "
            "rows cannot be put into several files; use the form 'csv'."
        )
        raise FormatError(msg)
    return lines


def _cut(
    source: Source, format: str, data: MultilabelDataset, parts: Iterable[RowNumbers], lines: RowLines | None
) -> Iterator[bytes]:
    """Make a file of the rows of each part."""
    numbers = rows_of_file(data)
    table = _parquet_table(source, _n_file_rows(data)) if format == "parquet" else None
    for rows in parts:
        if lines is not None:
            yield lines.with_rows(numbers[rows].tolist())
        elif table is not None:
            yield _parquet_bytes(_taken(table, numbers[rows]))
        else:
            buffer = io.BytesIO()
            sp.save_npz(buffer, data.labels[rows])
            yield buffer.getvalue()


def _beside(source: Source, label_file: FileLike | None) -> dict[str, bytes]:
    """Read the files of names that belong to the file: MULAN's XML, label names."""
    if label_file is not None:
        return {".xml": read_source(label_file).data}
    found = {ending: source.sibling(ending) for ending in (".xml", ".labels.txt")}
    return {ending: read_source(path).data for ending, path in found.items() if path is not None}


def _readme(stem: str, source: Source, parts: dict[str, RowNumbers], request: Request, lines: RowLines | None) -> str:
    data, kind = request.data, request.kind
    told = [
        f"The rows of {source.name}, in the order that they had, in a file for each part of a split.",
        "",
        *(f"{stem}-{part}: {len(rows):,} rows" for part, rows in parts.items()),
        "",
    ]
    if kind == "folds" and not request.pairs:
        told += [
            "To test on a fold, train on all other files together, always-train too where it is there: put their rows",
            "one after the other, below one header.",
        ]
    if lines is not None and lines.format in WITH_COUNT:
        told.append("The first line of each file states the rows of that file; all else is as it was.")
    elif lines is not None and lines.head_for(0) != lines.head:
        told.append("The split stated in the relation name was of the old rows, so it is not there any more.")
    if data.reading is not None and data.reading.kept_rows is not None:
        told.append(f"{data.reading.n_file_rows - data.n_rows:,} rows were left out of the split, and of the files.")
    told += [f"{FOLDS_FILE} says the {'fold' if kind == 'folds' else 'part'} of each row.", ""]
    return "\n".join(told)
