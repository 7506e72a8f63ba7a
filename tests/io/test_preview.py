"""The first rows as they were read."""

from __future__ import annotations

import io

import numpy as np
import pytest
import scipy.sparse as sp

from optisplit.io.preview import preview
from optisplit.io.samples import load
from optisplit.labels import MultilabelDataset


def read(content: bytes, name: str = "data.csv", **options):
    return load(io.BytesIO(content), name=name, **options)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data.csv", b"id,age,tags\nx,30,a|b\ny,40,b\nz,50,a\n"),
        ("data.jsonl", b'{"id":"x","age":30,"tags":["a","b"]}\n{"id":"y","age":40,"tags":["b"]}\n'),
    ],
)
def test_rows_are_shown_with_their_name_labels_and_what_was_left_out(name, content):
    shown = preview(read(content, name), 2)
    assert [(each.name, each.labels, each.left_out["age"]) for each in shown.rows] == [
        ("x", ("a", "b"), "30"), ("y", ("b",), "40"),
    ]  # fmt: skip
    assert "age" in shown.columns
    assert "tags" not in shown.columns
    assert "'age'" in shown.left_out_text


def test_a_row_keeps_the_number_and_the_cells_that_it_has_in_the_file():
    data = read(b"age,a,b\n30,,1\n40,1,0\n50,0,1\n", label_columns=["a", "b"], missing="drop-rows")
    assert [(each.row, each.left_out["age"]) for each in preview(data).rows] == [(1, "40"), (2, "50")]


def test_lines_of_one_row_have_no_cells_of_their_own():
    data = read(b"row,label,score\nx,a,1\nx,b,2\ny,a,3\ny,c,1\nx,c,1\nz,a,5\n", label_columns=["row", "label"],
                layout="long")  # fmt: skip
    shown = preview(data)
    assert shown.columns == ("score",)
    assert not any(each.left_out for each in shown.rows)


def test_counts_and_many_labels_are_told_in_short():
    labels = np.ones((1, 12), dtype=np.int8)
    data = MultilabelDataset.from_labels(labels, [f"l{j}" for j in range(12)])
    assert preview(data).rows[0].labels_text == "l0, l1, l2, l3, l4, l5, l6, l7 and 4 more"
    counts = sp.csr_array(np.array([[1, 3]], dtype=np.int32))
    counted = MultilabelDataset(sp.csr_array(np.ones((1, 2), dtype=np.int8)), ("cat", "dog"), counts=counts)
    assert preview(counted).rows[0].labels_text == "cat, dog × 3"


def test_what_a_file_says_is_shown_as_text():
    data = read(b"id,note,tags\nx,<b>h</b>,a|<i>\ny,q,a|c\n", label_columns=["tags"], label_separator="|")
    html = preview(data)._repr_html_()
    assert "<b>" not in html
    assert "<i>" not in html


def test_thousands_of_label_columns_are_looked_up_at_once(monkeypatch):
    from optisplit.io.layouts import columns

    names = [f"l{column}" for column in range(3_000)]
    content = f"id,{','.join(names)},text\n" + "".join(f"r{row},{','.join('01' * 1_500)},w\n" for row in range(3))
    looked_through = []
    monkeypatch.setattr(columns, "_found", lambda name, among: looked_through.append(name) or [])
    shown = preview(read(content.encode(), label_columns=names))
    assert shown.columns == ("text",)
    assert not looked_through
