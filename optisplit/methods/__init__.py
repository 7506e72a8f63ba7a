"""Splitting methods, and :func:`split`, which runs any of them by name."""

from __future__ import annotations

from optisplit.methods.api import as_generator, choose_n_splits, split
from optisplit.methods.base import Method, MethodRun, ProgressCallback, get_method
from optisplit.methods.registry import METHODS

__all__ = [
    "METHODS",
    "Method",
    "MethodRun",
    "ProgressCallback",
    "as_generator",
    "choose_n_splits",
    "get_method",
    "split",
]
