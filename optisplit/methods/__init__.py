"""Splitting methods; :func:`optisplit.methods.api.split` runs any of them by name."""

from __future__ import annotations

from optisplit.methods.base import Method, MethodRun, ProgressCallback, get_method
from optisplit.methods.registry import METHODS

__all__ = [
    "METHODS",
    "Method",
    "MethodRun",
    "ProgressCallback",
    "get_method",
]
