"""How tables hold labels: what is found, what is said of it, and what is asked."""

from __future__ import annotations

import io
import json
import pickle

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optisplit
from optisplit.errors import FormatError, MissingLabelsError, OptionError, OptisplitError
from optisplit.io.layouts import arrow, dictionary_columns
from optisplit.io.layouts.columns import chosen_columns, parse_label_columns
from optisplit.io.layouts.dictionaries import parse_dictionary


def load(content, name="x.csv", **options):
    data = content if isinstance(content, bytes) else content.encode()
    return optisplit.load(io.BytesIO(data), name=name, **options)


def lines(*rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def parquet(**columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def labels(data):
    """Say on which rows each label is."""
    rows = data.labels.toarray().T.tolist()
    return {name: "".join(map(str, row)) for name, row in zip(data.label_names, rows, strict=True)}


def guess(data, option):
    return next(each for each in data.reading.guesses if each.option == option)


# ------------------------------------------------------------- missing and uncertain

CHEST = "Path,Edema,Mass\na.jpg,1.0,\nb.jpg,-1.0,1.0\nc.jpg,0.0,0.0\nd.jpg,1.0,1.0\ne.jpg,,-1.0\n"


def test_one_error_asks_all_that_is_open():
    with pytest.raises(MissingLabelsError) as caught:
        load(CHEST)
    error = caught.value
    assert [each[:4] for each in error.questions] == [("missing", 2, 2, 2), ("uncertain", 2, 2, 2)]
    assert (error.n_cells, error.n_rows, error.n_labels) == (2, 2, 2)
    assert "'Edema' is missing in 1 row, first in line 6" in error.questions[0].where
    assert "'Edema' is uncertain (-1) in 1 row, first in line 3" in error.questions[1].where
    assert "1 more label: 'Mass' (1 row); 2 cells in all" in str(error)
    assert pickle.loads(pickle.dumps(error)).questions == error.questions
    with pytest.raises(MissingLabelsError) as caught:
        load(CHEST, missing="zero")
    assert [each.option for each in caught.value.questions] == ["uncertain"]


@pytest.mark.parametrize(
    ("missing", "uncertain", "found"),
    [
        ("zero", "zero", {"Edema": "10010", "Mass": "01010"}),
        ("one", "zero", {"Edema": "10011", "Mass": "11010"}),
        ("zero", "one", {"Edema": "11010", "Mass": "01011"}),
        ("one", "drop-rows", {"Edema": "101", "Mass": "101"}),
        ("drop-rows", "drop-rows", {"Edema": "01", "Mass": "01"}),
    ],
)
def test_answers(missing, uncertain, found):
    data = load(CHEST, missing=missing, uncertain=uncertain)
    assert labels(data) == found
    assert load(CHEST, **data.reading.options).digest == data.digest


def test_labels_can_be_left_out():
    content = "id,a,b\n1,1,-1\n2,0,1\n3,,1\n"
    assert labels(load(content, missing="zero", uncertain="drop-labels")) == {"a": "100"}
    assert labels(load(content, missing="drop-rows", uncertain="drop-labels")) == {"a": "10"}
    with pytest.raises(FormatError, match="Every label is somewhere missing or uncertain, so none is left"):
        load(content, missing="drop-labels", uncertain="drop-labels")


def test_rows_that_name_nothing_cannot_have_all_labels():
    with pytest.raises(OptionError, match="missing='one' would give 1 row every label there is"):
        load("id,tags\n1,a|b\n2,\n", missing="one")
    with pytest.raises(MissingLabelsError) as caught:
        load("id,tags\n1,a|b\n2,\n")
    assert "one" not in {part.value for part in caught.value.args[0].parts if not isinstance(part, str)}


def test_positives_that_are_marked_and_the_rest_blank():
    for mark in ("1", "x", "✓"):
        content = f"id,a,b\n1,{mark},\n2,,{mark}\n3,{mark},{mark}\n"
        with pytest.raises(MissingLabelsError, match="'a' is missing in 1 row, first in line 3"):
            load(content)
        assert labels(load(content, missing="zero")) == {"a": "101", "b": "011"}
        assert labels(load(content, missing="zero", label_columns=["a", "b"])) == {"a": "101", "b": "011"}
    data = load("id,done,a\n1,x,1\n2,,0\n3,x,1\n")  # beside columns of 0 and 1, a mark is no label
    assert data.label_names == ("a",)


def test_labels_of_which_nothing_is_certain():
    content = "id,a,b\n1,1,-1\n2,0,\n3,-1,\n"
    assert labels(load(content, missing="zero", uncertain="one")) == {"a": "101", "b": "100"}


def test_arff_asks_too():
    content = "@relation r\n@attribute x numeric\n@attribute a numeric\n@data\n5,1\n6,-1\n7,?\n"
    with pytest.raises(MissingLabelsError) as caught:
        load(content, "x.arff", label_columns=1)
    assert [each.option for each in caught.value.questions] == ["missing", "uncertain"]
    assert labels(load(content, "x.arff", label_columns=1, missing="zero", uncertain="one")) == {"a": "110"}


# ------------------------------------------------------------- dictionaries

ECG = "id,codes\n1,\"{'NORM': 100.0, 'SR': 0.0}\"\n2,\"{'IMI': 15.0, 'SR': 0.0}\"\n3,{'NORM': 80.0}\n"


def test_keys_are_labels():
    data = load(ECG)
    assert labels(data) == {"NORM": "101", "SR": "110", "IMI": "010"}
    assert "are the keys of dictionaries in the column 'codes': every key counts" in data.notes[0]
    assert any("values, 0 to 100, were not used" in note for note in data.notes)
    found = guess(data, "threshold")
    assert (found.value, found.is_sure, found.others) == (None, False, (15.0,))
    assert labels(load(ECG, threshold=found.others[0])) == {"NORM": "101", "SR": "000", "IMI": "010"}


@pytest.mark.parametrize(
    "cells",
    [
        ["{'a': 1, 'b': 0}", "{'a': 0, 'b': 1}", "{'b': 1}"],
        ["{'a': True, 'b': False}", "{'a': False, 'b': True}", "{'b': True}"],
        ['{"a": true, "b": false}', '{"a": false, "b": true}', '{"b": true}'],
    ],
)
def test_values_of_0_and_1_are_an_indicator(cells):
    quoted = [cell.replace('"', '""') for cell in cells]
    data = load("id,labels\n" + "".join(f'{at},"{cell}"\n' for at, cell in enumerate(quoted)))
    assert labels(data) == {"a": "100", "b": "011"}
    assert "a value of 1 says that a row has the label, 0 that it does not" in data.notes[0]


def test_dictionaries_of_json_and_parquet_are_read_alike():
    rows = [{"a": 0.5, "b": 0.0}, {"b": 0.25}, {}, {"a": 1.0}]
    of_lines = load(lines(*({"id": f"r{at}", "labels": row} for at, row in enumerate(rows))), "x.jsonl")
    ids = ["r0", "r1", "r2", "r3"]
    pairs = pa.array([list(row.items()) for row in rows], pa.map_(pa.string(), pa.float64()))
    for data in (of_lines, load(parquet(id=ids, labels=pairs), "x.parquet")):
        assert labels(data) == {"a": "1001", "b": "1100"}
        assert data.row_ids == tuple(ids)
    structs = parquet(id=ids, labels=pa.array(rows, pa.struct([("a", pa.float64()), ("b", pa.float64())])))
    assert labels(load(structs, "x.parquet")) == {"a": "1001", "b": "1100"}
    assert labels(load(structs, "x.parquet", threshold=0.3)) == {"a": "1001", "b": "0000"}


PLAIN = [{"id": f"r{at}", "t": "x, y", "labels": {"a b": at, "c": 0.5} if at % 3 else {}, "n": 1} for at in range(9)]


@pytest.mark.parametrize(
    "odd", [None, {"id": "z", "labels": {'q"': 1}}, {"id": 7, "labels": {"a b": 1}}, {"id": "z", "labels": {"a b": -1}},
            {"id": "z", "labels": None}, {"id": "z", "t": "{", "labels": {"c": 2}}, {"id": "z", "labels": {"c": True}},
            {"id": "z", "m": {"labels": {"c": 1}}, "labels": {"d": 1}}, {"id": "z", "labels": ["c"]},
            {"labels": {"c": 1}}],
)  # fmt: skip
def test_large_files_of_dictionaries_are_read_as_small_ones(odd, monkeypatch):
    content = lines(*PLAIN, *([] if odd is None else [odd]))

    def answer(**options):
        try:
            data = load(content, "x.jsonl", **options)
        except OptisplitError as error:
            return str(error)
        return labels(data), data.row_ids, data.notes

    used = []
    fast = dictionary_columns.dictionaries_of_lines
    monkeypatch.setattr(
        dictionary_columns, "dictionaries_of_lines", lambda *given: used.append(fast(*given)) or used[-1]
    )
    small = [answer(), answer(threshold=2), answer(missing="zero", uncertain="one", threshold=1)]
    assert not any(used)
    monkeypatch.setattr(arrow, "LARGE_BYTES", 0)
    assert [answer(), answer(threshold=2), answer(missing="zero", uncertain="one", threshold=1)] == small
    assert odd is not None or all(used[-3:])


def test_probabilities_of_all_labels_need_a_threshold():
    content = lines({"labels": {"a": 0.2, "b": 0.9}}, {"labels": {"a": 0.7, "b": 0.1}})
    with pytest.raises(FormatError, match=r"values, 0.1 to 0.9, .* every row has every key: .* such as threshold=0.5"):
        load(content, "x.jsonl")
    assert labels(load(content, "x.jsonl", threshold=0.5)) == {"a": "01", "b": "10"}


def test_counts_in_dictionaries():
    content = lines({"objects": {"cat": 3, "dog": 0}}, {"objects": {"dog": 2}})
    with pytest.raises(FormatError, match="and keys with 0"):
        load(content, "x.jsonl")
    data = load(content, "x.jsonl", threshold=1)
    assert data.counts.toarray().tolist() == [[3, 0], [0, 2]]
    assert labels(load(content, "x.jsonl", threshold=0)) == {"cat": "10", "dog": "11"}


def test_unknown_values_in_dictionaries():
    content = lines({"labels": {"a": 1, "b": -1}}, {"labels": {"a": 0, "b": None}}, {"labels": None})
    with pytest.raises(MissingLabelsError) as caught:
        load(content, "x.jsonl")
    assert {each.option: each.n_cells for each in caught.value.questions} == {"uncertain": 1, "missing": 3}
    assert labels(load(content, "x.jsonl", missing="drop-rows", uncertain="one")) == {"a": "1", "b": "1"}


@pytest.mark.parametrize(
    ("cell", "pairs"),
    [
        ("{'a': 1, 'a': 0}", [("a", 1), ("a", 0)]),
        ('{"it\'s": 1.0}', [("it's", 1.0)]),
        ("{'a': None, 'b': True}", [("a", None), ("b", True)]),
        ("{1: 2}", [("1", 2)]),
        ("{'x: True, y': 1}", [("x: True, y", 1)]),
        ("{}", []),
        ("{'a': {'b': 1}}", None),
        ("{'a': [1]}", None),
        ("{'a': 'x'}", None),
        ("{'a', 'b'}", None),
        ("{**{}}", None),
        ("{'a': __import__('os')}", None),
    ],
)
def test_a_dictionary_in_a_cell(cell, pairs):
    assert parse_dictionary(cell) == pairs


def test_odd_cells_among_dictionaries_are_named():
    with pytest.raises(FormatError, match="'codes' has dictionaries of numbers, but in line 5 'oops'"):
        load(ECG + "4,oops\n")
    with pytest.raises(FormatError, match="label 'a' of line 2 has several values"):
        load("id,codes\n1,\"{'a': 1, 'a': 0}\"\n2,{'a': 1}\n3,{'b': 1}\n")


# ------------------------------------------------------------- several columns, marks, vectors


def test_a_label_column_and_a_column_of_lists():
    songs = "file,first_label,other_labels\n1,crow,[]\n2,crow,\"['robin', 'wren']\"\n3,wren,['robin']\n4,,[]\n"
    found = {"crow": "1100", "robin": "0110", "wren": "0110"}
    data = load(songs, label_columns=["first_label", "other_labels"])
    assert labels(data) == found
    guessed = load(songs)
    assert labels(guessed) == found
    assert not guess(guessed, "label_columns").is_sure
    for other in guess(guessed, "label_columns").others:
        assert labels(load(songs, label_columns=other, missing="zero")) != found


def test_columns_of_names_and_lists_with_a_separator():
    content = "file,main_label,more\n1,crow,\n2,crow,robin|wren\n3,wren,robin\n4,robin,\n"
    data = load(content, label_columns=["main_label", "more"])
    assert labels(data) == {"crow": "1100", "robin": "0111", "wren": "0110"}
    assert load(content, **data.reading.options).digest == data.digest
    cities = load('id,label1,label2\n1,"Rome, Italy",\n2,Oslo,"Rome, Italy"\n')
    assert labels(cities) == {"Rome, Italy": "11", "Oslo": "01"}  # nothing says that a comma parts them


def test_rows_of_all_columns_empty_are_missing():
    with pytest.raises(
        MissingLabelsError, match="no label in 1 row of the columns 'a_label', 'labels', first in line 3"
    ):
        load("a_label,labels,text\nx,['y'],u\n,,v\n", label_columns=["a_label", "labels"])


@pytest.mark.parametrize(
    "cells", [("<a><b c>", "<b c>", "<a>"), ("[a][b c]", "[b c]", "[a]"), ("{a}{b c}", "{b c}", "{a}"),
              ("(a) (b c)", "(b c)", "(a)"), ("'a' 'b c'", "'b c'", "'a'")],
)  # fmt: skip
def test_marks_around_each_tag(cells):
    data = load("id,tags\n" + "".join(f"{at},{cell}\n" for at, cell in enumerate(cells)))
    assert labels(data) == {"a": "101", "b c": "110"}
    assert any("which are no part of them" in note for note in data.notes)
    assert labels(load("id,tags\n1,#a #b\n2,#b\n3,#a\n")) == {"a": "101", "b": "110"}
    with pytest.raises(FormatError, match="but 'c' in line 502; write it as the others"):
        load("id,tags\n" + "1,<a><b>\n" * 500 + "2,c\n")


@pytest.mark.parametrize("between", [" ", ",", ", ", "", "|"])
def test_a_row_of_0_and_1_in_a_cell(between):
    rows = ["0110", "1000", "0001"]
    content = "id,labels\n" + "".join(f'{at},"{between.join(row)}"\n' for at, row in enumerate(rows))
    data = load(content)
    assert labels(data) == {"label 0": "010", "label 1": "100", "label 2": "100", "label 3": "001"}
    assert "4 labels, by number" in data.notes[0]
    assert load(content, **data.reading.options).digest == data.digest


def test_rows_of_0_and_1_of_unequal_length_are_no_labels_called_0_and_1():
    with pytest.raises(FormatError, match="most have 4, and row 2 has 3"):
        load("id,labels\n1,0 1 1 0\n2,1 0 0\n3,0 0 0 1\n")
    with pytest.raises(FormatError, match="most have 3, and row 2 has 2"):
        load(lines({"labels": [0, 1, 0]}, {"labels": [1, 0]}, {"labels": [1, 1, 0]}), "x.jsonl")


def test_lists_of_probabilities_take_a_threshold():
    content = lines({"labels": [0.2, 0.8]}, {"labels": [0.6, 0.1]})
    assert labels(load(content, "x.jsonl", threshold=0.5)) == {"label 0": "01", "label 1": "10"}
    vectors = parquet(labels=[[0.2, 0.8], [0.6, 0.1]])
    assert labels(load(vectors, "x.parquet", threshold=0.5)) == {"label 0": "01", "label 1": "10"}
    with pytest.raises(OptionError, match="threshold needs values of labels"):
        load("id,tags\n1,a|b\n2,b\n", threshold=0.5)


def test_class_numbers_in_a_cell():
    data = load("Id,Target\nq1,0 1\nq2,0\nq3,1\nq4,16 0\n")
    assert labels(data) == {"0": "1101", "1": "1010", "16": "0001"}
    chosen = load("text\tids\na\t27\nb\t4,27\nc\t0\nd\t0,4\n", label_columns=["ids"])
    assert labels(chosen) == {"27": "1100", "4": "0101", "0": "0011"}
    assert labels(load("id,attribute_ids\n10,51 616 7\n11,616\n12,51 7\n13,51 616\n")) == {
        "51": "1011", "616": "1101", "7": "1010"
    }  # fmt: skip


def test_blanks_part_words_that_stand_alone_elsewhere():
    data = load("image,labels\na,healthy\nb,scab frog_eye complex\nc,scab\nd,complex\n")
    assert labels(data) == {"healthy": "1000", "scab": "0110", "frog_eye": "0100", "complex": "0101"}
    unsure = load("image,tags\na,haze primary\nb,clear primary\nc,haze primary\n")
    assert labels(unsure) == {"haze primary": "101", "clear primary": "010"}
    found = guess(unsure, "label_separator")
    assert (found.value, found.is_sure, found.others) == (None, False, (" ",))
    assert any("label_separator=' '" in note for note in unsure.notes)
    assert labels(load("image,tags\na,haze primary\nb,clear primary\n", label_separator=" "))["primary"] == "11"


# ------------------------------------------------------------- pairs

VERIFIED = "image,class,present\nx,cat,1\nx,dog,0\ny,cat,0\ny,dog,0\nz,dog,1\n"


def test_a_value_of_0_says_that_a_label_is_not_there():
    data = load(VERIFIED)
    assert labels(data) == {"cat": "100", "dog": "001"}
    assert (data.row_ids, data.key) == (("x", "y", "z"), "image")
    assert data.reading.options["label_columns"] == ["image", "class", "present"]


def test_confidences_are_asked_about():
    content = "image,class,confidence\nx,cat,0.9\nx,dog,0.2\ny,cat,0.4\ny,dog,0.8\n"
    with pytest.raises(
        FormatError, match=r"'confidence' has values, 0.2 to 0.9, .* as threshold, such as threshold=0.5"
    ):
        load(content)
    assert labels(load(content, threshold=0.5)) == {"cat": "10", "dog": "01"}
    assert labels(load(content, label_columns=["image", "class"])) == {"cat": "11", "dog": "11"}


def test_pairs_that_contradict_each_other_are_named():
    with pytest.raises(
        FormatError, match="label 'cat' of the row 'x' has several values in the column 'present', such as 1 and 0"
    ):
        load(VERIFIED + "x,cat,0\n")
    assert any("1 line repeats" in note for note in load(VERIFIED + "x,cat,1\n").notes)
    assert labels(load(VERIFIED + "z,cat,-1\n", uncertain="one")) == {"cat": "101", "dog": "001"}


@pytest.mark.parametrize("value", ["0.5", "", "-1", "x"])
def test_large_files_of_values_are_read_as_small_ones(value, monkeypatch):
    content = VERIFIED + f"z,cat,{value}\n"

    def answer(**options):
        try:
            return labels(load(content, **options))
        except OptisplitError as error:
            return str(error)

    small = [answer(), answer(threshold=0.3), answer(missing="zero", uncertain="one")]
    monkeypatch.setattr(arrow, "LARGE_BYTES", 0)
    assert [answer(), answer(threshold=0.3), answer(missing="zero", uncertain="one")] == small


MELTED = "ID,Label\nI_1_epi,0\nI_1_sub,1\nI_2_epi,1\nI_2_sub,0\nI_3_epi,0\nI_3_sub,0\n"


def test_row_and_label_in_one_cell():
    data = load(MELTED)
    assert labels(data) == {"epi": "010", "sub": "100"}
    assert data.row_ids == ("I_1", "I_2", "I_3")
    assert guess(data, "layout").others == ("one-hot",)
    assert labels(load(MELTED, layout="one-hot")) == {"Label": "011000"}
    assert labels(load(MELTED + "I_1_sub,1\n")) == labels(data)  # there twice
    eyes = load("id,level\n10_left,0\n10_right,1\n11_left,1\n11_right,0\n")
    assert labels(eyes) == {"level": "0110"}  # sides are no labels


def test_rows_that_lack_a_label_are_not_parted():
    many = "ID,Label\n" + "".join(f"I{at}_{label},{at % 2}\n" for at in range(300) for label in ("epi", "sub"))
    with pytest.raises(FormatError, match="not all rows have all 2 labels: 'J' has 1"):
        load(many + "J_epi,1\n")
    data = load(many + "J_epi,1\n", layout="one-hot", label_columns=["Label"])
    assert data.n_rows == 601


def test_admissions_and_patients():
    content = "SUBJECT_ID,HADM_ID,SEQ_NUM,ICD9_CODE\n1,11,1,401\n1,11,2,250\n1,12,1,401\n2,13,1,250\n2,13,2,V10\n"
    data = load(content)
    assert data.row_ids == ("11", "12", "13")
    other = guess(data, "label_columns").others[0]
    assert load(content, label_columns=other).row_ids == ("1", "2")


# ------------------------------------------------------------- counts and thresholds


def test_counts_are_offered_and_kept():
    content = "id,cat,dog\n1,2,0\n2,0,1\n3,0,5\n"
    with pytest.raises(FormatError, match=r"threshold=1 reads 1 or more as having the label, and keeps the counts"):
        load(content)
    with pytest.raises(FormatError, match="threshold=1"):
        load(content, label_columns=["cat", "dog"])
    for options in ({}, {"label_columns": ["cat", "dog"]}):
        data = load(content, threshold=1, **options)
        assert labels(data) == {"cat": "100", "dog": "011"}
        assert data.counts.toarray().tolist() == [[2, 0], [0, 1], [0, 5]]
        assert load(content, **data.reading.options).digest == data.digest
    assert load(content, threshold=2).counts is None
    beside = load("id,cat,dog\n1,2,0\n2,0,1\n3,0,1\n")
    assert any("may be counts of labels: threshold=1 takes them" in note for note in beside.notes)


def test_probabilities_take_a_threshold():
    content = "id,age,a,b\n1,30,0.3,0.9\n2,40,0.7,\n"
    with pytest.raises(FormatError, match=r"threshold=0\.5"):
        load(content, label_columns=["a"])
    assert labels(load(content, threshold=0.5, missing="zero")) == {"a": "01", "b": "10"}
    with pytest.raises(FormatError, match="label 'x' has 'high' in line 2"):
        load("x,y\nhigh,1\n", threshold=0.5, label_columns=["x", "y"])


def test_one_column_of_numbers_may_be_counts_or_names():
    content = "id,n\n1,2\n2,0\n3,0\n4,1\n"
    with pytest.raises(FormatError, match=r"threshold=1 .*; layout='tags'"):
        load(content, label_columns=["n"])
    assert labels(load(content, label_columns=["n"], threshold=1)) == {"n": "1001"}
    assert labels(load(content, label_columns=["n"], layout="tags")) == {"2": "1000", "0": "0110", "1": "0001"}


# ------------------------------------------------------------- a label that says there is none


@pytest.mark.parametrize("name", ["No Finding", "(no genres listed)", "none", "no_label", "No defect found"])
def test_a_label_that_says_there_is_none(name):
    content = f"id,tags\n1,a|b\n2,{name}\n3,b\n4,{name}\n"
    data = load(content)
    assert any("is on 2 rows, each time alone" in note for note in data.notes)
    assert guess(data, "absent_label").others == (name,)
    without = load(content, absent_label=name)
    assert labels(without) == {"a": "1000", "b": "1010"}
    assert load(content, **without.reading.options).digest == without.digest


def test_a_label_that_says_there_is_none_beside_others():
    content = "id,No Finding,a,b\n1,1,0,0\n2,1,1,0\n3,0,1,1\n4,1,0,0\n"
    data = load(content, absent_label="no finding")
    assert labels(data) == {"a": "0110", "b": "0010"}
    assert any("1 row has 'No Finding' and other labels too" in note for note in data.notes)
    with pytest.raises(OptionError, match="is no label of the file"):
        load(content, absent_label="healthy")
    unknown = "id,No Finding,a,b\n1,1,,\n2,,1,-1\n3,,0,1\n"
    assert labels(load(unknown, absent_label="No Finding", missing="zero", uncertain="one")) == {"a": "010", "b": "011"}
    assert not any(each.option == "absent_label" for each in load("id,a,northern\n1,1,0\n2,0,1\n").reading.guesses)


# ------------------------------------------------------------- columns


def test_columns_by_name_pattern_and_place():
    names = ["id", "27", "dx_a", "dx_b", "x", "x"]
    assert chosen_columns(["dx_*"], names) == [2, 3]
    assert chosen_columns(["#3-4", "27"], names) == [2, 3, 1]
    assert chosen_columns(["#5", "#6"], names) == [4, 5]
    assert chosen_columns(["27"], names) == [1]
    assert chosen_columns(2, names) == [4, 5]
    assert chosen_columns(-2, names) == [0, 1]
    assert chosen_columns(["#1", "a*"], ["#1", "a*", "ab"]) == [0, 1]  # names that look like patterns are names
    for wanted, error in (
        (["x"], r"2 columns are called 'x'; .* label_columns=\['#5', '#6'\]"), (["#9"], "#9 does not fit 6 columns"),
        (["dy_*"], "not in the file: 'dy_\\*'"), (["dx_a", "#3"], "each only once"), (["#4-3"], "does not fit"),
    ):  # fmt: skip
        with pytest.raises(OptionError, match=error):
            chosen_columns(wanted, names)


def test_a_number_that_was_typed_may_be_a_name():
    with pytest.raises(OptionError, match=r"2 is the name of a column, and may mean the last 2") as caught:
        chosen_columns(parse_label_columns("2"), ["2", "a", "b"])
    advised = [part.value for part in caught.value.args[0].parts if not isinstance(part, str)]
    assert [chosen_columns(each, ["2", "a", "b"]) for each in advised] == [[0], [1, 2]]
    assert chosen_columns(parse_label_columns("2"), ["a", "b"]) == [0, 1]
    assert chosen_columns(2, ["2", "a", "b"]) == [1, 2]
    assert parse_label_columns("-6") == -6
    assert parse_label_columns("dx_*, #3") == ["dx_*", "#3"]


def test_arff_takes_patterns():
    content = "@relation r\n@attribute x numeric\n@attribute dx_a {0,1}\n@attribute dx_b {0,1}\n@data\n5,1,0\n6,0,1\n"
    assert labels(load(content, "x.arff", label_columns=["dx_*"])) == {"dx_a": "10", "dx_b": "01"}
    assert labels(load(content, "x.arff", label_columns=["#2"])) == {"dx_a": "10"}


# ------------------------------------------------------------- guesses


@pytest.mark.parametrize("content", [ECG, MELTED, VERIFIED, "id,tags\n1,a|b\n2,b\n", "id,a,b\n1,1,0\n2,0,1\n",
                                     "text,is_long,tags\nx,1,a;b\ny,0,b;c\nz,1,a\n"])  # fmt: skip
def test_each_guess_can_be_set_and_its_alternatives_too(content):
    data = load(content)
    assert {"layout", "label_columns"} <= {each.option for each in data.reading.guesses}
    for each in data.reading.guesses:
        if each.option not in ("layout", "label_columns", "label_separator"):
            continue
        assert load(content, **{each.option: each.value}).digest == data.digest
        for other in each.others:
            assert load(content, **{each.option: other}).digest != data.digest


def test_row_numbers_are_no_labels():
    data = load("Unnamed: 0,Unnamed: 0.1,a\n0,0,1\n1,1,0\n")
    assert data.label_names == ("a",)
    assert np.array_equal(data.labels.toarray(), [[1], [0]])


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["[1. 0. 0.]", "[0. 1. 1.]"], {"label 0": "10", "label 1": "01", "label 2": "01"}),
        (["[ True False]", "[False  True]"], {"label 0": "10", "label 1": "01"}),
        (["[1 5]", "[ 5 12]"], {"1": "10", "5": "11", "12": "01"}),
    ],
)
def test_numbers_as_numpy_prints_them(cells, found):
    assert labels(load("id,labels\n" + "".join(f"{at},{cell}\n" for at, cell in enumerate(cells)))) == found


def test_words_for_values_of_pairs():
    content = "case,finding,value\nc1,a,present\nc1,b,absent\nc2,a,absent\nc2,b,present\n"
    assert labels(load(content)) == {"a": "10", "b": "01"}
    with pytest.raises(MissingLabelsError, match="'a' of the row 'c3'"):
        load(content + "c3,a,uncertain\n")


@pytest.mark.parametrize("between", ["/", " & ", "+", " and "])
def test_unusual_separators_are_offered(between):
    content = "id,topics\n" + "".join(f"{at},{between.join(row)}\n" for at, row in enumerate(("ab", "b", "ca", "a")))
    data = load(content)
    found = guess(data, "label_separator")
    assert (found.value, found.is_sure) == (None, False)
    assert labels(load(content, label_separator=found.others[0])) == {"a": "1011", "b": "1100", "c": "0010"}


@pytest.mark.parametrize("width", [2, 3])
def test_an_empty_list_among_vectors_is_a_row_without_labels_in_any_file(width):
    rows = [[1, 0, 1][:width], [], [0, 1, 0][:width], [1, 1, 0][:width]]
    files = {
        "x.parquet": parquet(labels=pa.array(rows, pa.list_(pa.int8()))),
        "x.jsonl": lines(*({"labels": row} for row in rows)),
        "x.csv": "labels\n" + "".join(f'"{row}"\n' for row in rows),
    }
    for name, content in files.items():
        data = load(content, name)
        assert data.labels.toarray().tolist() == [row or [0] * width for row in rows]
        assert data.label_names == ("label 0", "label 1", "label 2")[:width]
    for row in ([0] * width, [1] * width):
        zeros = [
            load(parquet(labels=[row, row]), "x.parquet"),
            load(lines({"labels": row}, {"labels": row}), "x.jsonl"),
        ]
        assert [data.labels.toarray().tolist() for data in zeros] == [[row, row]] * 2
    uneven = parquet(labels=pa.array([None, [1, 0, 1], [0, 1, 0], [1]], pa.list_(pa.int8())))
    with pytest.raises(FormatError, match="most have 3, and row 4 has 1"):
        load(uneven, "x.parquet")


@pytest.mark.parametrize("name", ["labels", "scores"])
@pytest.mark.parametrize(
    ("keys", "names"), [(pa.array([7, 8]), ("7", "8")), (pa.array([b"a", b"b"]), ("a", "b")), (["x", "y"], ("x", "y"))]
)
def test_keys_of_maps_may_be_of_any_type(name, keys, names):
    first, second = pa.array(keys).to_pylist()
    kind = pa.map_(pa.array(keys).type, pa.int8())
    maps = pa.array([[(first, 1)], [(second, 1), (first, 0)], [(second, 1)]], kind)
    data = load(parquet(id=["p", "q", "r"], **{name: maps}), "x.parquet")
    assert (data.label_names, data.labels.toarray().tolist()) == (names, [[1, 0], [0, 1], [0, 1]])


def test_texts_that_parquet_does_not_say_are_texts():
    data = load(parquet(id=[b"p", b"q", b"\xff"], tags=[b"a,b", b"b", b"a"]), "x.parquet", missing="zero")
    assert data.row_ids == ("p", "q", r"b'\xff'")
    assert labels(data) == {"a": "101", "b": "110"}
