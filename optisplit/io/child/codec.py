"""What a reading process may hand over: plain values, arrays, and records of a few kinds; nothing that runs."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from optisplit import errors
from optisplit.errors import OptisplitError, Sentence
from optisplit.io.registry import features_of
from optisplit.labels import as_labels

if TYPE_CHECKING:
    from collections.abc import Sequence

_RECORDS = {
    "MultilabelDataset": "optisplit.labels",
    "Reading": "optisplit.labels",
    "Guess": "optisplit.io.tables.table",
    "LikelyGroups": "optisplit.io.layouts.group_columns",
    "SplitFile": "optisplit.io.splits.base",
    "SplitFault": "optisplit.io.splits.base",
    "SplitColumn": "optisplit.io.splits.tables",
    "RowColumn": "optisplit.io.rows",
    "Argument": "optisplit.errors",
    "OpenQuestion": "optisplit.errors",
}
_FUNCTIONS = ("writer", "read_features")  # fields that stay behind
_KINDS = "biufU"


def encode(value: Any, buffers: list[Any]) -> Any:
    """Turn a value into what goes into JSON, and arrays beside it."""
    if value is None or type(value) in (bool, int, str):
        return value
    if value is ...:
        return {"unset": True}
    if isinstance(value, float):
        return {"float": repr(float(value))}
    if isinstance(value, np.generic):
        return encode(value.item(), buffers)
    if isinstance(value, Sentence):
        return {"sentence": [encode(each, buffers) for each in value.parts]}
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list | tuple) and type(value).__name__ not in _RECORDS:
        items = list(value)
        if not set(map(type, items)) <= {str, int, bool}:
            items = [encode(each, buffers) for each in items]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, Mapping):
        return {"map": [[encode(key, buffers), encode(each, buffers)] for key, each in value.items()]}
    return _encode_object(value, buffers)


def _encode_object(value: Any, buffers: list[Any]) -> Any:
    if isinstance(value, bytes):
        buffers.append(value)
        return {"bytes": len(buffers) - 1}
    if isinstance(value, np.ndarray) and value.dtype.kind in _KINDS:
        buffers.append(np.ascontiguousarray(value))
        kind = value.dtype.str
        if value.dtype.kind == "U":  # no view of bytes is possible of texts
            buffers[-1] = buffers[-1].view(np.uint8) if value.size else b""
        return {"array": [kind, list(value.shape), len(buffers) - 1]}
    if sp.issparse(value):
        matrix = sp.csr_array(value)
        parts = [encode(each, buffers) for each in (matrix.data, matrix.indices, matrix.indptr)]
        return {"rows": [list(matrix.shape), *parts]}
    if isinstance(value, Path):
        return {"path": str(value)}
    name = type(value).__name__
    if name in _RECORDS:
        named: Any = getattr(value, "_fields", None) or [each.name for each in dataclasses.fields(value) if each.init]
        fields = [each for each in named if each not in _FUNCTIONS]
        return {"record": [name, {field: encode(getattr(value, field), buffers) for field in fields}]}
    msg = f"{name} is not handed over"
    raise TypeError(msg)


def decode(value: Any, buffers: Sequence[bytearray]) -> Any:
    """Turn back what another process sent; ValueError, TypeError and the like where it is nothing proper."""
    if isinstance(value, list):
        plain = set(map(type, value)) <= {str, int, bool, type(None)}
        return value if plain else [decode(each, buffers) for each in value]
    if not isinstance(value, dict):
        return value
    ((kind, held),) = value.items()
    match kind:
        case "unset":
            return ...
        case "float":
            return float(held)
        case "sentence":
            return Sentence(*(decode(each, buffers) for each in held))
        case "tuple":
            return tuple(decode(held, buffers))
        case "map":
            return {decode(key, buffers): decode(each, buffers) for key, each in held}
        case "bytes":
            return bytes(buffers[held])
        case "array":
            return _array(held, buffers)
        case "rows":
            return _rows(held, buffers)
        case "path":
            return Path(held)
        case "record":
            return _record(held, buffers)
    msg = f"unknown kind {kind!r}"
    raise ValueError(msg)


def _array(held: list[Any], buffers: Sequence[bytearray]) -> Any:
    kind, shape, at = held
    dtype = np.dtype(kind)
    if dtype.kind not in _KINDS:
        msg = f"unknown type {kind!r}"
        raise ValueError(msg)
    return np.frombuffer(buffers[at], dtype).reshape(shape)


def _rows(held: list[Any], buffers: Sequence[bytearray]) -> Any:
    shape, *parts = held
    matrix = sp.csr_array(tuple(decode(each, buffers) for each in parts), shape=tuple(shape))
    matrix.check_format(full_check=True)
    return matrix


def _record(held: list[Any], buffers: Sequence[bytearray]) -> Any:
    name, fields = held
    kind = getattr(importlib.import_module(_RECORDS[name]), name)
    given = {field: decode(each, buffers) for field, each in fields.items()}
    if any(field in _FUNCTIONS for field in given):
        msg = "a function"
        raise ValueError(msg)
    if name == "MultilabelDataset":
        given["labels"] = as_labels(given["labels"])
        n_rows, n_labels = given["labels"].shape
        if len(given["row_ids"] or range(n_rows)) != n_rows or len(given["label_names"]) != n_labels:
            msg = "names do not fit"
            raise ValueError(msg)
        if given["reading"] is not None:
            given["read_features"] = features_of(given["reading"].format)
    if name == "SplitFile":
        given["writer"] = _not_written
    return kind(**given)


def _not_written(*args: Any) -> tuple[str, bytes]:
    raise NotImplementedError


def encode_error(error: OptisplitError, buffers: list[Any]) -> Any:
    """Turn an error of this package into what goes into JSON."""
    kind = next(each for each in type(error).__mro__ if getattr(errors, each.__name__, None) is each)
    return [kind.__name__, encode(list(error.args), buffers)]


def decode_error(value: Any, buffers: Sequence[bytearray]) -> OptisplitError:
    """Turn it back."""
    name, args = value
    kind = getattr(errors, name)
    if not (isinstance(kind, type) and issubclass(kind, OptisplitError)):
        msg = "no error"
        raise ValueError(msg)
    return kind(*decode(args, buffers))
