"""The methods that come along, in the order in which they are shown.

Nothing heavy is imported, so that the command line's help is there at once.
"""

from __future__ import annotations

from functools import partial

from optisplit.methods.base import CONSTRAINTS, METHODS, Method, Peer
from optisplit.methods.lazy import Lazy

__all__ = ["METHODS"]

_ROOM = "optisplit.methods"

for _method in (
    Method(
        key="random",
        name="Random",
        summary="Shuffles the rows and cuts them into equal folds, looking at no label. The baseline.",
        reference="Stone, Cross-validatory choice and assessment of statistical predictions, 1974",
        cost="n",
        function=Lazy(f"{_ROOM}.random:random"),
        options=CONSTRAINTS,
        takes_amounts=True,  # it looks at none
        color="#85858E",
        symbol="x",
        seconds=lambda shape, _n_splits, _options: 5e-8 * shape.n_rows,
        n_bytes=lambda shape, _n_splits, _options: 40 * shape.n_rows,
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
        function=Lazy(f"{_ROOM}.iterative:iterative_stratification"),
        options=("fold_sizes",),
        color="#3995FF",
        symbol="square",
        seconds=lambda shape, n_splits, _options: 1.5e-8 * (shape.n_positives + 4 * n_splits * shape.n_rows),
        n_bytes=lambda shape, n_splits, _options: 8 * (shape.n_rows + shape.n_positives + n_splits * shape.n_labels),
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
        function=Lazy(f"{_ROOM}.iterative:second_order_stratification"),
        options=("fold_sizes",),
        color="#067392",
        symbol="diamond",
        seconds=lambda shape, n_splits, _options: (
            6e-8 * (shape.n_pairs_in_rows + n_splits * (shape.n_pairs + 4 * shape.n_rows))
        ),
        n_bytes=lambda shape, n_splits, _options: (
            16 * (2 * shape.n_rows + shape.n_pairs_in_rows) + 9 * n_splits * shape.n_pairs
        ),
        holds_pairs=True,
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
        function=Lazy(f"{_ROOM}.ss:stratified_sampling"),
        options=("fold_sizes",),
        color="#1CA95E",
        symbol="triangle-up",
        # 50 epochs; half of the rows are left in the mean over the hold-outs
        seconds=lambda shape, n_splits, _options: 5e-8 * n_splits * (shape.n_positives + 10 * shape.n_rows),
        n_bytes=lambda shape, _n_splits, _options: 8 * (shape.n_rows + shape.n_positives + shape.n_labels),
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
        function=Lazy(f"{_ROOM}.pmbsrs:pmbsrs"),
        color="#CA64CE",
        symbol="pentagon",
        seconds=lambda shape, _n_splits, _options: 5e-9 * (shape.n_positives + 30 * shape.n_rows),
        n_bytes=lambda shape, _n_splits, _options: 8 * (shape.n_rows + shape.n_positives),
    ),
    Peer(
        key="skml-is",
        name="IS (scikit-multilearn)",
        summary=(
            "Iterative stratification as scikit-multilearn 0.2.0 does it: hands out rows label by label, each to "
            "the fold that wants the label most. It does not take the rarest label first, unlike the published "
            "algorithm, and so does worse than that."
        ),
        reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011; Szymański, Kajdanowicz, 2017",
        cost="nnz × q, in pure Python",
        function=partial(Lazy(f"{_ROOM}.skml:run_skml"), order=1),
        color="#334AFF",
        symbol="cross",
        # a row that is placed is looked up in the lists of all its labels
        seconds=lambda shape, _n_splits, _options: 1e-8 * (shape.n_squared + 3_000 * shape.n_rows),
        n_bytes=lambda shape, _n_splits, _options: 200 * (shape.n_rows + shape.n_positives),
        package="scikit-multilearn",
        module="skmultilearn.model_selection",
    ),
    Peer(
        key="skml-sois",
        name="SOIS (scikit-multilearn)",
        summary=(
            "Second-order iterative stratification as scikit-multilearn 0.2.0 does it: balances pairs of labels "
            "that occur together as well as single labels. It does not take the rarest pair first, unlike the "
            "published algorithm, and is slow where many pairs occur."
        ),
        reference="Szymański, Kajdanowicz, LIDTA 2017 (PMLR 74)",
        cost="(pairs of labels that occur)², in pure Python",
        function=partial(Lazy(f"{_ROOM}.skml:run_skml"), order=2),
        color="#C9800E",
        symbol="star",
        # of the rows about a tenth take a turn in which all pairs are gone through
        seconds=lambda shape, _n_splits, _options: 3e-8 * (shape.n_squared + shape.n_rows * (1_000 + shape.n_pairs)),
        n_bytes=lambda shape, _n_splits, _options: (
            200 * (shape.n_rows + shape.n_positives) + 100 * (shape.n_pairs_in_rows + 3 * shape.n_pairs)
        ),
        package="scikit-multilearn",
        module="skmultilearn.model_selection",
    ),
    Peer(
        key="iterstrat",
        name="IS (iterative-stratification)",
        summary=(
            "Iterative stratification as the package iterative-stratification does it, faithful to the paper: "
            "hands out the rows of the rarest remaining label first, each to the fold that wants the label most. "
            "Takes dense labels only."
        ),
        reference="Sechidis, Tsoumakas, Vlahavas, ECML PKDD 2011; code by Bradberry",
        cost="n × q², on dense labels",
        function=Lazy(f"{_ROOM}.iterstrat:run_iterstrat"),
        color="#BB276B",
        symbol="triangle-down",
        seconds=lambda shape, _n_splits, _options: 2.5e-10 * shape.n_rows * (80_000 + shape.n_labels**2),
        n_bytes=lambda shape, _n_splits, _options: 4.2 * shape.n_rows * shape.n_labels,
        only_dense=True,
        package="iterative-stratification",
        module="iterstrat.ml_stratifiers",
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
        function=Lazy(f"{_ROOM}.optisplit:optisplit"),
        options=("measure", "max_epochs", "initial", "ties"),
        check=Lazy(f"{_ROOM}.optisplit:check_options"),
        color="#962EC8",
        symbol="hexagram",
        seconds=Lazy(f"{_ROOM}.optisplit:seconds"),
        n_bytes=lambda shape, n_splits, _options: (
            16 * (shape.n_rows + shape.n_positives + 2 * n_splits * shape.n_labels)
        ),
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
        function=Lazy(f"{_ROOM}.optisplit_sa:optisplit_sa"),
        options=("measure", "effort", "initial", "balance_pairs", "rare", *CONSTRAINTS),
        check=Lazy(f"{_ROOM}.optisplit_sa:check_choices"),
        takes_amounts=True,
        inner=("weights", "n_labels"),
        color="#B14700",
        symbol="circle",
        seconds=Lazy(f"{_ROOM}.optisplit_sa:seconds"),
        n_bytes=Lazy(f"{_ROOM}.optisplit_sa:n_bytes"),
    ),
):
    METHODS[_method.key] = _method
