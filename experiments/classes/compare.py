"""The real data sets with classes for other classifiers, at their defaults.

``python -m experiments.classes.compare [--quick] [--output docs/results] [--again BKerNN]`` appends
a line to ``classes.jsonl`` for each fit, and leaves out the fits that are there. ``--again`` names
methods whose fits are forgotten first: when the library changes, only its own are run again.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from bkernn.metrics import expected_calibration_error

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record
from ..data.real import Split, class_sets, larger_split
from ..data.recipes import Array
from .methods import methods

ROWS = (2000, 10_000)  # for training; sets with fewer are in the first group alone
TEST_ROWS = 4000
LEFT_OUT = {"kddcup"}  # all but solved, and mostly repeated rows
BINS = 10  # of the reliability diagrams


def class_split(name: str, rows: int) -> Split:
    """Return rows of a set with the classes 0, 1, … of its training rows."""
    X, y, X_test, y_test = larger_split(name, None)
    classes, labels = np.unique(y[:rows], return_inverse=True)
    known = np.flatnonzero(np.isin(y_test, classes))[:TEST_ROWS]
    return Split(X[:rows], labels, X_test[known], np.searchsorted(classes, y_test[known]))


def run_one(name: str, rows: int, method: str, file: Path) -> None:
    """One method on one set, written down."""
    append_line(file, {"set": name, "rows": rows} | record(class_split(name, rows), method))


def record(data: Split, method: str) -> Record:
    """One method on one set."""
    n_classes = int(data.y.max()) + 1
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # convergence: every method stops where its defaults say
        start = time.process_time()
        model = methods()[method]().fit(data.X, data.y)
        fitted = time.process_time()
        p = probabilities(model, data.X_test)
    predicted = p.argmax(axis=1)
    return {
        "n": len(data.X),
        "d": data.X.shape[1],
        "classes": n_classes,
        "method": method,
        "log_loss": round(float(log_loss(data.y_test, p, labels=np.arange(n_classes))), 6),
        "accuracy": round(float(np.mean(predicted == data.y_test)), 6),
        "calibration_error": round(float(expected_calibration_error(data.y_test, p)), 6),
        "reliability": reliability(p.max(axis=1), predicted == data.y_test),
        "fit_seconds": round(fitted - start, 3),
    }


def probabilities(model: Any, X: Array) -> Array:
    """Return rows that sum to 1, also where a method rounds them to single precision."""
    p = np.asarray(model.predict_proba(X), dtype=float)
    return p / p.sum(axis=1, keepdims=True)


def reliability(confidence: Array, right: Array) -> list[list[float]]:
    """Return mean confidence, share that is right and number of rows of each bin that has some."""
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return [
        [*(round(float(x[here].mean()), 4) for x in (confidence, right)), int(here.sum())]
        for here in (place == b for b in range(BINS))
        if here.any()
    ]


def wanted(names: Sequence[str], sizes: Sequence[int]) -> Iterator[tuple[str, int, str]]:
    """Return what is to be run: set, rows and method."""
    sets = {name: n for name, n in class_sets().items() if name not in LEFT_OUT}
    for rows in sizes:
        some = [name for name, n in sets.items() if rows == ROWS[0] or n > 1.2 * rows]
        yield from ((name, rows, method) for method in names for name in some)


def main(arguments: list[str] | None = None) -> None:
    """Run what has not been run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("docs/results"), help="a folder")
    parser.add_argument("--jobs", type=int, default=1, help="fits at a time")
    parser.add_argument("--methods", nargs="*", default=list(methods()), help="only these")
    parser.add_argument("--rows", nargs="*", type=int, default=ROWS, help="for training")
    parser.add_argument("--again", nargs="*", default=[], help="methods to run once more")
    given = parser.parse_args(arguments)
    file = given.output / "classes.jsonl"
    done = [r for r in read_lines(file) if r["method"] not in given.again]
    write_lines(file, done)
    jobs = list(wanted(given.methods, given.rows))
    if given.quick:
        jobs = [("iris", ROWS[0], "BKerNN"), ("iris", ROWS[0], "LogisticRegression")]
    known = {(r["set"], r["rows"], r["method"]) for r in done}
    Parallel(n_jobs=given.jobs)(delayed(run_one)(*job, file) for job in jobs if job not in known)


if __name__ == "__main__":
    main()
