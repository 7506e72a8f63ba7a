"""The process that runs one peer: ``python -m optisplit.methods.peer_process PEER FOLDER LABELS SPLITS SEED``.

Reads ``indptr.npy`` and ``indices.npy`` from the folder, prints the number of rows placed from time to time, and
writes ``folds.npy`` and ``cpu_s.txt`` there. Ends when its standard input is closed, that is, with its parent.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRESS_S = 0.2


def run_skml_is(labels: Any, n_splits: int, watch: Callable[[list[list[int]]], None]) -> Any:
    """Run scikit-multilearn's IterativeStratification, order 1, as its users do.

    Parameters
    ----------
    labels : csr_array of shape (n_rows, n_labels)
        The labels.
    n_splits : int
        Number of folds.
    watch : callable
        Given the lists of rows, one a fold, that the stratifier fills, so that they can be counted on the way.

    Returns
    -------
    ndarray of shape (n_rows,), dtype int32
        The fold of every row.
    """
    from skmultilearn.model_selection import IterativeStratification

    class Watched(IterativeStratification):
        def _prepare_stratification(self, y: Any) -> Any:
            prepared = super()._prepare_stratification(y)
            watch(prepared[-1])
            return prepared

    folds = np.full(labels.shape[0], -1, dtype=np.int32)
    placeholder = np.zeros((labels.shape[0], 1))
    stratifier = Watched(n_splits=n_splits, order=1)
    for fold, (_, test) in enumerate(stratifier.split(placeholder, sp.lil_matrix(labels))):
        folds[test] = fold
    return folds


PEERS = {"skml-is": ("skmultilearn.model_selection", run_skml_is)}
"""By key: the module to import before the clock starts, and the function to run."""


def _end_with_parent() -> None:
    def wait() -> None:
        sys.stdin.read()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _print_progress(rows_of_fold: list[list[int]]) -> None:
    def report() -> None:
        while True:
            sys.stdout.write(f"{sum(map(len, rows_of_fold))}\n")
            sys.stdout.flush()
            time.sleep(PROGRESS_S)

    threading.Thread(target=report, daemon=True).start()


def main(arguments: list[str]) -> None:
    """Run the peer that the arguments name.

    Parameters
    ----------
    arguments : list of str
        Peer, folder, number of labels, number of folds, seed.
    """
    peer, name, *numbers = arguments
    n_labels, n_splits, seed = map(int, numbers)
    _end_with_parent()
    folder = Path(name)
    indptr = np.load(folder / "indptr.npy")
    indices = np.load(folder / "indices.npy")
    ones = np.ones(indices.size, dtype=np.int8)
    labels = sp.csr_array((ones, indices, indptr), shape=(indptr.size - 1, n_labels))
    np.random.seed(seed)  # noqa: NPY002 - the peers draw from the global state, and this process is theirs alone
    module, run = PEERS[peer]
    importlib.import_module(module)
    start = time.process_time()
    folds = run(labels, n_splits, _print_progress)
    cpu_s = time.process_time() - start
    np.save(folder / "folds.npy", folds)
    (folder / "cpu_s.txt").write_text(repr(cpu_s), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # the daemon threads may hold the standard streams
