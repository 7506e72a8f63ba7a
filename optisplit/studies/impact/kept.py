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
    shape = _shape(name, facts)
    result = ImpactResult(name, mine, *shape, facts["n_splits"], facts["model"], facts["holdout_size"])
    return Kept(result, facts["date"], facts["versions"], facts["command"])


@cache  # intervals are worked out once
def kept_parts_impact(name: str) -> Kept[PartsImpact] | None:
    """Give what test parts said of a sample that comes along."""
    found = _read("impact_parts", name)
    if found is None:
        return None
    mine, facts = found
    result = PartsImpact(
        name, mine, *_shape(name, facts), tuple(facts["fold_sizes"]), facts["model"],
        facts["holdout_size"], facts["rare_below"],
    )  # fmt: skip
    return Kept(result, facts["date"], facts["versions"], facts["command"])


def _shape(name: str, facts: dict[str, Any]) -> tuple[int, int]:
    """Give rows and labels: of a sample, or of other data that was studied."""
    if name in SAMPLES:
        return SAMPLES[name].n_rows, SAMPLES[name].n_labels
    return facts["others"][name]["n_rows"], facts["others"][name]["n_labels"]


def kept_names(study: str = "impact") -> list[str]:
    """List the data of a study, "impact" or "impact_parts", whose results come along: samples first."""
    table = sample_file(f"{study}.csv")
    if not table.is_file():
        return []
    names = pd.read_csv(table, usecols=["data"])["data"].drop_duplicates().tolist()
    return [*(name for name in SAMPLES if name in names), *(name for name in names if name not in SAMPLES)]


def _read(study: str, name: str) -> tuple[pd.DataFrame, dict[str, Any]] | None:
    """Find the runs of a sample in a study, and how they were made."""
    table_file, facts_file = sample_file(f"{study}.csv"), sample_file(f"{study}.json")
    if not table_file.is_file() or not facts_file.is_file():
        return None
    table = pd.read_csv(table_file)
    mine = table[table["data"] == name].drop(columns="data").reset_index(drop=True)
    return None if mine.empty else (mine, json.loads(facts_file.read_text(encoding="utf-8")))
