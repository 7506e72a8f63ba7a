"""Feed any bytes to every reader: only errors of this package may come out, soon, and in little memory.

The tests run a short, fixed round of this; ``python tests/fuzz`` runs long ones.
"""

from __future__ import annotations

import io
import tracemalloc
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from optisplit.errors import OptisplitError
from optisplit.io.encoding.encode import encode_targets
from optisplit.io.formats.reading import load_file
from optisplit.io.preview import preview
from optisplit.io.registry import FORMS, LAYOUTS, MISSING, readable, writable
from optisplit.io.rows import read_column, read_groups
from optisplit.io.second_tables import columns_of
from optisplit.io.splits import read_split, read_train_test, split_columns, split_keys
from optisplit.io.writers import save, save_split
from optisplit.labels import MultilabelDataset

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator

    from optisplit.io.rows import RowColumn

TESTS = Path(__file__).parents[1]
QUIRKS = TESTS / "quirks"
ARFF = b"@relation r\n@attribute x numeric\n@attribute a {0,1}\n@attribute 'b c' {0,1}\n@data\n1,0,1\n{1 1}\n"
DATA = MultilabelDataset.from_labels(
    [[1, 0], [0, 1], [1, 1], [0, 0]], ["a", "b"], row_ids=["r0", "r1", "r2", "r3"], name="four"
)

MOST_TIMES = 10
"""Memory that reading may take, as a multiple of the file's size ..."""

FIXED_BYTES = 40_000_000
"""... over and above what it takes for any file, most of it for the window of xz."""


def _read(content: bytes, **options) -> None:
    data = load_file(io.BytesIO(content), name="file", **options)
    labels = data.labels
    assert labels.shape == (data.n_rows, data.n_labels)
    assert len(data.label_names) == data.n_labels == len(set(data.label_names))
    assert data.row_ids is None or len(data.row_ids) == data.n_rows
    assert labels.dtype == np.int8
    assert labels.has_canonical_format
    assert (labels.data == 1).all()
    assert data.reading is not None
    assert data.reading.form
    assert data.reading.entries["Rows"] == f"{data.n_rows:,}"


def _read_xml(content: bytes) -> None:
    load_file(io.BytesIO(ARFF), label_file=io.BytesIO(content), name="file.arff")


def _read_split(content: bytes, **options) -> None:
    split = read_split(io.BytesIO(content), DATA, name="file", **options)
    assert len(split.folds) == DATA.n_rows
    assert split.folds.min() >= -1
    assert split.folds.max() < max(split.n_parts, 1)


def _read_recipe(content: bytes) -> None:
    from optisplit.methods.recipes import Recipe

    Recipe.from_json(content.decode("utf-8", "replace"))


def _list_columns(content: bytes) -> None:
    split_columns(io.BytesIO(content), DATA, name="file")
    split_keys(io.BytesIO(content), name="file")


def _read_rows(content: bytes, read: Callable[..., RowColumn], **options) -> None:
    column = read(io.BytesIO(content), DATA, name="file", **options)
    assert len(column.values) == DATA.n_rows


def _preview(content: bytes) -> None:
    data = load_file(io.BytesIO(content), name="file", missing="zero", uncertain="zero")
    preview(data).lines()
    _ = data.features


def _save(content: bytes) -> None:
    data = load_file(io.BytesIO(content), name="file", missing="zero", uncertain="zero")
    formats = list(writable())
    save(data, io.BytesIO(), format=formats[len(content) % len(formats)])


def _save_split(content: bytes) -> None:
    data = load_file(io.BytesIO(content), name="file", missing="zero", uncertain="zero")
    forms, folds = list(FORMS), np.arange(data.n_rows) % 2
    save_split(folds, io.BytesIO(), data, form=forms[len(content) % len(forms)], source=io.BytesIO(content), n_splits=2)


def _balance(content: bytes) -> None:
    encode_targets(load_file(io.BytesIO(content), name="file", missing="zero", uncertain="zero"))


def _read_two(content: bytes) -> None:
    data, split = read_train_test(io.BytesIO(content), io.BytesIO(content), train_name="a", test_name="b")
    assert len(split.folds) == data.n_rows


def _write_back(content: bytes) -> None:
    split = read_split(io.BytesIO(content), DATA, name="file")
    folds = np.roll(split.folds, 1)
    _, written = split.write_back(folds)
    assert written


WAYS: dict[str, Callable[[bytes], object]] = {
    "load": _read,
    **{f"load as {name}": partial(_read, format=name) for name in readable()},
    **{f"load as {layout}": partial(_read, layout=layout) for layout in LAYOUTS},
    **{f"load with missing {each}": partial(_read, missing=each) for each in list(MISSING)[1:]},
    "load the last column": partial(_read, label_columns=-1),
    "load with a threshold": partial(_read, threshold=0.5),
    "load beside XML": _read_xml,
    "load, and look at it": _preview,
    "split": _read_split,
    "split by key": partial(_read_split, key="id"),
    "split, and write it back": _write_back,
    "split of two files": _read_two,
    "columns of a split": _list_columns,
    "names of columns": lambda content: columns_of(io.BytesIO(content), name="file"),
    "column": partial(_read_rows, read=read_column),
    "groups": partial(_read_rows, read=read_groups),
    "groups by key": partial(_read_rows, read=read_groups, key="id", unmatched="leave-out"),
    "recipe": _read_recipe,
    "load, and save it": _save,
    "load, and save a split of it": _save_split,
    "load, and balance its columns": _balance,
}
"""The first byte of an input says which of these reads the rest."""

_NAMES = list(WAYS)


def way_of(content: bytes) -> str:
    """Say in which way an input is read."""
    return _NAMES[content[0] % len(_NAMES)]


def one_input(content: bytes) -> str:
    """Read one input in the way that its first byte says, and give what the package says of it."""
    return answer_of(way_of(content), content[1:]) if content else ""


def answer_of(way: str, content: bytes) -> str:
    """Read a file in some way; give the error of the package, or nothing where it is read."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            WAYS[way](content)
        except OptisplitError as error:
            said = str(error)
        else:
            return ""
    assert said.strip()
    return said


def peak_bytes(content: bytes) -> int:
    """Read one input, and tell the most memory that Python and NumPy held for it at a time."""
    tracemalloc.start()
    try:
        one_input(content)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def seeds(*more: Path) -> list[bytes]:
    """Give every file of the corpus, and of other folders, to be read in the way that is found for it."""
    files = sorted(path for each in (QUIRKS, *more) for path in each.rglob("*") if path.is_file())
    files = [path for path in files if path.suffix != ".py"]
    return [b"\0" + content for content in (path.read_bytes() for path in files) if len(content) < 20_000]


TOKENS = (
    b"@relation ", b"@attribute ", b"@data\n", b"{0,1}", b"{1,0}", b"?", b"'", b'"', b"\\", b"%", b"{", b"}", b"{}",
    b"\n", b"\r\n", b"\r", b"\n\n", b",", b";", b"\t", b"|", b" ", b":", b"1:1", b"0", b"1", b"-1", b"1.0", b"1e9",
    b"4294967296", b"99999999999999999999", b"nan", b"NA", b"None", b"null", b"[]", b'["a"]', b"[[", b"{\"a\":",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\0", b"PK\x03\x04", b"PAR1", b"\x93NUMPY\x01\0",
    b"-C 2", b"-split-number 1", b"<label name=\"a\"/>", b"&amp;", b"true", b"yes", b"labels", b"fold", b"train", b"\0",
    b"\xc3\x28", b"2 2 2\n", b"qid:1", b"#", b"id,labels\n", b"row,label\n",
)  # fmt: skip


def mutations(rng: random.Random, starts: list[bytes], others: list[bytes] | None = None) -> Iterator[bytes]:
    """Yield inputs without end: files of the corpus, spliced, cut, repeated, and with bytes and tokens put in.

    `others`: what is spliced in, where that is not only what it begins with.
    """
    while True:
        content = bytearray(rng.choice(starts))
        for _ in range(rng.choice((1, 1, 2, 4, 8))):
            _mutate(content, rng, others or starts)
        yield bytes((rng.choice((0, rng.randrange(256))),)) + bytes(content[1:])


def _mutate(content: bytearray, rng: random.Random, starts: list[bytes]) -> None:
    at = rng.randrange(1, len(content) + 1)
    until = min(len(content), at + rng.choice((1, 1, 3, 10, 60)))
    kind = rng.randrange(7)
    if kind == 0 and at < len(content):
        content[at] = rng.randrange(256)
    elif kind == 1:
        content[at:at] = rng.choice(TOKENS)
    elif kind == 2:
        content[at:until] = rng.choice(TOKENS)
    elif kind == 3:
        del content[at:until]
    elif kind == 4:
        content[at:at] = content[at:until] * rng.choice((1, 2, 20))
    elif kind == 5:
        other = rng.choice(starts)
        content[at:] = other[rng.randrange(1, len(other) + 1) :]
    else:
        del content[at:]
