"""Plain models, one for each label, and how their predictions are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from scipy.linalg import cho_factor, cho_solve

from optisplit.errors import OptionError
from optisplit.studies.impact.fast import PENALTY, FastRidge, scaled

if TYPE_CHECKING:
    from numpy.typing import NDArray

MODELS = {
    "ridge": "ridge regression on -1 and 1 for each label, penalty 1",
    "logistic": "logistic regression for each label, penalty 1 (scikit-learn's, liblinear)",
    "fast": "the same ridge regression from sums over rows, for many rows and labels; beyond 2,000 features, on their "
    "200 main directions",
}
"""The models that have names."""

MAX_RIDGE_TABLE = 10_000
"""Most rows or features of the ridge, whichever are fewer: it holds a dense square table of them."""


def make_model(model: Any, X: Any, Y: NDArray[np.int8]) -> Ridge | FastRidge | Estimator:
    """Make a model for data."""
    if isinstance(model, str):
        if model == "ridge":
            if min(X.shape) > MAX_RIDGE_TABLE:
                msg = (
                    f"model='ridge' takes at most {MAX_RIDGE_TABLE:,} rows or features, whichever are fewer, but X is "
                    f"{X.shape[0]:,} x {X.shape[1]:,}; choose model='fast'."
                )
                raise OptionError(msg)
            return Ridge(X, Y)
        if model == "fast":
            return FastRidge(X, Y)
        if model == "logistic":
            from sklearn.linear_model import LogisticRegression
            from sklearn.multiclass import OneVsRestClassifier

            return Estimator(OneVsRestClassifier(LogisticRegression(solver="liblinear")), X, Y)
        what = "model"
        raise OptionError.unknown(what, model, MODELS)
    if not hasattr(model, "fit") or not hasattr(model, "get_params"):
        msg = f"model must be one of {', '.join(map(repr, MODELS))} or a scikit-learn estimator, not {model!r}."
        raise OptionError(msg)
    return Estimator(model, X, Y)


def _for_label_matrix(estimator: Any) -> Any:
    """Train an estimator that knows one target at a time once for each label."""
    from sklearn.base import is_regressor
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.multioutput import MultiOutputRegressor
    from sklearn.utils import get_tags

    tags = get_tags(estimator)
    if tags.target_tags.multi_output or (tags.classifier_tags is not None and tags.classifier_tags.multi_label):
        return estimator
    return MultiOutputRegressor(estimator) if is_regressor(estimator) else OneVsRestClassifier(estimator)


def suggested_model(n_features: int, n_rows: int, n_labels: int) -> str:
    """Choose a model that is trained in good time: the same ridge, from sums where there are many rows or labels."""
    return "ridge" if min(n_features, n_rows) <= 2_000 and n_rows * n_labels <= 1_000_000 else "fast"


class Ridge:
    """Ridge regression on -1 and 1: one factorisation, of rows or features, whichever are fewer, serves all labels."""

    def __init__(self, X: Any, Y: NDArray[np.int8]) -> None:
        self._X, self._targets = X, 2.0 * Y - 1.0

    def predict(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        """Train on some rows and predict others."""
        X = scaled(self._X, train)
        fitted, targets = X[train], self._targets[train]
        means = np.asarray(fitted.mean(axis=0)).ravel()
        offsets = targets.mean(axis=0)
        # products of centred features, without centring: that would fill a sparse matrix
        if fitted.shape[0] < fitted.shape[1]:
            gram = _dense(fitted @ fitted.T)
            shifts = fitted @ means
            gram = gram - shifts[:, None] - shifts + means @ means
            right = targets - offsets
        else:
            gram = _dense(fitted.T @ fitted) - len(train) * np.outer(means, means)
            right = fitted.T @ (targets - offsets)
        gram[np.diag_indices_from(gram)] += PENALTY
        weights = cho_solve(cho_factor(gram, check_finite=False), right, check_finite=False)
        if fitted.shape[0] < fitted.shape[1]:
            weights = fitted.T @ weights  # the weights of rows add up to 0, so that means play no part
        return X[test] @ weights - means @ weights + offsets


def _dense(product: Any) -> NDArray[np.float64]:
    return product.toarray() if sp.issparse(product) else product


class Estimator:
    """Any estimator of scikit-learn that takes a matrix of labels; it is cloned for each training."""

    def __init__(self, estimator: Any, X: Any, Y: NDArray[np.int8]) -> None:
        self._estimator, self._X, self._Y = estimator, X, Y

    def predict(self, train: NDArray[np.int64], test: NDArray[np.int64]) -> NDArray[np.float64]:
        """Train on some rows and predict others."""
        from sklearn.base import clone

        X, Y = scaled(self._X, train), self._Y
        share = Y[train].mean(axis=0)
        is_trained = (share > 0) & (share < 1)
        scores = np.broadcast_to(np.where(share == 1, 1.0, -1.0), (len(test), len(share))).copy()
        if is_trained.any():
            targets = Y[train][:, is_trained]
            if targets.shape[1] > 1:
                fitted = clone(_for_label_matrix(self._estimator)).fit(X[train], targets)
            else:
                fitted = clone(self._estimator).fit(X[train], targets.ravel())
            scores[:, is_trained] = _scores_of(fitted, X[test], targets.shape[1])
        return scores


def _scores_of(fitted: Any, X: Any, n_labels: int) -> NDArray[np.float64]:
    """Give a score for each row and label, above 0 where a label is predicted."""
    found = _any_scores(fitted, X).reshape(X.shape[0], -1)
    return found if found.shape[1] == n_labels else found[:, -1:]  # of one label, both sides' probabilities


def _any_scores(fitted: Any, X: Any) -> NDArray[np.float64]:
    if hasattr(fitted, "decision_function"):
        return np.asarray(fitted.decision_function(X), dtype=np.float64)
    if hasattr(fitted, "predict_proba"):
        found = fitted.predict_proba(X)
        if isinstance(found, list):  # one table a label, of some scikit-learn estimators
            found = np.stack([each[:, -1] for each in found], axis=1)
        return np.asarray(found, dtype=np.float64) - 0.5
    return np.asarray(fitted.predict(X), dtype=np.float64) - 0.5


@dataclass(frozen=True, slots=True)
class LabelScores:
    """The predictions of some rows, label by label."""

    n_true: NDArray[np.int64]  # rows that have the label
    n_predicted: NDArray[np.int64]  # rows that are said to have it
    hits: NDArray[np.int64]  # rows of which both is true
    precision: NDArray[np.float64]  # average precision; NaN where no row has the label

    @property
    def f1(self) -> NDArray[np.float64]:
        """F1 of each label; 0 where no row has it, or is said to have it."""
        either = self.n_true + self.n_predicted
        return np.divide(2.0 * self.hits, either, out=np.zeros(len(either)), where=either > 0)

    def pooled_f1(self, which: Any = slice(None)) -> float:
        """F1 of all labels, or of some, as if they were one."""
        total = int((self.n_true + self.n_predicted)[which].sum())
        return 2.0 * float(self.hits[which].sum()) / total if total else 0.0


def score_labels(truth: NDArray[np.int8], scores: NDArray[np.float64]) -> LabelScores:
    """Score the predictions of each label."""
    predicted, is_true = scores > 0, truth > 0
    n_true = is_true.sum(axis=0)
    precision = np.full(truth.shape[1], np.nan)
    is_present = n_true > 0
    if is_present.any():
        precision[is_present] = average_precision(is_true[:, is_present], scores[:, is_present])
    return LabelScores(n_true, predicted.sum(axis=0), (predicted & is_true).sum(axis=0), precision)


def score(truth: NDArray[np.int8], scores: NDArray[np.float64]) -> dict[str, float]:
    """Score the predictions of one fold, as is usual."""
    found = score_labels(truth, scores)
    return {
        "micro_f1": found.pooled_f1(),
        "macro_f1": float(found.f1.mean()),
        "macro_f1_present": mean_or_nan(found.f1[found.n_true > 0]),
        "macro_ap": mean_or_nan(found.precision[found.n_true > 0]),
    }


def mean_or_nan(values: NDArray[np.float64]) -> float:
    """Take the mean; NaN of nothing, without a warning."""
    return float(values.mean()) if len(values) else float("nan")


def average_precision(truth: NDArray[np.bool_], scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average precision of each label, rows of equal score taken together, as scikit-learn does."""
    found = np.empty(truth.shape[1])
    for j in range(truth.shape[1]):
        # how many rows, and how many positives, score no less than each positive
        ranked, positives = np.sort(scores[:, j]), np.sort(scores[truth[:, j], j])
        above = len(ranked) - np.searchsorted(ranked, positives, side="left")
        hits = len(positives) - np.searchsorted(positives, positives, side="left")
        found[j] = (hits / above).mean()
    return found
