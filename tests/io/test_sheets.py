"""Tests of spreadsheets: what stands in them is read like the text of a table, through every door."""

from __future__ import annotations

import datetime as dt
import io
import zipfile

import openpyxl
import pytest

from optisplit import load
from optisplit.errors import FormatError, OptionError
from optisplit.io.rows import read_column
from optisplit.io.splits import read_split


def sheet(rows, *, empty_first=False):
    book = openpyxl.Workbook()
    if empty_first:
        book.active.title = "notes"
        page = book.create_sheet("labels")
    else:
        page = book.active
        page.title = "labels"
    for row in rows:
        page.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


ROWS = [["image", "a", "b", "size", "taken"], ["x, 1", 1, 0, 2.5, dt.date(2020, 1, 2)], ["y", 0, 1, None, None],
        ["z", 1, 1, 3, None]]  # fmt: skip


@pytest.mark.parametrize("empty_first", [False, True])
def test_a_sheet_is_a_table(tmp_path, empty_first):
    path = tmp_path / "labels.xlsx"
    path.write_bytes(sheet(ROWS, empty_first=empty_first))
    data = load(path)
    assert data.labels.toarray().tolist() == [[1, 0], [0, 1], [1, 1]]
    assert data.row_ids == ("x, 1", "y", "z")
    assert data.features["size"].tolist()[::2] == [2.5, 3.0]
    said = "Spreadsheet, sheet 'labels'" + (", the first with rows of 2 sheets" if empty_first else "")
    assert data.reading.form == said
    assert data.reading.file_name == "labels.xlsx"
    assert data.reading.entries["File"].startswith("labels.xlsx, ")
    assert "Text" not in data.reading.entries
    assert {each.option for each in data.reading.guesses}.isdisjoint(("delimiter", "comment"))
    with pytest.raises(OptionError, match="delimiter does not go with a spreadsheet"):
        load(path, delimiter=";")


def test_groups_and_splits_in_sheets():
    data = load(io.BytesIO(sheet(ROWS)), name="labels.xlsx")
    other = sheet([["image", "who"], ["z", "P1"], ["y", "P2"], ["x, 1", "P1"]])
    assert read_column(io.BytesIO(other), data, name="who.xlsx").values == ["P1", "P2", "P1"]
    folds = sheet([["image", "fold"], ["z", 1], ["y", 0], ["x, 1", 1]])
    split = read_split(io.BytesIO(folds), data, name="folds.xlsx")
    assert split.folds.tolist() == [1, 0, 1]
    name, content = split.write_back([0, 0, 1])
    assert (name, content.decode()) == ("folds-repaired.csv", 'image,fold\nz,1\ny,0\n"x, 1",0\n')


def test_marks_that_a_sheet_has_are_kept():
    ids = ["'=x", "=x", "'-b", "''@c", "'=d'", "#e"]
    rows = [["image", "a", "b"], *([name, at % 2, 1] for at, name in enumerate(ids))]
    book = openpyxl.Workbook()
    for at, row in enumerate(rows, start=1):
        for column, value in enumerate(row, start=1):
            cell = book.active.cell(at, column, value)
            cell.data_type = "s" if isinstance(value, str) else "n"
    out = io.BytesIO()
    book.save(out)
    assert load(io.BytesIO(out.getvalue()), name="labels.xlsx").row_ids == tuple(ids)


def test_damaged_sheets_and_bombs_are_refused():
    content = sheet(ROWS)
    for cut in (len(content) // 2, len(content) - 30):
        with pytest.raises(FormatError):
            load(io.BytesIO(content[:cut]), name="labels.xlsx")
    with pytest.raises(FormatError, match="has no rows"):
        load(io.BytesIO(sheet([])), name="labels.xlsx")
    with pytest.raises(FormatError, match="damaged or no spreadsheet"):
        load(io.BytesIO(b"\xd0\xcf\x11\xe0" + bytes(600)), name="labels.xls")
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * 200_000_000)
    with pytest.raises(FormatError, match="would unpack to more than"):
        load(io.BytesIO(bomb.getvalue()), name="labels.xlsx")
