"""The one way in which kernels are compiled."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


def _ensure_cache_folder() -> None:
    """Give numba a folder that it can write to, since otherwise importing a cached kernel fails.

    Its own choices are the package's folder and the user's cache folder. Where neither can be written (a
    read-only installation without a home) a private folder of this process serves: compiled again each
    time, but never an error, and never code that another user of the machine could have put there.
    """
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    package = Path(__file__).parent
    home_cache = Path(os.path.expanduser("~"), ".cache")
    places = (package / "__pycache__", package, home_cache, home_cache.parent)
    if not any(place.is_dir() and os.access(place, os.W_OK) for place in places):
        os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp(prefix="optisplit-kernels-")


_ensure_cache_folder()

from numba import njit  # noqa: E402 - reads the cache folder when it is imported


def kernel(function: Function) -> Function:
    """Compile a kernel: lock released, result kept on disk, floating point exactly as written.

    Parameters
    ----------
    function : callable
        The kernel.

    Returns
    -------
    callable
        The compiled kernel; its plain twin is ``.py_func``.
    """
    return njit(nogil=True, cache=True)(function)


def bare(function: Function) -> Function:
    """Compile a kernel that allocates nothing, without counting references to its arrays.

    Counting costs more than the work where a loop's body takes a structure of many arrays apart. Such a kernel must
    not create arrays, nor return them; the caller holds those that it was given.

    Parameters
    ----------
    function : callable
        The kernel.

    Returns
    -------
    callable
        The compiled kernel; its plain twin is ``.py_func``.
    """
    try:
        return njit(nogil=True, cache=True, _nrt=False)(function)
    except KeyError:  # the option is not an official one: without it all is the same, but slower
        return kernel(function)


def inlined(function: Function) -> Function:
    """Make a part of a kernel that is written out where it is called.

    For what runs once a row over structures of many arrays, whose passing would take longer than the work.

    Parameters
    ----------
    function : callable
        The part.

    Returns
    -------
    callable
        The compiled part; its plain twin is ``.py_func``.
    """
    return njit(nogil=True, cache=True, inline="always")(function)
