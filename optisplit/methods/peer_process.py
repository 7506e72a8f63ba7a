"""The process of one peer: ``python -m optisplit.methods.peer_process PEER HOME DATA FOLDER LABELS SPLITS SEED``.

Imports HOME, which puts PEER among the methods, maps ``indptr.npy`` and ``indices.npy`` of the folder DATA, which other
processes may share, into its memory, prints the number of rows placed from time to time, and writes ``folds.npy`` and
``cpu_s.txt`` into FOLDER. Ends when its standard input is closed, that is, with its parent.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit.methods.base import METHODS, Peer

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRESS_S = 0.2


def _end_with_parent() -> None:
    def wait() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _print_progress(count_placed: Callable[[], int]) -> None:
    def report() -> None:
        while True:
            sys.stdout.write(f"{count_placed()}\n")
            sys.stdout.flush()
            time.sleep(PROGRESS_S)

    threading.Thread(target=report, daemon=True).start()


def _cpu_s() -> float:
    """Processor seconds of this process, and of those that it started and that have ended, such as a solver."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def main(arguments: list[str]) -> None:
    """Run the peer that the arguments name."""
    peer, home, data, name, *numbers = arguments
    n_labels, n_splits, seed = map(int, numbers)
    _end_with_parent()
    folder = Path(name)
    indptr, indices = (np.load(Path(data) / f"{part}.npy", mmap_mode="r") for part in ("indptr", "indices"))
    ones = np.ones(indices.size, dtype=np.int8)
    labels = sp.csr_array((ones, indices, indptr), shape=(indptr.size - 1, n_labels))
    importlib.import_module(home)
    method = METHODS[peer]
    assert isinstance(method, Peer)
    importlib.import_module(method.module)
    start = _cpu_s()
    folds = method.function(labels, n_splits, seed, _print_progress)
    cpu_s = _cpu_s() - start
    np.save(folder / "folds.npy", folds)
    (folder / "cpu_s.txt").write_text(repr(cpu_s), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # the daemon threads may hold the standard streams
