"""What holds of OptiSplit-SA's search whatever the data: the folds of a seed do not depend on how it is watched."""

from __future__ import annotations

import numpy as np

from optisplit.methods.annealing import search as search_module


def assert_alike(monkeypatch, solve):
    """Hold `solve` to the same folds of a seed, however chunked and told of; give them, and the scores told."""
    whole = solve()
    np.testing.assert_array_equal(solve(), whole)
    assert (solve(1) != whole).any()
    monkeypatch.setattr(search_module, "REPORT_S", -1.0)
    monkeypatch.setattr(search_module, "CHUNK_WORK", 100)
    told = []
    np.testing.assert_array_equal(solve(on_progress=lambda *now: told.append(now)), whole)
    done, total, scores = zip(*told, strict=True)
    assert list(done) == sorted(done)
    assert done[-1] == total[0] == total[-1]
    return whole, scores
