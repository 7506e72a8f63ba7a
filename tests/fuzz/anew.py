"""Files made anew, whole and well-formed but odd: what breaks a file's outside hides what its inside would break."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

_NAMES = (
    "labels", "label", "tags", "a", "b", "a", "", "id", "row", "fold", "split", "train", "test", "is_test", "group",
    "text", "x.y", "a.b", "label_a", "label_b", "é\0", "n" * 300, "__index_level_0__", "1", "0", "nan",
)  # fmt: skip
_TEXTS = (
    "", "a", "b", "0", "1", "a,b", "a;b", "[a]", "['a']", "nan", "None", "\0", "é", "?", "train", "test", "r0", "r1",
    "1.0", "-1", "{}", '{"a":1}', '[["a",1]]', " a ", "a" * 400, "2020-01-01", "0001-01-01",
)  # fmt: skip
_NUMBERS = (0, 1, 0, 1, 0, 1, 0.0, 1.0, 0.5, -1, 2, 2**31, 2**53 + 1, -(2**63), 2**63 - 1, -0.0, 1e308)
_TICKS = (0, 1, 86_399, 86_400, -1, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 253_402_300_800, -62_135_596_801, None)
_TYPES = (
    pa.int8(), pa.int64(), pa.uint64(), pa.float16(), pa.float32(), pa.float64(), pa.bool_(), pa.null(), pa.string(),
    pa.large_string(), pa.string_view(), pa.binary(), pa.binary(2), pa.date32(), pa.date64(), pa.timestamp("ns"),
    pa.timestamp("us", "UTC"), pa.timestamp("s"), pa.time32("s"), pa.time64("ns"), pa.duration("s"), pa.duration("ns"),
    pa.decimal128(5, 2), pa.decimal128(38, 0), pa.decimal256(60, 3), pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.int64()),
)  # fmt: skip
_KEYS = (
    ("format", "shape", "data", "indices", "indptr"), ("format", "shape", "data", "row", "col"), ("labels", "ids"),
    ("train", "test"), ("train_0", "test_0", "train_1", "test_1"), ("y", "names"), ("folds", "row_ids"), ("arr_0",),
)  # fmt: skip
_N_ROWS = (4, 4, 4, 4, 0, 1, 2, 5, 10)


def anew(rng: random.Random, make: Callable[[random.Random], bytes] | None = None) -> bytes | None:
    """Make a file; None where what was drawn cannot be written."""
    try:
        return (make or rng.choice(_MAKERS))(rng)
    except (pa.ArrowException, OverflowError, ValueError):
        return None


def parquet(rng: random.Random) -> bytes:
    """Write a Parquet file of columns of any types."""
    n_rows = rng.choice(_N_ROWS)
    columns = {}
    for _ in range(rng.randrange(5)):
        columns[rng.choice(_NAMES)] = _array(_type(rng), rng, n_rows)
    if rng.random() < 0.4:
        kind = rng.choice((pa.int8(), pa.int64(), pa.float64(), pa.bool_()))
        columns[rng.choice(("a", "fold", "is_test"))] = pa.array([rng.choice((0, 1)) for _ in range(n_rows)]).cast(kind)
    if rng.random() < 0.4:
        columns["id"] = pa.array([f"r{row % 5}" for row in range(n_rows)])
    names = [rng.choice(_NAMES) if rng.random() < 0.05 else name for name in columns]
    table = pa.Table.from_arrays(list(columns.values()), names=names)
    if rng.random() < 0.1:
        said = rng.choice(('{"index_columns": ["id"]}', "{", "[]", '{"index_columns": [{"kind": "range"}]}'))
        table = table.replace_schema_metadata({"pandas": said})
    stream = io.BytesIO()
    pq.write_table(
        table, stream, compression=rng.choice(("none", "snappy", "zstd")), version=rng.choice(("1.0", "2.6")),
        row_group_size=rng.choice((1, 3, 100)), store_schema=rng.random() < 0.7,
    )  # fmt: skip
    return stream.getvalue()


def _type(rng: random.Random, depth: int = 0) -> pa.DataType:
    if rng.random() > 0.35 or depth == 3:
        return rng.choice(_TYPES)
    inner = _type(rng, depth + 1)
    fields = [(name, inner) for name in rng.sample(("a", "b", "labels", ""), rng.choice((1, 2)))]
    return rng.choice(
        (pa.list_(inner), pa.large_list(inner), pa.list_(inner, 2), pa.map_(pa.string(), inner), pa.struct(fields))
    )


def _array(kind: pa.DataType, rng: random.Random, n_rows: int) -> pa.Array:
    if pa.types.is_temporal(kind):  # any that its bits can say
        whole = pa.int64() if kind.bit_width == 64 else pa.int32()
        most = 1 << (kind.bit_width - 1)
        ticks = [rng.choice(_TICKS) for _ in range(n_rows)]
        return pa.array([each if each is None or -most <= each < most else 0 for each in ticks], type=whole).view(kind)
    return pa.array([_of_type(kind, rng) for _ in range(n_rows)], type=kind)


def _of_type(kind: pa.DataType, rng: random.Random) -> Any:
    if rng.random() < 0.1 or pa.types.is_null(kind) or pa.types.is_temporal(kind):
        return None
    if pa.types.is_map(kind):
        return [(rng.choice(("a", "b", "")), _of_type(kind.item_type, rng)) for _ in range(rng.randrange(3))]
    if pa.types.is_fixed_size_list(kind):
        return [_of_type(kind.value_type, rng) for _ in range(kind.list_size)]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [_of_type(kind.value_type, rng) for _ in range(rng.randrange(4))]
    if pa.types.is_struct(kind):
        return {field.name: _of_type(field.type, rng) for field in kind}
    if pa.types.is_dictionary(kind):
        return _of_type(kind.value_type, rng)
    if pa.types.is_boolean(kind):
        return rng.random() < 0.5
    if pa.types.is_integer(kind):
        is_signed = pa.types.is_signed_integer(kind)
        most = 1 << (kind.bit_width - is_signed)
        return rng.choice((0, 1, 0, 1, 0, 1, 2, most - 1, -most if is_signed else 0))
    if pa.types.is_floating(kind):
        return rng.choice((0.0, 1.0, 0.0, 1.0, 0.5, -0.0, float("nan"), float("inf")))
    if pa.types.is_decimal(kind):
        return Decimal(rng.choice((0, 1, -1)))
    if pa.types.is_fixed_size_binary(kind):
        return rng.choice((b"ab", b"\xff\xfe"))
    return rng.choice((b"", b"a", b"\xff")) if pa.types.is_binary(kind) else rng.choice(_TEXTS)


def json_text(rng: random.Random) -> bytes:
    """Write JSON, or JSON Lines, of objects, lists, columns or rows by name."""
    keys = [rng.choice(_NAMES) for _ in range(rng.choice((1, 2, 3)))]
    documents: tuple[Callable[[], Any], ...] = (
        lambda: [{key: _value(rng) for key in keys} for _ in range(4)],
        lambda: [{rng.choice(_NAMES): _value(rng) for _ in keys} for _ in range(rng.choice(_N_ROWS))],
        lambda: {key: [_value(rng) for _ in range(rng.choice(_N_ROWS))] for key in keys},
        lambda: {f"r{row}": _value(rng) for row in range(4)},
        lambda: {rng.choice(_NAMES): _value(rng) for _ in keys},
        lambda: [_value(rng) for _ in range(4)],
        lambda: {rng.choice(_NAMES): {f"r{row}": _value(rng) for row in range(4)} for _ in keys},
    )
    document, is_ascii = rng.choice(documents)(), rng.random() < 0.5
    as_lines = isinstance(document, list) and rng.random() < 0.5
    texts = [json.dumps(each, ensure_ascii=is_ascii) for each in (document if as_lines else [document])]
    return "\n".join(texts).encode()


def _value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(9 if depth < 3 else 6)
    if kind < 2:
        return rng.choice(_NUMBERS)
    if kind < 5:
        return rng.choice(_TEXTS)
    if kind == 5:
        return rng.choice((None, None, True, False, float("nan")))
    if kind < 8:
        return [_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    return {rng.choice(("a", "b", "labels", "name", "")): _value(rng, depth + 1) for _ in range(rng.randrange(3))}


def text_table(rng: random.Random) -> bytes:
    """Write a text table of columns each with a kind of cell."""
    kinds: tuple[Callable[[], object], ...] = (
        lambda: rng.choice((0, 1)),
        lambda: rng.choice((0, 1, 2)),
        lambda: rng.choice(("train", "test", "val", "")),
        lambda: rng.choice(("a", "b", "a,b", "a;b", "a|b", "")),
        lambda: f"r{rng.randrange(4)}",
        lambda: json.dumps(_value(rng)),
        lambda: str(_value(rng)),
    )
    columns = [rng.choice(kinds) for _ in range(rng.choice((1, 2, 3, 4)))]
    lines = [[rng.choice(_NAMES) for _ in columns]] if rng.random() < 0.9 else []
    lines += [[str(column()) for column in columns] for _ in range(rng.choice(_N_ROWS))]
    stream = io.StringIO()
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
    csv.writer(stream, delimiter=rng.choice(",,;\t|"), quoting=quoting, lineterminator="\n").writerows(lines)
    return stream.getvalue().encode()


def arrays(rng: random.Random) -> bytes:
    """Write an array, or an archive of some, under the names that are looked for."""
    stream = io.BytesIO()
    if rng.random() < 0.2:
        np.save(stream, _numpy(rng), allow_pickle=False)
        return stream.getvalue()
    held = {key: _numpy(rng) for key in rng.choice(_KEYS) if rng.random() < 0.95}
    if "format" in held:
        held["format"] = np.array(rng.choice(("csr", "csc", "coo", b"csr", "dia", "bsr", 1)))
    if "shape" in held:
        held["shape"] = np.array(rng.choice(([3, 2], [4, 2], [4, -1], [2**40, 2], [0, 0], [4.0, 2.0])))
    np.savez(stream, **held)
    return stream.getvalue()


def _numpy(rng: random.Random) -> np.ndarray:
    n_rows = rng.choice(_N_ROWS)
    kind = rng.choice(("i1", "i8", "u8", "f4", "f8", "?", "c8", "f2", ">i4", "M8[s]", "m8[s]"))
    made: tuple[Callable[[], Any], ...] = (
        lambda: np.array([rng.choice((0, 1, 2)) for _ in range(n_rows)]).astype(kind),
        lambda: np.array([[rng.choice((0, 1)) for _ in range(2)] for _ in range(n_rows)]).astype(rng.choice("bdf?")),
        lambda: np.array([rng.choice(("a", "é", "", "r1", "train", "test", "1")) for _ in range(n_rows)]),
        lambda: np.array([rng.choice((b"a", b"\xff", b"", b"r1", b"train", b"test")) for _ in range(n_rows)]),
        lambda: np.array(rng.choice((0, 1, "csr", b"csr", float("nan")))),
        lambda: np.zeros((n_rows, rng.choice((0, 2)), 2)[: rng.choice((2, 3))]),
        lambda: np.array([(1, 2.0)] * n_rows, dtype=[("a", "i4"), ("b", "f8")]),
        lambda: rng.sample(range(n_rows), n_rows) + np.array(rng.choice((0, 0, 1, -1, 2**40))),
    )
    return np.asarray(rng.choice(made)())


_MAKERS = (parquet, json_text, json_text, text_table, text_table, arrays)
