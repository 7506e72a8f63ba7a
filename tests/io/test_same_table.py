"""One table, whatever carries it, is read as one: Parquet, JSON, JSON Lines, a table of Arrow or pandas."""

from __future__ import annotations

import io
import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optisplit
from optisplit.errors import OptisplitError

if TYPE_CHECKING:
    from collections.abc import Callable

N_TABLES = 40
NAMES = ("labels", "label", "tags", "a", "b", "id", "name", "x", "fold", "file", "text", "genres", "class_x", "row")
COLUMNS: tuple[Callable[[random.Random], Any], ...] = (
    lambda rng: rng.choice((0, 1)),
    lambda rng: rng.choice((True, False)),
    lambda rng: rng.choice((-1, 1)),
    lambda rng: rng.choice((0.0, 1.0)),
    lambda rng: rng.choice((0.25, 0.5, 1.0)),
    lambda rng: rng.randrange(9),
    lambda rng: rng.choice(("0", "1")),
    lambda rng: rng.choice(("yes", "no")),
    lambda rng: rng.choice(("a", "b", "a,b", "a;b", "")),
    lambda rng: rng.choice(("a", "b", None)),
    lambda rng: f"r{rng.randrange(99)}",
    lambda rng: json.dumps(rng.sample("abc", rng.randrange(3))),
    lambda rng: rng.sample("abc", rng.randrange(1, 3)),
    lambda rng: rng.choice((["a"], ["b", "a"], None, [])),
    lambda rng: [rng.choice((0, 1)), rng.choice((0, 1))],
    lambda rng: rng.choice(([0, 1], [1, 0], [])),
)
OF_LABELS = (*COLUMNS, lambda rng: {"a": rng.choice((0, 1)), "b": rng.random()})
OPTIONS: tuple[dict[str, Any], ...] = (
    {}, {"missing": "zero", "uncertain": "zero"}, {"layout": "tags"}, {"layout": "one-hot"}, {"layout": "long"},
    {"layout": "wide"}, {"label_columns": -1},
)  # fmt: skip


def answer(given: Any, **options: Any) -> Any:
    try:
        data = optisplit.load(given, name="table", **options)
    except OptisplitError as error:
        return type(error)
    rows = [sorted(data.label_names[j] for j in np.flatnonzero(row)) for row in data.labels.toarray()]
    ids = None if data.row_ids is None else [each for each in data.row_ids if each[:1] not in ("[", "{")]  # no names
    return rows, sorted(data.label_names), ids


@pytest.mark.parametrize("seed", range(3))
def test_one_table_has_one_answer(seed):
    rng = random.Random(seed)
    n_read = 0
    for _ in range(N_TABLES):
        names = rng.sample(NAMES, rng.choice((1, 2, 3)))
        n_rows = rng.choice((3, 4, 10))
        makers = [rng.choice(OF_LABELS if name in ("labels", "tags") else COLUMNS) for name in names]
        columns = {name: [make(rng) for _ in range(n_rows)] for name, make in zip(names, makers, strict=True)}
        table = pa.table(columns)
        if "null" in str(table.schema):
            continue  # Arrow knows not of what
        packed = io.BytesIO()
        pq.write_table(table, packed)
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        options = rng.choice(OPTIONS)
        answers = {
            "Parquet": answer(packed, **options),
            "JSON": answer(io.BytesIO(json.dumps(rows).encode()), **options),
            "JSON Lines": answer(io.BytesIO("\n".join(map(json.dumps, rows)).encode()), **options),
            "Arrow": answer(table, **options),
            "pandas": answer(pd.DataFrame({name: pd.Series(held) for name, held in columns.items()}), **options),
        }
        n_read += isinstance(answers["Parquet"], tuple)
        assert all(each == answers["Parquet"] for each in answers.values()), (columns, options, answers)
    assert n_read > N_TABLES // 4
