"""The head of an ARFF file: its relation name and its columns."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from optisplit.errors import FormatError
from optisplit.io.source import decode_text
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.io.source import Source

QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
"""One quoted token; what is inside cannot be matched in two ways, so matching takes linear time."""

_CELL = re.compile(rf"\s*((?:{QUOTED})(?=\s*(?:,|$))|[^,]*)\s*(,|$)")
_QUOTED_NAME = re.compile(rf"({QUOTED})\s*(.*)", re.DOTALL)
_BARE_NAME = re.compile(r"(\S+)\s+(.*)", re.DOTALL)
_GLUED_NAME = re.compile(r"([^\s{]+)(\{.*)", re.DOTALL)
_BEFORE_COMMENT = re.compile(rf"((?:{QUOTED}|[^'\"%])*)%")
_TYPES = frozenset({"numeric", "real", "integer", "string", "date"})


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column."""

    name: str  # its name, without quotes
    values: tuple[str, ...] = ()  # the values declared, in their order; empty for numbers, texts and dates
    is_text: bool = False  # whether it holds texts or dates


@dataclass(frozen=True, slots=True)
class Header:
    """The head of a file."""

    relation: str  # relation name; MEKA keeps options in it
    attributes: tuple[Attribute, ...]  # the columns
    notes: tuple[str, ...] = ()  # sentences for the user

    @property
    def names(self) -> list[str]:
        """Names of all columns."""
        return [attribute.name for attribute in self.attributes]


def read_header(lines: Iterator[tuple[int, bytes]]) -> Header:
    """Read up to and including the ``@data`` line."""
    raw: list[tuple[int, bytes]] = []
    has_data = False
    for number, line in lines:
        if line[:5].lower() == b"@data":
            has_data = True
            break
        if line and not line.startswith(b"%"):
            raw.append((number, line))
    # one encoding for the whole head: names must not be read in two ways
    text, notes = decode_text(b"\n".join(line for _, line in raw))
    numbers = [number for number, _ in raw]
    header = _parsed(zip(numbers, text.split("\n") if raw else [], strict=True), notes)
    if not has_data:
        msg = "There is no @data line, so the ARFF file has columns but no rows; it may have been cut off."
        raise FormatError(msg)
    return header


def open_arff(source: Source) -> tuple[Header, Iterator[tuple[int, bytes]]]:
    """Read the head of an ARFF file."""
    lines = ((number, line.strip()) for number, line in source.lines())
    header = read_header(lines)
    return header, ((number, line) for number, line in lines if line and not line.startswith(b"%"))


def split_cells(row: str) -> list[str]:
    """Split at the commas that are not in quotes."""
    cells: list[str] = []
    at = 0
    while match := _CELL.match(row, at):
        cells.append(match[1].strip())
        at = match.end()
        if not match[2]:
            break
    return cells


def without_comment(text: str) -> str:
    """Take off a comment behind the values of a line: from a ``%`` that is not in quotes and follows a blank."""
    match = _BEFORE_COMMENT.match(text)
    return match[1].rstrip() if match and match[1][-1:].isspace() else text


def unquoted(token: str) -> str:
    r"""Take off quotes, and undo the escapes inside them; other tokens stay as they are."""
    if len(token) >= 2 and token[0] == token[-1] and token[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    return token


def _parsed(lines: Iterator[tuple[int, str]], notes: list[str]) -> Header:
    relation = ""
    attributes: list[Attribute] = []
    for number, line in lines:
        keyword, _, rest = line.replace("\t", " ").partition(" ")
        match keyword.lower():
            case "@relation":
                relation = unquoted(rest.strip())
            case "@attribute":
                attributes.append(_attribute(line[len(keyword) :].strip(), number))
            case _:
                msg = (
                    f"Line {number:,} is no ARFF: {clean_name(line[:200], 60)!r}; "
                    "before @data there are only @relation and @attribute lines and % comments."
                )
                raise FormatError(msg)
    if not attributes:
        msg = "The ARFF file has no @attribute lines, so it has no columns."
        raise FormatError(msg)
    return Header(relation, tuple(attributes), tuple(notes))


def _attribute(text: str, number: int) -> Attribute:
    for pattern in (_QUOTED_NAME, _BARE_NAME, _GLUED_NAME):
        match = pattern.match(text)
        if match and (attribute := _of_known_type(match[1], match[2].strip(), number)):
            return attribute
    msg = (
        f"Line {number:,}: the column {clean_name(text[:200], 60)!r} has no known type; "
        "numeric, real, integer, string, date and {a,b,...} are known."
    )
    raise FormatError(msg)


def _of_known_type(name: str, kind: str, number: int) -> Attribute | None:
    if kind.startswith("{"):
        if not kind.endswith("}"):
            kind = without_comment(kind)
        if not kind.endswith("}"):
            msg = f"Line {number:,}: the values of column {clean_name(name[:200], 60)!r} have no closing brace."
            raise FormatError(msg)
        return Attribute(unquoted(name), tuple(unquoted(cell) for cell in split_cells(kind[1:-1])))
    word = kind.split(maxsplit=1)[0].lower() if kind else ""
    if word == "relational":
        msg = (
            f"Line {number:,}: {clean_name(name[:200], 60)!r} is relational (a table in a cell), which is "
            "not read; flatten the file first."
        )
        raise FormatError(msg)
    return Attribute(unquoted(name), is_text=word in ("string", "date")) if word in _TYPES else None
