"""Dictionaries of large JSON Lines, taken apart by Arrow: objects in Python would take many times as long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.io.layouts import arrow
from optisplit.io.layouts.dictionaries import Dictionaries

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.io.layouts.collector import Numbered
    from optisplit.io.source import Source

_UNIT = "\x1f"  # parts nothing: no line has it


class _NotPlainError(Exception):
    """A line is not as plain as most are; never leaves this module."""


def dictionaries_of_lines(
    source: Source, name: str, id_name: str | None, numbers: Numbered
) -> list[Dictionaries] | None:
    """Read a key with dictionaries of numbers, and that of row names; None where it has to be read the careful way.

    Lines are plain if they have no escapes and no braces but their own and the dictionary's: then what stands behind
    the key is the dictionary, and quotes in it are those of its keys.
    """
    import pyarrow as pa

    if source.n_bytes <= arrow.LARGE_BYTES or source.encoding == "latin-1":
        return None
    known = len(numbers.names)
    try:
        return [_read(lines, name, id_name, numbers) for lines in _lines(source)]
    except (pa.ArrowException, UnicodeDecodeError, _NotPlainError):
        for each in numbers.names[known:]:
            del numbers[each]
        del numbers.names[known:]
        return None


def _lines(source: Source) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.csv as pc

    with pc.open_csv(
        source.open_bytes(),
        read_options=pc.ReadOptions(column_names=["line"], block_size=1 << 23),
        parse_options=pc.ParseOptions(delimiter=_UNIT, quote_char=False, escape_char=False),
        convert_options=pc.ConvertOptions(column_types={"line": pa.string()}, strings_can_be_null=False),
    ) as reader:
        for batch in reader:
            yield batch.column(0)


def _read(lines: Any, name: str, id_name: str | None, numbers: Numbered) -> Dictionaries:
    import pyarrow as pa
    import pyarrow.compute as pc

    for mark, count in (("{", 2), ("}", 2), ("\\", 0)):
        _require(pc.equal(pc.count_substring(lines, mark), count))
    found = _extracted(
        lines, rf'^\s*\{{(?:[^{{}}]*,)?\s*"{re.escape(name)}"\s*:\s*\{{(?P<d>[^{{}}]*)\}}[^{{}}]*\}}\s*$'
    )
    pieces = pc.split_pattern(found.field("d"), '"')
    n_pieces = pc.list_value_length(pieces).to_numpy()
    if (n_pieces % 2 == 0).any():
        raise _NotPlainError
    flat = pieces.flatten()
    within = np.arange(len(flat)) - np.repeat(np.cumsum(n_pieces) - n_pieces, n_pieces)
    _require(pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(flat.filter(pa.array(within == 0)).unique())), 0))
    encoded = flat.filter(pa.array(within % 2 == 1)).dictionary_encode()
    keys = numbers.of(encoded.dictionary.to_pylist())[encoded.indices.to_numpy()]
    encoded = flat.filter(pa.array((within % 2 == 0) & (within > 0))).dictionary_encode()
    kinds = encoded.dictionary
    _require(pc.match_substring_regex(kinds, r"^\s*:\s*-?[0-9][0-9.eE+-]*\s*,?\s*$"))
    values = pc.cast(pc.utf8_trim(kinds, " \t:,"), pa.float64()).to_numpy()
    if (values == -1).any():  # to be told of by its line
        raise _NotPlainError
    values = values[encoded.indices.to_numpy()]
    is_whole = not pc.any(pc.match_substring_regex(kinds, "[.eE]")).as_py()
    row_ids: list[str] = []
    if id_name is not None:
        key = rf'[{{,]\s*"{re.escape(id_name)}"\s*:\s*(?P<q>"?)(?P<v>[^",{{}}\[\]]*)"?\s*[,}}]'
        ids = _extracted(lines, key)
        is_text = pc.equal(ids.field("q"), '"')
        _require(pc.or_(is_text, pc.match_substring_regex(ids.field("v"), r"^-?[0-9]+\s*$")))
        row_ids = pc.if_else(is_text, ids.field("v"), pc.utf8_trim_whitespace(ids.field("v"))).to_pylist()
    return Dictionaries(keys, values, n_pieces // 2, np.zeros(0, dtype=int), is_whole, row_ids)


def _extracted(lines: Any, pattern: str) -> Any:
    import pyarrow.compute as pc

    found = pc.extract_regex(lines, pattern)
    _require(pc.is_valid(found))
    return found


def _require(is_so: Any) -> None:
    import pyarrow.compute as pc

    if len(is_so) and not pc.all(is_so).as_py():
        raise _NotPlainError
