"""Results that come along, made beforehand."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from optisplit.io.samples import SAMPLES, sample_file
from optisplit.studies.impact.results import ImpactResult

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class KeptImpact:
    """A result that was made beforehand."""

    result: ImpactResult  # the result
    date: str  # when it was made
    versions: Mapping[str, str]  # with which versions


def kept_impact(name: str) -> KeptImpact | None:
    """Give the result of a sample that comes along."""
    table_file, facts_file = sample_file("impact.csv"), sample_file("impact.json")
    if name not in SAMPLES or not table_file.is_file() or not facts_file.is_file():
        return None
    table = pd.read_csv(table_file)
    mine = table[table["data"] == name].drop(columns="data").reset_index(drop=True)
    if mine.empty:
        return None
    facts: dict[str, Any] = json.loads(facts_file.read_text(encoding="utf-8"))
    sample = SAMPLES[name]
    result = ImpactResult(
        name, mine, sample.n_rows, sample.n_labels, facts["n_splits"], facts["model"], facts["holdout_size"]
    )
    return KeptImpact(result, facts["date"], facts["versions"])
