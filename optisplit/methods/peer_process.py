"""The process that runs one peer: ``python -m optisplit.methods.peer_process PEER DATA FOLDER LABELS SPLITS SEED``.

Maps ``indptr.npy`` and ``indices.npy`` of the folder DATA, which other processes may share, into its memory, prints the
number of rows placed from time to time, and writes ``folds.npy`` and ``cpu_s.txt`` into FOLDER. Ends when its standard
input is closed, that is, with its parent.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRESS_S = 0.2


def run_skml(labels: Any, n_splits: int, seed: int, watch: Callable[[Callable[[], int]], None], *, order: int) -> Any:
    """Run scikit-multilearn's IterativeStratification as its users do."""
    from skmultilearn.model_selection import IterativeStratification

    class Watched(IterativeStratification):
        def _prepare_stratification(self, y: Any) -> Any:
            prepared = super()._prepare_stratification(y)
            rows_of_fold = prepared[-1]
            watch(lambda: sum(map(len, rows_of_fold)))
            return prepared

    np.random.seed(seed)  # noqa: NPY002 - this process is the peer's alone
    return _folds_of(Watched(n_splits=n_splits, order=order), sp.lil_matrix(labels))


def run_iterstrat(labels: Any, n_splits: int, seed: int, watch: Callable[[Callable[[], int]], None]) -> Any:
    """Run iterative-stratification's MultilabelStratifiedKFold, shuffled, as its users do."""
    from iterstrat import ml_stratifiers

    stratify = ml_stratifiers.IterativeStratification

    class Shares(np.ndarray[Any, Any]):
        """Every fold's share of the rows; the number of rows a fold still wants, made of it, is counted down."""

        def __mul__(self, n_rows: Any) -> Any:
            wanted = np.asarray(self) * n_rows
            watch(lambda: n_rows - round(wanted.sum()))
            return wanted

    def watched(labels: Any, r: Any, random_state: Any) -> Any:
        return stratify(labels, r.view(Shares), random_state)

    ml_stratifiers.IterativeStratification = watched
    try:
        stratifier = ml_stratifiers.MultilabelStratifiedKFold(n_splits=n_splits, shuffle=True, random_state=seed)
        return _folds_of(stratifier, labels.astype(bool).toarray())
    finally:
        ml_stratifiers.IterativeStratification = stratify


def _folds_of(stratifier: Any, labels: Any) -> Any:
    n_rows = labels.shape[0]
    folds = np.full(n_rows, -1, dtype=np.int32)
    for fold, (_, test) in enumerate(stratifier.split(np.zeros((n_rows, 1)), labels)):
        folds[test] = fold
    return folds


PEERS: dict[str, tuple[str, Callable[..., Any]]] = {
    "skml-is": ("skmultilearn.model_selection", partial(run_skml, order=1)),
    "skml-sois": ("skmultilearn.model_selection", partial(run_skml, order=2)),
    "iterstrat": ("iterstrat.ml_stratifiers", run_iterstrat),
}
"""By key: the module to import before the clock starts, and the function to run."""


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


def main(arguments: list[str]) -> None:
    """Run the peer that the arguments name."""
    peer, data, name, *numbers = arguments
    n_labels, n_splits, seed = map(int, numbers)
    _end_with_parent()
    folder = Path(name)
    indptr, indices = (np.load(Path(data) / f"{part}.npy", mmap_mode="r") for part in ("indptr", "indices"))
    ones = np.ones(indices.size, dtype=np.int8)
    labels = sp.csr_array((ones, indices, indptr), shape=(indptr.size - 1, n_labels))
    module, run = PEERS[peer]
    importlib.import_module(module)
    start = time.process_time()
    folds = run(labels, n_splits, seed, _print_progress)
    cpu_s = time.process_time() - start
    np.save(folder / "folds.npy", folds)
    (folder / "cpu_s.txt").write_text(repr(cpu_s), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # the daemon threads may hold the standard streams
