"""A thousand rows of real sets: the default, four models as one, and boosted trees.

Rows in the order of RandomState(0).permutation: the first 1,000 (or four fifths of a smaller set)
for training, the next 5,000 at most for testing. Appends a line to ``thousand.jsonl`` for each fit
and leaves out the fits that are there; seconds are those of the processor, of one thread.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model
from ..data.real import Split, larger_sets, set_rows
from .methods import peers

ROWS, TEST_ROWS, MOST_ROWS = 1_000, 5_000, 60_000
OURS = {"BKerNN": {}, "BKerNN, four models": {"n_models": 4}}
OTHERS = ("CatBoost", "LightGBM")
METHODS = (*OURS, *OTHERS)


def split(name: str) -> Split:
    """Return the rows of one set."""
    X, y = set_rows(name)
    order = np.random.RandomState(0).permutation(len(y))
    cut = min(ROWS, 4 * len(y) // 5)
    train, test = order[:cut], order[cut : cut + TEST_ROWS]
    return Split(X[train], y[train], X[test], y[test]).standardized()


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run."""
    names = [name for name in larger_sets() if len(set_rows(name)[1]) <= MOST_ROWS]
    for name in names[:1] if quick else names:
        for method in OURS if quick else METHODS:
            yield {"set": name, "method": method}


def measure(**key: Any) -> Record:
    """One method on one set."""
    data, method = split(key["set"]), key["method"]
    ours = library_model(**OURS[method]) if method in OURS else None
    model = ours or peers(data.X.shape[1])[method].estimator
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # convergence
        before = time.process_time()
        model.fit(data.X, data.y)
        seconds = time.process_time() - before
    n, d = data.X.shape
    r2 = round(float(model.score(data.X_test, data.y_test)), 6)
    return {"n": n, "d": d, "r2": r2, "fit_seconds": round(seconds, 3)}


if __name__ == "__main__":
    run_missing("thousand", keys, measure)
