"""Label matrices in .npz files: scipy's sparse ones, and a single dense one."""

from __future__ import annotations

import io
import zipfile
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit.errors import FormatError, OptisplitError
from optisplit.io.formats.names import checked_names, names_beside
from optisplit.io.formats.npy import Archive
from optisplit.io.parsed import Parsed, Unknown
from optisplit.io.sizes import check_stated
from optisplit.io.source import FileLike, Source
from optisplit.text import clean_name, counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from optisplit.io.formats.sniffing import Head

_MEMBERS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
    "dia": ("data", "offsets"),
}


def is_npz(head: Head) -> bool:
    """Tell whether a file is a zip archive."""
    return head.data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def is_npy(head: Head) -> bool:
    """Tell whether a file is an array of NumPy."""
    return head.data.startswith(b"\x93NUMPY")


def read_npy(source: Source, *, names: FileLike | Iterable[object] | None = None) -> Parsed:
    """Read a single array as if it were alone in an archive."""
    return read_npz(as_archive(source, "array"), names=names)


def as_archive(source: Source, member: str) -> Source:
    """Put a single array into an archive, to be read like one."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(f"{member}.npy", source.data)
    return Source(buffer.getvalue(), source.name, source.path)


def read_npz(source: Source, *, names: FileLike | Iterable[object] | None = None) -> Parsed:
    """Read a label matrix.

    - Sparse files of ``scipy.sparse.save_npz`` in any of its formats; or a file with one dense 0/1 table.
    - Every index is checked before it is used; nothing is unpickled.
    """
    archive = Archive(source)
    parsed = Parsed(None)
    notes = parsed.notes
    if "format" in archive.members:
        parsed.labels = _sparse(archive, source)
        parsed.form = f"SciPy sparse matrix ({_scalar_text(archive)})"
        parsed.rule = "Every column of the matrix is a label."
        n_stored, n_zeros = parsed.labels.nnz, parsed.labels.nnz - parsed.labels.count_nonzero()
        if n_zeros:
            notes.append(f"{n_zeros:,} of the {n_stored:,} stored values are zeros; they count as zeros.")
    else:
        _dense(archive, source, parsed)
    labels = parsed.labels
    check_stated(source.name, source.n_bytes, rows=labels.shape[0], labels=labels.shape[1])
    parsed.details["Values stored as"] = str(labels.dtype)
    if names is not None:
        parsed.label_names = checked_names(names, labels.shape[1], labels.shape[0])
    else:
        parsed.label_names = names_beside(source, "labels", labels.shape[1], parsed)
    parsed.row_ids = names_beside(source, "rows", labels.shape[0], parsed)
    return parsed


def _dense(archive: Archive, source: Source, parsed: Parsed) -> None:
    tables = {
        name: archive.read(name)
        for name, member in archive.members.items()
        if len(member.shape) == 2 and member.dtype.kind in "biuf"
    }
    binary = [name for name, table in tables.items() if _is_binary(table)]
    if len(binary) != 1:
        held = ", ".join(f"{clean_name(name)!r} {member.shape}" for name, member in archive.members.items())
        msg = (
            f"{source.name!r} is no sparse matrix of scipy.sparse.save_npz, and it has "
            f"{counted(len(binary), 'table')} of zeros and ones where exactly one is needed. It holds {held[:500]}. "
            "Save the labels alone with scipy.sparse.save_npz."
        )
        if len(tables) == 1 and not binary:
            msg += _why_not_binary(*tables.values())
        raise FormatError(msg)
    table = tables[binary[0]]
    parsed.form = "NumPy array, dense"
    parsed.rule = f"The labels are the dense table {clean_name(binary[0])!r} of the file."
    if table.dtype.kind == "f" and (is_missing := np.isnan(table)).any():
        rows, columns = np.nonzero(is_missing)
        told = (
            f"{counted(len(rows), 'label cell', 'is')} missing (NaN), first in row {rows[0]:,}, column {columns[0]:,}, "
            "counted from 0. Missing is not the same as 0."
        )
        parsed.unknown.append(Unknown("missing", told, np.stack([rows, columns], axis=1)))
        table = np.where(is_missing, 0, table)
    parsed.labels = table


def _why_not_binary(table: NDArray[Any]) -> str:
    if not table.size:
        return ""
    is_other = ~((table == 0) | (table == 1))
    if table.dtype.kind == "f":
        is_other &= ~np.isnan(table)
    n_other = int(is_other.sum())
    if not n_other:
        return "\nHint: all its values are missing (NaN)."
    others = table[is_other]
    row, column = (int(each[0]) for each in np.nonzero(is_other))
    hint = f"\nHint: {n_other:,} of its values are neither 0 nor 1, first {others[0]} in row {row:,}, column {column:,}"
    if (others == -1).all():
        return f"{hint}; if -1 means that a row does not have the label, put 0 for it."
    if ((others > 0) & (others < 1)).all():
        return f"{hint}; if they are probabilities, decide from which one on a row has the label."
    return f"{hint}, counted from 0."


def _is_binary(table: NDArray[Any]) -> bool:
    is_fine = (table == 0) | (table == 1)
    return bool((is_fine | np.isnan(table)).all() and is_fine.any()) if table.dtype.kind == "f" else bool(is_fine.all())


def _sparse(archive: Archive, source: Source) -> Any:
    text = _scalar_text(archive)
    kind = next((kind for kind in _MEMBERS if kind == text), None)
    if kind is None:
        msg = f"{source.name!r} is a sparse matrix in the unknown format {text!r}; save it as CSR."
        raise FormatError(msg)
    needed = ("shape", *_MEMBERS[kind])
    if kind == "coo" and "coords" in archive.members:
        needed = ("shape", "data", "coords")
    missing = [name for name in needed if name not in archive.members]
    if missing:
        held = ", ".join(missing)
        msg = f"{source.name!r} is damaged: a sparse {kind} matrix needs {held} too. Save it again."
        raise FormatError(msg)
    shape = _shape(archive.read("shape"))
    check_stated(source.name, source.n_bytes, rows=shape[0], labels=shape[1])
    arrays = {name: archive.read(name) for name in needed[1:]}
    arrays["data"] = _numbers(arrays["data"])
    check_stated(source.name, source.n_bytes, positives=int(np.count_nonzero(arrays["data"])))
    try:
        return _BUILDERS[kind](arrays, shape)
    except OptisplitError:
        raise
    except (ValueError, TypeError, IndexError) as error:  # arrays that do not go together
        msg = f"The file's sparse matrix is inconsistent: {clean_name(error, 100)}. Save it again."
        raise FormatError(msg) from error


def _scalar_text(archive: Archive) -> str:
    array = archive.read("format")
    return clean_name(array.item(), 20) if array.size == 1 and array.dtype.kind == "U" else "?"


def _shape(array: NDArray[Any]) -> tuple[int, int]:
    if array.shape != (2,) or array.dtype.kind not in "iu" or not (array >= 0).all():
        msg = "The file's label matrix has no proper shape; two whole numbers, rows and labels, are needed."
        raise FormatError(msg)
    return int(array[0]), int(array[1])


def _numbers(data: NDArray[Any]) -> NDArray[Any]:
    if data.dtype.kind not in "biuf":
        msg = f"The label values are of type {data.dtype}; zeros and ones are needed."
        raise FormatError(msg)
    # half precision cannot be added up, as entries stored twice are
    return data.astype(np.float64, copy=False) if data.dtype.kind == "f" else data


def _index(array: NDArray[Any], what: str, limit: int, *, lowest: int = 0) -> NDArray[Any]:
    """Check that an array holds whole numbers from `lowest` up to, but not including, `limit`."""
    if array.ndim != 1 or array.dtype.kind not in "iu":
        msg = f"The file's sparse matrix is inconsistent: {what} must be whole numbers. Save it again."
        raise FormatError(msg)
    if array.size and (int(array.min()) < lowest or int(array.max()) >= limit):
        low, high = int(array.min()), int(array.max())
        msg = (
            f"The file's sparse matrix is inconsistent: {what} runs from {low:,} to {high:,}, "
            f"but {lowest:,} to {limit - 1:,} is possible. Save it again."
        )
        raise FormatError(msg)
    return array if array.dtype == np.int32 else array.astype(np.int64, copy=False)


def _pointers(indptr: NDArray[Any], n_major: int, n_stored: int) -> NDArray[Any]:
    pointers = _index(indptr, "indptr", n_stored + 1)
    if len(pointers) != n_major + 1 or pointers[0] != 0 or (np.diff(pointers) < 0).any():
        msg = (
            f"The file's sparse matrix is inconsistent: indptr must rise from 0 in {n_major + 1:,} steps, "
            f"one more than there are rows (or labels, in csc), but has {len(pointers):,}. Save it again."
        )
        raise FormatError(msg)
    return pointers


def _compressed(arrays: dict[str, NDArray[Any]], shape: tuple[int, int], *, build: Any) -> Any:
    n_major, n_minor = reversed(shape) if build is sp.csc_array else shape
    indices = _index(arrays["indices"], "indices", n_minor)
    pointers = _pointers(arrays["indptr"], n_major, len(indices))
    return sp.csr_array(build((arrays["data"], indices, pointers), shape=shape))


def _from_bsr(arrays: dict[str, NDArray[Any]], shape: tuple[int, int]) -> Any:
    data = arrays["data"]
    if data.ndim != 3 or 0 in data.shape[1:] or shape[0] % data.shape[1] or shape[1] % data.shape[2]:
        msg = "The file's sparse matrix is inconsistent: its blocks do not fill its shape. Save it as CSR."
        raise FormatError(msg)
    n_block_rows = shape[0] // data.shape[1]
    indices = _index(arrays["indices"], "indices", shape[1] // data.shape[2])
    pointers = _pointers(arrays["indptr"], n_block_rows, len(indices))
    if len(data) < len(indices):
        msg = f"The file's sparse matrix is inconsistent: {len(indices):,} blocks are placed, but {len(data):,} stored."
        raise FormatError(msg)
    # zeros within blocks are not written out: there may be far more of them than there is memory
    data = data[: len(indices)]
    blocks, rows, columns = np.nonzero(data)
    of_block = np.repeat(np.arange(n_block_rows), np.diff(pointers))[blocks]
    places = of_block * data.shape[1] + rows, indices[blocks] * data.shape[2] + columns
    return sp.csr_array(sp.coo_array((data[blocks, rows, columns], places), shape=shape))


def _from_coo(arrays: dict[str, NDArray[Any]], shape: tuple[int, int]) -> Any:
    if "coords" in arrays:
        coords = arrays.pop("coords")
        if coords.ndim != 2 or len(coords) != 2:
            msg = "Labels must be a table of rows x labels, but the sparse array has other dimensions."
            raise FormatError(msg)
        arrays["row"], arrays["col"] = coords
    rows = _index(arrays["row"], "row", shape[0])
    columns = _index(arrays["col"], "col", shape[1])
    data = arrays["data"]
    # entries stored twice are added up here, and must not wrap around
    wide = data.astype(np.int64 if data.dtype.kind in "iu" else data.dtype, copy=False)
    return sp.csr_array(sp.coo_array((wide, (rows, columns)), shape=shape))


def _from_dia(arrays: dict[str, NDArray[Any]], shape: tuple[int, int]) -> Any:
    data = arrays["data"]
    offsets = _index(arrays["offsets"], "offsets", max(shape[1], 1), lowest=-shape[0])
    if data.ndim != 2 or len(np.unique(offsets)) < len(offsets) or len(offsets) != len(data):
        msg = "The file's sparse matrix is inconsistent: each diagonal needs one offset. Save it again as CSR."
        raise FormatError(msg)
    diagonals, columns = np.nonzero(data)
    rows = columns - offsets[diagonals]
    is_inside = (rows >= 0) & (rows < shape[0]) & (columns < shape[1])
    diagonals, rows, columns = diagonals[is_inside], rows[is_inside], columns[is_inside]
    return sp.csr_array(sp.coo_array((data[diagonals, columns], (rows, columns)), shape=shape))


_BUILDERS: dict[str, Any] = {
    "csr": partial(_compressed, build=sp.csr_array),
    "csc": partial(_compressed, build=sp.csc_array),
    "bsr": _from_bsr,
    "coo": _from_coo,
    "dia": _from_dia,
}
