"""Pascal VOC's folders: an XML file for each image, with an object for each box."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING, Any

from optisplit.errors import FormatError
from optisplit.io.bundle import open_bundle
from optisplit.io.formats.instances import of_instances
from optisplit.text import clean_name, counted, listed

if TYPE_CHECKING:
    from optisplit.io.formats.sniffing import Head
    from optisplit.io.parsed import Parsed
    from optisplit.io.source import Source


def is_voc(head: Head) -> bool:
    """Tell whether a folder or zip holds XML files for images."""
    n_xml = sum(name.lower().endswith(".xml") for name in head.files)
    others = sum(name.lower().endswith((".npy", ".arff", ".csv", ".rels")) for name in head.files)
    return n_xml > 0 and not others


def read_voc(source: Source) -> Parsed:
    """Read which classes have objects on which images, and how many.

    - Rows are images, called by the ``filename`` in their XML; by the name of the XML where that does not tell them
      apart. XML without objects is a row without labels.
    - Each object is an instance, difficult and truncated ones too.
    """
    bundle = open_bundle(source)
    files = bundle.of_ending(".xml")
    file_names, rows, labels = [], [], []
    numbers: dict[str, int] = {}
    n_difficult = 0
    for row, file in enumerate(files):
        tree = _tree(bundle.read(file), file, bundle.name)
        file_names.append((tree.findtext("filename") or "").strip())
        for each in tree.iter("object"):
            label = (each.findtext("name") or "").strip()
            if not label:
                msg = f"{clean_name(file, 80)!r} in {bundle.name!r} has an object without a name."
                raise FormatError(msg)
            rows.append(row)
            labels.append(numbers.setdefault(label, len(numbers)))
            n_difficult += (each.findtext("difficult") or "").strip() == "1"
        source.report(row, len(files))
    if not numbers:
        msg = f"{bundle.name!r} has no object in {counted(len(files), 'XML file')}, so there are no labels in it."
        raise FormatError(msg)
    names = sorted(numbers)
    order = {numbers[name]: at for at, name in enumerate(names)}
    row_ids, key, notes = _row_names(files, file_names)
    parsed = of_instances(bundle.name, rows, [order[label] for label in labels], row_ids, names, key)
    parsed.form = "Pascal VOC"
    parsed.rule = f"{counted(len(names), 'label')}: the names of objects in {counted(len(files), 'XML file')}."
    if n_difficult:
        notes.append(f"{counted(n_difficult, 'object', 'is')} difficult; each counts as one instance.")
    lists = [name for name in bundle.names if "ImageSets/" in name and name.endswith(".txt")]
    if lists:
        notes.append(f"There are lists of images in it, such as {listed(lists[:3])}; they were not looked at.")
    parsed.notes = notes
    return parsed


def _tree(content: bytes, file: str, bundle: str) -> Any:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, fromstring

    place = f"{clean_name(file, 80)!r} in {bundle!r}"
    try:
        tree = fromstring(content, forbid_dtd=True)
    except DefusedXmlException as error:
        msg = f"{place} defines entities or a document type, which no such file needs; it was not read."
        raise FormatError(msg) from error
    except (ParseError, ValueError, LookupError) as error:
        msg = f"{place} is no XML ({clean_name(error, 80)})."
        raise FormatError(msg) from error
    if tree.tag != "annotation":
        msg = f"{place} is no annotation of Pascal VOC: its root is {clean_name(tree.tag, 40)!r}."
        raise FormatError(msg)
    return tree


def _row_names(files: list[str], file_names: list[str]) -> tuple[list[str], str, list[str]]:
    if all(file_names) and len(set(file_names)) == len(file_names):
        return file_names, "filename", []
    stems = [posixpath.basename(file).rpartition(".")[0] for file in files]
    names = stems if len(set(stems)) == len(stems) else [file.rpartition(".")[0] for file in files]
    twice = [name for name, count in Counter(file_names).items() if count > 1 and name]
    told = f"{counted(len(twice), 'filename', 'stands')} in several files" if twice else "Some files have no filename"
    return names, "file", [f"{told}; rows are called by the names of the XML files."]
