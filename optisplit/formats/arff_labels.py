"""Which columns of an ARFF file are labels: MULAN's XML, MEKA's relation name, or the user says so."""

from __future__ import annotations

import difflib
import html
import re
import unicodedata
from collections import defaultdict
from typing import TYPE_CHECKING
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from optisplit.errors import FormatError, OptionError, listed
from optisplit.formats.arff_header import Header, unquoted
from optisplit.formats.base import FileLike, Source, read_source
from optisplit.formats.cells import OTHER, cell_code
from optisplit.formats.columns import chosen_columns
from optisplit.text import clean_name

if TYPE_CHECKING:
    from collections.abc import Sequence

_MEKA_COUNT = re.compile(r"(?:^|[:\s])-[cC]\s*(-?\d{1,9})(?!\d)")
_MAX_XML_BYTES = 20_000_000


def label_columns_of(
    header: Header,
    source: Source,
    *,
    label_columns: int | Sequence[str] | None,
    label_file: FileLike | None,
) -> tuple[list[int], list[str]]:
    """Find the label columns.

    The first of these that there is decides: `label_columns`, `label_file`, an XML file beside the ARFF file,
    MEKA's ``-C`` in the relation name.

    Parameters
    ----------
    header : Header
        Relation and columns.
    source : Source
        The ARFF file.
    label_columns : int or sequence of str, optional
        What the user says.
    label_file : path or binary file object, optional
        MULAN's XML.

    Returns
    -------
    columns : list of int
        Column numbers, from 0.
    notes : list of str
        How they were found, in sentences for the user.

    Raises
    ------
    FormatError
        If nothing tells the labels, or the XML does not fit.
    OptionError
        If the arguments contradict each other or do not fit.
    """
    if label_columns is not None:
        if label_file is not None:
            msg = "Give either label_columns or label_file, not both."
            raise OptionError(msg)
        columns = chosen_columns(label_columns, header.names)
        return columns, [_note(header, columns, "as asked for")]
    xml = label_file if label_file is not None else source.sibling(".xml", ".xml.gz")
    if xml is not None:
        return _from_xml(read_source(xml), header)
    if match := _MEKA_COUNT.search(header.relation):
        return _from_meka(int(match[1]), header)
    msg = (
        f"Nothing in {source.name!r} says which of its {len(header.attributes):,} columns are labels. Add "
        "MULAN's XML (label_file), or say which columns are labels (label_columns): N for the last N columns, -N for "
        "the first N, or the names of the columns."
    )
    raise FormatError(msg)


def xml_label_names(xml: Source) -> list[str]:
    """Read the label names from MULAN's XML.

    Parameters
    ----------
    xml : Source
        The file.

    Returns
    -------
    list of str
        The names, in the file's order, nested ones included.

    Raises
    ------
    FormatError
        If it is no such XML.
    """
    if len(xml.data) > _MAX_XML_BYTES:
        msg = f"{xml.name!r} is too large for a list of label names."
        raise FormatError(msg)
    try:
        root = fromstring(xml.data, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:  # the last two: odd encodings
        msg = f"{xml.name!r} is no readable XML ({clean_name(error, 100)}); MULAN's label list is needed."
        raise FormatError(msg) from error
    if _local(root.tag) != "labels":
        msg = f"{xml.name!r} is XML but no MULAN label list: its root is <{_local(root.tag)}>, not <labels>."
        raise FormatError(msg)
    names = [element.get("name") for element in root.iter() if _local(element.tag) == "label"]
    if not names or None in names:
        msg = f"{xml.name!r} names no labels, or has a <label> without a name."
        raise FormatError(msg)
    return [name for name in names if name is not None]


def _local(tag: object) -> str:
    return clean_name(str(tag).rpartition("}")[2], 40)


def _from_xml(xml: Source, header: Header) -> tuple[list[int], list[str]]:
    wanted = list(dict.fromkeys(xml_label_names(xml)))
    names = header.names
    exact: dict[str, list[int]] = defaultdict(list)
    loose: dict[str, list[int]] = defaultdict(list)
    for j, name in enumerate(names):
        exact[name].append(j)
        loose[_loose(name)].append(j)
    # .get: looking a name up must not add it
    found = {name: exact.get(name) or loose.get(_loose(name)) or [] for name in wanted}
    absent = [name for name, at in found.items() if not at]
    if absent:
        raise _absent_error(absent, len(wanted), names, xml.name)
    repeated = [name for name, at in found.items() if len(at) > 1]
    if repeated:
        msg = f"{len(repeated):,} label(s) fit more than one column: {listed(repeated)}; rename them."
        raise FormatError(msg)
    columns = sorted({at[0] for at in found.values()})  # MULAN numbers labels in the order of the columns
    note = f"{len(columns):,} of {len(names):,} columns are labels: those named in {clean_name(xml.name)!r}."
    return columns, [note]


def _loose(name: str) -> str:
    """Reduce a name to what stays the same however it was quoted and escaped."""
    bare = unquoted(html.unescape(name).strip())
    text = re.sub(r"\\(.)", r"\1", bare)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _absent_error(absent: list[str], n_wanted: int, names: list[str], xml_name: str) -> FormatError:
    folded = {name.casefold(): name for name in names}
    hints = []
    for name in absent[:3]:
        near = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.75)
        if near:
            hints.append(f"{clean_name(name)!r} may be {clean_name(folded[near[0]])!r}")
    hint = f"\nHint: {'; '.join(hints)}." if hints else ""
    if len(absent) == n_wanted and not hints:
        hint = "\nHint: the XML may belong to another data set."
    return FormatError(
        f"{len(absent):,} of the {n_wanted:,} labels named in {clean_name(xml_name)!r} are not in the ARFF "
        f"file: {listed([clean_name(name) for name in absent])}.{hint}"
    )


def _from_meka(number: int, header: Header) -> tuple[list[int], list[str]]:
    n_columns = len(header.attributes)
    if not 1 <= abs(number) <= n_columns:
        msg = f"The relation name says -C {number}, but there are {n_columns:,} columns; give label_columns."
        raise FormatError(msg)
    columns = list(range(number)) if number > 0 else list(range(n_columns + number, n_columns))
    notes = [_note(header, columns, f"as the relation name says (-C {number})")]
    other_end = header.attributes[-number:] if number > 0 else header.attributes[:-number]
    if abs(number) < n_columns and all(_is_binary(each.values) for each in other_end):
        end = "last" if number > 0 else "first"
        notes.append(
            f"The {end} {abs(number):,} columns are 0/1 too: if those are the labels, give label_columns={number}."
        )
    return columns, notes


def _is_binary(values: tuple[str, ...]) -> bool:
    return bool(values) and all(cell_code(value) < OTHER for value in values)


def _note(header: Header, columns: list[int], why: str) -> str:
    first, last = (clean_name(header.attributes[j].name) for j in (columns[0], columns[-1]))
    n_columns = len(header.attributes)
    return f"{len(columns):,} of {n_columns:,} columns are labels, {first!r} to {last!r}, {why}."
