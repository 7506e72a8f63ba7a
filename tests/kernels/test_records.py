"""Records are read by kernels as they were made, and their kernels are called for what they return."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from optisplit.kernels.jit import kernel
from optisplit.kernels.records import Record, Unused, call

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, eq=False)
class Inner(Record):
    matrix: Any
    n: int


@dataclass(frozen=True, eq=False)
class Outer(Record):
    flag: bool
    line: Any
    cube: Any
    inner: Inner
    single: np.float32
    double: float
    small: np.int8
    large: np.uint64
    add: Any
    share: Any
    is_many: Any
    note: Any


@kernel
def add(outer: Any, a: int, b: int) -> int:
    return outer.inner.n + a - b


@kernel
def share(outer: Any, a: int) -> float:
    return a / outer.inner.n


@kernel
def is_many(outer: Any) -> bool:
    return outer.inner.n > 3


@kernel
def note(outer: Any, at: int) -> None:
    outer.line[at] = 7


@kernel
def wrong(outer: Any) -> int:
    return outer.double / 2


@kernel
def divide(outer: Any, a: int, b: int) -> int:
    return a // b


@njit
def read(outer):
    cube, inner = outer.cube, outer.inner
    return (
        outer.flag, outer.line.sum(), cube[1, 2, 3], cube.shape, inner.matrix[1, 0], inner.matrix[1].sum(), inner.n,
        outer.single, outer.double, outer.small, outer.large, outer.line.size,
    )  # fmt: skip


@njit
def ask(outer):
    a, b = np.int64(10), np.int64(3)
    call(outer.note, outer, (b,))
    return call(outer.add, outer, (a, b)), call(outer.share, outer, (a,)), call(outer.is_many, outer, ())


def outer(**changed):
    values: dict[str, Any] = {
        "flag": True, "line": np.arange(5, dtype=np.int32), "cube": np.arange(60.0).reshape(3, 4, 5),
        "inner": Inner(np.array([[1, 2], [3, 4]], dtype=np.uint8), 4), "single": np.float32(0.1), "double": -0.1,
        "small": np.int8(-3), "large": np.uint64(2**64 - 1),
        "add": Unused(add), "share": Unused(share), "is_many": Unused(is_many), "note": Unused(note),
    }  # fmt: skip
    return Outer(**(values | changed))


def test_what_a_kernel_reads_is_what_was_put_in():
    made = outer()
    expected = (True, 10, 33.0, (3, 4, 5), 3, 7, 4, np.float32(0.1), -0.1, -3, 2**64 - 1, 5)
    assert read(made) == expected
    assert read(replace(made, flag=False, inner=Inner(made.inner.matrix, -1)))[0::6] == (False, -1)
    assert read(made) == expected


def test_contents_may_change_and_arrays_may_be_read_only():
    made = outer()
    n_compiled = len(read.signatures)
    made.line[0] = 5
    assert read(made)[1] == 15
    fixed = np.arange(3, dtype=np.int32)
    fixed.flags.writeable = False
    assert read(replace(made, line=fixed))[1] == 3
    assert len(read.signatures) == max(1, n_compiled)


def test_empty_arrays():
    made = outer(line=np.empty(0, dtype=np.int32))
    assert (read(made)[1], read(made)[-1]) == (0, 0)


def test_kernels_of_a_record_are_called_with_it():
    made = outer(add=add, share=share, is_many=is_many, note=note)
    assert ask(made) == (11, 2.5, True)
    assert made.line.tolist() == [0, 1, 2, 7, 4]
    assert ask(replace(made, inner=Inner(made.inner.matrix, 2))) == (9, 5.0, False)


def test_a_kernel_that_is_not_called_is_not_compiled():
    @njit
    def maybe(outer, is_asked):
        if is_asked:
            call(outer.note, outer, (np.int64(1),))
        return outer.line[1]

    assert maybe(outer(), False) == 1
    assert maybe(outer(note=note), True) == 7


@pytest.mark.parametrize("numbers", ["(1.5,)", "(np.int32(1),)", "3", "()", "(np.int64(1), np.int64(2))"])
def test_numbers_of_another_kind_or_number_are_refused(numbers):
    function = eval(f"lambda outer: call(outer.note, outer, {numbers})", {"call": call, "np": np})
    with pytest.raises(TypingError):
        njit(function)(outer(note=note))


def test_an_error_in_a_kernel_that_is_called_is_an_error():
    assert ask(outer(add=divide, share=share, is_many=is_many, note=note))[0] == 3

    @njit
    def by_zero(outer):
        return call(outer.add, outer, (np.int64(1), np.int64(0)))

    with pytest.raises(ZeroDivisionError):
        by_zero(outer(add=divide))


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))])
def test_copies_hold_what_is_theirs(copied):
    made = outer()
    other = copied(made)
    made.line[:], made.inner.matrix[:] = 0, 0
    assert read(made)[1] == 0
    assert read(other)[1:7] == (10, 33.0, (3, 4, 5), 3, 7, 4)


def test_a_kernel_is_called_with_its_own_record():
    @njit
    def of_another(outer):
        call(outer.note, outer.inner, (np.int64(0),))

    with pytest.raises(TypingError):
        of_another(outer(note=note))


def test_what_a_record_does_not_have_is_said_when_compiling():
    with pytest.raises(TypingError, match="nothing"):
        njit(lambda outer: outer.nothing)(outer())


def test_a_kernel_that_returns_something_else_is_refused():
    with pytest.raises(TypeError, match="wrong returns float64, not int64"):
        outer(add=wrong)


def test_arrays_with_gaps_are_refused():
    with pytest.raises(ValueError, match="contiguous and aligned"):
        outer(line=np.arange(10, dtype=np.int32)[::2])


def test_fields_cannot_be_set():
    with pytest.raises(FrozenInstanceError):
        outer().double = 1.0


KEPT = """
from __future__ import annotations
from dataclasses import dataclass
from typing import Any
import numpy as np
from optisplit.kernels.jit import kernel
from optisplit.kernels.records import Record, call

@dataclass(frozen=True, eq=False)
class Task(Record):
    line: Any
    double: Any

@kernel
def double(task: Any, at: int) -> int:
    return 2 * task.line[at]

@kernel
def first(task: Any) -> int:
    return call(task.double, task, (np.int64(0),))
"""
USE = "import kept, numpy as np; task = kept.Task(np.array([21, 3]), kept.double); print(kept.first(task), "
USE += "*(sum(each.stats.cache_hits.values()) for each in (kept.first, kept.double)))"


def test_what_is_kept_on_disk_works_in_the_next_process(tmp_path):
    (tmp_path / "kept.py").write_text(KEPT)

    def use():
        environment = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONPATH": f"{tmp_path}:{ROOT}", "PATH": ""}
        return subprocess.run(
            [sys.executable, "-c", USE], env=environment, capture_output=True, text=True, check=True
        ).stdout.split()

    assert [use(), use()] == [["42", "0", "0"], ["42", "1", "1"]]
