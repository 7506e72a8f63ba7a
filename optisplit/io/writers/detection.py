"""A split of detection data in its own form: COCO JSON for each part, or lists of images for YOLO and Pascal VOC."""

from __future__ import annotations

import json
import posixpath
from array import array
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import FormatError
from optisplit.io.bundle import open_bundle
from optisplit.io.formats.coco import LISTS, items_of, no_json
from optisplit.io.formats.yolo import label_file_of, names_of_classes, rows_in
from optisplit.io.packing import zipped
from optisplit.io.splits.base import FOLDS_FILE
from optisplit.io.writers.parts import Made, Request, folds_csv, parts_of_files, rows_of_file
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from optisplit.io.row_names import RowNumbers
    from optisplit.io.source import Source

_AT_ONCE = 10_000
_SHORT = {"validation": "val"}  # as detectors call it


def _parts(request: Request) -> dict[str, RowNumbers]:
    """Give the rows in the file of each part, or of training and test of each fold: detectors put no files together."""
    numbers = rows_of_file(request.data)
    return {part: numbers[rows] for part, rows in parts_of_files(replace(request, pairs=True)).items()}


def _made(request: Request, source: Source, files: Mapping[str, Any], told: list[str]) -> Made:
    sizes = [f"{part}: {counted(len(rows), 'image')}" for part, rows in _parts(request).items()]
    readme = "\n".join([*told, "", *sizes, "", f"{FOLDS_FILE} says where each image went.", ""])
    more = {FOLDS_FILE: folds_csv(request.folds, request.data, request.fold_names), "README.txt": readme.encode()}
    return Made(zipped({**files, **more}), f"{request.stem or source.stem}-{request.kind}.zip")


def _check_rows(request: Request, source: Source, n_rows: int) -> None:
    reading = request.data.reading
    expected = request.data.n_rows if reading is None else max(reading.n_file_rows, request.data.n_rows)
    if n_rows != expected:
        msg = (
            f"{source.name!r} has {n_rows:,} images, not the {expected:,} that the data were read from; give that file."
        )
        raise FormatError(msg)


# ----------------------------------------------------------------------- COCO


@dataclass
class _Spans:
    """Where the items of a list stand in the text, and to which image each belongs."""

    starts: array[int] = field(default_factory=lambda: array("q"))
    ends: array[int] = field(default_factory=lambda: array("q"))
    images: list[Any] = field(default_factory=list)


def coco_parts(request: Request, source: Source) -> Made:
    """Write COCO JSON for each part: its images and their annotations as they stand, and all else that the file has."""
    text = source.data.decode(source.encoding)
    whole: dict[str, str] = {}  # the file's keys, and the text of those that stay as they are
    spans = {key: _Spans() for key in LISTS}
    try:
        for key, value, start, end, number in items_of(text):
            whole[key] = "" if key in LISTS else text[start:end]
            if key in LISTS and number >= 0:
                spans[key].starts.append(start)
                spans[key].ends.append(end)
                spans[key].images.append(value.get({"images": "id", "annotations": "image_id"}.get(key)))
    except (ValueError, RecursionError, AttributeError) as error:
        raise no_json(source, error) from error
    row_of = {each: row for row, each in enumerate(spans["images"].images)}
    _check_rows(request, source, len(row_of))
    rows = {
        "images": np.arange(len(row_of)),
        "annotations": np.array([row_of.get(each, -1) for each in spans["annotations"].images], dtype=np.int64),
    }
    stem = request.stem or source.stem
    files = {f"{stem}-{part}.json": _document(text, whole, spans, rows, kept) for part, kept in _parts(request).items()}
    return _made(
        request, source, files, [f"The images of {source.name} and their annotations, a COCO JSON for each part."]
    )


def _document(
    text: str, whole: dict[str, str], spans: dict[str, _Spans], rows: dict[str, NDArray[np.int64]], kept: RowNumbers
) -> Iterator[bytes]:
    is_kept = np.zeros(len(rows["images"]) + 1, dtype=bool)  # -1, no image, is the last
    is_kept[kept] = True
    for at, (key, value) in enumerate(whole.items()):
        yield f"{', ' if at else '{'}{json.dumps(key)}: ".encode()
        if key not in LISTS:
            yield value.encode()
            continue
        starts, ends = spans[key].starts, spans[key].ends
        chosen = np.flatnonzero(is_kept[rows[key]]).tolist() if key in rows else range(len(starts))
        yield b"["
        for first in range(0, len(chosen), _AT_ONCE):
            items = (text[starts[item] : ends[item]] for item in chosen[first : first + _AT_ONCE])
            yield ((",\n" if first else "\n") + ",\n".join(items)).encode()
        yield b"]"
    yield b"}\n"


# ----------------------------------------------------------------------- lists of images


def yolo_lists(request: Request, source: Source) -> Made:
    """Write lists of images for each part, and YAML that names them and the classes."""
    import yaml  # few bring it

    bundle = open_bundle(source)
    rows = list(rows_in(bundle))
    _check_rows(request, source, len(rows))
    names = names_of_classes(bundle)[0] or list(request.data.label_names)
    paths = [f"./{_image_of(row)}" for row in rows]
    files, lists = _lists(request, paths)
    groups: dict[str, dict[str, str]] = {}
    for part, file in lists.items():
        fold, _, role = part.rpartition("-") if request.kind == "folds" else ("", "", part)
        groups.setdefault(fold, {})[role] = file
    for fold, of_parts in groups.items():
        roles = dict(zip(("train", "val", "test"), of_parts.values(), strict=False))
        document = {**roles, "names": dict(enumerate(names))}
        text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True)
        files[f"{fold.replace('-', '_') or 'data'}.yaml"] = text.encode()
    told = [
        f"Lists of the images of {source.name} for YOLO. Unpack this into that folder, and train with the .yaml: paths",
        "are seen from there. A data.yaml that is there already would be written over.",
    ]
    if n_alone := sum(row.lower().endswith(".txt") for row in rows):
        told.append(f"{counted(n_alone, 'image')} were not there, only their boxes; they are listed as .jpg.")
    return _made(request, source, files, told)


def _image_of(row: str) -> str:
    """Give the path of an image; where only its boxes are known, where it is to be."""
    if not row.lower().endswith(".txt"):
        return row
    before, found, after = f"/{row}".rpartition("/labels/")
    path = (f"{before}/images/{after}" if found else f"/{row}").lstrip("/").rpartition(".")[0] + ".jpg"
    return path if label_file_of(path) == row else row


def voc_lists(request: Request, source: Source) -> Made:
    """Write lists of images for each part, as Pascal VOC has them in ``ImageSets/Main``."""
    files = open_bundle(source).of_ending(".xml")
    _check_rows(request, source, len(files))
    lists, _ = _lists(request, [posixpath.basename(file).rpartition(".")[0] for file in files])
    return _made(request, source, {f"ImageSets/Main/{name}": held for name, held in lists.items()},
                 [f"Lists of the images of {source.name}, as Pascal VOC has them."])  # fmt: skip


def _lists(request: Request, names: list[str]) -> tuple[dict[str, bytes], dict[str, str]]:
    """Write a name a line, in a file for each part; give the files, and which is whose."""
    files, lists = {}, {}
    for part, rows in _parts(request).items():
        lists[part] = f"{_SHORT.get(part, part).replace('-', '_')}.txt"
        files[lists[part]] = _joined(names[row] for row in rows.tolist())
    return files, lists


def _joined(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()


OWN_FORMS = {"coco": coco_parts, "yolo": yolo_lists, "voc": voc_lists}
"""What writes the parts of data that are not a row a line, by the format that they were read as."""
