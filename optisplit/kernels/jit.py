"""The one way in which kernels are compiled."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from numba import njit

from optisplit.kernels import ahead

Function = TypeVar("Function", bound=Callable[..., Any])

POLL_S = 0.05

SOURCES = ahead.digest_of_sources()


def _compiled(function: Function, **options: Any) -> Function:
    """Compile with the lock released and the result kept on disk, wherever there is a place for it.

    Numba's places are the folder that NUMBA_CACHE_DIR names, the package's and the user's. Where none of them can be
    written to (a read-only installation without a home) it refuses: then kernels are compiled again in each process.
    """
    always = {"nogil": True, "no_cfunc_wrapper": True}
    try:
        return _kept_if_possible(njit(cache=True, **always, **options)(function))
    except RuntimeError as error:
        if "cannot cache function" not in str(error):
            raise
        return njit(**always, **options)(function)


def _kept_if_possible(compiled: Function) -> Function:
    """Let a kernel work although its place cannot be written to after all, such as on a disk that is full.

    One that another process compiles meanwhile is waited for. Kernels have each other's code in them, and read what
    others lay out: they are compiled anew when the source of any of them changes, not only their own.
    """
    cache: Any = getattr(compiled, "_cache", None)
    if hasattr(cache, "save_overload"):  # not where compiling is switched off
        save, load = cache.save_overload, cache.load_overload

        def load_or_wait(signature: Any, context: Any) -> Any:
            while True:
                may_come = ahead.is_going_on()  # asked before looking
                found = load(signature, context)
                if found is not None or not may_come:
                    return found
                time.sleep(POLL_S)

        def save_if_possible(signature: Any, data: Any) -> None:
            with suppress(OSError):
                save(signature, data)

        key_of = cache._index_key
        cache._index_key = lambda signature, context: (*key_of(signature, context), SOURCES)
        cache.save_overload, cache.load_overload = save_if_possible, load_or_wait
    return compiled


def kernel(function: Function) -> Function:
    """Compile a kernel: lock released, result kept on disk, floating point exactly as written.

    function: the kernel. Returns the compiled kernel; its plain twin is ``.py_func``.
    """
    return _compiled(function)


def inlined(function: Function) -> Function:
    """Make a part of a kernel that is written out where it is called.

    For what is small and called in few places: a kernel of its own takes longer to compile.

    function: the part. Returns the compiled part; its plain twin is ``.py_func``.
    """
    return _compiled(function, inline="always")
