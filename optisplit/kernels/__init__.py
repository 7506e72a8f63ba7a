"""Compiled inner loops: plain arrays in, plain arrays out, nothing checked.

Every kernel releases the interpreter lock, runs on one thread and gives the same result wherever it runs.
Callers check their arguments at the border; a kernel trusts them. Modules are loaded when they are first used, since
numba takes longer to load than all the rest.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
