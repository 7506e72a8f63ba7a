"""How a file was understood: what is shown to the user, and what leads to the same reading again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Understanding:
    """What a reader understood of a file.

    Parameters
    ----------
    file_name : str
        Name of the file.
    format : str
        Key of the format, as :func:`optisplit.load` takes it.
    form : str
        The form for people, such as ``MULAN ARFF, sparse rows``.
    rule : str
        How the label columns were chosen, one sentence.
    entries : dict of str to str
        All that was understood, in the order to show it: titles and what to say.
    options : dict of str to object
        Arguments of :func:`optisplit.load` that lead to the same reading; only what goes into JSON.
    n_file_rows : int
        Rows in the file; more than the data has where rows were left out.
    kept_rows : ndarray of shape (n_rows,), dtype int64, optional
        The number in the file, from 0, of each row of the data; None where all were kept.
    n_train : int, optional
        The first so many rows of the file are the training rows of a split that the file itself states.
    """

    file_name: str
    format: str
    form: str
    rule: str
    entries: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    n_file_rows: int = 0
    kept_rows: NDArray[np.int64] | None = field(default=None, compare=False, repr=False)
    n_train: int | None = None
