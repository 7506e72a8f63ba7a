"""The errors that OptiSplit raises, all of them meant for the user's eyes.

::

    OptisplitError (ValueError)
    ├── LabelError           the label matrix is not one of zeros and ones
    ├── FormatError          a file cannot be read as what it seems to be
    ├── FoldAssignmentError  folds that do not fit the data
    ├── OptionError          an unknown or unsuitable name, number or combination
    ├── PeerError            another package's method failed in its own process
    ├── MemoryLimitError     the work would need more memory than there is
    └── Stopped              the work was ended before it was done
        ├── Cancelled            by the user
        └── TimeLimitReached     by its time limit

    SplitWarning (UserWarning) a split is possible, but not quite as asked
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    FoldArray = NDArray[np.int32]


class OptisplitError(ValueError):
    """Base of every error that OptiSplit raises on purpose."""


class LabelError(OptisplitError):
    """Raised when labels are not a matrix of zeros and ones."""


class FormatError(OptisplitError):
    """Raised when a file cannot be read as the format that it seems to be."""


class MissingLabelsError(FormatError):
    """Raised when label cells are missing, which is not the same as 0: the user has to say what they mean.

    Parameters
    ----------
    message : str
        Where they are, and what to do.
    n_cells, n_rows, n_labels : int
        How many are missing, and in how many rows and labels.
    """

    def __init__(self, message: str, n_cells: int, n_rows: int, n_labels: int) -> None:
        super().__init__(message, n_cells, n_rows, n_labels)
        self.n_cells, self.n_rows, self.n_labels = n_cells, n_rows, n_labels

    def __str__(self) -> str:
        return str(self.args[0])


class FoldAssignmentError(OptisplitError):
    """Raised when folds do not fit the data, or the number of folds is impossible."""


class OptionError(OptisplitError):
    """Raised for an unknown name, or an option that does not go with the rest."""

    @classmethod
    def unknown(cls, what: str, got: str, known: Iterable[str]) -> OptionError:
        """Build the error for a name that is not known, with the nearest one as a hint.

        Parameters
        ----------
        what : str
            What the name should be a name of, in the singular ("method").
        got : str
            The name given.
        known : iterable of str
            The names that exist.

        Returns
        -------
        OptionError
            The error, ready to raise.
        """
        names = list(known)
        near = difflib.get_close_matches(got, names, n=1)
        hint = f"\nHint: did you mean {near[0]!r}?" if near else ""
        return cls(f"Unknown {what} {got!r}; the known ones are {', '.join(map(repr, names))}.{hint}")


class PeerError(OptisplitError):
    """Raised when another package's method failed in its own process."""


class MemoryLimitError(OptisplitError):
    """Raised before work starts that would need more memory than there is."""


class Stopped(OptisplitError):  # noqa: N818 - not a fault: somebody ended the work
    """Raised inside running work to end it early; nothing is left behind.

    Attributes
    ----------
    folds : ndarray of shape (n_rows,), dtype int32, or None
        The best split so far, where the method had one that keeps to everything asked for.
    """

    folds: FoldArray | None = None


class Cancelled(Stopped):
    """Raised when the user ended the work."""


class TimeLimitReached(Stopped):
    """Raised when the work took longer than its time limit."""


class SplitWarning(UserWarning):
    """Warned of when a split is possible, but not quite as asked."""


def listed(names: Sequence[object], limit: int = 5) -> str:
    """Join names for a message, the first few of many.

    Parameters
    ----------
    names : sequence
        What to list.
    limit : int, default=5
        How many to write out.

    Returns
    -------
    str
        ``'a', 'b', 'c'`` or ``'a', 'b' and 7 more``.

    Examples
    --------
    >>> listed(["a", "b", "c"], limit=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(repr(str(name)) for name in names[:limit])
    left = len(names) - limit
    return f"{shown} and {left:,} more" if left > 0 else shown
