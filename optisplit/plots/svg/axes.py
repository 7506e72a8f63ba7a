"""Axes of a figure: what they reach over, where values are, and their ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.plots.svg.texts import SIZE, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_PAD = 0.05  # of the reach, around marks
_TICK_EVERY = (80.0, 44.0)  # pixels between ticks, sideways and upwards


@dataclass
class Axis:
    """One axis."""

    name: str  # as traces name it: x, y2, ...
    spec: dict[str, Any]  # what the figure says of it
    categories: list[Any] = field(default_factory=list)  # what stands on it, if that is words
    low: float = 0.0  # where it begins and ends, in its own unit; of a logarithmic one the exponents
    high: float = 1.0
    start: float = 0.0  # where these are, in pixels
    end: float = 1.0

    @property
    def is_x(self) -> bool:
        """Whether it goes sideways."""
        return self.name.startswith("x")

    @property
    def is_log(self) -> bool:
        """Whether it is logarithmic."""
        return self.spec.get("type") == "log"

    @property
    def is_visible(self) -> bool:
        """Whether its ticks and its title are shown."""
        return self.spec.get("visible") is not False

    @property
    def domain(self) -> tuple[float, float]:
        """The part of the figure that it takes."""
        low, high = self.spec.get("domain") or (0.0, 1.0)
        return float(low), float(high)

    @property
    def title(self) -> Text:
        """What is written along it."""
        title = self.spec.get("title") or {}
        return Text(title.get("text") or "", (title.get("font") or {}).get("size", 13.0))

    @property
    def label_size(self) -> float:
        """How large its ticks are written."""
        return float((self.spec.get("tickfont") or {}).get("size", SIZE))

    def unit(self, values: Iterable[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Give values in the axis' own unit; NaN where there is none."""
        if self.categories:
            places = {name: float(at) for at, name in enumerate(self.categories)}
            return np.array([places.get(value, _as_float(value)) for value in values], dtype=np.float64)
        found = np.array([_as_float(value) for value in values], dtype=np.float64)
        if self.is_log:
            with np.errstate(divide="ignore", invalid="ignore"):
                found = np.where(found > 0, np.log10(np.maximum(found, 1e-300)), np.nan)
        return found

    def at_unit(self, values: Any) -> Any:
        """Say where places in the axis' own unit are, in pixels."""
        return self.start + (np.asarray(values, dtype=np.float64) - self.low) / (self.high - self.low) * (
            self.end - self.start
        )

    def at(self, values: Iterable[Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Say where values are, in pixels."""
        return np.asarray(self.at_unit(self.unit(values)), dtype=np.float64)

    def at_one(self, value: Any) -> float:
        """Say where a value is, in pixels."""
        return float(self.at([value])[0])

    def set_reach(self, reached: Sequence[tuple[float, float, bool]]) -> None:
        """Choose where it begins and ends: as it says, or so that all that is drawn has room.

        What is drawn is given as the least, the most, and whether it is marks, which need room around them.
        """
        given = self.spec.get("range")
        if given is not None and None not in given:
            self.low, self.high = map(float, given)
        else:
            low = min((each[0] for each in reached if math.isfinite(each[0])), default=0.0)
            high = max((each[1] for each in reached if math.isfinite(each[1])), default=1.0)
            if self.categories:
                low, high = min(low, 0) - 0.5, max(high, len(self.categories) - 1) + 0.5
            else:
                low, high = self._with_room(low, high, any(each[2] for each in reached))
            self.low, self.high = (high, low) if self.spec.get("autorange") == "reversed" else (low, high)
        if self.low == self.high:
            self.low, self.high = self.low - 0.5, self.high + 0.5

    def _with_room(self, low: float, high: float, has_marks: bool) -> tuple[float, float]:
        pad = _PAD * (high - low or 1.0) if has_marks else 0.0
        if self.spec.get("rangemode") == "tozero" and not self.is_log:
            return (min(low, 0.0) - (pad if low < 0 else 0.0), max(high, 0.0) + (pad or 0.03 * high))
        return low - pad, high + pad

    @property
    def ticks(self) -> list[tuple[float, str]]:
        """Where its ticks are, in pixels, and what is written at them."""
        if self.spec.get("showticklabels") is False and self.spec.get("showgrid") is False:
            return []
        values, texts = self._values_and_texts()
        places = self.at(values)
        least, most = sorted((self.start, self.end))
        shown = self.spec.get("showticklabels") is not False
        before, after = self.spec.get("tickprefix") or "", self.spec.get("ticksuffix") or ""
        return [
            (float(place), f"{before}{text}{after}" if shown else "")
            for place, text in zip(places, texts, strict=True)
            if least - 0.5 <= place <= most + 0.5
        ]

    def _values_and_texts(self) -> tuple[list[Any], list[str]]:
        given = self.spec.get("tickvals")
        if given is not None:
            values = list(given)
            texts = self.spec.get("ticktext")
            return values, [str(each) for each in (self._written(values) if texts is None else texts)]
        if self.categories:
            return list(self.categories), [str(each) for each in self.categories]
        low, high = sorted((self.low, self.high))
        if self.is_log:
            values = [10.0**power for power in range(math.ceil(low), math.floor(high) + 1)]
        else:
            step = float(self.spec.get("dtick") or self._step(high - low))
            first = math.ceil(low / step - 1e-9)
            values = [step * at for at in range(first, math.floor(high / step + 1e-9) + 1)]
        return values, self._written(values)

    def _step(self, reach: float) -> float:
        """Choose a round step between ticks."""
        wanted = reach / max(2.0, abs(self.end - self.start) / _TICK_EVERY[0 if self.is_x else 1])
        power = 10.0 ** math.floor(math.log10(wanted))
        return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= wanted * 0.999)

    def _written(self, values: list[Any]) -> list[str]:
        asked = (self.spec.get("tickformat") or "").replace("~", "")
        if asked.endswith("d"):
            return [format(round(value), asked) for value in values]
        return [format(value, asked or ",.6g") if isinstance(value, float | int) else str(value) for value in values]


def _as_float(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def is_words(values: Any) -> bool:
    """Tell whether values are words, which stand on an axis one after the other."""
    return any(isinstance(value, str) for value in values)
