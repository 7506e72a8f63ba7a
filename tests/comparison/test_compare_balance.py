"""Columns balanced beside the labels in a comparison."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import optisplit
from optisplit.errors import OptionError

RNG = np.random.default_rng(4)
LABELS = RNG.random((60, 3)) < 0.4
FRAME = pd.DataFrame({"sex": list("fm") * 30, "site": list("xxyz") * 15})


def test_runs_are_those_of_split():
    result = optisplit.compare(LABELS, ["is", "optisplit-sa"], 3, seeds=[0, 1], balance=FRAME)
    for run in result.runs:
        alone = optisplit.split(LABELS, 3, method=run.method, random_state=run.seed, balance=FRAME)
        assert run.folds.tolist() == alone.tolist()
        assert run.report.label_names == ("label 0", "label 1", "label 2")
        assert run.report.balanced.label_names == ("sex=f", "sex=m", "site=x", "site=y", "site=z")
        row = result.table[(result.table["method"] == run.method) & (result.table["seed"] == run.seed)].iloc[0]
        assert row["balanced_rld"] == run.report.balanced.rld
    assert result.balance.targets.n_labels == 5
    assert "rLD of balanced columns" in result._repr_html_()
    assert "rLD of balanced columns" not in optisplit.compare(LABELS, ["random"], 3, seeds=[0])._repr_html_()


def test_methods_that_cannot_are_refused():
    targets = optisplit.encode_targets(FRAME, weights={"sex": 2})
    with pytest.raises(OptionError, match=r"'is' takes no weights.*'random', 'optisplit-sa'"):
        optisplit.compare(LABELS, ["random", "is"], 3, balance=targets)
    counted = optisplit.encode_targets({"n": [0, 1, 2] * 20}, counts=["n"])
    with pytest.raises(OptionError, match=r"(?s)'is' takes no counts.*'random', 'optisplit-sa'.*Hint: balance"):
        optisplit.split(LABELS, 3, method="is", balance=counted)
    with pytest.raises(OptionError, match="'is' takes no counts"):
        optisplit.split(counted, 3, method="is")
