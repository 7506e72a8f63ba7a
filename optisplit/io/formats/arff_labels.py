"""Which columns of an ARFF file are labels: MULAN's XML, MEKA's relation name, or the user says so."""

from __future__ import annotations

import dataclasses
import difflib
import html
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from optisplit.errors import FormatError, OptionError, argument
from optisplit.io.formats.arff_header import Header, unquoted
from optisplit.io.layouts.cells import OTHER, cell_code
from optisplit.io.layouts.columns import chosen_columns
from optisplit.io.source import FileLike, Source, read_source
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

_MEKA_COUNT = re.compile(r"(?:^|[:\s])-[cC]\s*(-?\d{1,9})(?!\d)")
_MAX_XML_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """Which columns of an ARFF file are labels."""

    columns: tuple[int, ...]  # column numbers, from 0
    rule: str  # how they were found, one sentence
    origin: Literal["said", "XML", "MEKA"]  # what told them
    notes: tuple[str, ...] = ()  # what else the user should know
    # for labels that stand below another in the XML: their column and that of the other
    parents: dict[int, int] = field(default_factory=dict)
    hint: str = ""  # what to do should these columns turn out to be no labels


def label_columns_of(
    header: Header,
    source: Source,
    *,
    label_columns: int | Sequence[str] | None,
    label_file: FileLike | None,
) -> LabelColumns:
    """Find the label columns.

    The first of these that there is decides: `label_columns`, `label_file`, an XML file beside the ARFF file,
    MEKA's ``-C`` in the relation name.
    """
    found = _found(header, source, label_columns, label_file)
    several = [header.attributes[j] for j in found.columns if _has_several_values(header.attributes[j].values)]
    if several:
        values = listed([clean_name(value) for value in several[0].values], 6)
        also = f" So it is with {len(several) - 1:,} more." if len(several) > 1 else ""
        msg = (
            f"The label {clean_name(several[0].name)!r} takes the values {values}, so it is a class with several "
            f"values and not a label of 0 and 1.{also} Make a 0/1 column of each value first, or, if it is no label, "
            "say which columns are (" + argument("label_columns") + ")."
        )
        raise FormatError(msg + "\nHint: " + found.hint if found.hint else msg)
    if all(header.attributes[j].name.endswith("-") for j in found.columns):
        note = "All names of labels end with '-', as MEKA writes those that it moves to the front; they were kept so."
        return dataclasses.replace(found, notes=(*found.notes, note))
    return found


def _found(
    header: Header, source: Source, label_columns: int | Sequence[str] | None, label_file: FileLike | None
) -> LabelColumns:
    if label_columns is not None:
        if label_file is not None:
            msg = "Give either " + argument("label_columns") + " or " + argument("label_file") + ", not both."
            raise OptionError(msg)
        columns = chosen_columns(label_columns, header.names)
        return LabelColumns(tuple(columns), _note(header, columns, "as asked for"), "said")
    xml = label_file if label_file is not None else source.sibling(".xml")
    match = _MEKA_COUNT.search(header.relation)
    if xml is not None:
        of_xml = _from_xml(read_source(xml), header)
        if match is None or set(of_xml.columns) == set(_meka_columns(int(match[1]), len(header.attributes))):
            return of_xml
        note = f"The relation name says -C {int(match[1])}, which are other columns; the XML was followed."
        return dataclasses.replace(of_xml, notes=(*of_xml.notes, note))
    if match:
        return _from_meka(int(match[1]), header)
    msg = (
        f"Nothing in {source.name!r} says which of its {len(header.attributes):,} columns are labels. Add "
        "MULAN's XML ("
        + argument("label_file")
        + "), or say which columns are labels ("
        + argument("label_columns")
        + "): N for the last N columns, -N for the first N, or the names of the columns."
    )
    raise FormatError(msg)


def stated_train_rows(relation: str, n_rows: int) -> int | None:
    """Find the split into training and test rows that MEKA's options in the relation name state."""
    if match := re.search(r"[:\s]-split-number\s+(\d{1,9})(?!\S)", relation):
        n_train = int(match[1])
    elif match := re.search(r"[:\s]-split-percentage\s+(\d{1,2}(?:\.\d{1,9})?)(?!\S)", relation):
        n_train = round(n_rows * float(match[1]) / 100)
    else:
        return None
    return n_train if 0 < n_train < n_rows else None


def stated_split(relation: str) -> str:
    """Give MEKA's option that states a split, as it stands in the relation name."""
    match = re.search(r"[:\s](-split-(?:number|percentage)\s+[-+.\d]{1,20})", relation)
    return match[1] if match else ""


def xml_label_names(xml: Source) -> dict[str, str | None]:
    """Read the label names from MULAN's XML."""
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
    parent_of: dict[str, str | None] = {}
    open_ones: list[tuple[Any, str | None]] = [(root, None)]  # a list, not recursion, which a deep file would break
    while open_ones:
        element, above = open_ones.pop()
        name = above
        if _local(element.tag) == "label":
            name = element.get("name")
            if name is None:
                msg = f"{xml.name!r} has a <label> without a name."
                raise FormatError(msg)
            parent_of.setdefault(name, above)
        open_ones += [(child, name) for child in reversed(element)]
    if not parent_of:
        msg = f"{xml.name!r} names no labels."
        raise FormatError(msg)
    return parent_of


def _local(tag: object) -> str:
    return clean_name(str(tag).rpartition("}")[2], 40)


def _from_xml(xml: Source, header: Header) -> LabelColumns:
    parent_of = xml_label_names(xml)
    wanted = list(parent_of)
    names = header.names
    exact: dict[str, list[int]] = defaultdict(list)
    loose: dict[str, list[int]] = defaultdict(list)
    for j, name in enumerate(names):
        exact[name].append(j)
        loose[_loose(name)].append(j)
        if name.endswith("-"):  # MEKA's files whose labels were moved to the front
            loose[_loose(name[:-1])].append(j)
    # .get: looking a name up must not add it
    found = {name: exact.get(name) or loose.get(_loose(name)) or [] for name in wanted}
    missing = [name for name, at in found.items() if not at]
    if missing:
        raise _missing_error(missing, len(wanted), names, xml.name)
    repeated = [name for name, at in found.items() if len(at) > 1]
    if repeated:
        msg = f"{counted(len(repeated), 'label', 'fits')} more than one column: {listed(repeated)}; rename them."
        raise FormatError(msg)
    columns = sorted({at[0] for at in found.values()})  # MULAN numbers labels in the order of the columns
    rule = f"{len(columns):,} of {len(names):,} columns are labels: those named in {clean_name(xml.name)!r}."
    at = {name: found[name][0] for name in wanted}
    parents = {at[name]: at[above] for name, above in parent_of.items() if above is not None and above != name}
    return LabelColumns(tuple(columns), rule, "XML", parents=parents)


def _loose(name: str) -> str:
    """Reduce a name to what stays the same however it was quoted and escaped."""
    bare = unquoted(html.unescape(name).strip())
    text = re.sub(r"\\(.)", r"\1", bare)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _missing_error(missing: list[str], n_wanted: int, names: list[str], xml_name: str) -> FormatError:
    folded = {name.casefold(): name for name in names}
    hints = []
    for name in missing[:3]:
        near = difflib.get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.75)
        if near:
            hints.append(f"{clean_name(name)!r} may be {clean_name(folded[near[0]])!r}")
    hint = f"\nHint: {'; '.join(hints)}." if hints else ""
    if len(missing) == n_wanted and not hints:
        hint = "\nHint: the XML may belong to another data set."
    return FormatError(
        f"{len(missing):,} of the {n_wanted:,} labels named in {clean_name(xml_name)!r} are not in the ARFF "
        f"file: {listed([clean_name(name) for name in missing])}.{hint}"
    )


def _from_meka(number: int, header: Header) -> LabelColumns:
    n_columns = len(header.attributes)
    if not 1 <= abs(number) <= n_columns:
        msg = f"The relation name says -C {number}, but there are {n_columns:,} columns; give "
        msg += argument("label_columns") + "."
        raise FormatError(msg)
    columns = _meka_columns(number, n_columns)
    notes = []
    other_end = header.attributes[-number:] if number > 0 else header.attributes[:-number]
    end, hint = "last" if number > 0 else "first", ""
    if abs(number) < n_columns and all(_is_binary(each.values) for each in other_end):
        if all(_is_binary(header.attributes[j].values) for j in columns):
            notes.append(
                f"The {end} {abs(number):,} columns are 0/1 too: if those are the labels, give "
                + argument("label_columns", number)
                + "."
            )
        else:
            hint = (
                f"the {end} {abs(number):,} columns are declared as 0/1, so the sign of -C {number} may be wrong; "
                "if those are the labels, give " + argument("label_columns", number) + "."
            )
            notes.append("Look at the labels: " + hint)
    rule = _note(header, columns, f"as the relation name says (-C {number})")
    return LabelColumns(tuple(columns), rule, "MEKA", tuple(notes), hint=hint)


def _meka_columns(number: int, n_columns: int) -> list[int]:
    return list(range(number)) if number > 0 else list(range(n_columns + number, n_columns))


def _has_several_values(values: tuple[str, ...]) -> bool:
    return sum(cell_code(value) == OTHER for value in values) > 1 and not {"-1", "1"} >= set(values)


def _is_binary(values: tuple[str, ...]) -> bool:
    return bool(values) and all(cell_code(value) < OTHER for value in values)


def _note(header: Header, columns: list[int], why: str) -> str:
    first, last = (clean_name(header.attributes[j].name) for j in (columns[0], columns[-1]))
    n_columns = len(header.attributes)
    return f"{len(columns):,} of {n_columns:,} columns are labels, {first!r} to {last!r}, {why}."
