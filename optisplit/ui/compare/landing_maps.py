"""The fold maps of the landing, from the numbers that were kept."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from optisplit.plots.fold_maps import FoldMapsInfo, MethodMap, plot_fold_maps
from optisplit.ui.widgets import chart

if TYPE_CHECKING:
    from optisplit.ui.compare.landing import Landing


def show(landing: Landing) -> None:
    """Draw both maps, on a narrow page one below the other."""
    info = maps_of(landing)
    wide, narrow = plot_fold_maps(info), plot_fold_maps(info, columns=1)
    chart(wide, "fold-maps", key="landing_maps", alt=info.alt_text, narrow=narrow)


def maps_of(landing: Landing) -> FoldMapsInfo:
    """Give the fold maps as they were before they were written."""

    def restored(kind: Any, values: dict[str, Any]) -> Any:
        arrays = {field.name for field in fields(kind) if field.type in ("FloatArray", "IntArray")}
        return kind(**{
            name: np.array(value) if name in arrays else tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
        })  # fmt: skip

    methods = [restored(MethodMap, each) for each in landing.maps["methods"]]
    info: FoldMapsInfo = restored(FoldMapsInfo, {**landing.maps, "methods": methods})
    return info
