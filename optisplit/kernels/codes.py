"""Numbers that stand for the measures inside kernels."""

from __future__ import annotations

RLD, DCP, LD = 0, 1, 2

MEASURE_CODES = {"rld": RLD, "dcp": DCP, "ld": LD}
"""By the names that users give."""
