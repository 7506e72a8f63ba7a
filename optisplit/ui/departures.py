"""Let go of sessions that are gone for good: Streamlit by itself keeps the last ones until another one ends."""

from __future__ import annotations

import threading
from typing import Any

MARGIN_S = 2.0


def forget_later() -> None:
    """Let go of sessions whose time to come back is over, a little after that of the one that just left."""
    import streamlit as st

    ttl_s = float(st.get_option("server.disconnectedSessionTTL") or 0)
    timer = threading.Timer(ttl_s + MARGIN_S, forget)
    timer.daemon = True
    timer.start()


def forget() -> int:
    """Let go of the sessions whose time to come back is over, with their uploads."""
    from streamlit.runtime import exists, get_instance

    n_gone = 0
    if exists():
        # not public: where a later version keeps sessions elsewhere, they go when others end, as they do by themselves
        manager: Any = getattr(get_instance(), "_session_mgr", None)
        kept: Any = getattr(getattr(manager, "_session_storage", None), "_cache", None)
        lock = getattr(manager, "_storage_lock", None)
        if hasattr(kept, "expire") and lock is not None:
            with lock:
                gone = kept.expire()
            n_gone = len(gone or ())
            del gone  # outside of the lock: sessions end when nothing holds them any more
    return n_gone
