"""Results that come along, made beforehand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import pandas as pd

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.studies.impact.parts_results import PartsImpact
from optisplit.studies.impact.results import ImpactResult

if TYPE_CHECKING:
    from collections.abc import Mapping

Result = TypeVar("Result", ImpactResult, PartsImpact)


@dataclass(frozen=True)
class Kept(Generic[Result]):
    """A result that was made beforehand."""

    result: Result  # the result
    date: str  # when it was made
    versions: Mapping[str, str]  # with which versions
    command: str  # what makes it again


@cache
def kept_impact(name: str) -> Kept[ImpactResult] | None:
    """Give what cross-validation said of a sample that comes along."""
    found = _read("impact", name)
    if found is None:
        return None
    mine, facts = found
    sample = SAMPLES[name]
    result = ImpactResult(
        name, mine, sample.n_rows, sample.n_labels, facts["n_splits"], facts["model"], facts["holdout_size"]
    )
    return Kept(result, facts["date"], facts["versions"], facts["command"])


@cache  # intervals are worked out once
def kept_parts_impact(name: str) -> Kept[PartsImpact] | None:
    """Give what test parts said of a sample that comes along."""
    found = _read("impact_parts", name)
    if found is None:
        return None
    mine, facts = found
    sample = SAMPLES[name]
    result = PartsImpact(
        name, mine, sample.n_rows, sample.n_labels, tuple(facts["fold_sizes"]), facts["model"],
        facts["holdout_size"], facts["rare_below"],
    )  # fmt: skip
    return Kept(result, facts["date"], facts["versions"], facts["command"])


def _read(study: str, name: str) -> tuple[pd.DataFrame, dict[str, Any]] | None:
    """Find the runs of a sample in a study, and how they were made."""
    table_file, facts_file = sample_file(f"{study}.csv"), sample_file(f"{study}.json")
    if name not in SAMPLES or not table_file.is_file() or not facts_file.is_file():
        return None
    table = pd.read_csv(table_file)
    mine = table[table["data"] == name].drop(columns="data").reset_index(drop=True)
    return None if mine.empty else (mine, json.loads(facts_file.read_text(encoding="utf-8")))
