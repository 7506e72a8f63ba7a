"""What methods there are, and the one way to run any of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.errors import OptionError
from optisplit.labels import as_labels
from optisplit.methods.base import MethodRun, ProgressCallback
from optisplit.methods.iterative import iterative_stratification, second_order_stratification
from optisplit.methods.optisplit import optisplit
from optisplit.methods.optisplit_sa import optisplit_sa
from optisplit.methods.peers import run_peer
from optisplit.methods.pmbsrs import pmbsrs
from optisplit.methods.random import random
from optisplit.methods.ss import stratified_sampling

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optisplit.folds.arrays import FoldArray
    from optisplit.labels import LabelMatrix


@dataclass(frozen=True, slots=True)
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
    options : tuple of str
        Names of the options that it takes, besides rng and on_progress.
    function : callable or None
        ``function(labels, n_splits, *, rng, on_progress, **options) -> folds``; None for a peer.
    """

    key: str
    name: str
    summary: str
    reference: str
    cost: str
    options: tuple[str, ...] = ()
    function: Callable[..., FoldArray] | None = None

    @property
    def is_peer(self) -> bool:
        """Whether this is another package's method, run in a process of its own."""
        return self.function is None

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse options that the method does not have.

        Parameters
        ----------
        options : mapping of str
            The options to be given to it.

        Raises
        ------
        OptionError
            If there is one that it does not take; the message says which methods do.
        """
        for option in options:
            if option not in self.options:
                having = [repr(each.key) for each in METHODS.values() if option in each.options]
                takers = f"these methods do: {', '.join(having)}" if having else "no method does"
                msg = f"Method {self.key!r} takes no option {option!r}; {takers}."
                raise OptionError(msg)

    def prepare(self) -> None:
        """Compile what the method needs, so that the first run is as fast as the next."""
        if self.function is not None:
            _compile(self.key)

    def run(
        self,
        labels: LabelMatrix,
        n_splits: int,
        *,
        rng: np.random.Generator,
        options: Mapping[str, Any] | None = None,
        on_progress: ProgressCallback | None = None,
    ) -> MethodRun:
        """Run the method and take its time.

        Parameters
        ----------
        labels : csr_array of shape (n_rows, n_labels)
            The labels.
        n_splits : int
            Number of folds.
        rng : numpy.random.Generator
            Source of randomness.
        options : mapping of str, optional
            The method's own options.
        on_progress : callable, optional
            Told how far the method is; may raise to end it.

        Returns
        -------
        MethodRun
            The folds, and the processor time that the method took.
        """
        given = dict(options or {})
        self.check_options(given)
        if self.function is None:
            seed = int(rng.integers(2**32))
            return run_peer(self.key, labels, n_splits, seed=seed, on_progress=on_progress)
        start = time.thread_time()  # methods of ours work on the thread that calls them
        folds = self.function(labels, n_splits, rng=rng, on_progress=on_progress, **given)
        return MethodRun(folds, time.thread_time() - start)


CONSTRAINTS = ("fold_sizes", "groups", "fixed")
"""Options of methods that keep to more than the number of folds."""

METHODS: dict[str, Method] = {
    method.key: method
    for method in (
        Method(
            key="random",
            name="Random",
            summary="Shuffles the rows and cuts them into equal folds, looking at no label. The baseline.",
            reference="Stone, Cross-validatory choice and assessment of statistical predictions, 1974",
            cost="n",
            options=CONSTRAINTS,
            function=random,
        ),
        Method(
            key="is",
            name="IS",
            summary=(
                "Iterative stratification as published: hands out the rows of the rarest remaining label first, each "
                "to the fold that wants the label most. Fold sizes come out nearly as asked for."
            ),
            reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011",
            cost="nnz + k n",
            options=("fold_sizes",),
            function=iterative_stratification,
        ),
        Method(
            key="sois",
            name="SOIS",
            summary=(
                "Second-order iterative stratification as published: hands out the rows of the rarest remaining pair "
                "of labels first, then of single labels. Balances labels that occur together, at some cost to single "
                "ones."
            ),
            reference="Szymański, Kajdanowicz, LIDTA 2017 (PMLR 74)",
            cost="pairs of labels in rows + k n",
            options=("fold_sizes",),
            function=second_order_stratification,
        ),
        Method(
            key="ss",
            name="SS",
            summary=(
                "Stratified sampling for extreme multilabel data: takes one fold after the other out of the rows that "
                "remain, at random, then has rows with unevenly divided labels change sides, again and again. Fold "
                "sizes come out only roughly as asked for."
            ),
            reference="Merrillees, Du, PAKDD 2021",
            cost="50 × k nnz",
            options=("fold_sizes",),
            function=stratified_sampling,
        ),
        Method(
            key="pmbsrs",
            name="PMBSRS",
            summary=(
                "Sorts the rows by the product of their labels' frequencies, cuts them into strata, and has every fold "
                "draw equally from each. Looks at how frequent labels are, not at which they are."
            ),
            reference="Charte, Rivera, del Jesus, Herrera, HAIS 2016",
            cost="nnz + n log n",
            function=pmbsrs,
        ),
        Method(
            key="skml-is",
            name="IS (scikit-multilearn)",
            summary=(
                "Iterative stratification as scikit-multilearn 0.2.0 does it: hands out rows label by label, each to "
                "the fold that wants the label most. It does not take the rarest label first, unlike the published "
                "algorithm, and so does worse than that."
            ),
            reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011; Szymański, Kajdanowicz, 2017",
            cost="nnz × q, in pure Python",
        ),
        Method(
            key="skml-sois",
            name="SOIS (scikit-multilearn)",
            summary=(
                "Second-order iterative stratification as scikit-multilearn 0.2.0 does it: balances pairs of labels "
                "that occur together as well as single labels. It does not take the rarest pair first, unlike the "
                "published algorithm, and is slow where many pairs occur."
            ),
            reference="Szymański, Kajdanowicz, LIDTA 2017 (PMLR 74)",
            cost="(pairs of labels that occur)², in pure Python",
        ),
        Method(
            key="iterstrat",
            name="IS (iterative-stratification)",
            summary=(
                "Iterative stratification as the package iterative-stratification does it, faithful to the paper: "
                "hands out the rows of the rarest remaining label first, each to the fold that wants the label most. "
                "Takes dense labels only."
            ),
            reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011; code by Bradberry",
            cost="n × q², on dense labels",
        ),
        Method(
            key="optisplit",
            name="OptiSplit",
            summary=(
                "Starts at random, then balances one label at a time, the worst first, and keeps a change only if "
                "the summed score over all labels falls."
            ),
            reference="Tiittanen, Holm, Törönen, Applied Computing and Intelligence, 2022",
            cost="epochs × q × (k q + rows moved)",
            options=("measure", "max_epochs", "initial", "ties"),
            function=optisplit,
        ),
        Method(
            key="optisplit-sa",
            name="OptiSplit-SA",
            summary=(
                "Moves rows between folds again and again, at first nearly freely, later only to the better (simulated "
                "annealing), until no move or exchange that it tries lowers the score. Folds of equal size; closest to "
                "the best possible. Also makes parts of unequal size, keeps groups whole and fixed rows in place."
            ),
            reference="ours; named as future work by Tiittanen, Holm, Törönen, 2022",
            cost="sweeps × k nnz",
            options=("measure", "effort", "initial", "balance_pairs", "cover_rare", *CONSTRAINTS),
            function=optisplit_sa,
        ),
    )
}


def get_method(key: str) -> Method:
    """Find a method by its key."""
    if key not in METHODS:
        msg = "method"
        raise OptionError.unknown(msg, str(key), METHODS)
    return METHODS[key]


@cache
def _compile(key: str) -> None:
    """Run a method once on a tiny problem whose arrays have the types of the real ones."""
    function = METHODS[key].function
    if function is not None:
        function(as_labels(np.eye(4, dtype=np.int8)), 2, rng=np.random.default_rng(0), on_progress=None)
