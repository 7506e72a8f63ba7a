"""Data that stand in for those of the paper's sets that are not public: of the same size, made on demand.

CC, MF and BP are made of the samples of human genes: each row takes the most specific terms of a random gene, keeps a
random part of them, and gets all terms above them, as far as the sample itself shows what is above what (every gene
with the one has the other). mediamill has only the label sizes that Table 1 prints; which rows carry a label is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from optisplit.io.samples import load
from optisplit.labels import MultilabelDataset, as_labels, positives_per_label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from optisplit.labels import LabelMatrix

SEED = 2022
BLOCK = 25_000  # rows made at a time
LEAST = 4  # rows of a label; fewer are left out, as in the paper's data


@dataclass(frozen=True, slots=True)
class StandIn:
    """How the data are made."""

    n_rows: int
    n_labels: int
    how: str  # in one sentence
    sample: str = ""  # key of the sample it is made of; empty where label sizes are all that is known
    keep: float = 0.0  # the part of a row's most specific labels that stays
    n_bare: int = 0  # rows without any label, so that the largest label is as large as printed
    sizes: tuple[tuple[float, float], ...] = ()  # label sizes at some quantiles

    def make(self, tell: Callable[[float], None] | None = None) -> MultilabelDataset:
        """Make the data; always the same."""
        rng = np.random.default_rng(SEED)
        matrix = _grown(self, rng, tell) if self.sample else _drawn(self, rng)
        return MultilabelDataset.from_labels(matrix, None, name="stand-in")


_GENES = "Random human genes, each with a random part of its most specific GO terms and all terms above them."
STAND_INS: Mapping[str, StandIn] = MappingProxyType(
    {
        "mediamill": StandIn(
            43_907, 101, "Labels of the sizes that Table 1 prints, on rows drawn at random for each.",
            # at 0.9 so that the density is the printed one
            sizes=((0, 31), (0.25, 93), (0.5, 312), (0.75, 1263), (0.9, 3000), (1, 33_869)),
        ),
        "cc": StandIn(577_424, 1688, _GENES, "go_human_cc", 0.45, 14),
        "mf": StandIn(637_552, 3452, _GENES, "go_human_mf", 0.45, 19),
        "bp": StandIn(666_349, 11_288, _GENES, "go_human_bp", 0.3, 11),
    }
)  # fmt: skip
"""What stands in, by the key of the paper's data set."""


def _drawn(about: StandIn, rng: np.random.Generator) -> LabelMatrix:
    """Draw the rows of each label, with label sizes that run through the quantiles on a log scale."""
    at, sizes = np.array(about.sizes).T
    wanted = np.exp(np.interp(np.linspace(0, 1, about.n_labels), at, np.log(sizes))).round().astype(np.int64)
    rows = np.concatenate([rng.choice(about.n_rows, size, replace=False) for size in wanted.tolist()])
    columns = np.repeat(np.arange(about.n_labels), wanted)
    shape = (about.n_rows, about.n_labels)
    return as_labels(sp.coo_array((np.ones(rows.size, np.int8), (rows, columns)), shape=shape))


def _grown(about: StandIn, rng: np.random.Generator, tell: Callable[[float], None] | None) -> LabelMatrix:
    genes = load(about.sample).labels
    above = _above(genes)
    specific = _most_specific(genes, above)
    closure = (above + sp.eye_array(above.shape[0], dtype=np.int32, format="csr")).tocsr()
    bare = rng.choice(about.n_rows, about.n_bare, replace=False)
    blocks = []
    for start in range(0, about.n_rows, BLOCK):
        if tell is not None:
            tell(start / about.n_rows)
        size = min(BLOCK, about.n_rows - start)
        is_bare = np.isin(np.arange(start, start + size), bare)
        kept = _thinned(specific[rng.integers(0, genes.shape[0], size)].tocsr(), about.keep, is_bare, rng)
        block = sp.csr_array(kept @ closure)
        blocks.append(sp.csr_array((np.ones(block.nnz, np.int8), block.indices, block.indptr), shape=block.shape))
    labels = sp.vstack(blocks, format="csr")
    sizes = positives_per_label(as_labels(labels))
    usable = np.flatnonzero((sizes >= LEAST) & (sizes < about.n_rows))
    if usable.size > about.n_labels:
        drawn = rng.choice(usable, about.n_labels, replace=False)
        # the root stays: the measures of the paper's data are those of a label on nearly all rows, too
        usable = np.union1d(drawn[1:] if sizes.argmax() not in drawn else drawn, sizes.argmax())
    return as_labels(labels[:, usable])


def _above(genes: LabelMatrix) -> sp.csr_array:
    """Find for each label those that all its rows carry, itself left out."""
    rows = sp.csr_array(genes, dtype=np.int32)
    together = sp.csr_array(rows.T @ rows).tocoo()
    lower, upper = together.coords
    is_above = (together.data == positives_per_label(genes)[lower]) & (lower != upper)
    pairs = (np.ones(int(is_above.sum()), np.int32), (lower[is_above], upper[is_above]))
    return sp.csr_array(sp.coo_array(pairs, shape=together.shape))


def _most_specific(genes: LabelMatrix, above: sp.csr_array) -> sp.csr_array:
    """Leave to each row the labels below which it carries none; of labels that always go together, all stay."""
    strictly = sp.csr_array(above - above.multiply(above.T))
    strictly.eliminate_zeros()
    held = sp.csr_array(genes, dtype=np.int32)
    covered = sp.csr_array(held @ strictly)
    covered.data[:] = 1
    specific = sp.csr_array(held - held.multiply(covered))
    specific.eliminate_zeros()
    return specific


def _thinned(
    drawn: sp.csr_array, keep: float, is_bare: NDArray[np.bool_], rng: np.random.Generator
) -> sp.csr_array:  # fmt: skip
    """Keep a random part of each row's labels, one at least, and none of the bare rows."""
    row = np.repeat(np.arange(drawn.shape[0]), np.diff(drawn.indptr))
    luck = rng.random(drawn.nnz)
    best = np.full(drawn.shape[0], np.inf)
    np.minimum.at(best, row, luck)
    stays = ((luck < keep) | (luck == best[row])) & ~is_bare[row]
    made = (np.ones(int(stays.sum()), np.int32), (row[stays], drawn.indices[stays]))
    return sp.csr_array(sp.coo_array(made, shape=drawn.shape))
