"""Modules under the names that they had until 0.4: they import what stands there now, and warn."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

MOVED = {
    "absences": "check.old_names",
    "bounds": "measures.bounds",
    "characteristics": "measures.characteristics",
    "checks": "check.checks",
    "constraints": "folds.constraints",
    "data": "labels",
    "experiment": "comparison.experiment",
    "figures": "plots",
    "formats": "io.formats",
    "impact": "studies.impact",
    "lesson": "studies.lesson",
    "pairs": "measures.pairs",
    "paper": "studies.paper",
    "recipes": "methods.recipes",
    "repairs": "check.repairs",
    "runs": "comparison.runs",
    "samples": "io.samples",
    "split_files": "io.splits",
    "synthetic": "studies.synthetic",
    "writers": "io.writers",
}
"""Old names and new ones, both within ``optisplit``; what is inside a package moves with it."""


class _OldNames(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a module by its old name, and gives the very module that has the new one."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        root, _, name = fullname.partition(".")
        if root != "optisplit" or name.partition(".")[0] not in MOVED:
            return None
        return importlib.machinery.ModuleSpec(fullname, self)

    def exec_module(self, module: ModuleType) -> None:
        _, old, *inner = module.__name__.split(".")
        new = ".".join(["optisplit", MOVED[old], *inner])
        # the import system takes from here what it gives to whoever asked
        sys.modules[module.__name__] = importlib.import_module(new)
        text = f"{module.__name__} is called {new} now; the old name will be gone in 0.5."
        warnings.warn(text, DeprecationWarning, stacklevel=2)


def install() -> None:
    """Let the old names be imported; first in line, or what is inside a moved package would be found twice."""
    sys.meta_path.insert(0, _OldNames())
