"""Whether parts can be told apart, as checks find it out."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from optisplit import check_split, load
from optisplit.io.splits import as_split

N_ROWS = 120


def table(**columns) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    values = {"id": [f"r{row}" for row in rng.permutation(N_ROWS)], "size": rng.random(N_ROWS).round(6), **columns}
    return pd.DataFrame(values | {name: (rng.random(N_ROWS) < 0.4).astype(int) for name in ("red", "green")})


def read(frame: pd.DataFrame):
    return load(io.BytesIO(frame.to_csv(index=False).encode()), name="mine.csv")


@pytest.fixture(scope="module")
def folds():
    return np.random.default_rng(5).permutation(np.arange(N_ROWS) % 3)


def test_random_parts_cannot_be_told_apart_and_a_column_that_tells_them_is_named(folds):
    alike = check_split(read(table()), folds, n_random=0, apart=True)
    assert not alike.apart.is_apart
    assert [part.name for part in alike.apart.parts] == ["fold 0", "fold 1", "fold 2"]
    site = np.array([10, 20, 35])[folds]
    apart = check_split(read(table(site=site)), folds, n_random=0, apart=True)
    assert apart.apart.is_apart
    assert [leak.name for leak in apart.apart.leaks if leak.kind == "column"] == ["site"]
    page = apart.html()
    for sentence in apart.apart.sentences:
        assert sentence.replace("'", "&#x27;") in page


def test_it_is_not_looked_for_unless_asked(folds):
    assert check_split(read(table()), folds, n_random=0).apart is None


@pytest.mark.parametrize(("column", "leave_out"), [("fold", ()), ("where", ["where"])])
def test_the_column_that_is_the_split_is_not_looked_at(folds, column, leave_out):
    check = check_split(read(table(**{column: folds + 1})), folds, n_random=0, apart=True, leave_out=leave_out)
    assert not check.apart.is_apart
    assert f"Not looked at to tell parts apart, as it says the part: '{column}'." in check.notes


def test_labels_alone_are_looked_at_where_there_are_no_features(folds):
    data = read(table())
    check = check_split(data.from_labels(data.labels), folds, n_random=0, apart=True)
    assert len(check.apart.parts) == 3
    assert not check.has_features


def test_features_that_cannot_be_used_are_said(folds):
    check = check_split(read(table(size=7)), folds, n_random=0, apart=True)
    assert check.apart is None
    assert check.apart_refused.startswith("Whether parts can be told apart was not found out: ")
    assert check.apart_refused in check.notes


def test_rows_that_the_split_does_not_mention_are_no_part(folds):
    data = read(table())
    split = as_split(folds, data)
    split = replace(split, folds=np.where(np.arange(N_ROWS) < 9, -1, folds).astype(np.int32),
                    is_missing=np.arange(N_ROWS) < 9)  # fmt: skip
    check = check_split(data, split, n_random=0, apart=True, groups=np.arange(N_ROWS))
    assert [part.name for part in check.apart.parts] == ["fold 0", "fold 1", "fold 2"]
    assert sum(part.n_rows for part in check.apart.parts) == N_ROWS - 9


def test_groups_with_names_of_their_own_are_a_matter_of_the_faults(folds):
    data = read(table())
    patients = pd.Series(np.arange(N_ROWS) // 6, index=np.arange(N_ROWS)[::-1])
    check = check_split(data, folds, n_random=0, apart=True, groups=patients)
    assert [fault.count for fault in check.faults if fault.kind == "groups"] == [N_ROWS // 6]
    assert "groups" not in {leak.kind for leak in check.apart.leaks}


def test_progress_never_goes_back(folds):
    seen = []
    check_split(
        read(table()), folds, n_random=4, apart=True, on_progress=lambda done, total, _: seen.append(done / total)
    )
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert seen[-1] == 1
    assert 0.5 in seen
