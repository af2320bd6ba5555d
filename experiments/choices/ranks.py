"""Numbers by their values or by their ranks: what the race makes of the choice.

``python -m experiments.choices.ranks`` fits a thousand rows (1,500 of classes) of tables that the
comparisons do not use: a column of a classification set from the others, and classes cut from the
y of a regression set, at its median or at four quantiles. Scores are R² and minus the log loss on
up to 4,000 other rows; seconds are those of the processor, of one thread.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from bkernn import BKerNNClassifier, BKerNNRegressor

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import Split, class_sets, larger_sets, set_rows
from ..data.recipes import Array

LEARNT, LEARNT_OF_CLASSES, TESTED = 1000, 1500, 4000
SEED = 11
COLUMNS = 2  # of each classification set
CUTS = (2, 5)  # classes
LEFT_OUT = {"iris", "wine", "kddcup"}
TOO_EASY = {"naval", "yacht", "energy", "beijing_pm25", "sgemm"}
WAYS: dict[str, dict[str, Any]] = {
    "values": {"ranks": "none"},
    "auto": {},
    "three models of values": {"ranks": "none", "n_models": 3},
    "three models": {"n_models": 3},
}


def columns_of(name: str) -> list[int]:
    """Return the columns that are told from the others: numbers with many values."""
    X = set_rows(name)[0]
    many = [a for a in range(X.shape[1]) if len(np.unique(X[:3000, a])) > 10]
    return [int(a) for a in np.random.RandomState(7).permutation(many)[:COLUMNS]]


def split(kind: str, name: str, which: int) -> Split:
    """Return the rows of one table."""
    X, y = set_rows(name)
    rows = LEARNT
    if kind == "column":
        X, y = np.delete(X, which, axis=1), X[:, which]
    else:
        rows = LEARNT_OF_CLASSES
        y = np.searchsorted(np.quantile(y, np.arange(1, which) / which), y)
    order = np.random.RandomState(SEED).permutation(len(y))
    cut = min(rows, 7 * len(y) // 10)
    train, test = order[:cut], order[cut : cut + TESTED]
    if kind == "classes":
        test = test[np.isin(y[test], y[train])]
    return Split(X[train], y[train], X[test], y[test])


def score(model: Any, X: Array, y: Array) -> float:
    """Return R², or minus the log loss."""
    if isinstance(model, BKerNNRegressor):
        return float(model.score(X, y))
    return -float(log_loss(y, model.predict_proba(X), labels=model.classes_))


def measure(kind: str, set: str, which: int, way: str) -> Record:
    """One way on one table."""
    data = split(kind, set, which)
    estimator = BKerNNRegressor if kind == "column" else BKerNNClassifier
    model = estimator(random_state=0, n_jobs=1, **WAYS[way])
    with threadpool_limits(1):
        before = time.process_time()
        model.fit(data.X, data.y)
        seconds = time.process_time() - before
    told = {"ranks": model.ranks_, "penalty": model.penalty_}
    if kind == "classes":
        told["accuracy"] = round(float(np.mean(model.predict(data.X_test) == data.y_test)), 6)
    return {
        "score": round(score(model, data.X_test, data.y_test), 6),
        **{"fit_seconds": round(seconds, 3), **told},
    }


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run."""
    of_columns = [
        ("column", s, a) for s in class_sets() if s not in LEFT_OUT for a in columns_of(s)
    ]
    of_classes = [("classes", s, cut) for s in larger_sets() if s not in TOO_EASY for cut in CUTS]
    for kind, name, which in of_columns[:1] if quick else of_columns + of_classes:
        for way in list(WAYS)[:2] if quick else WAYS:
            yield {"kind": kind, "set": name, "which": which, "way": way}


if __name__ == "__main__":
    run_missing("ranks", keys, measure)
