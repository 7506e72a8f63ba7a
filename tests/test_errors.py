from __future__ import annotations

import ast
import copy
import pickle
from pathlib import Path

import numpy as np
import pytest

import optisplit
from optisplit.errors import (
    Argument,
    FormatError,
    MissingLabelsError,
    OptionError,
    Sentence,
    argument,
    in_python,
    worded,
)
from optisplit.text import listed


def shouted(argument):
    return argument.name.upper() if argument.value is ... else f"{argument.name.upper()} {argument.value}"


SENTENCE = "Give " + argument("layout", "tags") + ", or " + argument("names") + f" of {3} labels."


def test_a_sentence_is_text_as_python_users_read_it():
    assert SENTENCE == "Give layout='tags', or names of 3 labels."
    assert f"{SENTENCE}" == str(SENTENCE) == "".join(["", SENTENCE])
    assert isinstance(SENTENCE, str)


def test_a_sentence_is_worded_for_a_door():
    assert worded(SENTENCE, shouted) == "Give LAYOUT tags, or NAMES of 3 labels."
    assert worded("Nothing {marked} layout='tags'.", shouted) == "Nothing {marked} layout='tags'."
    assert worded(SENTENCE + "\nHint: " + SENTENCE, shouted).endswith("Hint: Give LAYOUT tags, or NAMES of 3 labels.")


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (..., "given"), (3, "given=3"), (np.int64(3), "given=3"), (np.float64(0.5), "given=0.5"), (None, "given=None"),
        (False, "given=False"), ("a b", "given='a b'"), (["a", "b"], "given=['a', 'b']"),
    ],
)  # fmt: skip
def test_arguments_in_python(value, wanted):
    assert in_python(Argument("given", value)) == wanted
    assert argument("given", value) == wanted


@pytest.mark.parametrize("again", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_sentences_and_errors_come_through_other_processes(again):
    sentence = again(SENTENCE)
    assert isinstance(sentence, Sentence)
    assert sentence.parts == SENTENCE.parts
    error = again(OptionError(SENTENCE))
    assert (str(error), error.worded(shouted)) == (SENTENCE, "Give LAYOUT tags, or NAMES of 3 labels.")
    missing = again(MissingLabelsError(SENTENCE, 3, 2, 1, where="in line 2"))
    assert (missing.n_cells, missing.n_rows, missing.n_labels, missing.where) == (3, 2, 1, "in line 2")
    assert missing.worded(shouted) == "Give LAYOUT tags, or NAMES of 3 labels."


def test_no_text_swallows_a_mark():
    # an f-string takes the text of a sentence, and its marks are lost
    for path in Path(optisplit.__file__).parent.rglob("*.py"):
        for each in ast.walk(ast.parse(path.read_text())):
            if isinstance(each, ast.FormattedValue) and isinstance(each.value, ast.Call):
                assert ast.unparse(each.value.func) != "argument", f"{path}, line {each.lineno}"


def test_errors_without_marks_are_the_same_at_every_door():
    assert FormatError("It's no {table}.").worded(shouted) == "It's no {table}."
    assert FormatError().worded(shouted) == ""


def test_unknown_names_come_with_the_nearest():
    error = OptionError.unknown("method", "optisplt", ["random", "optisplit"])
    assert str(error).splitlines() == [
        "Unknown method 'optisplt'; the known ones are 'random', 'optisplit'.", "Hint: did you mean 'optisplit'?"
    ]  # fmt: skip
    assert "Hint" not in str(OptionError.unknown("method", "zzz", ["random"]))


def test_long_lists_are_cut():
    assert listed(["a", "b", "c"], limit=2) == "'a', 'b' and 1 more"
    assert listed(["a", 1]) == "'a', '1'"
