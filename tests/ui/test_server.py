"""What several visitors do to one server, and what goes wrong around it: visitors without a browser, real processes."""

from __future__ import annotations

import gc
import gzip
import io
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
import urllib.request
import weakref
import zipfile
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import psutil
import pytest
from conftest import ROOT, Server

import optisplit
from optisplit.errors import FormatError, MemoryLimitError, OptisplitError
from optisplit.io.rows import read_column
from optisplit.io.splits import read_split
from optisplit.ui import limits, session
from optisplit.ui.datasets import Upload
from optisplit.ui.limits import UploadTooLarge, check_upload, guarded, unpacked_bytes
from optisplit.ui.matching import find_columns

sys.path.insert(0, str(ROOT / "benchmarks"))
from visitor import Visitor

TABLE = b"a,b,c\n" + b"1,0,1\n0,1,1\n1,1,0\n" * 40
LONG_S = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    running = Server(
        tmp_path_factory.mktemp("server"),
        OPTISPLIT_JOB_GRACE_S="0.3",
        OPTISPLIT_RESULT_GRACE_S="1",
        STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="2",
        STREAMLIT_SERVER_MAX_UPLOAD_SIZE="2",
    )
    yield running
    running.stop()
    assert "Traceback" not in running.log.read_text()


@pytest.fixture
def visit():
    visitors = []

    def open_page(server, query=""):
        visitor = Visitor(server.url, query)
        visitors.append(visitor)
        visitor.settle()
        return visitor

    yield open_page
    for visitor in visitors:
        visitor.close()


def until(condition, timeout_s=20.0):
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def upload_bytes(server):
    with urllib.request.urlopen(server.url + "/_stcore/metrics", timeout=10) as answer:
        lines = answer.read().decode().splitlines()
    found = [line for line in lines if 'cache_type="UploadedFileManager"' in line]
    return sum(int(line.rsplit(" ", 1)[1]) for line in found)


def bring(visitor, **files):
    visitor.upload("upload_0", **files)
    visitor.until(lambda: all(name.replace("__", ".") in visitor.text() for name in files))
    visitor.settle()


# Uploads


def test_uploaded_bytes_are_given_back_once_read_or_when_the_visitor_has_left(server, visit):
    wrong, right = visit(server), visit(server)
    wrong.upload("upload_0", wrong__npz=b"PK\3\4" + bytes(1000))
    wrong.until(lambda: "damaged" in wrong.text())
    bring(right, right__csv=TABLE)
    assert "right.csv · 120 × 3" in right.text()
    until(lambda: upload_bytes(server) == 1004)  # the file that could not be read is still in its uploader
    wrong.vanish()
    until(lambda: upload_bytes(server) == 0)


def test_too_large_a_file_is_refused_while_it_comes_in_and_several_together_when_they_are_there(server, visit):
    visitor = visit(server)
    assert visitor.send("big.csv", bytes(3 * 2**20)) == 413
    assert "At most 2 MB in all, and what fits into this server's memory" in visitor.text()
    half = b"a,b\n" + b"1,0\n" * 300_000
    visitor.upload("upload_0", one__csv=half, two__csv=half)
    visitor.until(lambda: "2.4 MB together, and this server takes at most 2 MB at a time" in visitor.text())


# Sessions


def test_nobody_sees_anything_of_somebody_elses(server, visit):
    owner = visit(server)
    bring(owner, owner_secret__csv=TABLE)
    owner.press("run")
    owner.until(lambda: "Take this split" in owner.text(), LONG_S)
    owner.settle()
    job_id = re.search(r"job=([0-9a-f]{32})", owner.query).group(1)
    # who knows the job's name cannot have it while its owner is there, nor the data by its name
    for query in (f"job={job_id}", "data=file: owner_secret.csv", f"job={job_id}&data=owner_secret.csv"):
        other = visit(server, query)
        assert "owner_secret" not in other.text()
        assert "Take this split" not in other.text()
        assert job_id not in other.query
    # the very same content from somebody else is theirs, under their name
    other = visit(server)
    bring(other, other__csv=TABLE)
    assert "owner_secret" not in other.text()
    assert "Take this split" not in other.text()


def test_figures_of_a_visitor_who_has_left_are_let_go_where_nobody_else_comes(monkeypatch):
    monkeypatch.setattr(session.st, "get_option", lambda name: 0)
    monkeypatch.setattr(session, "MARGIN_S", 0.0)
    gc.disable()
    try:
        figure = weakref.ref(go.Figure({"data": [{"y": [1]}]}))
        assert figure() is not None
        session._on_disconnect(session.Visit("gone", "", {}))
        until(lambda: figure() is None)
    finally:
        gc.enable()


def test_a_job_whose_page_is_killed_ends_and_those_who_wait_are_told(server, visit):
    gone, waiting = visit(server, "data=wiki10_31k"), visit(server, "data=emotions")
    gone.press("run")
    gone.until(lambda: "runs done" in gone.text(), LONG_S)
    waiting.press("run")
    waiting.until(lambda: "1 job before yours on this server" in waiting.text())
    gone.vanish()
    waiting.until(lambda: "Take this split" in waiting.text(), LONG_S)


def test_a_peers_process_that_is_killed_is_one_failed_run(server, visit):
    visitor = visit(server, "data=delicious")
    visitor.run(methods=["Random", "SOIS (scikit-multilearn)"], seeds=1)
    visitor.settle()
    visitor.press("run")

    def child():
        found = psutil.Process(server.process.pid).children(recursive=True)
        return next((each for each in found if "optisplit.methods.peer_process" in each.cmdline()), None)

    visitor.until(lambda: child() is not None, LONG_S)
    child().send_signal(signal.SIGKILL)
    visitor.until(lambda: "Take this split" in visitor.text(), LONG_S)
    visitor.settle()
    assert "failed in its own process: it was ended by the system" in visitor.text()
    assert visitor.can_press("run")


FAULTS = """
    import optisplit.comparison.experiment, optisplit.io.samples

    def compare(data, *arguments, **options):
        marked = "SECRET_LOCAL"
        raise KeyError(marked, data.label_names)

    was = optisplit.io.samples.load

    def load(source, **options):
        if "SECRET" in options.get("name", ""):
            raise RuntimeError("SECRET_WORDS of " + options["name"])
        return was(source, **options)

    optisplit.comparison.experiment.compare, optisplit.io.samples.load = compare, load
"""


def test_faults_are_said_in_words_and_the_log_has_nothing_of_the_data(tmp_path, visit):
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(FAULTS))
    faulty = Server(tmp_path, PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    try:
        visitor = visit(faulty)
        bring(visitor, mine__csv=b"SECRETLABEL,b\n1,0\n0,1\n1,1\n" * 1)
        visitor.run(folds=2)
        visitor.settle()
        visitor.press("run")
        said = "The comparison failed. An unexpected fault (KeyError). The server's log says where."
        visitor.until(lambda: said in visitor.text())
        visitor.settle()
        assert visitor.can_press("run")
        visitor.upload("upload_1", SECRETFILE__csv=TABLE)
        visitor.until(lambda: visitor.of_kind("exception"))  # a page's own fault: its type is shown, its words are not
        assert visitor.of_kind("exception")[0].type == "RuntimeError"
        assert "SECRET_WORDS" not in visitor.text()
        after = visit(faulty, "data=emotions")
        assert after.can_press("run")
    finally:
        faulty.stop()
    log = faulty.log.read_text()
    assert "job compare failed: KeyError < sitecustomize.py:6 compare" in log
    assert "RuntimeError < sitecustomize.py" in log
    assert "SECRET" not in log
    assert "mine.csv" not in log


# The machine


FULL = """
    import os, resource, tempfile, warnings
    warnings.simplefilter("ignore")
    os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp()
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # not a byte can be written to any file
    import optisplit
    result = optisplit.compare(optisplit.load("emotions"), ["random", "skml-is"], 3, seeds=[0])
    print([run.status for run in result.runs], result.runs[-1].reason)
"""


def test_on_a_full_disk_all_works_but_what_needs_files_which_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-B", "-c", textwrap.dedent(FULL)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(
        "['done', 'failed'] skml-is is given its data in files, and the folder for temporary files cannot be"
    )


# Files that promise too much


def zipped(n_bytes):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", bytes(n_bytes))
    return stream.getvalue()


@pytest.mark.parametrize(
    ("content", "promised"),
    [
        (b"a,b\n1,0\n", 8),
        (gzip.compress(bytes(100_000)), 100_000),
        (zipped(100_000), 100_000),
        (b"PK\3\4 no archive", 15),
        (b"PAR1 no table", 13),
        (b"", 0),
    ],
)
def test_what_a_file_promises_to_unpack_to(content, promised):
    assert unpacked_bytes(Upload("x", content)) == promised


def test_parquet_that_packs_columns_into_nothing():
    import pandas as pd

    stream = io.BytesIO()
    pd.DataFrame(np.zeros((50_000, 10), dtype=np.int8)).rename(columns=str).to_parquet(stream)
    assert len(stream.getvalue()) < 20_000
    assert unpacked_bytes(Upload("x", stream.getvalue())) == 50_000 * 10 * limits.PARQUET_CELL_BYTES


def test_an_upload_is_refused_by_its_size_and_by_what_it_would_need(monkeypatch):
    monkeypatch.setattr(limits, "max_upload_mb", lambda: 1)
    with pytest.raises(
        UploadTooLarge, match=r"^These files have 2\.1 MB together, and this server takes at most 1 MB at"
    ):
        check_upload([Upload("a", bytes(2**20)), Upload("b", bytes(2**20))])
    monkeypatch.setattr("optisplit.methods.memory.available_bytes", lambda: 10_000_000)
    check_upload([Upload("a", gzip.compress(bytes(2 * 2**20)))])
    match = r"^Reading these files would need about 14\.2 MB of memory, and 10 MB are available; bring smaller ones"
    with pytest.raises(MemoryLimitError, match=match):
        check_upload([Upload("a", gzip.compress(bytes(3 * 2**20)))])


def test_reading_stops_when_the_memory_runs_low(monkeypatch):
    free, seen = [10**9], []

    def watch(done, total, score):
        seen.append(done)
        free[0] -= 500_000_000

    monkeypatch.setattr("optisplit.methods.memory.available_bytes", lambda: free[0])
    text = b"a,b\n" + (b"1,0" + b" " * 60 + b"\n") * 250_000
    match = r"^Going on with this file would need about 64 MB of memory, and 0 bytes are available; bring a smaller one"
    with pytest.raises(MemoryLimitError, match=match):
        optisplit.load(io.BytesIO(gzip.compress(text, 1)), name="x.csv.gz", on_progress=guarded(watch))
    assert len(seen) == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress(bytes(60_000_000), 9), "would unpack"),
        (zipped(60_000_000), "would unpack"),
        (b"PK\3\4 nothing more", "damaged"),
    ],
)
def test_bombs_are_refused_as_splits_and_as_groups_too(content, said):
    data = optisplit.load("emotions")
    with pytest.raises(FormatError, match=said):
        read_split(io.BytesIO(content), data, name="split.npz" if content.startswith(b"PK") else "split.csv.gz")
    with pytest.raises(FormatError, match=said if content.startswith(b"\x1f") else "is a binary file|has 1 line"):
        read_column(io.BytesIO(content), data, name="groups.csv")
    assert find_columns(Upload("groups.csv", content), lambda fraction, message: None) == ()


def test_pickled_splits_are_not_opened():
    stream = io.BytesIO()
    np.savez(stream, test_fold=np.array([{"a": 1}] * 593, dtype=object))
    with pytest.raises(OptisplitError, match="Python objects"):
        read_split(io.BytesIO(stream.getvalue()), optisplit.load("emotions"), name="split.npz")


def test_every_cache_is_bounded_and_none_shares_what_users_brought():
    """Caches that all sessions share may only be keyed by what comes along; see optisplit.ui.session."""
    shared = {}
    for path in sorted(Path(ROOT, "optisplit", "ui").rglob("*.py")):
        for call in re.findall(r"@st\.cache_(?:resource|data)\(([^)]*)\)\s*def (\w+)", path.read_text()):
            shared[f"{path.parent.name}.{path.stem}.{call[1]}"] = call[0]
    own = [name for name, arguments in shared.items() if 'scope="session"' in arguments]
    assert own == ["ui.session._connected"]
    assert sorted(set(shared) - set(own)) == [
        "learn.ranks._kept",  # nothing: splits of a sample that come along
        "learn.rare._reports",  # nothing: folds that come along
        "learn.trace._steps",  # a measure and a seed
        "ui.datasets._sample",  # a sample, by its key
        "ui.paper._example_figure",  # nothing: one
        "ui.paper._synthetic_figure",  # a measure and an axis: six at most
    ]


def test_an_upload_from_elsewhere_is_refused(server, visit):
    visitor = visit(server, "")
    assert visitor.send("a.csv", TABLE, Origin="http://evil.example") == 403
    assert visitor.send("a.csv", TABLE, Host="evil.example") == 403
    assert visitor.send("a.csv", TABLE, Origin=server.url).size == len(TABLE)
