"""Sets of classes on real data: how often they hold the class, and how large they are.

``python -m experiments.intervals.sets [--quick] [--output docs/results]`` appends a line to
``intervals_sets.jsonl`` for each set, and leaves out what is there.
"""

from __future__ import annotations

import time
import warnings

from threadpoolctl import threadpool_limits

from bkernn import BKerNNClassifier

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import larger_split
from .asked import COVERAGES, SMALL, TESTED, rounded

SETS = ("phoneme", "spambase", "electricity", "higgs_11k", "pendigits", "digits", "letter")


def measure(set: str, rows: int) -> Record:
    """Return the share of new rows whose class is in their set, and the mean size of the sets."""
    X, y, X_new, y_new = larger_split(set, TESTED)
    X, y = X[:rows], y[:rows]
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        start = time.process_time()
        model = BKerNNClassifier(intervals="cross", random_state=0, n_jobs=1).fit(X, y)
        found = [model.predict_set(X_new, coverage) for coverage in COVERAGES]
        seconds = time.process_time() - start
    return {
        "d": X.shape[1],
        "classes": len(model.classes_),
        "accuracy": round(float(model.score(X_new, y_new)), 5),
        "covered": rounded(one[y_new[:, None] == model.classes_].mean() for one in found),
        "size": rounded(one.sum(axis=1).mean() for one in found),
        "seconds": round(seconds, 3),
    }


def keys(quick: bool) -> list[Record]:
    """Return what is to be run."""
    return [{"set": name, "rows": SMALL} for name in (("phoneme",) if quick else SETS)]


if __name__ == "__main__":
    run_missing("intervals_sets", keys, measure)
