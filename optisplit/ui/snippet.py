"""Python that makes the same split again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Mapping


def python_snippet(load_code: str, method: str, n_splits: int, seed: int, options: Mapping[str, Any]) -> str:
    """Write the program that makes a split.

    Parameters
    ----------
    load_code : str
        Python that sets ``data``.
    method : str
        Key of the method.
    n_splits, seed : int
        Number of folds and random_state.
    options : mapping of str
        The method's own options; those equal to the defaults are left out.

    Returns
    -------
    str
        Python; run, it sets ``folds``.
    """
    function = METHODS[method].function
    defaults = {} if function is None else (function.__kwdefaults__ or {})
    extra = [f"{name}={value!r}" for name, value in options.items() if defaults.get(name) != value]
    arguments = ["data", f"n_splits={n_splits}", f'method="{method}"', *extra, f"random_state={seed}"]
    return f"""import optisplit
from sklearn.model_selection import PredefinedSplit

{load_code}
folds = optisplit.split({", ".join(arguments)})
print(optisplit.evaluate(data, folds))

cv = PredefinedSplit(folds)  # give this to cross_val_score(..., cv=cv)
"""
