"""Does it matter how the rows are split? What estimates say of a model, under each method's folds and parts."""

from __future__ import annotations

from optisplit.measures.widths import positives_for, score_widths, width_sentences
from optisplit.studies.impact.answers import Advice, Answer, Answers, answer
from optisplit.studies.impact.columns import FeatureColumn, feature_columns
from optisplit.studies.impact.encode import Features, encode_features
from optisplit.studies.impact.inputs import SAMPLES_WITH_FEATURES, load_features
from optisplit.studies.impact.leaks import Leak
from optisplit.studies.impact.models import MODELS, suggested_model
from optisplit.studies.impact.parts import measure_parts_impact
from optisplit.studies.impact.parts_results import PART_SCORES, PartsImpact
from optisplit.studies.impact.results import SCORES, ImpactResult
from optisplit.studies.impact.study import measure_impact
from optisplit.studies.impact.tell_apart import Apart, PartApart, tell_apart

__all__ = [
    "MODELS",
    "PART_SCORES",
    "SAMPLES_WITH_FEATURES",
    "SCORES",
    "Advice",
    "Answer",
    "Answers",
    "Apart",
    "FeatureColumn",
    "Features",
    "ImpactResult",
    "Leak",
    "PartApart",
    "PartsImpact",
    "answer",
    "encode_features",
    "feature_columns",
    "load_features",
    "measure_impact",
    "measure_parts_impact",
    "positives_for",
    "score_widths",
    "suggested_model",
    "tell_apart",
    "width_sentences",
]
