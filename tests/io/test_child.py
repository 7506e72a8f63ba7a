"""Reading in another process: what comes back is the same, and whatever a file does, this process goes on."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import optisplit
from optisplit.errors import (
    Cancelled,
    FormatError,
    LabelError,
    MemoryLimitError,
    MissingLabelsError,
    OpenQuestion,
    argument,
)
from optisplit.io.child import calls, codec, process
from optisplit.io.child.calls import read_in_child, written_by
from optisplit.io.rows import read_column
from optisplit.io.splits import read_split, split_columns

HOSTILE = Path(__file__).parent / "hostile"
TABLE = b"id,group,fold,labels\nx,p,0,a|b\ny,q,1,a\nz,p,0,b\n"
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")


def elsewhere(function, *args, n_bytes=1000, **options):
    return read_in_child(function, *args, file_name="file", n_bytes=n_bytes, **options)


def test_data_come_back_as_they_are_read_here():
    here = optisplit.load(io.BytesIO(TABLE), name="t.csv")
    there = elsewhere(optisplit.load, io.BytesIO(TABLE), name="t.csv")
    assert there.digest == here.digest
    assert (there.labels != here.labels).nnz == 0
    assert there.labels.dtype == np.int8
    assert (there.label_names, there.row_ids, there.name, there.key) == (
        here.label_names, here.row_ids, here.name, here.key,
    )  # fmt: skip
    assert there.notes == here.notes
    assert there.reading == here.reading
    assert there.reading.guesses == here.reading.guesses
    assert there.read_features is here.read_features


def test_splits_and_columns_come_back_and_splits_are_written_there():
    data = optisplit.load(io.BytesIO(TABLE), name="t.csv")
    here = read_split(io.BytesIO(TABLE), data, name="t.csv")
    there = elsewhere(read_split, io.BytesIO(TABLE), data, name="t.csv")
    assert there.folds.tolist() == here.folds.tolist()
    assert (there.part_names, there.notes, there.faults, there.row_ids) == (
        here.part_names, here.notes, here.faults, here.row_ids,
    )  # fmt: skip
    folds = np.array([1, 0, 1], dtype=np.int32)
    assert elsewhere(written_by, read_split, folds, io.BytesIO(TABLE), data, name="t.csv") == here.write_back(folds)
    groups = elsewhere(read_column, io.BytesIO(TABLE), data, "group", name="t.csv")
    assert groups == read_column(io.BytesIO(TABLE), data, "group", name="t.csv")
    assert elsewhere(split_columns, io.BytesIO(TABLE), data, name="t.csv") == split_columns(io.BytesIO(TABLE), data)


@pytest.mark.parametrize(
    "error",
    [
        FormatError("Say " + argument("layout", "tags") + " or " + argument("key") + "."),
        MissingLabelsError("3 cells", 3, 2, 1, where="there", questions=(OpenQuestion("uncertain", 3, 2, 1, "there"),)),
        LabelError("no labels"),
    ],
)
def test_errors_come_back_with_their_arguments(error):
    buffers = []
    again = codec.decode_error(codec.encode_error(error, buffers), buffers)
    assert type(again) is type(error)
    assert repr(again.args) == repr(error.args)
    assert again.worded(lambda each: f"<{each.name}>") == error.worded(lambda each: f"<{each.name}>")


@pytest.mark.parametrize("value", [1.5, float("inf"), (1, "a", None), {"a": [1, (2.0,)]}, b"\0", Path("a"), "\ud800"])
def test_plain_values_come_back(value):
    buffers = []
    assert codec.decode(codec.encode(value, buffers), buffers) == value


@pytest.mark.parametrize("dtype", ["i4", "?", "f8", "U3"])
@pytest.mark.parametrize("shape", [(3,), (0,), (2, 2)])
def test_arrays_come_back(dtype, shape):
    buffers = []
    array = np.ones(shape).astype(dtype)
    encoded = codec.encode(array, buffers)
    again = codec.decode(encoded, [bytearray(memoryview(each).cast("B")) for each in buffers])
    assert again.dtype == array.dtype
    assert again.tolist() == array.tolist()


@pytest.mark.parametrize(
    "sent",
    [
        {"array": ["O", [1], 0]},
        {"record": ["Popen", {}]},
        {"record": ["SplitFile", {"writer": None}]},
        {"other": 1},
        {"rows": [[1, 1], {"array": ["i1", [1], 0]}, {"array": ["i1", [1], 0]}, {"array": ["i1", [1], 0]}]},
    ],
)
def test_nothing_else_is_taken(sent):
    with pytest.raises((ValueError, KeyError)):
        codec.decode(sent, [bytearray(b"\5")])


def test_what_is_nothing_to_hand_over_is_a_fault():
    with pytest.raises(RuntimeError, match=r"^TypeError < codec\.py"):
        elsewhere(object)


@pytest.mark.parametrize("call", [(os.abort,), (os._exit, 3), (os.kill, 0, signal.SIGKILL)])
def test_its_end_is_one_sentence(call):
    with pytest.raises(FormatError, match=r"^'file' is damaged: the process that read it was ended by what is in it\."):
        elsewhere(*call)
    assert elsewhere(len, "abc") == 3


def test_too_much_memory_is_one_sentence():
    with pytest.raises(MemoryLimitError, match=r"^'file' takes more than the [\d,]+ MB of memory"):
        elsewhere(bytearray, 1 << 40)


def test_too_long_an_answer_is_one_sentence(monkeypatch):
    monkeypatch.setattr(calls, "available_bytes", lambda: 0)
    with pytest.raises(MemoryLimitError, match=r"(would be more than|takes more than the) 33\.6 MB"):
        elsewhere(bytes, 33 << 20)


def test_too_long_a_time_is_one_sentence(monkeypatch):
    monkeypatch.setattr(calls, "_FIXED_S", 1)
    monkeypatch.setattr(process, "_SLOWER", 1.5)
    with pytest.raises(FormatError, match=r"^'file' was not read within 1 second"):
        elsewhere(time.sleep, 60)
    with pytest.raises(FormatError, match=r"^'file' was not read within 1 second"):
        elsewhere(eval, "sum(iter(int, 1))")


def test_reading_can_be_stopped_and_tells_how_far_it_is():
    content = b"id,labels\n" + b"1,a|b\n" * 5_000_000
    seen = []

    def stop(done, total, score):
        seen.append((done, total))
        if len(seen) > 2:
            raise Cancelled

    with pytest.raises(Cancelled):
        elsewhere(optisplit.load, io.BytesIO(content), name="t.csv", on_progress=stop, n_bytes=len(content))
    assert all(0 <= done <= max(total, 1) for done, total in seen)


def test_one_alone_reads_as_well(monkeypatch):
    monkeypatch.setattr(process, "_copied", process._alone)
    assert elsewhere(len, "abc") == 3
    with pytest.raises(FormatError, match="damaged: the process that read it was ended"):
        elsewhere(os.abort)


@ON_LINUX
def test_a_template_that_was_ended_is_started_again():
    assert elsewhere(len, "abc") == 3
    for template in process._templates.values():
        template._process.kill()
        template._process.wait()
    assert elsewhere(len, "abcd") == 4


@ON_LINUX
def test_processes_end_with_the_one_that_started_them():
    code = (
        "import threading, time\n"
        "from optisplit.io.child import process\n"
        "from optisplit.io.child.calls import read_in_child\n"
        "sleep = lambda: read_in_child(time.sleep, 600, file_name='x', n_bytes=1)\n"
        "threading.Thread(target=sleep, daemon=True).start()\n"
        "number, children = 0, ''\n"
        "while not children:\n"
        "    time.sleep(.1)\n"
        "    for each in process._templates.values():\n"
        "        number = each._process.pid\n"
        "        children = open(f'/proc/{number}/task/{number}/children').read()\n"
        "print(number, children, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as started:
        numbers = started.stdout.readline().split()
        assert len(numbers) == 2
        started.kill()
    until = time.monotonic() + 20
    while any(Path("/proc", number).exists() for number in numbers):
        assert time.monotonic() < until
        time.sleep(0.1)


# Parquet


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def test_parquet_is_read_in_batches_and_only_as_far_as_is_wanted():
    from optisplit.io.source import read_source
    from optisplit.io.tables.parquet_file import open_parquet

    content = parquet(a=list(range(50)), b=[["x", "y"], []] * 25, c=pa.array(["u", None] * 25).dictionary_encode())
    with open_parquet(read_source(io.BytesIO(content), "t.parquet")) as file:
        assert (file.n_rows, file.n_columns) == (50, 3)
        assert next(file.iter_batches(batch_size=10)).num_rows == 10
        assert next(file.iter_batches(batch_size=20, columns=["b"])).to_pydict() == {"b": [["x", "y"], []] * 10}
        assert [batch.num_rows for batch in file.iter_batches(batch_size=20)] == [20, 20, 10]
        assert file.read().equals(pq.read_table(io.BytesIO(content)))


def test_texts_that_dictionaries_repeat_come_in_bearable_parts():
    content = parquet(labels=["a" * 10_000] * 1_500 + ["b"])
    data = optisplit.load(io.BytesIO(content), name="t.parquet", label_columns=["labels"])
    assert data.labels.sum(axis=0).tolist() == [1_500, 1]
