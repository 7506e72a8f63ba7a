"""Finding the paper's data: what comes along, the authors' files, and stand-ins of the same size."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from optisplit.errors import OptionError
from optisplit.io.samples import SAMPLES, load
from optisplit.labels import MultilabelDataset, positives_per_label
from optisplit.measures.characteristics import properties_of
from optisplit.methods.shapes import Shape
from optisplit.studies.paper.catalogue import PAPER_DATA
from optisplit.studies.paper.stand_ins import STAND_INS
from optisplit.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Origin: TypeAlias = Literal["same data", "authors' file", "stand-in"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where one of the paper's data sets can be had."""

    key: str  # of :data:`optisplit.studies.paper.catalogue.PAPER_DATA`
    origin: Origin  # the very data as it comes along, a file of the authors', or other data of the same size
    path: Path | None = None  # the file; None for a sample or a stand-in
    data: MultilabelDataset | None = field(default=None, repr=False, compare=False)  # where it is read already

    @property
    def title(self) -> str:
        """The name in the paper, marked where it is other data."""
        title = PAPER_DATA[self.key].title
        return f"{title} (stand-in)" if self.origin == "stand-in" else title

    @property
    def is_made(self) -> bool:
        """Whether the data are made when they are asked for."""
        return self.origin == "stand-in" and self.data is None

    def load(self) -> MultilabelDataset:
        """Read or make the data, and leave out the labels that the authors' code leaves out."""
        about = PAPER_DATA[self.key]
        if self.data is not None:
            data = self.data
        elif self.is_made:
            data = STAND_INS[self.key].make()
        elif self.path is None:
            data = load(about.sample)
        else:
            columns = about.label_columns if self.path.name.endswith((".arff", ".arff.gz")) else None
            data = load(str(self.path), label_columns=columns)
        return without_constant_labels(data)


@dataclass(frozen=True, slots=True)
class DataFacts:
    """What the tables need of a data set."""

    origin: str  # see :class:`Place`
    digest: str  # of its labels
    properties: Mapping[str, float]  # the columns of Table 1
    n_larger: int  # labels on more than half of the rows
    shape: Shape  # what of the data decides how long methods take

    @classmethod
    def of(cls, place: Place, data: MultilabelDataset) -> DataFacts:
        """Look at data that are read."""
        n_larger = int((2 * positives_per_label(data.labels) > data.n_rows).sum())
        return cls(place.origin, data.digest, properties_of(data), n_larger, Shape.of(data.labels))


def without_constant_labels(data: MultilabelDataset) -> MultilabelDataset:
    """Leave out the labels on no row and those on all rows, as the authors' code does before it splits."""
    sizes = positives_per_label(data.labels)
    kept = np.flatnonzero((sizes > 0) & (sizes < data.n_rows))
    if kept.size == data.n_labels:
        return data
    names = tuple(data.label_names[label] for label in kept.tolist())
    left_out = counted(data.n_labels - kept.size, "label")
    note = f"Left out, as the authors' code does: {left_out} on no row or on all rows."
    made = MultilabelDataset.from_labels(data.labels[:, kept], names, name=data.name)
    return replace(made, row_ids=data.row_ids, notes=(*data.notes, note))


def find_data(folder: str | Path | None = None) -> dict[str, Place]:
    """Find the paper's data sets, or what stands in for them.

    - The authors' files come first (mediamill.arff, CC_targets.npz, MF_targets.npz, BP_targets.npz, ...), then the
      samples that come along, then :data:`~optisplit.studies.paper.stand_ins.STAND_INS`.
    """
    place = None if folder is None else Path(folder)
    if place is not None and not place.is_dir():
        msg = f"There is no folder {str(folder)!r} to look for the paper's data in."
        raise OptionError(msg)
    found: dict[str, Place] = {}
    for key, about in PAPER_DATA.items():
        if authors := _file(place, about.authors_file):
            found[key] = Place(key, "authors' file", authors)
        elif about.sample in SAMPLES:
            found[key] = Place(key, "same data")
        else:
            found[key] = Place(key, "stand-in")
    return found


def _file(folder: Path | None, name: str) -> Path | None:
    if folder is None or not name:
        return None
    paths = (folder / each for each in (name, f"{name}.gz"))
    return next((path for path in paths if path.is_file()), None)


def choose_data(found: Mapping[str, Place], keys: Iterable[str] | None) -> dict[str, Place]:
    """Pick data sets by their keys; unless told, those that are the paper's own."""
    if keys is None:
        return {key: place for key, place in found.items() if place.origin != "stand-in"}
    wanted = list(keys)
    for key in wanted:
        if key not in PAPER_DATA:
            what = "data set of the paper"
            raise OptionError.unknown(what, key, PAPER_DATA)
    return {key: place for key, place in found.items() if key in wanted}
