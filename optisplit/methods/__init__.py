"""Splitting methods; :func:`optisplit.methods.api.split` runs any of them by name."""

from __future__ import annotations

import lazy_loader

from optisplit.methods.base import Method, MethodRun, ProgressCallback, get_method
from optisplit.methods.registry import METHODS

__getattr__, __dir__, _later = lazy_loader.attach(
    __name__, submod_attrs={"api": ["as_generator", "choose_n_splits", "split"]}
)
__all__ = ["METHODS", "Method", "MethodRun", "ProgressCallback", "get_method", *_later]
