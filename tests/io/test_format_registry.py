"""Tests of the formats' entries, and that a new one arrives wherever formats are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import optisplit
from optisplit import cli
from optisplit.io.parsed import Parsed
from optisplit.io.registry import FORMATS, FORMS, LAYOUTS, MISSING, Format, readable, writable

ROOT = Path(__file__).parents[2]


def is_toy(head):
    return head.first.startswith(b"toy")


def read_toy(source, names=None):
    rows = [line.split() for _, line in source.lines()][1:]
    return Parsed([[int(cell) for cell in row] for row in rows], names or ["p", "q"], form="Toy text")


def write_toy(data, out, tick):
    out.write(b"toy\n")
    for row in data.labels.toarray().tolist():
        out.write(" ".join(map(str, row)).encode() + b"\n")
    tick(data.n_rows)


@pytest.fixture
def toy(monkeypatch, tmp_path):
    entry = Format(
        "toy", "Toy text", (".toy",), sniff=is_toy, read=read_toy, options=("names",), write=write_toy, note="No names."
    )
    monkeypatch.setitem(FORMATS, "toy", entry)
    path = tmp_path / "a.toy"
    path.write_bytes(b"toy\n1 0\n1 1\n")
    return path


def test_it_arrives_in_the_library(toy):
    data = optisplit.load(toy)
    assert data.labels.toarray().tolist() == [[1, 0], [1, 1]]
    assert (data.reading.format, data.reading.form) == ("toy", "Toy text")
    assert optisplit.load(toy, names=["x", "y"], format="toy").label_names == ("x", "y")
    with pytest.raises(
        optisplit.OptisplitError, match="layout does not go with a file read as toy; names can be given"
    ):
        optisplit.load(toy, layout="tags")
    saved = optisplit.save(data, toy.with_name("b.toy"))
    assert (saved.options, saved.notes) == ({"format": "toy"}, ("No names.",))
    assert toy.with_name("b.toy").read_bytes() == toy.read_bytes()


def test_it_arrives_in_the_command_line(toy, capsys):
    assert cli.main(["info", str(toy)]) == 0
    assert "Toy text" in capsys.readouterr().out
    out = toy.with_name("c.csv")
    assert cli.main(["convert", str(toy), "--format", "toy", "--to", "csv", "-o", str(out)]) == 0
    assert out.read_text() == "p,q\n1,0\n1,1\n"
    assert cli.main(["convert", str(out), "--to", "toy"]) == 0
    assert capsys.readouterr().out == "toy\n1 0\n1 1\n"
    with pytest.raises(SystemExit):
        cli.main(["convert", "--help"])
    assert capsys.readouterr().out.count("toy") >= 2


def test_it_arrives_in_the_app(toy):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    app.switch_page(str(ROOT / "pages" / "data.py")).run()
    assert not app.sidebar.file_uploader[0].proto.type  # any ending
    assert "Toy text" in app.sidebar.file_uploader[0].proto.help
    app.sidebar.file_uploader[0].upload("a.toy", toy.read_bytes(), "application/octet-stream")
    app.run()
    assert not app.exception
    assert app.session_state["uploads"]["file: a.toy"].data.n_labels == 2
    next(each for each in app.toggle if each.label == "Read it in another way").set_value(True).run()
    assert "Toy text" in next(each for each in app.selectbox if each.label == "Format").options


@pytest.mark.parametrize("entry", [*FORMATS.values(), *FORMS.values()], ids=lambda entry: entry.key)
def test_entries_name_functions_that_are_there(entry):
    functions = [getattr(entry, name, None) for name in ("sniff", "read", "write", "make")]
    for name, function in zip(("sniffer", "reader", "writer", "maker"), functions, strict=True):
        assert function is None or callable(getattr(entry, name))
    assert any(functions)


def test_what_is_written_is_read_as_what_it_is():
    assert {each.read_as or each.key for each in writable().values()} <= set(readable())
    assert {layout for each in writable().values() for layout in each.layouts} <= set(LAYOUTS)
    assert [key for key, each in readable().items() if each.sniff is None] == ["delimited"]
    assert next(iter(MISSING)) == "error"
