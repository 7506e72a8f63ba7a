"""What a method is, and the list that everybody finds methods in."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from optisplit.errors import OptionError, PeerError, argument
from optisplit.methods.rare import DEFAULT_RARE, in_todays_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix, MultilabelDataset
    from optisplit.methods.shapes import Shape

ProgressCallback: TypeAlias = Callable[[int, int, float], None]
"""Called as ``on_progress(done, total, score)``; total 0 means unknown, score NaN likewise. May raise Stopped."""

DEFAULT_METHOD = "optisplit-sa"
"""Key of the method that splits where none is named."""

DEFAULT_METHODS = ("random", "is", "optisplit", DEFAULT_METHOD)
"""Keys of the methods that are compared where none are named."""

CONSTRAINTS = ("fold_sizes", "groups", "fixed")
"""Options of methods that keep to more than the number of folds."""


EXTRA = "optisplit[peers]"
"""What to install for all of them."""

START_S = 3.0
"""Seconds that such a process takes to start: Python, numpy, scipy and scikit-learn."""


@dataclass(frozen=True, slots=True)
class MethodRun:
    """What running a method gave."""

    folds: FoldArray  # shape (n_rows,)
    # processor seconds that the method itself took: unlike time on the clock, no longer when the machine is busy with
    # other work. Starting a process for a peer is not in it, nor is compiling after :meth:`Method.prepare
    # <optisplit.methods.Method.prepare>`
    cpu_s: float


@dataclass(frozen=True)
class Method:
    """A way to split, and what is to be known of it.

    Parameters
    ----------
    key : str
        Short name, as users type it.
    name : str
        Name to show.
    summary : str
        What it does, in a sentence for somebody who has not read the paper.
    reference : str
        Where it is published.
    cost : str
        How its time grows: n rows, q labels, k folds, nnz positives.
    function : callable
        ``function(labels, n_splits, *, rng, on_progress, **options) -> folds``; for a peer see there.
    options : tuple of str
        Names of the options that it takes, besides rng and on_progress.
    check : callable or None
        ``check(**options)``: refuses values that an option cannot have, as far as that needs no data.
    color, symbol : str
        How charts draw it: hexadecimal colour, and Plotly marker symbol. Without them it is given some.
    seconds, n_bytes : callable or None
        ``(shape, n_splits, options) -> number``: processor seconds that a run takes, and memory beyond the labels;
        None where nothing is known.
    holds_pairs : bool
        Whether all pairs of labels in rows are held at a time, as with the option ``balance_pairs``.
    only_dense : bool
        Whether labels are held as a dense table.
    takes_amounts : bool
        Whether it can balance counts and weigh columns, and is not misled by them; others balance who has what.
    inner : tuple of str
        Options that are no user's: ``weights``, how much each column weighs, and ``n_labels``, how many of the columns
        are labels; others are balanced, but need not be in every fold, and make no difference to the score.
    """

    key: str
    name: str
    summary: str
    reference: str
    cost: str
    function: Callable[..., Any]
    options: tuple[str, ...] = ()
    check: Callable[..., None] | None = None
    color: str = ""
    symbol: str = ""
    seconds: Callable[[Shape, int, Mapping[str, Any]], float] | None = None
    n_bytes: Callable[[Shape, int, Mapping[str, Any]], float] | None = None
    holds_pairs: bool = False
    only_dense: bool = False
    takes_amounts: bool = False
    inner: tuple[str, ...] = ()

    is_peer = False
    """Whether this is another package's method, run in a process of its own."""

    start_s = 0.0
    """Seconds before a run begins to work."""

    @property
    def obstacle(self) -> str:
        """Why it cannot be run here, whatever the data; empty where it can."""
        return ""

    def keeps(self, *constraints: str) -> bool:
        """Tell whether it takes all of some options, such as ``"groups"``."""
        return set(constraints) <= set(self.options)

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse options that the method does not have, and values that they cannot have.

        Parameters
        ----------
        options : mapping of str
            The options to be given to it.

        Raises
        ------
        OptionError
            If there is one that it does not take (the message says which methods do), or a value is impossible.
        """
        options = in_todays_words(options)
        for option in options:
            if option not in self.options:
                having = [repr(each.key) for each in METHODS.values() if option in each.options]
                takers = f"these methods do: {', '.join(having)}" if having else "no method does"
                msg = f"Method {self.key!r} takes no option '" + argument(option, of="split") + f"'; {takers}."
                raise OptionError(msg)
        if self.check is not None:
            self.check(**options)

    def can_balance(self, columns: MultilabelDataset) -> bool:
        """Tell whether it knows the counts and weights of columns, where they have any."""
        return self.takes_amounts or not columns.has_amounts

    def check_columns(self, columns: MultilabelDataset) -> None:
        """Refuse counts and weights that the method does not know.

        Parameters
        ----------
        columns : MultilabelDataset
            Labels, and what is balanced beside them.

        Raises
        ------
        OptionError
            If it does not take them; the message says which methods do.
        """
        if self.can_balance(columns):
            return
        having = [repr(each.key) for each in METHODS.values() if each.takes_amounts]
        are_counts = columns.labels.dtype != "int8"
        what, instead = ("counts", "'category' or a number of bins") if are_counts else ("weights", "the weight 1")
        msg = f"Method {self.key!r} takes no {what} of columns to balance; these methods do: {', '.join(having)}."
        raise OptionError(msg + f"\nHint: balance them by {instead}, which every method can.")

    def prepare(self) -> None:
        """Compile what the method needs, so that the first run is as fast as the next."""
        _compile(self.function)

    def run(
        self,
        labels: LabelMatrix,
        n_splits: int,
        *,
        rng: np.random.Generator,
        options: Mapping[str, Any] | None = None,
        weights: NDArray[np.float64] | None = None,
        n_labels: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> MethodRun:
        """Run the method and take its time.

        Parameters
        ----------
        labels : csr_array of shape (n_rows, n_columns)
            The labels, and behind them what is balanced beside them.
        n_splits : int
            Number of folds.
        rng : numpy.random.Generator
            Source of randomness.
        options : mapping of str, optional
            The method's own options.
        weights : ndarray of shape (n_columns,), optional
            How much each column weighs, for methods that can weigh them; default: 1.
        n_labels : int, optional
            How many of the columns are labels; default: all.
        on_progress : callable, optional
            Told how far the method is; may raise to end it.

        Returns
        -------
        MethodRun
            The folds, and the processor time that the method took.
        """
        options = in_todays_words(options or {})
        self.check_options(options)
        given = {"weights": weights, "n_labels": n_labels}
        known = {name: given[name] for name in self.inner if given[name] is not None}
        start = time.thread_time()  # methods of ours work on the thread that calls them
        folds = self.function(labels, n_splits, rng=rng, on_progress=on_progress, **options, **known)
        return MethodRun(folds, time.thread_time() - start)


@dataclass(frozen=True)
class Peer(Method):
    """Another package's method.

    Its `function` runs in that process: ``function(labels, n_splits, seed, watch) -> folds``, where `watch` is given a
    function that counts the rows placed so far.

    Parameters
    ----------
    package : str
        The package's name, to install it by.
    module : str
        What of it is imported before the clock starts.
    home : str
        The module that puts this into :data:`METHODS`, imported in that process.
    to_install : str
        What to give pip where the package is missing.
    """

    package: str = ""
    module: str = ""
    home: str = "optisplit.methods.registry"
    to_install: str = EXTRA

    is_peer = True
    start_s = START_S

    @property
    def obstacle(self) -> str:
        """That the package is missing, and how to get it."""
        top = self.module.partition(".")[0]
        if importlib.util.find_spec(top) is not None:
            return ""
        missing = f"{self.key} needs the package {self.package}, which is not installed."
        return f"{missing}\nHint: pip install '{self.to_install}'"

    def prepare(self) -> None:
        """Do nothing: there is nothing to compile."""

    def run(
        self,
        labels: LabelMatrix,
        n_splits: int,
        *,
        rng: np.random.Generator,
        options: Mapping[str, Any] | None = None,
        weights: NDArray[np.float64] | None = None,
        n_labels: int | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> MethodRun:
        """Run the method in its own process."""
        self.check_options(options or {})
        if self.obstacle:
            raise PeerError(self.obstacle)
        # what runs it takes long to load, which help has no need of
        from optisplit.methods.peers import run_in_process

        return MethodRun(*run_in_process(self, labels, n_splits, rng, on_progress))


METHODS: dict[str, Method] = {}
"""All methods by their keys, in the order in which they are shown; further ones may be put in at any time."""


def get_method(key: str) -> Method:
    """Find a method by its key."""
    if key not in METHODS:
        msg = "method"
        raise OptionError.unknown(msg, str(key), METHODS)
    return METHODS[key]


def rare_of(method: str, options: Mapping[str, Any]) -> str | None:
    """Tell what a method does with labels too rare for a part; None where it does not ask for them."""
    return options.get("rare", DEFAULT_RARE) if "rare" in get_method(method).options else None


@cache
def _compile(function: Callable[..., Any]) -> None:
    """Run a method once on a tiny problem whose arrays have the types of the real ones."""
    import numpy as np

    from optisplit.labels import as_labels  # as above

    function(as_labels(np.eye(4, dtype=np.int8)), 2, rng=np.random.default_rng(0), on_progress=None)
