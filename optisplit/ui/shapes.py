"""What forecasts of time need to know of the chosen data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optisplit.methods.shapes import Shape
from optisplit.ui import session

if TYPE_CHECKING:
    from optisplit.labels import MultilabelDataset
    from optisplit.ui.datasets import ChosenData


def shape_of(chosen: ChosenData) -> Shape | None:
    """Find the figures that say how long methods take on the data; a sample is not read for them."""
    if chosen.uploaded is None:
        return Shape.of_sample(chosen.key)
    return _shape(chosen.uploaded.digest, chosen.uploaded)


@session.cached_for_session(max_entries=8)
def _shape(digest: str, _data: MultilabelDataset) -> Shape:
    return Shape.of(_data.labels)
