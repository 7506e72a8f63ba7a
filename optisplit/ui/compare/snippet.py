"""Python that makes the same split again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optisplit.io.writers import PART_NAMES
from optisplit.methods import METHODS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from optisplit.ui.compare.division import Division


def python_snippet(load_code: str, method: str, division: Division, seed: int, options: Mapping[str, Any]) -> str:
    """Write the program that makes a split."""
    defaults = getattr(METHODS[method].function, "__kwdefaults__", None) or {}  # a peer has no options
    extra = [f"{name}={value!r}" for name, value in options.items() if defaults.get(name) != value]
    if division.groups is not None:
        extra.insert(0, "groups=groups")
    size = "fold_sizes=shares" if division.shares else f"n_splits={division.n_splits}"
    arguments = ["data", size, f'method="{method}"', *extra, f"random_state={seed}"]
    setup = [load_code] if division.groups is None else [load_code, division.groups.code]
    if division.shares:
        setup.append(f"shares = {list(division.shares)}")
        return _for_parts(setup, ", ".join(arguments), division.n_splits)
    return "\n".join(
        [
            *_imports(setup),
            "from sklearn.model_selection import PredefinedSplit",
            "",
            *setup,
            f"folds = optisplit.split({', '.join(arguments)})",
            "print(optisplit.evaluate(data, folds))",
            "",
            "cv = PredefinedSplit(folds)  # give this to cross_val_score(..., cv=cv)",
            "",
        ]
    )


def _for_parts(setup: list[str], arguments: str, n_parts: int) -> str:
    names = ", ".join(PART_NAMES.get(n_parts, [f"part_{part}" for part in range(n_parts)]))
    return "\n".join(
        [
            "import numpy as np",
            *_imports(setup),
            "",
            *setup,
            f"parts = optisplit.split({arguments})",
            "print(optisplit.evaluate(data, parts, shares=shares))",
            "",
            f"{names} = (np.flatnonzero(parts == part) for part in range({n_parts}))  # numbers of the rows",
            "",
        ]
    )


def _imports(setup: list[str]) -> list[str]:
    others = [name for name in ("pandas", "pathlib") if any(f"{name}." in line for line in setup)]
    return ["import optisplit", *[f"import {name}" for name in others]]
