"""Other packages' methods, each run in a process of its own.

They are pure Python and hold the interpreter, some draw from numpy's global state, and none can be told to stop. A
process leaves this one responsive and its random state alone, and can be ended at once.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from optisplit.errors import PeerError
from optisplit.io.target import scratch_folder
from optisplit.methods.memory import need_of_run
from optisplit.methods.shapes import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix
    from optisplit.methods.base import Peer, ProgressCallback

Child: TypeAlias = "subprocess.Popen[str]"

POLL_S = 0.1
"""Seconds between looks at the process: how soon a cancel is noticed."""


def run_in_process(
    method: Peer,
    labels: LabelMatrix,
    n_splits: int,
    rng: np.random.Generator,
    on_progress: ProgressCallback | None,
) -> tuple[FoldArray, float]:
    """Run a method in its own process, and give the folds and the processor seconds.

    - When `on_progress` raises, the process is ended at once and its files are gone.
    - When this process dies, the other one ends by itself.
    """
    n_rows, n_labels = labels.shape
    need_of_run(method, Shape.of(labels), n_splits).check()
    with _on_disk(method.key, labels) as (data, folder):
        numbers = (n_labels, n_splits, int(rng.integers(2**32)))
        arguments = (method.key, method.home, str(data), str(folder), *map(str, numbers))
        with _started(arguments, folder / "stderr.txt") as process:
            placed = _follow(process)
            while process.poll() is None:
                if on_progress is not None:
                    on_progress(placed[0], n_rows, float("nan"))
                _wait_briefly(process)
        if process.returncode != 0:
            raise _failure(method.key, process.returncode, folder / "stderr.txt")
        folds = np.load(folder / "folds.npy", allow_pickle=False)
        return folds, float((folder / "cpu_s.txt").read_text(encoding="ascii"))


def folds_of(stratifier: Any, labels: Any) -> FoldArray:
    """Put the pairs that a cross-validator of another package gives into one array."""
    n_rows = labels.shape[0]
    folds = np.full(n_rows, -1, dtype=np.int32)
    for fold, (_, test) in enumerate(stratifier.split(np.zeros((n_rows, 1)), labels)):
        folds[test] = fold
    return folds


@contextmanager
def _on_disk(peer: str, labels: LabelMatrix) -> Iterator[tuple[Path, Path]]:
    """Write the labels, and make a folder for what comes back."""
    with ExitStack() as stack:
        try:
            data = stack.enter_context(shared_files(labels))
            folder = stack.enter_context(scratch_folder("peer"))
        except OSError as error:
            msg = f"{peer} is given its data in files, and the folder for temporary files cannot be written to: {error}"
            raise PeerError(msg) from error
        yield data, folder


@dataclass
class _Shared:
    """Labels on disk, and how many use them."""

    labels: LabelMatrix
    folder: Path
    stack: ExitStack
    n_users: int = 0


_shared: dict[int, _Shared] = {}
_sharing = threading.Lock()


@contextmanager
def shared_files(labels: LabelMatrix) -> Iterator[Path]:
    """Put labels where processes can read them; all that need the same labels at a time share one copy."""
    key = id(labels)  # of an object that the entry keeps alive
    with _sharing:
        if key not in _shared:
            with ExitStack() as stack:
                folder = stack.enter_context(scratch_folder("labels"))
                np.save(folder / "indptr.npy", labels.indptr)
                np.save(folder / "indices.npy", labels.indices)
                _shared[key] = _Shared(labels, folder, stack.pop_all())
        shared = _shared[key]
        shared.n_users += 1
    try:
        yield shared.folder
    finally:
        with _sharing:
            shared.n_users -= 1
            if shared.n_users == 0:
                del _shared[key]
                shared.stack.close()


@contextmanager
def _started(arguments: tuple[str, ...], errors: Path) -> Iterator[Child]:
    # so that the process finds this very package, installed or not, and whatever is found here
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[2]), *sys.path)))
    with errors.open("w", encoding="utf-8") as sink:
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "optisplit.methods.peer_process", *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=sink,
                env={**os.environ, "PYTHONPATH": path},
                start_new_session=True,  # a terminal's Ctrl-C is ours to handle
                text=True,
            )
        except OSError as error:
            msg = f"{arguments[0]} could not be started in a process of its own: {error}"
            raise PeerError(msg) from error
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()


def _follow(process: Child) -> list[int]:
    """Keep the number of rows placed so far, as the process prints it, in a one-item list."""
    placed = [0]

    def read() -> None:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                placed[0] = int(line)
        except ValueError:  # closed under our hands when the process was ended
            return

    threading.Thread(target=read, name="optisplit-peer-progress", daemon=True).start()
    return placed


def _wait_briefly(process: Child) -> None:
    deadline = time.monotonic() + POLL_S
    while process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.005)


def _failure(peer: str, code: int, errors: Path) -> PeerError:
    lines = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    reason = lines[-1] if lines else f"it was ended by the system (exit code {code}), perhaps for lack of memory"
    return PeerError(f"{peer} failed in its own process: {reason}")
