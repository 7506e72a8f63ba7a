"""Does it matter how the rows are split? What cross-validation says of a model, under each method's folds."""

from __future__ import annotations

from optisplit.studies.impact.models import MODELS
from optisplit.studies.impact.results import SCORES, ImpactResult
from optisplit.studies.impact.study import SAMPLES_WITH_FEATURES, load_features, measure_impact

__all__ = ["MODELS", "SAMPLES_WITH_FEATURES", "SCORES", "ImpactResult", "load_features", "measure_impact"]
