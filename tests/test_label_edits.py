"""Labels that are left out, or put together: the same through every door."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
import scipy.sparse as sp

from optisplit import MultilabelDataset, drop_labels, load, make_recipe, merge_labels, save, split
from optisplit.cli import main
from optisplit.cli.spelling import label_names, merged_names, typed_merging
from optisplit.errors import LabelError, OptionError
from optisplit.io.splits import read_train_test

NAMES = ("a", "b", "c", "d")
LABELS = np.array([[1, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0], [0, 0, 0, 0]])
DATA = MultilabelDataset.from_labels(LABELS, NAMES, row_ids="vwxyz", name="letters")


def test_labels_that_are_put_together_are_on_the_rows_of_any():
    data = merge_labels(DATA, {"rare": ["d", "b"], "c or a": ["c", "a"]})
    assert data.label_names == ("c or a", "rare")
    assert data.labels.toarray().tolist() == [[1, 1], [0, 1], [0, 1], [1, 0], [0, 0]]
    assert (data.labels.dtype, data.labels.has_sorted_indices, data.row_ids) == (np.int8, True, DATA.row_ids)
    assert data.notes == (
        "Put together as 'rare': 2 labels, 'd', 'b'.",
        "Put together as 'c or a': 2 labels, 'c', 'a'.",
    )
    assert merge_labels(DATA, {"b": ["b", "d"]}).label_names == ("a", "b", "c")


def test_labels_that_are_left_out_leave_the_others_and_all_rows():
    data = drop_labels(DATA, ["d", "a", "d"])
    assert data.label_names == ("b", "c")
    assert data.labels.toarray().tolist() == LABELS[:, 1:3].tolist()
    assert data.notes == ("Left out: 2 labels, 'd', 'a'.",)
    np.testing.assert_array_equal(DATA.labels.toarray(), LABELS)


def test_what_was_noticed_of_a_file_is_counted_anew():
    file = io.BytesIO(b"ill,alive,pregnant\n1,1,0\n0,1,0\n0,1,0\n")
    data = load(file, name="t.csv")
    odd = ["1 label is on no row: 'pregnant'.", "1 label is on every row: 'alive'."]
    assert list(data.notes[1:]) == odd
    fewer = drop_labels(data, ["alive"])
    assert fewer.notes[1:] == ("Left out: 1 label, 'alive'.", "2 of 3 rows have no label at all.", odd[0])
    assert (fewer.reading.entries["Labels"], fewer.reading.entries["Rows without a label"]) == ("2", "2")
    assert load(io.BytesIO(file.getvalue()), name="t.csv", drop_labels=["alive"]).notes == fewer.notes
    both, _ = read_train_test(file, io.BytesIO(b"ill,alive,pregnant\n1,1,1\n1,0,1\n"))
    assert both.notes == data.notes[:1]


def test_counts_and_weights_go_along():
    amounts = MultilabelDataset.from_labels(LABELS, NAMES)
    counts = sp.csr_array((LABELS * [[3, 2, 1, 5]]).astype(np.int32))
    amounts = MultilabelDataset(amounts.labels, NAMES, counts=counts, weights=np.array([1.0, 4.0, 2.0, 3.0]))
    merged = merge_labels(amounts, {"bd": ["b", "d"]})
    assert merged.counts.toarray().tolist() == [[3, 2, 0], [0, 5, 0], [0, 7, 0], [0, 0, 1], [0, 0, 0]]
    assert merged.weights.tolist() == [1.0, 4.0, 2.0]
    assert drop_labels(amounts, ["b"]).weights.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda: drop_labels(DATA, ["a", "x", "y"]), "drop_labels names what no label of the data is called: 'x', 'y'"),
        (lambda: drop_labels(DATA, []), "names no label"),
        (lambda: drop_labels(DATA, NAMES), "names all 4 labels; at least one"),
        (lambda: merge_labels(DATA, {"c": ["a", "b"]}), "makes a label 'c', but there is one already"),
        (lambda: merge_labels(DATA, {"new": ["a", "b"], "other": ["b", "c"]}), "merge_labels names .*'b'"),
    ],
)
def test_what_cannot_be_done_is_refused(edit, message):
    with pytest.raises(LabelError, match=message):
        edit()


def test_files_samples_and_the_command_line_do_the_same(tmp_path, capsys):
    save(DATA, tmp_path / "letters.csv")
    how = {"merge_labels": {"rare": ["b", "d"]}, "drop_labels": ["c"]}
    wanted = drop_labels(merge_labels(DATA, how["merge_labels"]), how["drop_labels"])
    data = load(tmp_path / "letters.csv", **how)
    assert (data.label_names, data.labels.toarray().tolist()) == (wanted.label_names, wanted.labels.toarray().tolist())
    assert {option: data.reading.options[option] for option in how} == how
    typed = ["--merge-labels", "rare=b,d", "--drop-labels", "c"]
    assert main(["info", str(tmp_path / "letters.csv"), *typed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["n_labels"] == 2
    assert main(["info", str(tmp_path / "letters.csv"), "--drop-labels", "e"]) == 2
    assert "--drop-labels names what no label of the data is called: 'e'" in capsys.readouterr().err
    sample = load("emotions", drop_labels=["sad-lonely"])
    assert sample.labels.toarray().tolist() == drop_labels(load("emotions"), ["sad-lonely"]).labels.toarray().tolist()


@pytest.mark.parametrize("source", ["letters.csv", "emotions"])
def test_a_recipe_says_which_labels_there_were(tmp_path, source):
    save(DATA, tmp_path / "letters.csv")
    source = source if source in ("emotions",) else str(tmp_path / source)
    data = drop_labels(load(source), [load(source).label_names[-1]])
    folds = split(data, 2, method="random", random_state=3)
    recipe = make_recipe(data, folds, method="random", seed=3, source=source)
    again = recipe.load(source)
    assert again.label_names == data.label_names
    np.testing.assert_array_equal(recipe.split(again), folds)


def test_names_as_they_are_typed():
    assert label_names('a, "b, c" ,d') == ["a", "b, c", "d"]
    assert merged_names("rare=a,b; other = c") == {"rare": ["a", "b"], "other": ["c"]}
    assert merged_names(typed_merging({"x": ["a", "b"], "y": ["c"]})) == {"x": ["a", "b"], "y": ["c"]}
    with pytest.raises(OptionError, match=r"must be like NEW=A,B, got 'a,b'"):
        merged_names("a,b")
