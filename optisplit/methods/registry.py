"""The methods that come along, in the order in which they are shown; each one's entry stands in its own module."""

from __future__ import annotations

from optisplit.methods import iterative, iterstrat, optisplit, optisplit_sa, pmbsrs, random, skml, ss
from optisplit.methods.base import METHODS

__all__ = ["METHODS"]

METHODS.update(
    {
        method.key: method
        for method in (
            random.METHOD,
            iterative.IS,
            iterative.SOIS,
            ss.METHOD,
            pmbsrs.METHOD,
            skml.IS,
            skml.SOIS,
            iterstrat.METHOD,
            optisplit.METHOD,
            optisplit_sa.METHOD,
        )
    }
)
