"""Lines of an id, labels and a text, with tabs between, as LibMultiLabel has them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.formats.label_text import of_words
from optisplit.io.source import decode_text

if TYPE_CHECKING:
    from optisplit.io.formats.sniffing import Head
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source


def is_id_text(head: Head) -> bool:
    """Tell whether lines are id, labels and text with tabs between, and no header above."""
    rows = [line.split(b"\t", 2) for line in head.lines if line.strip()]
    if len(rows) < 2 or any(len(row) != 3 for row in rows):
        return False
    are_prose = [row[2].count(b" ") >= 3 for row in rows]
    labels = [label for row in rows for label in row[1].split()]
    is_prose = are_prose[0] and sum(are_prose) > 0.8 * len(rows)
    return is_prose and len({row[0] for row in rows}) == len(rows) and len(set(labels)) < len(labels)


def read_id_text(source: Source) -> Parsed:
    r"""Read lines of an id, labels with blanks between, and a text, with tabs between (LibMultiLabel).

    - Lines of two columns have no id. What follows the second tab is text, whatever is in it.
    """
    words: list[str] = []
    counts: list[int] = []
    ids: list[str] = []
    widths: Counter[int] = Counter()
    first_of_width: dict[int, int] = {}
    n_blank = 0
    for number, line in source.lines():
        text = decode_text(line)[0].rstrip("\r\n")
        if not text.strip():
            n_blank += 1
            continue
        cells = text.split("\t", 2)
        widths[len(cells)] += 1
        first_of_width.setdefault(len(cells), number)
        labels = (cells[-2] if len(cells) > 1 else "").split()
        if len(cells) == 3:
            ids.append(cells[0])
        words += labels
        counts.append(len(labels))
    if len(widths) != 1 or 1 in widths:
        told = ", ".join(f"{n:,} with {width} (first in line {first_of_width[width]:,})" for width, n in widths.items())
        msg = (
            f"{source.name!r} needs lines of an id, labels and a text, or of labels and a text, with tabs between; "
            f"by their columns there are: {told or 'none'}."
        )
        raise FormatError(msg)
    parsed = of_words(words, counts, n_blank, source)
    parsed.row_ids = ids or None
    parsed.form = "Lines of id, labels and text" if ids else "Lines of labels and text"
    n_labels = parsed.labels.shape[1]
    parsed.rule = f"The {'second' if ids else 'first'} column has labels with blanks between: {n_labels:,} of them."
    return parsed
