"""What errors advise: the option that a sentence names exists, and leads to a reading or to another clear error."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import shlex
from functools import lru_cache

import pytest
from asked import ALL, as_typed, asked, marks_of, typed
from test_quirks import CASES as QUIRKS
from test_quirks import QUIRKS as QUIRKS_FOLDER

import optisplit
from optisplit import cli, evaluate, load, read_split, repair, save, split
from optisplit.cli.spelling import in_options
from optisplit.errors import Argument, OptisplitError, argument, worded
from optisplit.io.rows import read_column

FUNCTIONS = {
    "load": load, "split": split, "save": save, "read_split": read_split, "read_column": read_column,
    "repair": repair, "compare": optisplit.compare, "evaluate": evaluate,
}  # fmt: skip

BAD = {
    "nothing.csv": b"",
    "blank.csv": b"\n\n \n",
    "header.csv": b"id,a,b\n",
    "word.csv": b"hello\n",
    "prose.txt": b"It was a dark and stormy night.\nNothing was labelled, and nobody cared; so it goes.\n",
    "too_short.csv": b"id,a,b\n1,0,1\n2,0\n3,1,1\n",
    "too_long.csv": b"id,a,b\n1,0,1\n2,0,1,1\n3,1,1\n",
    "mark.csv": b"% made by hand\nid,a,b\n1,0,1\n2,1,0\n",
    "slashes.csv": b"// made by hand\n// on a Sunday\nid;a;b\n1;0;1\n2;1;0\n",
    "probabilities.csv": b"id,a,b\n1,0.2,0.7\n2,0.9,0.1\n",
    "uncertain.csv": b"id,a,b\n1,-1,1\n2,,0\n3,1,\n",
    "all_missing.csv": b"id,a,b\n1,,\n2,,\n",
    "all_uncertain.csv": b"id,a,b\n1,-1,-1\n2,-1,-1\n",
    "words.csv": b"id,a,b\n1,present,absent\n2,absent,unclear\n",
    "counts.csv": b"id,a,b\n1,0,3\n2,2,1\n3,0,0\n",
    "two_kinds.csv": b"id,a,b\n1,0,yes\n2,1,no\n3,yes,1\n",
    "open_quote.csv": b'id,tags\n1,"a,b\n2,b\n3,c\n',
    "odd_quote.tsv": b'text\ta\tb\nthe "best" one\t1\t0\n"so" they say\t0\t1\n',
    "numbers.csv": b"x,y,z\n1.5,2.5,3\n2.5,1.5,4\n",
    "dates.csv": b"day,tags\n2020-01-01,2020-01-02\n2020-01-03,2020-01-04\n",
    "one_column.txt": b"a\nb\nc\n",
    "empty_lists.csv": b"id,tags\n1,[]\n2,[]\n",
    "objects.csv": b"id,genres\n1,\"[{'id': 18, 'name': 'Drama'}]\"\n2,\"[{'id': 35, 'name': 'Comedy'}]\"\n",
    "nested.jsonl": b'{"id": 1, "labels": [["a"], ["b"]]}\n',
    "scalar.json": b"3",
    "text.json": b'"a text"',
    "list.json": b"[1, 2, 3]",
    "empty.json": b"{}",
    "empty_list.json": b"[]",
    "cut.json": b'{"a": ["x", "y"], "b": [',
    "no_labels.jsonl": b'{"id": 1, "size": 2.5}\n{"id": 2, "size": 3.5}\n',
    "null.jsonl": b'{"id": 1, "labels": null}\n{"id": 2, "labels": ["a"]}\n',
    "pairs.csv": b"image,label,confidence\nx,cat,0.9\nx,dog,0.2\ny,cat,0.4\n",
    "repeated_keys.csv": b"id,id,a\n1,1,0\n2,2,1\n",
    "no_labels.arff": b"@relation x\n@attribute a numeric\n@attribute b {0,1}\n@data\n1,0\n2,1\n",
    "wrong_sign.arff": b"@relation 'x: -C 1'\n@attribute y numeric\n@attribute a {0,1}\n@data\n1.5,0\n2.5,1\n",
    "fraction.svm": b"0.37 1:1\n0.25 1:2\n",
    "header.xmc.txt": b"3 5 4\n0 1:1\n1 2:1\n",
    "zip.zip": b"PK\x03\x04nothing",
    "cut.parquet": b"PAR1\x00\x00PAR1",
    "cut.npy": b"\x93NUMPY\x01\x00",
    "zeros.csv": bytes(64),
    "binary.csv": bytes(range(256)),
    "long_header.csv": b"a,b,c\n1,0\n0,1\n",
    "hash_header.tsv": b"#id\ta\tb\n1\t0\t1\n#2\t1\t0\n",
}


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    for name, content in BAD.items():
        (folder / name).write_bytes(content)
    return folder


def inputs(bad=None) -> list:
    quirks = [pytest.param(QUIRKS_FOLDER / each.values[0], each.values[6], id=each.id) for each in QUIRKS]
    cases = [pytest.param(each.path, each.how, id=f"{each.folder.name}: {each.name}") for each in ALL]
    return [*quirks, *cases, *[pytest.param(name, {}, id=name) for name in BAD]]


def advised(error: OptisplitError) -> list[Argument]:
    """List the arguments that a sentence names."""
    sentence = error.args[0] if error.args else ""
    return [part for part in getattr(sentence, "parts", ()) if isinstance(part, Argument)]


def tried(path, how) -> OptisplitError | None:
    """Load, and give the error of this package, if there is one; every other exception is a failure."""
    try:
        load(path, **how)
    except OptisplitError as error:
        return error
    return None


VALUES = {  # for arguments that a sentence names without a value
    "label_columns": (1, -1, ["#1"], ["#2"], ["#1-2"], ["*"], ["no such column"]),
    "label_separator": (",", " "),
    "layout": ("one-hot", "tags", "wide", "long"),
    "threshold": (0.5, 1),
    "header": (True, False),
    "delimiter": (",", "\t"),
    "comment": ("#", ""),
    "missing": ("zero", "one", "drop-rows", "drop-labels"),
    "uncertain": ("zero", "one", "drop-rows", "drop-labels"),
    "key": ("", "id"),
    "absent_label": ("a",),
    "names": (["a", "b"],),
}


@pytest.mark.parametrize(("path", "how"), inputs())
def test_advice_can_be_taken(path, how, bad):
    path = bad / path
    error = tried(path, how)
    if error is None:
        return
    assert str(error).strip()
    assert "Traceback" not in str(error)
    for each in advised(error):
        assert each.name in inspect.signature(FUNCTIONS[each.of]).parameters, each
        if each.of != "load" or each.name in ("label_file", "names", "format"):
            continue
        is_said = each.value is not ... and not (each.name in how and how[each.name] == each.value)
        for value in [each.value] if is_said else VALUES[each.name]:
            again = tried(path, how | {each.name: value})
            if is_said and again is not None and each.name not in how:
                assert str(again) != str(error), f"{each.name}={value!r} changes nothing"


FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


@lru_cache
def flags_of_info() -> set[str]:
    with contextlib.redirect_stdout(io.StringIO()) as shown, pytest.raises(SystemExit):
        cli.main(["info", "--help"])
    return set(FLAG.findall(shown.getvalue()))


@pytest.mark.parametrize(("path", "how"), inputs())
def test_advice_can_be_typed(path, how, bad):
    """Each option in a message is one of the command, and what it says to type can be typed as it stands there."""
    path = bad / path
    if isinstance(how.get("names"), list):
        return  # names are a file there
    told = typed("info", path, *as_typed(how))
    if "error" not in told:
        return
    message, error = told["error"]["message"], tried(path, how)
    assert set(FLAG.findall(message)) <= flags_of_info(), message
    for each in advised(error):
        if each.of == "load" and each.value is not ... and each.name not in how:
            again = typed("info", path, *as_typed(how), *shlex.split(in_options(each)))
            found = again.get("error", {"kind": "", "message": ""})
            assert found["kind"] != "UsageError", in_options(each)
            assert found["message"] != message, in_options(each)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("absent_label", "No Finding", "--absent-label 'No Finding'"),
        ("header", False, "--no-header"),
        ("header", True, "--header"),
        ("label_columns", ["row", "label"], "--label-columns row,label"),
        ("label_columns", ["y]"], "--label-columns 'y]'"),
        ("delimiter", ";", "--delimiter ';'"),
        ("threshold", 0.5, "--threshold 0.5"),
    ],
)
def test_values_are_quoted_for_a_shell(name, value, said):
    assert worded(argument(name, value), in_options) == said


# ----------------------------------------------------------------------- guesses


def readable_quirks():
    return [pytest.param(QUIRKS_FOLDER / each.values[0], each.values[6], id=each.id,
                         marks=marks_of("test_guesses_can_be_set", each.id))
            for each in QUIRKS if each.values[5] is None]  # fmt: skip


def cases():
    return [pytest.param(each.values[0].path, each.values[0].how, id=each.id, marks=each.marks)
            for each in asked("test_guesses_can_be_set", of="rows")]  # fmt: skip


@pytest.mark.parametrize(("path", "how"), [*readable_quirks(), *cases()])
def test_guesses_can_be_set(path, how):
    try:
        data = load(path, **how)
    except OptisplitError:
        return
    again = load(path, **data.reading.options)
    assert (again.digest, again.row_ids) == (data.digest, data.row_ids)
    for guess in data.reading.guesses:
        assert guess.option in inspect.signature(load).parameters
        assert guess.why
        assert not guess.why.endswith(".")
        if guess.option in ("label_columns", "layout") and guess.value is None:
            continue
        said = load(path, **how | {guess.option: guess.value})
        assert (said.digest, said.row_ids) == (data.digest, data.row_ids), guess
        for other in guess.others:
            tried(path, how | {guess.option: other})


def test_a_key_that_is_no_column_is_said(tmp_path):
    (tmp_path / "data.csv").write_text("image,labels\na.png,x\nb.png,x|y\n")
    with pytest.raises(OptisplitError) as raised:
        load(tmp_path / "data.csv", key="imge")
    said = "key='imge' is no column of the file, which has 'image', 'labels'.\nHint: did you mean 'image'?"
    assert str(raised.value) == said


def test_groups_that_are_neither_a_file_nor_a_column_are_said(tmp_path):
    (tmp_path / "data.csv").write_text("image,labels,patient\na.png,x,1\nb.png,x|y,2\n")
    told = typed("split", tmp_path / "data.csv", "-k", 2, "--groups", "patiant")
    said = (
        "There is no file 'patiant', nor a column of that name in the data.\nHint: did you mean the column 'patient'?"
    )
    assert told["error"]["message"] == said
