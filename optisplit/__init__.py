"""Split multilabel data into folds, and measure how good a split is.

The public names stand in ``__init__.pyi``; what they need is imported when they are first used.
"""

from __future__ import annotations

import lazy_loader

from optisplit import _moved

__version__ = "0.4.2"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

_moved.install()
