"""COCO's JSON of images, categories and annotations; also that of LVIS and of panoptic segments."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from json.scanner import make_scanner
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.formats.instances import of_instances
from optisplit.io.source import UTF8_MARK
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from optisplit.io.formats.sniffing import Head
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source

LISTS = ("images", "categories", "annotations")

_NAMES = ("file_name", "supercategory", "image_id")  # what items of these lists have, and hardly anything else
_MORE = "Extra data"

_LISTS = re.compile(rb'"(images|annotations)"\s*:\s*\[')
_BLANKS = re.compile(r"[ \t\r\n]*")
# keys whose values are numbers in lists: outlines are most of such a file, and say nothing of labels. No text can hold
# a match, since quotes within one stand after a backslash, and no match goes past a closing brace.
_OUTLINES = re.compile(rb'([,{]\s*"(?:segmentation|keypoints)"\s*:\s*)\[[\[\]0-9eE+\-.,\s]*\]')
_scan = make_scanner(json.JSONDecoder())  # type: ignore[arg-type]


class Item(NamedTuple):
    """A value of the file's one object: an item of one of its `LISTS`, or all that another key has."""

    key: str
    value: Any
    start: int  # where it stands in the text
    end: int
    number: int = 0  # of an item, from 0; -1: an empty list


def is_coco(head: Head) -> bool:
    """Tell whether a file is COCO's JSON."""
    if not head.text.startswith(b"{") or _LISTS.search(head.text) is None:
        return False
    keys: dict[str, Any] = {}
    try:
        for item in items_of(head.text.decode("utf-8", "replace")):
            keys.setdefault(item.key, item.value)
    except json.JSONDecodeError as error:
        if error.msg == _MORE:  # an object a line
            return False
    except RecursionError:
        return False
    firsts = [keys.get(key) for key in LISTS]
    if not all(each is None or isinstance(each, dict) for each in firsts):
        return False
    is_known = any(isinstance(first, dict) and name in first for first, name in zip(firsts, _NAMES, strict=True))
    return sum(key in keys for key in LISTS) > 1 or (head.is_cut and is_known)


def items_of(text: str) -> Iterator[Item]:
    """Go through the values of one object, item by item where they are of `LISTS`; ValueError if it is no JSON."""
    at = _after(text, 0, "{")
    while text[at : at + 1] != "}":
        key, at = _scanned(text, at)
        at = _after(text, at, ":")
        if key in LISTS and text[at : at + 1] == "[":
            at = _BLANKS.match(text, at + 1).end()  # type: ignore[union-attr]
            number = 0
            if text[at : at + 1] == "]":
                yield Item(key, None, at, at, -1)
            while text[at : at + 1] != "]":
                value, end = _scanned(text, at)
                yield Item(key, value, at, end, number)
                at = end + 1 if text[end : end + 2] == ",{" else _next(text, end, "]")
                number += 1
            at += 1
        else:
            value, end = _scanned(text, at)
            yield Item(key, value, at, end)
            at = end
        at = _next(text, at, "}")
    if _BLANKS.match(text, at + 1).end() < len(text):  # type: ignore[union-attr]
        raise json.JSONDecodeError(_MORE, text, at + 1)


def _scanned(text: str, at: int) -> tuple[Any, int]:
    try:
        return _scan(text, at)
    except StopIteration as error:
        msg = "Expecting value"
        raise json.JSONDecodeError(msg, text, error.value) from None


def _after(text: str, at: int, mark: str) -> int:
    at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    if text[at : at + 1] != mark:
        msg = f"Expecting {mark!r}"
        raise json.JSONDecodeError(msg, text, at)
    return _BLANKS.match(text, at + 1).end()  # type: ignore[union-attr]


def _next(text: str, at: int, end: str) -> int:
    """Go past a comma, or to the end of a list or object."""
    at = _BLANKS.match(text, at).end()  # type: ignore[union-attr]
    if text[at : at + 1] == end:
        return at
    at = _after(text, at, ",")
    if text[at : at + 1] == end:
        msg = "Illegal trailing comma"
        raise json.JSONDecodeError(msg, text, at)
    return at


@dataclass
class _Found:
    """What is in the lists."""

    names: list[Any] = field(default_factory=list)  # of images
    rows: dict[Hashable, int] = field(default_factory=dict)  # by the ids of images
    categories: list[dict[str, Any]] = field(default_factory=list)
    labels: dict[Hashable, int] = field(default_factory=dict)  # by the ids of categories
    # of each instance: the number of its image's and of its category's id, in the order in which they were met
    of_images: array[int] = field(default_factory=lambda: array("q"))
    of_categories: array[int] = field(default_factory=lambda: array("q"))
    image_ids: dict[Hashable, int] = field(default_factory=dict)
    category_ids: dict[Hashable, int] = field(default_factory=dict)
    n_crowds: int = 0
    n_segments: int = 0
    n_federated: int = 0
    seen: set[str] = field(default_factory=set)
    has_captions: bool = False


def read_coco(source: Source) -> Parsed:
    """Read which categories have instances on which images, and how many.

    - Rows are images, called by ``file_name``; by ``id`` where that does not tell them apart. Images without
      annotations stay.
    - Each annotation, or segment of a panoptic one, is an instance, crowds too.
    """
    name = clean_name(source.name)
    found = _Found()
    try:
        for item in items_of(_without_outlines(source)):
            if item.key == "annotations" and "annotations" in found.seen and item.number > 0:
                _take_annotation(found, item, name)
            elif item.key in LISTS:
                _take(found, item, name)
    except (ValueError, RecursionError) as error:
        raise no_json(source, error) from error
    if missing := [key for key in LISTS if key not in found.seen]:
        told = " It has captions, which are no labels." if found.has_captions else ""
        msg = f"{name!r} has no {' and no '.join(repr(each) for each in missing)}, so there are no labels in it.{told}"
        raise FormatError(msg)
    if not found.rows or not found.categories:
        held = f"{counted(len(found.rows), 'image')} and {counted(len(found.categories), 'category')}"
        msg = f"{name!r} lists {held}; at least one of each is needed."
        raise FormatError(msg)
    rows = _resolved(found.image_ids, found.rows, found.of_images, ("an image_id", "images"), name)
    labels = _resolved(found.category_ids, found.labels, found.of_categories, ("a category_id", "categories"), name)
    row_ids, key, notes = _row_names(found)
    parsed = of_instances(name, rows, labels, row_ids, _label_names(found.categories), key)
    parsed.notes = [*notes, *_notes(found)]
    parsed.form = "COCO JSON" + (", panoptic" if found.n_segments else "")
    parsed.rule = (
        f"{counted(len(found.categories), 'label')}: the categories, each on the images with annotations of it."
    )
    return parsed


def _without_outlines(source: Source) -> str:
    """Give the text with 0 in place of outlines."""
    parts: list[bytes] = []
    pending: list[bytes] = []
    encoding = source.encoding
    for block in source.blocks():
        whole, brace, tail = block.rpartition(b"}")
        if brace:
            parts.append(_OUTLINES.sub(rb"\g<1>0", b"".join((*pending, whole, brace))))
            pending.clear()
        pending.append(tail)
    text = b"".join((*parts, *pending)).removeprefix(UTF8_MARK)
    parts.clear()
    return text.decode(encoding)


def no_json(source: Source, error: Exception) -> FormatError:
    """Say where the file is no JSON; with all of its text, since what was left out may have had lines."""
    with suppress(RecursionError):
        try:
            for _ in items_of(source.data.decode(source.encoding)):
                pass
        except ValueError as found:
            error = found
    return FormatError(f"{clean_name(source.name)!r} is no JSON ({clean_name(error, 80)}); it may be cut off.")


def _take(found: _Found, item: Item, name: str) -> None:
    key, value, _, _, number = item
    if number <= 0 and key in found.seen:
        msg = f"{name!r} has the key {key!r} twice."
        raise FormatError(msg)
    found.seen.add(key)
    if number < 0:
        return
    if key == "annotations":
        _take_annotation(found, item, name)
        return
    _refuse_no_object(item, name)
    of_id = found.rows if key == "images" else found.labels
    known = _id(item, "id", name)
    if known in of_id:
        msg = f"{_place(item)} of {name!r} has the id {known!r}, which another one has too."
        raise FormatError(msg)
    of_id[known] = len(of_id)
    if key == "images":
        found.names.append(value.get("file_name"))
        found.n_federated += "neg_category_ids" in value
    else:
        found.categories.append(value)


def _take_annotation(found: _Found, item: Item, name: str) -> None:
    value = item.value
    if (
        not isinstance(value, dict)
        or type(value.get("image_id")) is not int
        or type(value.get("category_id")) is not int
    ):
        _take_unusual(found, item, name)
        return
    images, categories = found.image_ids, found.category_ids
    found.of_images.append(images.setdefault(value["image_id"], len(images)))
    found.of_categories.append(categories.setdefault(value["category_id"], len(categories)))
    if value.get("iscrowd"):
        found.n_crowds += 1


def _take_unusual(found: _Found, item: Item, name: str) -> None:
    """Take an annotation with texts for ids, with segments, with a caption, or with an error."""
    _refuse_no_object(item, name)
    value = item.value
    found.has_captions = found.has_captions or "caption" in value
    if "caption" in value and "category_id" not in value:
        return
    image = found.image_ids.setdefault(_id(item, "image_id", name), len(found.image_ids))
    segments = [item]
    if "category_id" not in value and isinstance(value.get("segments_info"), list):
        segments = [item._replace(value=each if isinstance(each, dict) else {}) for each in value["segments_info"]]
        found.n_segments += len(segments)
    for each in segments:
        category = found.category_ids.setdefault(_id(each, "category_id", name), len(found.category_ids))
        found.of_images.append(image)
        found.of_categories.append(category)
        found.n_crowds += bool(each.value.get("iscrowd"))


def _refuse_no_object(item: Item, name: str) -> None:
    if not isinstance(item.value, dict):
        msg = f"{_place(item)} of {name!r} is no object with an id."
        raise FormatError(msg)


def _id(item: Item, key: str, name: str) -> Hashable:
    value = item.value.get(key)
    if type(value) is int or isinstance(value, str):
        return value
    told = "has no" if value is None else "has no number or text as"
    msg = f"{_place(item)} of {name!r} {told} {key}."
    raise FormatError(msg)


def _place(item: Item) -> str:
    one = {"images": "Image", "categories": "Category", "annotations": "Annotation"}[item.key]
    return f"{one} {item.number + 1:,}"


def _resolved(
    ids: dict[Hashable, int], known: dict[Hashable, int], numbers: array[int], called: tuple[str, str], name: str
) -> Any:
    """Turn numbers of ids into those of rows or labels; refuse ids that are not listed."""
    what, whole = called
    places = np.array([known.get(each, -1) for each in ids], dtype=np.int64)
    resolved = places[np.frombuffer(numbers, dtype=np.int64)] if len(numbers) else np.zeros(0, dtype=np.int64)
    if (resolved < 0).any():
        at = int(np.flatnonzero(resolved < 0)[0])
        first = list(ids)[numbers[at]]
        told = counted(int((resolved < 0).sum()), "annotation", "has")
        msg = f"{told} in {name!r} {what} that none of its {whole} has, the first one {first!r}."
        raise FormatError(msg)
    return resolved


def _row_names(found: _Found) -> tuple[list[str], str, list[str]]:
    names = found.names
    ids = [str(each) for each in found.rows]
    n_named = sum(isinstance(each, str) and bool(each.strip()) for each in names)
    repeated = [each for each, count in Counter(names).items() if count > 1] if n_named == len(names) else []
    if n_named == len(names) and not repeated:
        return names, "file_name", []
    if repeated:
        told = f"{counted(len(repeated), 'file_name', 'stands')} at several images, such as {listed(repeated)}"
    else:
        told = f"{counted(len(names) - n_named, 'image', 'has')} no file_name"
    return ids, "id", [f"{told}; images are called by their id."]


def _label_names(categories: list[dict[str, Any]]) -> list[str]:
    """Name categories; those of one name with what they are a kind of."""
    names = [str(each.get("name", each["id"])) for each in categories]
    counts = Counter(names)
    return [
        f"{each['supercategory']}/{name}" if counts[name] > 1 and each.get("supercategory") else name
        for name, each in zip(names, categories, strict=True)
    ]


def _notes(found: _Found) -> list[str]:
    notes = []
    if found.n_crowds:
        notes.append(
            f"{counted(found.n_crowds, 'annotation', 'is')} of a crowd (iscrowd); each counts as one instance."
        )
    if found.n_federated:
        notes.append(
            "Each category was looked for on some images only (neg_category_ids), so one without annotations of it may "
            "have it all the same."
        )
    return notes
