"""Dates by period: which period each is in, and what periods are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray


def _units(unit: str, per: int = 1, shift: int = 0) -> Callable[[Any], NDArray[np.int64]]:
    return lambda days: (days.astype(f"datetime64[{unit}]").astype(np.int64) + shift) // per


def _week(number: int) -> str:
    year, week, _ = np.datetime64(7 * number - 3, "D").item().isocalendar()
    return f"{year}-W{week:02}"


_PERIODS: dict[str, tuple[Callable[[Any], NDArray[np.int64]], Callable[[int], str]]] = {
    "year": (_units("Y"), lambda at: str(np.datetime64(at, "Y"))),
    "quarter": (_units("M", per=3), lambda at: f"{1970 + at // 4}-Q{at % 4 + 1}"),
    "month": (_units("M"), lambda at: str(np.datetime64(at, "M"))),
    "week": (_units("D", per=7, shift=3), _week),  # 1970 began on a Thursday
    "day": (_units("D"), lambda at: str(np.datetime64(at, "D"))),
}
"""For each period, the numbers of dates' periods, and how such a number is written."""


def in_periods(dates: NDArray[np.datetime64], period: str) -> tuple[NDArray[np.int64], list[str]]:
    """Give numbers to the periods that dates are in, -1 where there is no date, and names to those that occur."""
    import pandas as pd  # heavy, and few balance columns

    of_day, days = pd.factorize(dates.astype("datetime64[D]").astype("datetime64[s]"))  # -1 where there is none
    units, word = _PERIODS[period]
    distinct, of_period = np.unique(units(np.asarray(days).astype("datetime64[D]")), return_inverse=True)
    return np.append(of_period, -1)[of_day], [word(int(each)) for each in distinct]
