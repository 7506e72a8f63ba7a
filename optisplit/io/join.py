"""Which rows of the data each line of another table is for.

- Tables are joined by a key: a column that both have under the same name, or that the user names; or the names of the
  data's rows, found by their values; or row numbers. By the order of lines only where there is no key, and the counts
  agree, and nothing else that both tables have says otherwise.
- How rows were found is said, and what is named but is no row of the data is told to the caller.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.candidates import Candidate, best_candidate, common_places, is_counter, likeliest
from optisplit.io.keys import PLAIN_NUMBER, compared, name_counts, names_left_out, own_columns, own_names, told_of_case
from optisplit.io.line_rows import LineRows
from optisplit.io.row_names import (
    LIKELY_IDS,
    Naming,
    are_of_file,
    base_of,
    is_id_name,
    unknown_in,
    whole_numbers,
)
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from optisplit.io.keys import Key
    from optisplit.io.row_names import RowNaming, RowNumbers
    from optisplit.io.second_tables import Table
    from optisplit.labels import MultilabelDataset


def join(
    table: Table,
    taken: int | None,
    data: MultilabelDataset,
    asked: RowNaming | None = None,
    key: Key | None = None,
) -> LineRows:
    """Find the rows of each line; lines without a row, and rows without a line, are let be."""
    return _without_left_out(_joined(table, taken, data, asked, key), data)


def _without_left_out(found: LineRows, data: MultilabelDataset) -> LineRows:
    """Count lines of rows that were left out of the data not among those that are for no row."""
    left_out = names_left_out(data, found.naming.title) if found.unknown and found.naming is not None else set()
    unknown = tuple(name for name in found.unknown if name not in left_out)
    n_left_out = len(found.unknown) - len(unknown)
    if not n_left_out:
        return found
    note = f"{counted(n_left_out, 'line')} of it {'is' if n_left_out == 1 else 'are'} for rows that were left out."
    return replace(found, unknown=unknown, notes=(*found.notes, note))


def _joined(
    table: Table, taken: int | None, data: MultilabelDataset, asked: RowNaming | None, key: Key | None
) -> LineRows:
    if key is not None:
        return _by_asked_key(table, taken, data, key)
    if asked != "order" and not (table.is_own and asked is None):
        found = find_key(table, taken, data, asked)
        if found is not None:
            return found
        if asked is not None:
            way = "the data's row ids" if asked == "ids" else "row numbers"
            msg = f"No column of {table.name} holds {way}: {listed(table.header)}."
            raise OptionError(msg)
        _refuse_strangers(table, taken, data)
    return _in_order(table, taken, data)


def find_key(
    table: Table, taken: int | None, data: MultilabelDataset, asked: RowNaming | None = None
) -> LineRows | None:
    """Join by the column that says best which row is meant; None where none does."""
    best = best_candidate(table, taken, data) if asked in (None, "ids") else None
    numbers = _by_numbers(table, taken, data, asked) if asked != "ids" else None
    if best is None:
        return numbers
    if name_counts(best.names) or "" in best.names:  # what tells rows apart that share a name, or have none
        if numbers is not None and (best.is_counter or _agree(numbers, best)):  # lines are counted: that names none
            return numbers
        return _by_two_columns(best, taken, data) or best.joined(taken)
    return best.joined(taken)


def _by_two_columns(best: Candidate, taken: int | None, data: MultilabelDataset) -> LineRows | None:
    """Join by names that repeat in both tables and a further column, where both together tell all rows apart."""
    table, entries = best.table, best.found.entries
    if len(entries) != data.n_rows or list(entries) == list(best.found.names):
        return None
    places = {title: at for title, at in common_places(table, taken, data).items() if at != best.at}
    for title, values in own_columns(data, places).items():
        given = [clean_name(each) for each in table.column(places[title])]
        place = {pair: row for row, pair in enumerate(zip(best.found.names, values, strict=True))}
        rows = [place.get(pair, -1) for pair in zip(entries, given, strict=True)]
        if sorted(rows) == list(range(data.n_rows)):
            how = f"matched to the rows by columns {best.title!r} and {title!r}"
            return LineRows(np.asarray(rows, dtype=np.int64), how)
    return None


def _agree(numbers: LineRows, best: Candidate) -> bool:
    """Tell whether row numbers and names speak of the same rows."""
    if numbers.key == best.at or (numbers.rows < 0).any():
        return False
    return [best.found.names[row] for row in numbers.rows.tolist()] == list(best.found.entries)


def _by_numbers(table: Table, taken: int | None, data: MultilabelDataset, asked: RowNaming | None) -> LineRows | None:
    columns = likeliest(table.header, taken)
    likely = [at for at in columns if asked is not None or is_id_name(table.header[at])]
    return next((found for at in likely if (found := _numbers_in(table, at, data, asked)) is not None), None)


def _numbers_in(table: Table, at: int, data: MultilabelDataset, asked: RowNaming | None = None) -> LineRows | None:
    """Join by a column of row numbers; None where it is none."""
    texts = table.column(at)
    numbers = whole_numbers(texts)
    naming = _numbering(numbers, data, asked)
    rows = naming.rows(numbers)
    least = (0.5 if table.header[at].strip().lower() in LIKELY_IDS[:2] else 0.9) * min(len(texts), data.n_rows)
    if not texts or (rows >= 0).mean() < 0.5 or len(np.unique(numbers)) < least:
        return None
    how = f"matched to the rows by their numbers from {naming.base} in column {table.header[at]!r}"
    how += "" if naming.kept_rows is None else ", as they stand in the data's file"
    return LineRows(rows, how, at, naming, tuple(unknown_in(texts, rows)))


def _numbering(numbers: RowNumbers, data: MultilabelDataset, asked: RowNaming | None) -> Naming:
    kept_rows = None if data.reading is None else data.reading.kept_rows
    if asked is not None:
        return Naming(data.n_rows, int(asked == "from 1"), are_texts=True)
    if kept_rows is not None and are_of_file(numbers, kept_rows, data.n_rows):
        return Naming(data.n_rows, 0, are_texts=True, kept_rows=kept_rows)
    return Naming(data.n_rows, base_of(numbers, data.n_rows), are_texts=True)


def _in_order(table: Table, taken: int | None, data: MultilabelDataset) -> LineRows:
    reading = data.reading
    if reading is not None and reading.kept_rows is not None and len(table.lines) == reading.n_file_rows:
        rows = np.full(len(table.lines), -1, dtype=np.int64)
        rows[reading.kept_rows] = np.arange(data.n_rows)
        return LineRows(rows, "in the order of the rows of the data's file, of which some were left out")
    title = "" if taken is None else table.header[taken]
    table.check_length(data.n_rows, f" below the header with {title!r}" if title else "")
    others = (each.lower() for at, each in enumerate(table.header) if at != taken)
    how = "in the order of the rows"
    if data.row_ids is None and any(each in LIKELY_IDS[:6] for each in others):
        how += " (the data has no row ids to compare with)"
    return LineRows(np.arange(data.n_rows), how)


def _by_asked_key(table: Table, taken: int | None, data: MultilabelDataset, key: Key) -> LineRows:
    """Join by the column that the user names."""
    own, names = key.own, own_columns(data, [key.own]).get(key.own)
    if names is None and key.other is None and key.own in table.header:  # the name is that in the other table
        own, names = data.key or "", list(data.row_ids or ())
        numbers = _numbers_in(table, table.find(key.own), data)
        if numbers is not None and (
            data.row_ids is None or compared(table.column(numbers.key or 0), names).share <= 0.5
        ):
            return numbers
    if names is None:
        names = list(own_names(data, key.own))
    title = next((each for each in (key.other, key.own) if each in table.header), key.other)
    places = [table.find(title)] if title is not None else likeliest(table.header, taken)
    if not places:
        msg = f"{table.name} has one value a line, and no column that says which row each is for; leave "
        raise OptionError(msg + argument("key") + " out, or give a table.")
    column = ([clean_name(each) for each in table.column(at)] for at in places)
    found = [
        Candidate(table, at, own or None, names, compared(entries, names))
        for at, entries in zip(places, column, strict=True)
    ]
    best = max(found, key=lambda each: each.rank)
    if best.found.share <= 0.5:
        raise _wrong_key(best, taken, data, title)
    return best.joined(taken)


def _wrong_key(best: Candidate, taken: int | None, data: MultilabelDataset, title: str | None) -> OptionError:
    """Say that hardly anything matches, and what would."""
    table, entries, names = best.table, best.table.column(best.at), best.names
    n_known = round(best.found.of_entries * len(entries))
    where = f"column {title!r}" if title is not None else "any column"
    msg = f"{n_known:,} of the {counted(len(entries), 'line')} of {table.name} have a value in {where} that the data's "
    msg += f"column {best.own!r} has: {listed(entries, 3)} there, {listed(names, 3)} in the data."
    msg += told_of_case(entries, names)
    better = best_candidate(table, taken, data)
    if better is None or better.own is None:
        return OptionError(msg)
    given = better.own if better.own == better.title else f"{better.own}={better.title}"
    return OptionError(msg + "\nHint: " + argument("key", given) + " would do.")


def _refuse_strangers(table: Table, taken: int | None, data: MultilabelDataset) -> None:
    """Refuse lines that must not be taken in order: their ids are not the data's, or they stand in another order."""
    own = {} if table.is_own else own_columns(data, common_places(table, taken, data))
    if data.row_ids is not None:
        at = next(
            (j for j, each in enumerate(table.header) if each.strip().lower() in ("row_id", "id") and j != taken), None
        )
        if at is not None:
            own = {table.header[at]: list(data.row_ids), **own}
    hint = "\nHint: if its lines are in the order of the rows, leave that column out, or say so of a split ("
    hint += argument("rows", "order", of="read_split") + ")."
    for title, names in own.items():
        entries = [clean_name(each) for each in table.column(table.header.index(title))]
        are_names = title == data.key or len(set(names)) == len(names) or is_id_name(title)
        if are_names and len(set(entries)) > 0.9 * len(set(names)) and compared(entries, names).share <= 0.5:
            msg = (
                f"Hardly any of the ids of {table.name} (column {title!r}: {listed(entries, 3)}) are rows of the data, "
            )
            msg += f"which are called {listed(names, 3)}." + told_of_case(entries, names)
            raise FormatError(msg + hint)
        if entries != names and sorted(entries) == sorted(names):
            line = next(at for at, (given, held) in enumerate(zip(entries, names, strict=True)) if given != held)
            msg = f"The lines of {table.name} are not in the order of the rows: column {title!r} has {entries[line]!r} "
            msg += f"in line {table.lines[line].line:,}, and {names[line]!r} in that row of the data; no column that "
            msg += "both have tells the rows apart."
            raise FormatError(msg + hint)
    _refuse_doubtful(table, taken, data)


def _refuse_doubtful(table: Table, taken: int | None, data: MultilabelDataset) -> None:
    """Refuse lines with names or numbers of all rows in another order, in a column that was not taken for them."""
    if table.is_own or len(table.lines) != data.n_rows:
        return
    for at in likeliest(table.header, taken)[:8]:
        entries = [clean_name(each) for each in table.column(at)]
        if is_counter(entries) or len(set(entries)) < len(entries):
            continue
        told, advice = told_of_case(entries, data.row_ids or ()), "write its names as the data has them"
        if all(map(PLAIN_NUMBER.fullmatch, entries)):
            numbers = np.sort(whole_numbers(entries))
            are_rows = numbers[0] in (0, 1) and int(numbers[-1] - numbers[0]) == len(numbers) - 1
            if not are_rows and (data.row_ids is None or compared(entries, data.row_ids).share < 1):
                continue
            told, advice = " It has those of all rows, in another order.", "call it row_id"
        if told:
            msg = f"Column {table.header[at]!r} of {table.name} may say which row each line is for.{told}"
            raise FormatError(msg + f"\nHint: if it does, {advice}; if not, leave it out.")
