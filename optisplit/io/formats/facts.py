"""The card that says how a file was read: what there is to say of the file itself, then of its rows and labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.labels.facts import entries_of
from optisplit.text import bytes_words, clean_name

if TYPE_CHECKING:
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source
    from optisplit.labels import MultilabelDataset


def describe(data: MultilabelDataset, parsed: Parsed, source: Source) -> dict[str, str]:
    """Write how a file was read, line by line."""
    given = source.sheet or source
    name, size = clean_name(given.name), bytes_words(given.n_bytes) if given.n_bytes else "in memory"
    entries = {"Folder": name} if source.is_folder else {"File": f"{name}, {size}"}
    if source.compression is not None:
        entries["Packed with"] = source.compression
    if parsed.form:
        entries["Form"] = parsed.form
    if parsed.rule:
        entries["Labels chosen by"] = parsed.rule
    return entries | parsed.details | entries_of(data)
