"""YOLO's folders: a text file for each image, with a line for each box; ``data.yaml`` names the classes."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError
from optisplit.io.bundle import Bundle, open_bundle
from optisplit.io.formats.instances import of_instances
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from optisplit.io.formats.sniffing import Head
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source

IMAGES = (".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp", ".gif", ".dng", ".heic", ".pfm")
_YAML = (".yaml", ".yml")
_NAME_LISTS = ("classes.txt", "obj.names", "labels.names", "classes.names", "coco.names")
_IN_LABELS = re.compile(r"(?:^|/)labels/")
_PARTS = {"train": "train", "training": "train", "val": "val", "valid": "val", "validation": "val", "test": "test"}
_LEAST_FIELDS = 5  # class x y w h; outlines have more
_MOST_CLASSES = 1_000_000


def is_yolo(head: Head) -> bool:
    """Tell whether a folder or zip holds YOLO's files."""
    labels = _label_files(head.files)
    if not labels:
        return False
    named = any(_is_data_yaml(name) or posixpath.basename(name) in _NAME_LISTS for name in head.files)
    return named or any(_IN_LABELS.search(name) for name in labels) or bool(_beside_images(head.files, labels))


def _is_data_yaml(name: str) -> bool:
    return name.lower().endswith(_YAML)


def _label_files(names: Any) -> list[str]:
    """Find the files that may have boxes: in ``labels``, or beside images."""
    texts = [name for name in names if name.lower().endswith(".txt") and posixpath.basename(name) not in _NAME_LISTS]
    within = [name for name in texts if _IN_LABELS.search(name)]
    return within or sorted(_beside_images(names, texts))


def _beside_images(names: Any, texts: list[str]) -> set[str]:
    stems = {name.rpartition(".")[0] for name in names if name.lower().endswith(IMAGES)}
    return {name for name in texts if name.rpartition(".")[0] in stems}


def label_file_of(image: str) -> str:
    """Tell where the boxes of an image are: ``labels`` in place of the last ``images``."""
    before, found, after = f"/{image}".rpartition("/images/")
    moved = f"{before}/labels/{after}" if found else f"/{image}"
    return moved.lstrip("/").rpartition(".")[0] + ".txt"


@dataclass
class _Found:
    """Boxes, as they are read."""

    rows: list[int] = field(default_factory=list)
    classes: list[int] = field(default_factory=list)
    most: int = -1
    of_most: str = ""  # where the highest class stands
    n_confident: int = 0


def read_yolo(source: Source) -> Parsed:
    """Read which classes have boxes on which images, and how many.

    - Rows are images, called by their paths; a file of boxes without an image is a row of its own name. An image
      without boxes, or without a file of them, is a row without labels.
    - Names of classes are those of ``data.yaml``, ``classes.txt`` or ``obj.names``; otherwise numbers.
    """
    bundle = open_bundle(source)
    rows = rows_in(bundle)
    found = _Found()
    for row, file in enumerate(rows.values()):
        if file:
            _read_boxes(found, row, bundle.text(file), file, bundle.name)
        source.report(row, len(rows))
    names, told = names_of_classes(bundle)
    if not names and not found.rows:
        msg = f"{bundle.name!r} has no box in {counted(len(rows), 'file')}, and no names of classes."
        raise FormatError(msg)
    if names and found.most >= len(names):
        msg = f"{found.of_most} has the class {found.most:,}, but {told} has {counted(len(names), 'name')}, from 0."
        raise FormatError(msg)
    label_names = names or [str(number) for number in range(found.most + 1)]
    parsed = of_instances(bundle.name, found.rows, found.classes, list(rows), label_names, "image")
    parsed.form = "YOLO folder" if source.is_folder else "YOLO, zip"
    parsed.rule = f"{counted(len(label_names), 'label', 'is')} named by {told or 'number'}."
    parsed.notes = _notes(rows, found, told)
    if parts := _parts_of(bundle, list(rows)):
        parsed.details["Split of the file"] = ", ".join(f"{part} {len(each):,}" for part, each in parts.items())
    return parsed


def rows_in(bundle: Bundle) -> dict[str, str]:
    """Give the paths of images, each with that of its boxes, if any; and files of boxes without an image."""
    labels = _label_files(bundle.names)
    known = set(labels)
    rows = {image: file if (file := label_file_of(image)) in known else "" for image in bundle.of_ending(*IMAGES)}
    used = set(rows.values())
    return dict(sorted((rows | {file: file for file in labels if file not in used}).items()))


def _read_boxes(found: _Found, row: int, text: str, file: str, bundle: str) -> None:
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        try:
            values = [float(each) for each in fields]
            known = int(values[0])
        except (ValueError, OverflowError):
            values, known = [], -1
        if len(values) < _LEAST_FIELDS or known != values[0] or not 0 <= known < _MOST_CLASSES:
            msg = (
                f"Line {number:,} of {clean_name(file, 80)!r} in {bundle!r} is no box such as '0 0.5 0.5 0.2 0.2' "
                f"(class x y width height): {clean_name(line, 60)!r}."
            )
            raise FormatError(msg)
        found.rows.append(row)
        found.classes.append(known)
        found.n_confident += len(values) == _LEAST_FIELDS + 1
        if known > found.most:
            found.most, found.of_most = known, f"Line {number:,} of {clean_name(file, 80)!r} in {bundle!r}"


def names_of_classes(bundle: Bundle) -> tuple[list[str], str]:
    """Find the names of classes, and say where they are from."""
    for file, document in _yamls(bundle):
        names = document.get("names")
        if isinstance(names, dict):
            keys = list(names)
            if not all(isinstance(key, int) for key in keys) or sorted(keys) != list(range(len(keys))):
                msg = f"The names in {file!r} of {bundle.name!r} are not numbered from 0 to {len(keys) - 1:,}."
                raise FormatError(msg)
            names = [names[number] for number in range(len(keys))]
        if not isinstance(names, list) or any(isinstance(name, list | dict) for name in names):
            continue
        if "nc" in document and document["nc"] != len(names):
            msg = f"{file!r} in {bundle.name!r} says nc: {document['nc']}, but has {counted(len(names), 'name')}."
            raise FormatError(msg)
        return [str(name) for name in names], repr(clean_name(file, 80))
    for file in bundle.names:
        if posixpath.basename(file) in _NAME_LISTS:
            return [line.strip() for line in bundle.text(file).rstrip().splitlines()], repr(clean_name(file, 80))
    return [], ""


def _yamls(bundle: Bundle) -> list[tuple[str, dict[str, Any]]]:
    """Read YAML that may name classes, ``data.yaml`` first."""
    import yaml  # few bring it

    found = []
    files = [name for name in bundle.names if _is_data_yaml(name) and name.count("/") < 3]
    for file in sorted(files, key=lambda name: (posixpath.basename(name) not in ("data.yaml", "data.yml"), len(name))):
        try:
            document = yaml.safe_load(bundle.text(file))
        except (yaml.YAMLError, ValueError, RecursionError, TypeError) as error:
            msg = f"{clean_name(file, 80)!r} in {bundle.name!r} is no YAML ({clean_name(error, 80)})."
            raise FormatError(msg) from error
        if isinstance(document, dict) and "names" in document:
            found.append((file, document))
    return found[:1] if found and posixpath.basename(found[0][0]).startswith("data.") else _only(found, bundle)


def _only(found: list[tuple[str, dict[str, Any]]], bundle: Bundle) -> list[tuple[str, dict[str, Any]]]:
    if len({str(document["names"]) for _, document in found}) > 1:
        files = listed([file for file, _ in found])
        msg = (
            f"{bundle.name!r} has several files with names of classes ({files}); call the one that is meant data.yaml."
        )
        raise FormatError(msg)
    return found[:1]


def parts_in(source: Source) -> dict[str, list[str]]:
    """Give the names of the rows of each part, as ``data.yaml`` or the folders say."""
    bundle = open_bundle(source)
    return _parts_of(bundle, list(rows_in(bundle)))


def _parts_of(bundle: Bundle, rows: list[str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for file, document in _yamls(bundle):
        for key in ("train", "val", "test"):
            entries = document.get(key)
            for entry in entries if isinstance(entries, list) else [entries]:
                if isinstance(entry, str) and (
                    held := _rows_below(bundle, file, str(document.get("path") or ""), entry, rows)
                ):
                    parts.setdefault(key, []).extend(held)
    if not parts:
        for row in rows:
            part = next((_PARTS[each] for each in row.lower().split("/") if each in _PARTS), None)
            if part is not None:
                parts.setdefault(part, []).append(row)
    return parts if len(parts) > 1 else {}


def _rows_below(bundle: Bundle, file: str, root: str, entry: str, rows: list[str]) -> list[str]:
    """Find the rows of a part: below a folder, or named in a list."""
    beside = posixpath.dirname(file)
    plain = re.sub(r"^(?:\.{0,2}/)+", "", entry)
    for path in (
        posixpath.join(beside, root, entry),
        posixpath.join(beside, entry),
        posixpath.join(beside, plain),
        plain,
    ):
        path = posixpath.normpath(path).rstrip("/")
        if path in bundle.names and path.endswith(".txt"):
            listed_rows = {re.sub(r"^(?:\.{0,2}/)+", "", line.strip()) for line in bundle.text(path).splitlines()}
            listed_rows |= set(map(label_file_of, listed_rows))  # of boxes without images
            return [row for row in rows if row in listed_rows]
        of_boxes = label_file_of(path + "/any.jpg").rpartition("/")[0]  # of boxes without images
        below = [row for row in rows if row.startswith((path + "/", of_boxes + "/"))]
        if below:
            return below
    return []


def _notes(rows: dict[str, str], found: _Found, told: str) -> list[str]:
    notes = []
    if n_bare := sum(not file for file in rows.values()):
        notes.append(f"{counted(n_bare, 'image', 'has')} no file of boxes, and so no labels.")
    if n_alone := sum(row == file for row, file in rows.items()):
        notes.append(f"{counted(n_alone, 'file')} of boxes have no image beside; rows are called by their paths.")
    if found.n_confident:
        notes.append(f"{counted(found.n_confident, 'line', 'has')} a confidence, which was not looked at.")
    if not told:
        notes.append("There are no names of classes: a file data.yaml or classes.txt in it can give them.")
    return notes
