"""Numbers that kernels and their callers share, without what compiles."""

from __future__ import annotations

RLD, DCP, LD = 0, 1, 2

LANES = 8
"""Folds that annealing looks at in one step; tables are padded to a multiple of it."""

FROZEN = 12.0
"""A move that raises the loss by so many temperatures is as good as impossible."""

TIE_BREAK = 0.2
"""DCP: weight of rLD in the loss, which tells apart what DCP sees as equal."""

MEASURE_CODES = {"rld": RLD, "dcp": DCP, "ld": LD}
"""By the names that users give."""
