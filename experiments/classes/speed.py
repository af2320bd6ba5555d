"""What a fit costs: the default with many rows and classes, and beside cross-validation.

``python -m experiments.classes.speed [--quick] [--output docs/results]`` appends a line to
``classes_speed.jsonl`` for each fit that has none. Each has one thread, and a process of its own so
that the peak of the memory is that of the fit; ``megabytes_before`` is what Python and the rows
take.
"""

from __future__ import annotations

import resource
import time
import warnings

import numpy as np
from sklearn.metrics import log_loss

from bkernn import BKerNNClassifier, BKerNNClassifierCV

from ..common.lines import run_missing
from ..common.results import Record
from .compare import class_split

FORMS = {"default": BKerNNClassifier, "cross-validated": BKerNNClassifierCV}

#: Rows for training, where there are as many.
MANY_CLASSES = {"digits": 1000, "letter": 16_000, "covertype_93k": 100_000}
TWO_CLASSES = {"spambase": 2000, "phoneme": 2000, "htru2": 2000, "electricity": 2000}


def megabytes() -> float:
    """Return the largest memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(set: str, rows: int, form: str) -> Record:
    """Fit one set, all else at its default."""
    warnings.simplefilter("ignore")
    data = class_split(set, rows)
    before, start = megabytes(), time.process_time()
    model = FORMS[form](random_state=0, n_jobs=1).fit(data.X, data.y)
    used = time.process_time() - start
    most = megabytes()
    p = model.predict_proba(data.X_test)
    return {
        "n": len(data.X),
        "d": data.X.shape[1],
        "classes": p.shape[1],
        "fit_seconds": round(used, 2),
        "megabytes": round(most),
        "megabytes_before": round(before),
        "particles": model.W_.shape[1],
        "iterations": model.n_iter_,
        "converged": model.converged_,
        "log_loss": round(float(log_loss(data.y_test, p, labels=np.arange(p.shape[1]))), 6),
        "accuracy": round(float(np.mean(p.argmax(axis=1) == data.y_test)), 6),
    }


def keys(quick: bool) -> list[Record]:
    """Return what is to be run."""
    if quick:
        return [{"set": "iris", "rows": 100, "form": form} for form in FORMS]
    found = [(name, rows, "default") for name, rows in MANY_CLASSES.items()]
    found += [(name, rows, form) for name, rows in TWO_CLASSES.items() for form in FORMS]
    return [{"set": name, "rows": rows, "form": form} for name, rows, form in found]


if __name__ == "__main__":
    run_missing("classes_speed", keys, measure, alone=True)
