"""A short, fixed round of the fuzzing in ``tests/fuzz``."""

import os
import random
import signal
import struct
import sys
from collections import Counter
from itertools import islice

import pytest
from fuzz import anew, kept, rounds, worker
from fuzz.readers import FIXED_BYTES, MOST_TIMES, TESTS, WAYS, answer_of, mutations, one_input, peak_bytes, seeds
from fuzz.rounds import FOUND, answers
from fuzz.worker import made

from optisplit.io.tables import parquet_file

SMALL = TESTS / "cases" / "datasets" / "tags.parquet"
N_INPUTS = 1500
N_WEIGHED = 40


def test_the_corpus_is_there():
    assert len(seeds()) > 50


@pytest.mark.parametrize("seed", range(2))
def test_whatever_the_bytes_only_errors_of_the_package_come_out(seed):
    for content in islice(mutations(random.Random(seed), seeds()), N_INPUTS // 2):
        one_input(content)


def test_reading_takes_memory_in_proportion_to_the_file():
    for content in islice(mutations(random.Random(99), seeds()), N_WEIGHED):
        assert peak_bytes(content) <= FIXED_BYTES + MOST_TIMES * len(content)


@pytest.mark.parametrize("name", sorted(answers()))
def test_what_was_found_has_its_answer(name):
    entry = answers()[name]
    assert answer_of(entry["way"], (FOUND / name).read_bytes()) == entry["answer"]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_reads_something_or_says_why_not(way):
    for content in (b"id,a,b\nr0,1,0\nr1,0,1\nr2,1,1\nr3,0,1\n", b"", b"r0,0\nr1,1\nr2,0\nr3,1\n"):
        assert isinstance(answer_of(way, content), str)


def test_inputs_are_made_anew_by_their_number():
    starts = seeds()
    some = [made(number, 1, 0.2, starts, starts[:3]) for number in (7, 8, 7)]
    assert some[0] == some[2] != some[1]


def test_an_input_is_made_smaller_as_long_as_it_goes_wrong_alike(monkeypatch):
    def read(content):
        if b"X" in content and b"Y" in content:
            raise KeyError

    monkeypatch.setattr(worker, "one_input", read)
    content = b"\0" + b"a" * 50 + b"X" + b"b" * 50 + b"Y"
    found = worker.tried(content)
    assert found["what"] == "KeyError"
    assert worker.shrunk(content, found["what"], found["where"]) == b"\0XY"


WRITES = "import struct; open(sys.argv[-3], 'r+b').write(struct.pack('<QQd', {}, 2, 1) + b'ab')"


@pytest.mark.parametrize(
    ("does", "kept"),
    [
        ("sys.exit(3)", None),  # before it has begun
        ("time.sleep(60)", None),
        (f"{WRITES.format(5)}; sys.exit(3)", b"ab"),
        (f"{WRITES.format(5)}; sys.exit(0)", []),
    ],
)
def test_a_process_that_ends_is_blamed_on_the_input_that_it_began(does, kept, tmp_path, monkeypatch):
    (tmp_path / "fuzz").write_text(f"import sys, time; {does}")
    place, found = tmp_path / "place", []
    place.write_bytes(struct.pack("<QQd", 4, 3, 1) + b"old")  # what the process before ended with
    monkeypatch.setattr(rounds, "TESTS", tmp_path)
    monkeypatch.setattr(rounds, "MOST_START_S", 0.5)
    monkeypatch.setattr(rounds, "_keep", lambda what, where, content, *_: found.append(content))
    if kept is None:
        with pytest.raises(RuntimeError, match="did not begin with an input"):
            rounds._watched(place, 5, 0.0, 1, 0.2, Counter(), Counter())
        assert found == []
        return
    number = rounds._watched(place, 5, 0.0, 1, 0.2, Counter(), Counter())
    assert (number, found) == ((6, [kept]) if kept else (5, []))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is copied")
def test_a_kept_process_reads_many_files_and_is_replaced_when_it_ends():
    held = kept.Kept()
    numbers = []
    try:
        for content in (b"no Parquet", SMALL.read_bytes(), SMALL.read_bytes()):
            child = held.copied("file", parquet_file.MODULES)
            other = held.copied("another", parquet_file.MODULES)  # while the first is at work
            child.begin(f"{parquet_file.__name__}:serve", {"path": None, "n_bytes": len(content)}, [content], seconds=8)
            head, _ = child.answer(most_bytes=1 << 20)
            assert ("error" in head) == (content == b"no Parquet")
            assert other.number != child.number
            numbers.append(child.number)
            if len(numbers) == 2:
                os.kill(child.number, signal.SIGKILL)
            child.close()
            other.close()
    finally:
        held.end()
    assert numbers[0] == numbers[1] != numbers[2]


@pytest.mark.parametrize("make", [anew.parquet, anew.json_text, anew.text_table, anew.arrays])
def test_files_are_made_anew_by_their_seed_and_some_are_read(make):
    made = [anew.anew(random.Random(seed), make) for seed in range(60)]
    assert made[:20] == [anew.anew(random.Random(seed), make) for seed in range(20)]
    said = [answer_of(way, each) for way in ("load", "column", "split") for each in made if each is not None]
    assert "" in said
