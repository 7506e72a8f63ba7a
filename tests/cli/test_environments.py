"""Tests of the command line where the terminal, its streams or signals are not as usual."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("id,größe,a→b\n" + "".join(f"{i},{i % 2},{i % 3 // 2}\n" for i in range(12)), encoding="utf-8")
    return path


def run(*arguments, before="", encoding="utf-8", **more):
    code = f"import os, sys\n{before}\nfrom optisplit.cli import main\nsys.exit(main())"
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, env=os.environ | {"PYTHONIOENCODING": encoding}, **more)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_a_terminal_that_cannot_show_all_names(data, encoding):
    done = run("info", data, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"a\\u2192b" in done.stdout
    done = run("check", data, "--column", "no→ne", encoding=encoding)
    assert done.returncode == 2
    assert b"no\\u2192ne" in done.stderr


@pytest.mark.parametrize("stream", [0, 1, 2])
def test_streams_that_are_closed(data, tmp_path, stream):
    out = tmp_path / "folds.csv"
    done = run(
        "split",
        data,
        "-k",
        2,
        "-o",
        out,
        before=f"os.close({stream}); sys.{('stdin', 'stdout', 'stderr')[stream]} = None",
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert len(out.read_text().splitlines()) == 13


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_nothing_half_written(data, tmp_path, number):
    (tmp_path / "folds.csv").write_text("old")
    slow = "import time\nfrom optisplit.io.writers import splits\nwas = splits.write_file\n"
    slow += "def write(*a, **m):\n    was(*a, **m)\n    print('here', flush=True)\n    time.sleep(60)\n"
    slow += "splits.write_file = write"
    code = f"{slow}\nimport sys\nfrom optisplit.cli import main\nsys.exit(main())"
    command = [sys.executable, "-c", code, "split", str(data), "-k", "2", "-o", str(tmp_path / "folds.csv")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout.readline() == b"here\n"
        time.sleep(0.1)
        process.send_signal(number)
        assert process.wait(20) == 128 + number
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data.csv", "folds.csv"]
    assert (tmp_path / "folds.csv").read_text() == "old"


def test_the_data_is_not_written_over_also_from_standard_input(data):
    old = data.read_bytes()
    with data.open() as stream:
        done = run("split", "-", "-k", 2, "-o", data, stdin=stream)
    assert done.returncode == 2
    assert b"-o and DATA are the same file" in done.stderr
    assert data.read_bytes() == old
