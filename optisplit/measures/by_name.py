"""The scores of a report by the names that users type."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]


class ScoresByName(ABC):
    """What can be asked for any measure by its key, under each measure's own name."""

    @abstractmethod
    def value(self, measure: str) -> float:
        """Give one score."""

    @abstractmethod
    def bound(self, measure: str) -> float:
        """Give the best possible score."""

    @abstractmethod
    def per_label(self, measure: str) -> FloatArray:
        """Give the score of each label."""

    @abstractmethod
    def bound_per_label(self, measure: str) -> FloatArray:
        """Give the lowest possible score of each label."""

    @property
    def rld(self) -> float:
        """Mean rLD over the scored labels."""
        return self.value("rld")

    @property
    def rld_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`rld`."""
        return self.bound("rld")

    @property
    def rld_per_class(self) -> FloatArray:
        """Relative LD of each label, shape (n_labels,); NaN where the label is not scored."""
        return self.per_label("rld")

    @property
    def rld_bound_per_class(self) -> FloatArray:
        """Lowest possible rLD of each label at these fold sizes; NaN where the label is not scored."""
        return self.bound_per_label("rld")

    @property
    def dcp(self) -> float:
        """Mean DCP over the scored labels."""
        return self.value("dcp")

    @property
    def dcp_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`dcp`."""
        return self.bound("dcp")

    @property
    def dcp_per_class(self) -> FloatArray:
        """DCP of each label, shape (n_labels,); NaN where the label is not scored."""
        return self.per_label("dcp")

    @property
    def dcp_bound_per_class(self) -> FloatArray:
        """Lowest possible DCP of each label at these fold sizes; NaN where the label is not scored."""
        return self.bound_per_label("dcp")

    @property
    def ld(self) -> float:
        """Mean LD over the scored labels."""
        return self.value("ld")

    @property
    def ld_per_class(self) -> FloatArray:
        """LD of each label, shape (n_labels,); NaN where the label is not scored."""
        return self.per_label("ld")

    @property
    def ed(self) -> float:
        """Mean over folds of the difference from the wanted number of rows (rows)."""
        return self.value("ed")

    @property
    def fz(self) -> int:
        """Folds that lack a positive of at least one label that has any."""
        return int(self.value("fz"))

    @property
    def flz(self) -> int:
        """Pairs of a fold and a label (one that has positives) without a positive in it."""
        return int(self.value("flz"))

    @property
    def flz_bound(self) -> int:
        """No split has a lower :attr:`flz`: a label with c positives misses at least n_splits - c folds."""
        return int(self.bound("flz"))

    @property
    def beyond_rounding(self) -> int:
        """Positives that are not where they are due, rounded up or down; at best 0."""
        return int(self.value("beyond_rounding"))

    @property
    def beyond_rounding_per_class(self) -> FloatArray:
        """The same of each label, shape (n_labels,); NaN where the label is not scored."""
        return self.per_label("beyond_rounding")

    @property
    def rare_shares(self) -> float:
        """How far labels of about one size together are from their due: mean over the scored labels."""
        return self.value("rare_shares")

    @property
    def rare_shares_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`rare_shares`."""
        return self.bound("rare_shares")

    @property
    def row_shape(self) -> float:
        """How far the numbers of labels a row in the farthest fold are from those in all; NaN where not known."""
        return self.value("row_shape")

    @property
    def row_shape_bound(self) -> float:
        """No split with these fold sizes has a lower :attr:`row_shape`."""
        return self.bound("row_shape")
