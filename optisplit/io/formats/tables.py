"""The labels of tables: text, JSON and Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.io.layouts.reading import labels_of_table
from optisplit.io.tables.objects import open_objects
from optisplit.io.tables.parquet import open_parquet_table
from optisplit.io.tables.table import TableOptions
from optisplit.io.tables.text import open_text

if TYPE_CHECKING:
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source


def read_delimited(source: Source, **options: Any) -> Parsed:
    """Read the labels of a text table.

    - Labels are columns of 0 and 1 (also 0.0/1.0, True/False, yes/no); or are named in a column of lists, in several
      columns, or in a line for each pair of row and label.
    - Without `label_columns`, all columns whose every value is 0 or 1 are taken, but for row ids and columns whose
      names say that they are folds or groups; a note names them.
    - A column that is 0/1 but for a few other values is an error, not a feature: it is more likely a mistake.
    """
    asked = TableOptions(**options)
    with open_text(source, asked) as table:
        parsed = labels_of_table(table, asked)
    if source.sheet is None:
        parsed.details["Text"] = "Latin-1" if source.encoding == "latin-1" else "UTF-8"
    return parsed


def read_json(source: Source, **options: Any) -> Parsed:
    """Read the labels of objects: one a line, in one list, or by their names in one object.

    - A key with a list of texts or numbers has the labels of the row; an empty list means none, a key that is missing
      or null that they are missing.
    - Otherwise the keys are the columns of a table, in the layouts that tables have.
    """
    asked = TableOptions(**options)
    with open_objects(source) as table:
        return labels_of_table(table, asked)


def read_parquet(source: Source, **options: Any) -> Parsed:
    """Read the labels of a Parquet file.

    - A list column has the labels of each row: an empty list means none, a null that they are missing. Class numbers
      get their names where the file has those (Hugging Face's ``ClassLabel``). Lists of one length with nothing but 0
      and 1 are a row of indicators.
    - Otherwise the layouts of text tables are found. Only the columns that are needed are read.
    """
    asked = TableOptions(**options)
    with open_parquet_table(source, asked) as table:
        return labels_of_table(table, asked)
