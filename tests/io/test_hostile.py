"""Files made to hurt: each is read or refused in one sentence, soon, in little memory, and the process lives on."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optisplit
from optisplit.errors import FormatError, MemoryLimitError, OptisplitError
from optisplit.io.rows import read_column
from optisplit.io.sizes import BOUNDS, check_stated
from optisplit.io.splits import read_split
from optisplit.ui import groups_file, uploads
from optisplit.ui.check import request as check
from optisplit.ui.datasets import Upload
from optisplit.ui.matching import Matching

FOLDER = Path(__file__).parent / "hostile"
GIVEN = sorted(path.name for path in FOLDER.iterdir())
GOOD = b"id,a,b\nx,0,1\ny,1,0\nz,1,1\n"
MOST_S = 10
"""Of the processor; each takes a fraction of a second."""


def npz(kind, shape, **arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, format=np.array(kind), shape=np.array(shape), **arrays)
    return stream.getvalue()


def sheet(*cells):
    """A spreadsheet with a number in some cells."""
    rows = "".join(f'<row r="{row}"><c r="{column}{row}"><v>1</v></c></row>' for column, row in cells)
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    relation = '<Relationships xmlns="{}"><Relationship Id="r1" Type="{}/{}" Target="{}"/></Relationships>'
    files = {
        "_rels/.rels": relation.format(package, office, "officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets><sheet name="S" sheetId="1" '
        'r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relation.format(package, office, "worksheet", "worksheets/s.xml"),
        "xl/worksheets/s.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


DAMAGED, LIES, UNPACKS = r"is damaged", r"says that it has [\d,]+", r"would unpack to more than 200 times its size"
BLOCKS = {"indices": np.zeros(400, np.int32), "indptr": np.minimum(np.arange(1001), 400)}
MADE = {
    "blocks.npz": (npz("bsr", (100_000, 1000), data=np.zeros((400, 100, 1000), np.int8), **BLOCKS), UNPACKS),
    "rows.npz": (
        npz("coo", (50_000_000, 2), data=np.ones(1, np.int8), row=np.zeros(1, int), col=np.zeros(1, int)), LIES,
    ),
    "entries.npz": (
        npz("dia", (10**5, 900), data=np.ones((1000, 900), np.int8), offsets=-np.arange(1000) * 90), "entries",
    ),
    "keys.jsonl": (
        b"\n".join(json.dumps({f"k{row}_{j}": 1 for j in range(700)}).encode() for row in range(100)), "different keys",
    ),
    "columns.json": (json.dumps({f"c{j}": {str(j): 1} for j in range(3000)}).encode(), r"9,000,000 cells"),
    "header.txt": (b"3 10 5000000\n1 1:1\n2 1:1\n3 1:1\n", LIES),
    "sheet.xlsx": (sheet(("A", 1), ("XFD", 1_048_576)), "damaged|memory"),
    "far.xlsx": (sheet(("A", 1), ("ZZ", 100_000)), "damaged|memory"),
    "cut.ods": (b"PK\3\4" + bytes(26) + b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "is damaged"),
    "depth.json": (b'{"a": ' * 100_000, "JSON|object"),
}  # fmt: skip


@pytest.fixture(scope="module")
def data():
    return optisplit.load(io.BytesIO(GOOD), name="good.csv", label_columns=["a", "b"])


def content_of(name):
    return MADE[name][0] if name in MADE else (FOLDER / name).read_bytes()


def refused_soon(function, *args, **options):
    began = time.process_time()
    try:
        function(*args, **options)
    except OptisplitError as error:
        message = str(error)
        assert message
    else:
        message = ""
    assert time.process_time() - began < MOST_S
    return message


@pytest.mark.parametrize("name", [*GIVEN, *MADE])
def test_they_are_read_or_refused_through_every_door(name, data):
    content = content_of(name)
    refused_soon(optisplit.load, io.BytesIO(content), name=name)
    refused_soon(read_split, io.BytesIO(content), data, name=name)
    refused_soon(read_column, io.BytesIO(content), data, name=name)


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, (_, said) in MADE.items()])
def test_what_is_said_of_them(name, said):
    with pytest.raises((FormatError, MemoryLimitError), match=said):
        optisplit.load(io.BytesIO(content_of(name)), name=name)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dia.npz", r"says that it has 50,000,000 rows, but is only 3,784 bytes long"),
        ("negative_rows_nested.csv", "is damaged"),
        ("pq_dict1mb.parquet", "takes far more memory to read than a file of its size"),
        ("pq_dict40mb.parquet", r"would unpack to more than 200 times its size \(40 MB or more\)"),
        ("pq_list600m.parquet", r"says that it has 600,000,000 cells, but is only 644 bytes long"),
    ],
)
def test_what_is_said_of_those_that_were_met(name, said):
    with pytest.raises((FormatError, MemoryLimitError), match=said):
        optisplit.load(FOLDER / name)


@pytest.mark.parametrize("name", ["date32_big.parquet", "ts_us_262.parquet"])
def test_times_that_python_has_no_number_for_are_texts(name):
    assert optisplit.load(FOLDER / name).labels.toarray().tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("name", ["date32_big.parquet", "negative_rows_nested.csv", "pq_dict1mb.parquet"])
def test_the_command_line_says_it_in_one_sentence(name):
    done = subprocess.run(
        [sys.executable, "-m", "optisplit", "info", FOLDER / name], capture_output=True, text=True, check=False
    )
    assert done.returncode == (0 if name == "date32_big.parquet" else 2), done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_goes_on_after_each(data):
    def no_report(fraction, message):
        """Listen to nothing."""

    for name in (*GIVEN, *MADE):
        file = Upload(name, content_of(name))
        for read in (
            lambda file: uploads.read(uploads.ReadRequest((file,), {}, {}), no_report),
            lambda file: check.read_split_file((check.Reading("file", file), data), no_report),
            lambda file: groups_file.read_groups((file, None, Matching(), data), no_report),
            lambda file: check.find_columns((file, data), no_report),
            lambda file: check.find_keys(file, no_report),
        ):
            refused_soon(read, file)
    again = uploads.read(uploads.ReadRequest((Upload("good.csv", GOOD),), {}, {"label_columns": ["a", "b"]}), no_report)
    assert again.digest == data.digest


@pytest.mark.parametrize(("ending", "pack"), [(".xz", lzma.compress), (".gz", gzip.compress), (".bz2", bz2.compress)])
def test_many_empty_streams_cost_what_they_weigh(ending, pack):
    content = pack(b"") * 10_000 + pack(GOOD)
    began = time.process_time()
    assert optisplit.load(io.BytesIO(content), name=f"t.csv{ending}", label_columns=["a", "b"]).n_rows == 3
    assert time.process_time() - began < 3


def test_xz_streams_may_be_padded_and_of_any_length():
    content = lzma.compress(GOOD[:12]) + b"\0" * 500_000 + lzma.compress(GOOD[12:]) + b"\0" * 8
    assert optisplit.load(io.BytesIO(content), name="t.csv.xz", label_columns=["a", "b"]).row_ids == ("x", "y", "z")


def test_a_line_without_an_end_is_refused(monkeypatch):
    monkeypatch.setattr("optisplit.io.source.MAX_LINE_BYTES", 10_000)
    monkeypatch.setattr("optisplit.io.source.BLOCK_BYTES", 1_000)
    with pytest.raises(FormatError, match=r"has a line of more than 10 kB; give each row its own"):
        optisplit.load(io.BytesIO(b'{"labels": ["' + b"a" * 20_000 + b'"]}\n'), name="t.jsonl")


def test_blocks_and_diagonals_are_read_as_scipy_does():
    import scipy.sparse as sp

    rng = np.random.default_rng(0)
    dense = (rng.random((12, 8)) < 0.3).astype(np.int8)
    for made in (sp.bsr_array(dense, blocksize=(3, 2)), sp.dia_array(dense), sp.coo_array(dense), sp.csc_array(dense)):
        stream = io.BytesIO()
        sp.save_npz(stream, made)
        assert optisplit.load(io.BytesIO(stream.getvalue()), name="t.npz").labels.toarray().tolist() == dense.tolist()


def test_columns_that_parquet_packs_well_are_read():
    stream = io.BytesIO()
    pq.write_table(pa.table({"x": ["r"] * 30_000} | {f"l{j}": [1] + [0] * 29_999 for j in range(20)}), stream)
    assert len(stream.getvalue()) < 20_000
    assert optisplit.load(io.BytesIO(stream.getvalue()), name="t.parquet").labels.shape == (30_000, 20)


def test_the_rule():
    check_stated("x", 10, rows=100, labels=100, cells=100, positives=100, written=100, text=100, arrays=100)
    for key, bound in BOUNDS.items():
        check_stated("x", 1 << 20, **{key: min(bound.most, max(bound.a_byte << 20, bound.free))})
        with pytest.raises(FormatError, match=r"^'x' (says that it has|would unpack|has) "):
            check_stated("x", 1 << 20, **{key: max(bound.a_byte << 20, bound.free) + 1})
    with pytest.raises(FormatError, match=r"^The file has 50,000,001 rows; more than 50,000,000 are not read"):
        check_stated(None, rows=50_000_001)
    with pytest.raises(FormatError, match="says that it has -1 rows"):
        check_stated("x", 10, rows=-1)
    with pytest.raises(MemoryLimitError, match=r"^Reading 'x' would need 1,152,921,505 GB of memory, and"):
        check_stated("x", 10, needs=1 << 60)
