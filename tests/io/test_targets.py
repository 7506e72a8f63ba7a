"""Tests of the one place that files are written in."""

from __future__ import annotations

import gzip
import json
import os
import stat
import subprocess
import sys
import time

import pytest

from optisplit import MultilabelDataset, load, save
from optisplit.errors import OptionError
from optisplit.io import target
from optisplit.io.target import check_targets, opened, scratch_folder, together, write_file


def test_a_file_is_written_whole(tmp_path):
    write_file(tmp_path / "a.txt", "ä\n")
    write_file(tmp_path / "b.txt.gz", [b"1", b"2"])
    write_file(str(tmp_path / "c.bin"), b"\0")
    assert (tmp_path / "a.txt").read_bytes() == "ä\n".encode()
    assert gzip.decompress((tmp_path / "b.txt.gz").read_bytes()) == b"12"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a.txt", "b.txt.gz", "c.bin"]


def test_an_error_leaves_what_was_there(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("old")

    def content():
        yield b"new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_file(path, content())
    assert [each.name for each in tmp_path.iterdir()] == ["a.txt"]
    assert path.read_text() == "old"


def test_a_file_keeps_its_mode_and_a_link_leads_on(tmp_path):
    (tmp_path / "kept").mkdir()
    real, link, hanging = tmp_path / "kept" / "real.txt", tmp_path / "link.txt", tmp_path / "hanging.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    hanging.symlink_to(tmp_path / "kept" / "new.txt")
    write_file(link, "new")
    write_file(hanging, "first")
    assert (link.is_symlink(), hanging.is_symlink()) == (True, True)
    assert (real.read_text(), (tmp_path / "kept" / "new.txt").read_text()) == ("new", "first")
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert len(list((tmp_path / "kept").iterdir())) == 2


def test_a_new_file_has_the_usual_mode(tmp_path):
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "a.txt", "x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_long_names_and_devices(tmp_path):
    write_file(tmp_path / ("ü" * 120), "x")
    write_file("/dev/null", "x")
    assert [each.name for each in tmp_path.iterdir()] == ["ü" * 120]


def test_what_cannot_be_written_is_refused(tmp_path):
    for path in (tmp_path, tmp_path / "no" / "a.txt", f"{tmp_path}/a\0b"):
        with pytest.raises(OptionError, match="cannot be written"):
            write_file(path, "x")
    with pytest.raises(OptionError, match="binary mode"), opened(3):
        pass


def test_two_outputs_of_one_name_are_refused(tmp_path):
    (tmp_path / "data.csv").write_text("x")
    (tmp_path / "link.csv").symlink_to(tmp_path / "data.csv")
    check_targets({"-o": tmp_path / "a.csv", "--moves": tmp_path / "b.csv", "--report": None}, {"DATA": "emotions"})
    check_targets({"-o": "/dev/null", "--moves": "/dev/null"})
    with pytest.raises(OptionError, match=r"--moves and -o are the same file, '.*a\.csv'"):
        check_targets({"-o": tmp_path / "a.csv", "--moves": tmp_path / "." / "a.csv"})
    with pytest.raises(OptionError, match=r"-o and DATA are the same file, '.*link\.csv'"):
        check_targets({"-o": tmp_path / "link.csv"}, {"DATA": str(tmp_path / "data.csv")})


def test_outputs_without_a_place_are_refused(tmp_path):
    with pytest.raises(OptionError, match="No such file or directory"):
        check_targets({"-o": tmp_path / "no" / "a.csv"})
    with pytest.raises(OptionError, match="Is a directory"):
        check_targets({"-o": tmp_path})


def test_files_of_one_call_are_there_together_or_not_at_all(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    with pytest.raises(ZeroDivisionError), together():  # noqa: PT012 - what happens within counts
        write_file(tmp_path / "a.txt", "new")
        write_file(tmp_path / "b.txt", "new")
        assert (tmp_path / "a.txt").read_text() == "old"
        raise ZeroDivisionError
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"a.txt": "old"}
    with pytest.raises(BrokenPipeError), together():  # noqa: PT012
        write_file(tmp_path / "a.txt", "new")
        with together():
            write_file(tmp_path / "b.txt", "new")
        raise BrokenPipeError
    assert {each.name: each.read_text() for each in tmp_path.iterdir()} == {"a.txt": "new", "b.txt": "new"}


def test_a_folder_is_gone_through_once_however_many_files_are_written(tmp_path, monkeypatch):
    (tmp_path / "more").mkdir()
    tidied = []
    monkeypatch.setattr(target, "tidy", tidied.append)
    with together():
        for name in ("a.txt", "b.txt", "more/a.txt", "c.txt", "more/b.txt"):
            write_file(tmp_path / name, "new")
    assert tidied == [tmp_path, tmp_path / "more"]


def test_labels_and_their_names_are_there_together(tmp_path):
    path = tmp_path / "d.npz"
    old = MultilabelDataset.from_labels([[1, 0], [0, 1]], ["a", "b"])
    save(old, path)

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        save(MultilabelDataset.from_labels([[1, 1], [0, 1]], ["c", "d"]), path, on_progress=stop)
    assert load(path).label_names == ("a", "b")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["d.labels.txt", "d.npz"]


def _leave(folder):
    """Be killed while writing."""
    code = "import os, sys\nfrom optisplit.io.target import opened, scratch_folder\n"
    code += (
        "with scratch_folder('test'), opened(sys.argv[1]) as out:\n    out.write(b'new')\n    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder / "a.txt")], env=os.environ | {"TMPDIR": str(folder)})
    assert done.returncode == -9


def test_what_a_killed_process_leaves_is_removed_at_the_next_call(tmp_path, monkeypatch):
    (tmp_path / "a.txt").write_text("old")
    _leave(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    assert (tmp_path / "a.txt").read_text() == "old"
    write_file(tmp_path / "a.txt", "new")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with scratch_folder("test") as folder:
        assert {each.name for each in tmp_path.iterdir()} == {"a.txt", folder.name}
    assert (tmp_path / "a.txt").read_text() == "new"


def test_the_same_file_by_another_name_is_refused(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1,0\n")
    os.link(tmp_path / "data.csv", tmp_path / "hard.csv")
    (tmp_path / "soft.csv").symlink_to("data.csv")
    for name in ("hard.csv", "soft.csv"):
        with pytest.raises(OptionError, match="-o and DATA are the same file"):
            check_targets({"-o": tmp_path / name}, {"DATA": str(tmp_path / "data.csv")})
    with (tmp_path / "data.csv").open() as stream, pytest.raises(OptionError, match="-o and DATA are the same file"):
        check_targets({"-o": tmp_path / "data.csv"}, {"DATA": stream})


TWO = """
import os, sys
from optisplit.io import moves
from optisplit.io.target import together, write_file
was = os.replace
def replace(place, real):
    was(place, real)
    {then}
moves.os.replace = replace
{first}with together():
    write_file(sys.argv[1], "new")
    write_file(sys.argv[2], "new")
"""

NO_LINKS = """
def link(old, new):
    raise OSError(1, "Operation not permitted", str(old))
moves.os.link = link
"""


def write_two(folder, then, first=""):
    """Write two files, a and b, and do something after each is moved to its place."""
    command = [sys.executable, "-c", TWO.format(then=then, first=first), str(folder / "a.txt"), str(folder / "b.txt")]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def contents(folder):
    return {each.name: each.read_text() for each in folder.iterdir()}


def test_what_a_killed_process_has_begun_to_move_is_moved_by_the_next_call(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "b.txt").write_text("old")
    assert write_two(tmp_path, "os.kill(os.getpid(), 9)").returncode == -9
    assert (tmp_path / "b.txt").read_text() == "old"
    write_file(tmp_path / "c.txt", "another")
    assert contents(tmp_path) == {"a.txt": "new", "b.txt": "new", "c.txt": "another"}


def test_a_file_that_was_written_since_is_left_as_it_is(tmp_path):
    (tmp_path / "b.txt").write_text("old")
    write_two(tmp_path, "os.kill(os.getpid(), 9)")
    later = time.time() + 10
    (tmp_path / "b.txt").write_text("mine")
    os.utime(tmp_path / "b.txt", (later, later))
    write_file(tmp_path / "c.txt", "another")
    assert contents(tmp_path) == {"a.txt": "new", "b.txt": "mine", "c.txt": "another"}


def test_a_signal_between_two_moves_waits(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    done = write_two(tmp_path, "moves.os.replace = was; moves.signal.raise_signal(2)")
    assert "KeyboardInterrupt" in done.stderr
    assert contents(tmp_path) == {"a.txt": "new", "b.txt": "new"}


ENDED_WHILE_TIDYING = """
def end(*_):
    raise SystemExit(9)

def unlink(path, **options):
    moves.signal.raise_signal(15)
    remove(path, **options)

moves.signal.signal(15, end)
remove, moves.Path.unlink = moves.Path.unlink, unlink
"""


@pytest.mark.parametrize(("then", "new"), [("pass", "new"), ("raise MemoryError", "old")])
def test_a_signal_waits_until_what_is_left_over_is_removed(tmp_path, then, new):
    (tmp_path / "a.txt").write_text("old")
    done = write_two(tmp_path, f"moves.os.replace = was; {then}", first=ENDED_WHILE_TIDYING)
    assert done.returncode == 9
    assert contents(tmp_path) == ({"a.txt": "new", "b.txt": "new"} if new == "new" else {"a.txt": "old"})


def test_a_signal_is_not_lost_where_an_error_comes_after_it(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    done = write_two(tmp_path, "moves.os.replace = was; moves.signal.raise_signal(2); raise MemoryError")
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
    assert contents(tmp_path) == {"a.txt": "old"}


def test_after_an_error_between_two_moves_the_old_content_is_there(tmp_path):
    (tmp_path / "a.txt").write_text("old")
    done = write_two(tmp_path, "moves.os.replace = was; raise PermissionError(1, 'Not permitted', str(real))")
    assert "a.txt cannot be written: Not permitted" in done.stderr
    assert contents(tmp_path) == {"a.txt": "old"}


@pytest.mark.parametrize(
    "then", ["raise PermissionError(1, 'Not permitted', str(real))", "moves.signal.raise_signal(2)"]
)
def test_where_files_have_no_second_names_the_old_content_is_copied(tmp_path, then):
    (tmp_path / "a.txt").write_text("old")
    (tmp_path / "a.txt").chmod(0o640)
    done = write_two(tmp_path, f"moves.os.replace = was; {then}", first=NO_LINKS)
    new = {"a.txt": "new", "b.txt": "new"}
    assert (done.returncode != 0, contents(tmp_path)) == (True, new if "signal" in then else {"a.txt": "old"})
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640


def test_nothing_is_moved_where_the_old_content_cannot_be_kept(tmp_path):
    (tmp_path / "b.txt").write_text("old")
    no_copies = f"{NO_LINKS}moves.shutil.copy2 = moves.os.link\n"
    done = write_two(tmp_path, "os.kill(os.getpid(), 9)", first=no_copies)
    assert "b.txt cannot be written: Operation not permitted" in done.stderr
    assert contents(tmp_path) == {"b.txt": "old"}


def test_strange_notes_move_nothing(tmp_path):
    write_two(tmp_path, "os.kill(os.getpid(), 9)")
    journal = next(tmp_path.glob(".optisplit.*.moves"))
    part = next(tmp_path.glob(".b.txt.*.part"))
    for noted in (
        [[str(part), str(tmp_path / "x" / "b.txt")]],
        [[str(tmp_path / "a.txt"), str(tmp_path / "d.txt")]],
        3,
    ):
        journal.write_text(json.dumps(noted))
        write_file(tmp_path / "c.txt", "another")
        assert contents(tmp_path) == {"a.txt": "new", "c.txt": "another"}
