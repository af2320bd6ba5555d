"""The real data sets with classes for other classifiers, at their defaults."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from sklearn.metrics import log_loss
from threadpoolctl import threadpool_limits

from bkernn.metrics import expected_calibration_error

from ..common.plotting import panels
from ..common.results import Record, in_parallel, run_and_write, select
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


def records_of(name: str, rows: int, names: Sequence[str]) -> list[Record]:
    """All methods on one set."""
    data = class_split(name, rows)
    return [{"set": name, "rows": rows} | record(data, method) for method in names]


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
        "log_loss": float(log_loss(data.y_test, p, labels=np.arange(n_classes))),
        "accuracy": float(np.mean(predicted == data.y_test)),
        "calibration_error": float(expected_calibration_error(data.y_test, p)),
        "reliability": reliability(p.max(axis=1), predicted == data.y_test),
        "fit_seconds": fitted - start,
    }


def probabilities(model: Any, X: Array) -> Array:
    """Return rows that sum to 1, also where a method rounds them to single precision."""
    p = np.asarray(model.predict_proba(X), dtype=float)
    return p / p.sum(axis=1, keepdims=True)


def reliability(confidence: Array, right: Array) -> list[list[float]]:
    """Return mean confidence, share that is right and number of rows of each bin that has some."""
    place = np.minimum((confidence * BINS).astype(int), BINS - 1)
    return [
        [float(confidence[here].mean()), float(right[here].mean()), int(here.sum())]
        for here in (place == b for b in range(BINS))
        if here.any()
    ]


def run(quick: bool) -> list[Record]:
    """Log loss, accuracy and calibration error of BKerNN and its peers on all sets with classes."""
    sizes = {name: n for name, n in class_sets().items() if name not in LEFT_OUT}
    if quick:
        return records_of("iris", ROWS[0], ("BKerNN", "LogisticRegression"))
    names = list(methods())
    jobs = [(name, ROWS[1], names) for name, n in sizes.items() if n > 1.2 * ROWS[1]]
    jobs += [(name, ROWS[0], names) for name in sizes]
    return list(chain(*in_parallel(records_of, jobs)))


def plot(records: list[Record]) -> Figure:
    """Draw reliability diagrams, one for each method: all sets together."""
    names = list(dict.fromkeys(r["method"] for r in records))
    figure, axes = panels(1, len(names), width=1.9, height=2.2, sharey=True)
    for ax, method in zip(axes[0], names, strict=True):
        for one in select(records, method=method, rows=ROWS[0]):
            bins = np.array([b for b in one["reliability"] if b[2] >= 20] or [[1, 1, 20]])
            ax.plot(bins[:, 0], bins[:, 1], ".-", color="#0072b2", alpha=0.4, lw=1, ms=4)
        ax.plot([0, 1], [0, 1], color="black", lw=0.8)
        errors = [r["calibration_error"] for r in select(records, method=method, rows=ROWS[0])]
        ax.set_title(f"{method}\nmean error {np.mean(errors):.3f}", fontsize=8)
        ax.set_xlabel("confidence", fontsize=8)
    axes[0, 0].set_ylabel("share that is right", fontsize=8)
    return figure


if __name__ == "__main__":
    run_and_write("classes", run, plot)
