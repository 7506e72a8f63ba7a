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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import EllipsisType

    import numpy as np
    from numpy.typing import NDArray

    FoldArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that a sentence speaks of: each door calls it, and its value, as its own users do."""

    name: str  # as in Python
    value: Any | EllipsisType = ...  # what is to be given for it, or was given; ... where the sentence says none
    of: str = "load"  # the function that takes it, where arguments of two have one name


class Sentence(str):
    """A sentence with its arguments marked: text as Python's users read it, and for other doors its parts.

    Sentences and plain strings are joined with ``+``; an f-string has the text alone.
    """

    parts: tuple[str | Argument, ...]

    def __new__(cls, *parts: str | Argument) -> Sentence:  # noqa: D102 - a constructor
        sentence = super().__new__(cls, "".join(each if isinstance(each, str) else in_python(each) for each in parts))
        sentence.parts = parts
        return sentence

    def __getnewargs__(self) -> tuple[str | Argument, ...]:  # type: ignore[override]
        return self.parts

    def __add__(self, other: str) -> Sentence:
        return Sentence(*self.parts, *_parts(other))

    def __radd__(self, other: str) -> Sentence:
        return Sentence(*_parts(other), *self.parts)


def argument(name: str, value: Any = ..., *, of: str = "load") -> str:
    """Mark an argument in a sentence."""
    return Sentence(Argument(name, value, of))


def in_python(argument: Argument) -> str:
    """Call an argument as Python's users do: ``layout='tags'``."""
    if argument.value is ...:
        return argument.name
    is_quoted = isinstance(argument.value, str | list | tuple)  # a number of numpy's has its type in its repr
    return f"{argument.name}={argument.value!r}" if is_quoted else f"{argument.name}={argument.value}"


def worded(sentence: str, spelling: Callable[[Argument], str]) -> str:
    """Word a sentence for the users of one door."""
    return "".join(each if isinstance(each, str) else spelling(each) for each in _parts(sentence))


def _parts(sentence: str) -> tuple[str | Argument, ...]:
    return sentence.parts if isinstance(sentence, Sentence) else (sentence,)


class OptisplitError(ValueError):
    """Base of every error that OptiSplit raises on purpose.

    Its text calls arguments as Python's users do; :meth:`worded` calls them as those of another door.
    """

    def worded(self, spelling: Callable[[Argument], str]) -> str:
        """Word it for the users of one door.

        Parameters
        ----------
        spelling : callable
            What that door calls an argument, and its value.

        Returns
        -------
        str
            The message.
        """
        message = self.args[0] if self.args else ""
        return worded(message, spelling) if isinstance(message, str) else str(self)


class LabelError(OptisplitError):
    """Raised when labels are not a matrix of zeros and ones."""


class FormatError(OptisplitError):
    """Raised when a file cannot be read as the format that it seems to be."""

    @classmethod
    def no_rows(cls, name: str) -> FormatError:
        """Build the error for a file without rows.

        Parameters
        ----------
        name : str
            The file's name.

        Returns
        -------
        FormatError
            The error, ready to raise.
        """
        return cls(f"{name!r} has no rows.")


class OpenQuestion(NamedTuple):
    """What has to be said of label cells that are neither 0 nor 1, before a file can be read."""

    option: str  # the argument of :func:`optisplit.load` that answers it: ``missing`` or ``uncertain``
    n_cells: int  # how many such cells there are
    n_rows: int  # in how many rows
    n_labels: int  # in how many labels
    where: str  # where they are, for people


class MissingLabelsError(FormatError):
    """Raised when label cells are missing or uncertain, which is not the same as 0: the user has to say what they mean.

    Parameters
    ----------
    message : str
        Where they are, and what to do.
    n_cells, n_rows, n_labels : int
        How many there are of the first kind, and in how many rows and labels.
    where : str
        Where they are, without what to do.
    questions : tuple of OpenQuestion
        All that is open, one for each kind of cells.
    """

    def __init__(
        self,
        message: str,
        n_cells: int,
        n_rows: int,
        n_labels: int,
        where: str = "",
        questions: tuple[OpenQuestion, ...] = (),
    ) -> None:
        super().__init__(message, n_cells, n_rows, n_labels, where, questions)
        self.n_cells, self.n_rows, self.n_labels, self.where = n_cells, n_rows, n_labels, where or message
        self.questions = questions or (OpenQuestion("missing", n_cells, n_rows, n_labels, self.where),)

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
