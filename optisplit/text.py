"""Names, times and tables as they are shown, safe to show anywhere: also names from users' files."""

from __future__ import annotations

import html
import math
import unicodedata
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


def clean_name(name: object, limit: int = 200) -> str:
    r"""Make one line of printable text from a name that came out of a file.

    - Composed characters are put in one form (NFC), so that equal names are equal.
    - Control, format and direction-changing characters are dropped; white space becomes single spaces.
    - Markup is kept as it stands: whoever shows the name escapes it for its own medium.
    """
    text = str(name)[: 8 * limit]  # no need to go through a whole book for a line
    if len(text) <= limit and text.isascii() and text.isprintable() and text == text.strip() and "  " not in text:
        return text
    text = unicodedata.normalize("NFC", text)
    kept = (" " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C")
    line = " ".join("".join(kept).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


_UNITS = ((1, "second", 90), (60, "minute", 90 * 60), (3600, "hour", 36 * 3600), (86_400, "day", float("inf")))
"""Seconds of each unit, its name, and up to how many seconds it is used."""


def capital(text: str) -> str:
    """Begin a text with a capital letter."""
    return text[:1].upper() + text[1:]


def about_time(seconds: float) -> str:
    """Say roughly how long something takes, for estimates that are right to within a factor of two or so."""
    if seconds < 0.75:
        return "less than a second"
    size, noun, _ = next(unit for unit in _UNITS if seconds < unit[2])
    return f"about {counted(max(1, int(float(f'{seconds / size:.1g}'))), noun)}"


ROUNDING = 1e-12
"""What rounding may leave of 0."""


def number(value: float, digits: int = 3) -> str:
    """Write a figure with the digits that count; zeros at its end stay, so that columns line up."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) <= ROUNDING:
        return "0"
    if value == round(value) or abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:,.{_decimals(value, digits)}f}" if abs(value) >= 1e-6 else f"{value:.{digits - 1}e}"


def short_number(value: float, digits: int = 4) -> str:
    """Write a figure as :func:`number` does, without zeros at its end."""
    text = number(value, digits)
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text


def from_to(low: float, high: float, digits: int = 4) -> str:
    """Write from where to where figures go, such as an interval."""
    return f"{short_number(low, digits)} to {short_number(high, digits)}"


def number_with_spread(mean: float, std: float) -> tuple[str, str]:
    """Write a mean, and its deviation with as many decimals."""
    if math.isnan(std):
        return number(mean), ""
    if std <= 1e-9 * abs(mean):  # what rounding leaves of equal figures
        return number(mean), "0"
    if abs(mean) < 1e-6:
        return number(mean), number(std)
    # as many decimals as the mean has, and more where the deviation would vanish
    n_decimals = max(0 if mean == round(mean) or mean >= 1000 else _decimals(mean), _decimals(std) - 2)
    return number(mean), f"{std:,.{n_decimals}f}"


def _decimals(value: float, digits: int = 3) -> int:
    """Count the decimals that so many digits of a number need."""
    return max(0, digits - 1 - math.floor(math.log10(abs(value))))


def percent(share: float, digits: int = 4, *, signed: bool = False) -> str:
    """Write a share in per cent, with no more digits than asked for; differences with the sign that they have.

    Sizes that somebody asked for have up to four digits, what is read and compared has two or three.

    Examples
    --------
    >>> percent(0.125), percent(1 / 3, 2), percent(0.0004, 2), percent(-0.25, 2, signed=True)
    ('12.5 %', '33 %', '0.04 %', '−25 %')
    """
    text = f"{short_number(abs(100 * share) if signed else 100 * share, digits)} %"
    return f"{'−' if share < 0 else '+'}{text}" if signed and text != "0 %" else text


_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do"}


def counted(count: int, noun: str, verb: str = "") -> str:
    """Write a number with its noun, and the verb after it if one is given, as the number asks for.

    Examples
    --------
    >>> counted(1, "row", "is"), counted(2_000, "entry"), counted(0, "label", "carries")
    ('1 row is', '2,000 entries', '0 labels carry')
    """
    if count == 1:
        return " ".join(filter(None, (f"{count:,}", noun, verb)))
    ends_in_ies = noun.endswith("y") and noun[-2] not in "aeiou"
    nouns = f"{noun[:-1]}ies" if ends_in_ies else f"{noun}s"
    verbs = _VERBS.get(verb) or (f"{verb[:-3]}y" if verb.endswith("ies") else verb.removesuffix("s"))
    return " ".join(filter(None, (f"{count:,}", nouns, verbs)))


def bytes_words(n_bytes: float) -> str:
    """Write an amount of memory, or the size of a file; a megabyte has a million bytes."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if n_bytes >= factor:
            return f"{short_number(n_bytes / factor, 3)} {unit}"
    return counted(int(n_bytes), "byte")


def span(low: int, high: int, noun: str) -> str:
    """Write from where to where a number goes, such as ``12–15 rows``."""
    return counted(low, noun) if low == high else f"{low:,}–{counted(high, noun)}"


def few(shown: Sequence[str], n_all: int) -> str:
    """Join the first of many, and say how many more there are."""
    left = n_all - len(shown)
    return ", ".join(shown) + (f" and {left:,} more" if left > 0 else "")


def listed(names: Sequence[object], limit: int = 5) -> str:
    """Quote names in a message, the first few of many: ``'a', 'b' and 7 more``."""
    return few([repr(str(name)) for name in names[:limit]], len(names))


MOST_NAMED = 12
"""Names that are given in full where people are to look at them all."""


def named(names: Sequence[object]) -> str:
    """Quote names that people are to confirm: all where they are not many, otherwise the first few."""
    return listed(names, len(names) if len(names) <= MOST_NAMED else 5)


def joined(names: Sequence[str], limit: int | None = None) -> str:
    """Join names as in a sentence, the first few of many."""
    if limit is not None and len(names) > limit:
        return few(names[:limit], len(names))
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


Cell: TypeAlias = str | tuple[str, str]
"""What stands in a cell of a table, and in small letters below it."""


def distinct_names(names: Sequence[str], taken: Iterable[str], noun: str) -> tuple[str, ...]:
    """Make names distinct from each other and from those that are taken already."""
    used = set(taken)
    distinct = []
    for name in names:
        title = name if name not in used else f"{noun} {name}"
        while title in used:
            title += "'"
        used.add(title)
        distinct.append(title)
    return tuple(distinct)


def shown_names(names: Iterable[Any]) -> tuple[str, ...]:
    """Name columns as they are shown: clean, and each otherwise."""
    return distinct_names([clean_name(name) for name in names], (), "column")


def html_table(
    caption: str,
    titles: Iterable[str],
    lines: Iterable[Iterable[Cell]],
    *,
    left: Collection[int] = (),
    notes: Iterable[str] = (),
) -> str:
    """Make a table as HTML, for notebooks and pages; the columns `left` are of words, and notes stand below lines."""
    head = [f'<th scope="col"{_mark(at, left)}>{html.escape(title)}</th>' for at, title in enumerate(titles)]
    body = []
    for line, note in zip_longest(lines, notes, fillvalue=""):
        name, *cells = map(_cell_html, line)
        cells = [f"<td{_mark(at, left)}>{cell}</td>" for at, cell in enumerate(cells, start=1)]
        body.append(f'<tr><th scope="row"{_mark(0, left)}>{name}</th>{"".join(cells)}</tr>')
        if note:
            body.append(f'<tr class="note"><td colspan="{len(head)}">{html.escape(note)}</td></tr>')
    about = f'<caption style="text-align: left">{html.escape(caption)}</caption>' if caption else ""
    return f"<table>{about}<thead><tr>{''.join(head)}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def _mark(column: int, left: Collection[int]) -> str:
    return ' class="left"' if column in left else ""


def _cell_html(cell: Cell) -> str:
    text, below = (cell, "") if isinstance(cell, str) else cell
    return html.escape(text) + (f"<br><small>{html.escape(below)}</small>" if below else "")


def plain(value: Any) -> Any:
    """Turn a value into what JSON has: numbers as numbers, what is no number as null, tables as lists of objects."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if hasattr(value, "items") and not hasattr(value, "to_dict"):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "to_dict"):  # a table
        return [plain(row) for row in value.to_dict("records")]
    if hasattr(value, "tolist"):  # of numpy
        return plain(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return str(value)
