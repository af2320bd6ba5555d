"""Cross-validation of many rows: paths on a sample, and every λ on all rows (the guide on λ).

Appends a line to ``folds.jsonl`` for each fit, and leaves out the fits that are there. Rows in the
order of RandomState(0).permutation: the first 10,000 (or four fifths of a smaller set) for
training, the next 5,000 at most for testing. Seconds are those of the processor, of one thread. A
path that is asked for (``n_regularizations``) is walked on all rows.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.metrics import log_loss

from bkernn import BKerNNClassifier, BKerNNClassifierCV, BKerNNRegressor, BKerNNRegressorCV

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import Split, set_rows

ROWS, TEST_ROWS, PATH = 10_000, 5_000, 14
NUMBERS = ("elevators", "cpu_act", "power_plant", "california_housing", "protein", "bike")
CLASSES = ("electricity",)
WAYS = {
    "default": (BKerNNRegressor, BKerNNClassifier, {}),
    "cross-validated": (BKerNNRegressorCV, BKerNNClassifierCV, {}),
    "every λ on all rows": (BKerNNRegressorCV, BKerNNClassifierCV, {"n_regularizations": PATH}),
}


def split(name: str, rows: int) -> Split:
    """Return the rows of one set."""
    X, y = set_rows(name)
    order = np.random.RandomState(0).permutation(len(y))
    cut = min(rows, 4 * len(y) // 5)
    train, test = order[:cut], order[cut : cut + TEST_ROWS]
    return Split(X[train], y[train], X[test], y[test])


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run."""
    if quick:
        yield from ({"set": "yacht", "way": way} for way in list(WAYS)[:2])
        return
    yield from ({"set": name, "way": way} for name in (*NUMBERS, *CLASSES) for way in WAYS)


def measure(set: str, way: str) -> Record:
    """One way to choose λ on one set."""
    data, classes = split(set, ROWS), set in CLASSES
    model: Any = WAYS[way][classes](random_state=0, n_jobs=1, **WAYS[way][2])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # convergence
        before = time.process_time()
        model.fit(data.X, data.y)
        seconds = time.process_time() - before
    score = model.score(data.X_test, data.y_test)
    found: Record = {
        "n": len(data.X),
        "d": data.X.shape[1],
        "seconds": round(seconds, 2),
        "accuracy" if classes else "r2": round(float(score), 6),
        "penalty": model.penalty_,
        "regularization": float(model.regularization_),
    }
    if classes:
        p = model.predict_proba(data.X_test)
        found["log_loss"] = round(float(log_loss(data.y_test, p)), 6)
    return found


if __name__ == "__main__":
    run_missing("folds", keys, measure)
