"""Entries that several forms have."""

from __future__ import annotations

from typing import Any

from optisplit.ui.escape import complaint


def whole_number(place: Any, label: str, limits: tuple[int, int], default: int, *, key: str, help: str) -> int | None:
    """Ask for a whole number; where it is out of its limits say so, rather than go on with another."""
    low, high = limits
    value = place.number_input(label, value=default, step=1, key=key, persist_state="session", help=help)
    if value is None or not low <= value <= high:
        place.markdown(complaint(f"From {low:,} to {high:,}, please."))
        return None
    return int(value)
