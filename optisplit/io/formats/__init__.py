"""Readers of the file formats that multilabel data comes in: one module a format, one function for all."""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, submod_attrs={"reading": ["load_file"]})
