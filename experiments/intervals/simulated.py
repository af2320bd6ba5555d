"""Intervals, quantiles and sets of classes where the truth is known, by many cheap draws.

``python -m experiments.intervals.simulated [--quick] [--output docs/results]`` appends lines to
``intervals_simulated.jsonl`` and leaves out what is there.
"""

from __future__ import annotations

import numpy as np

import bkernn
from bkernn.datasets import simulate

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model
from ..data.recipes import Array
from .asked import LEVELS, rounded

COVERAGES = (0.5, 0.8, 0.9)
ALONE = {"penalty": "feature", "n_particles": 5, "max_iter": 5, "tol": 0}
CHEAP = ALONE | {"regularization": 0.05}
BATCH = 50  # draws of a line
SIZES = (60, 200)
TESTED = 200  # new rows of each draw

#: Three kinds of data, with little noise and with much.
KINDS = ("multi_index", "sine_features", "abs_variables")
NOISES = (0.1, 0.5)


def rows(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Return X and y = sin 2x₁ + noise."""
    X = rng.normal(size=(n, 3))
    return X, np.sin(2 * X[:, 0]) + 0.5 * rng.normal(size=n)


def classes(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Return X and one of three classes, by where x₁ + noise lies."""
    X = rng.normal(size=(n, 3))
    return X, np.digitize(X[:, 0] + 0.7 * rng.normal(size=n), [-0.5, 0.5])


def regressor(intervals: str) -> bkernn.BKerNNRegressor:
    """Return a regressor whose fits take milliseconds."""
    return library_model(intervals=intervals, **CHEAP)


def chooser() -> bkernn.BKerNNRegressorCV:
    """Return one whose intervals come from the folds that choose λ."""
    grid = [0.2, 0.05, 0.0125]
    return library_model("library_cv", intervals="cross", regularizations=grid, **ALONE)


METHODS = {
    "cross": lambda: regressor("cross"),
    "fast": lambda: regressor("fast"),
    "cross, λ by the same folds": chooser,
}


def covered(method: str, rng: np.random.Generator, n: int) -> list[Array]:
    """Return which of the new rows of one draw lie in their intervals, for each coverage."""
    X, y = rows(rng, n)
    X_new, y_new = rows(rng, TESTED)
    model = METHODS[method]().fit(X, y)
    ends = [model.predict_interval(X_new, coverage) for coverage in COVERAGES]
    return [(lower <= y_new) & (y_new <= upper) for lower, upper in ends]


def in_sets(rng: np.random.Generator, n: int) -> tuple[list[Array], list[Array]]:
    """Return which of the new rows of one draw lie in their sets, and how large these are."""
    X, y = classes(rng, n)
    X_new, y_new = classes(rng, TESTED)
    model = bkernn.BKerNNClassifier(intervals="cross", random_state=0, n_jobs=1, **CHEAP).fit(X, y)
    sets = [model.predict_set(X_new, coverage) for coverage in COVERAGES]
    return [s[np.arange(TESTED), y_new] for s in sets], [s.sum(axis=1) for s in sets]


def measure(study: str, method: str, n: int, batch: int) -> Record:
    """Return means over the draws of a batch, or shares below the quantiles of one fit."""
    draws = [np.random.default_rng(BATCH * batch + draw) for draw in range(BATCH)]
    if study == "coverage":
        return {"covered": rounded(np.mean([covered(method, d, n) for d in draws], axis=(0, 2)))}
    if study == "sets":
        found = np.mean([in_sets(d, n) for d in draws], axis=(0, 3))
        return {"covered": rounded(found[0]), "size": rounded(found[1])}
    kind, noise = method.rsplit(", ", 1)
    return {"below": below(simulated(kind, float(noise), n, batch))}


def simulated(kind: str, noise: float, n: int, seed: int) -> bkernn.datasets.Simulated:
    """Return rows of six variables, and 2,000 new ones."""
    return simulate(kind, n=n, n_test=2000, d=6, noise=noise, random_state=seed)


def below(data: bkernn.datasets.Simulated) -> list[float]:
    """Return the share of the new rows below each quantile of one fit."""
    model = library_model(loss="quantile", quantile=LEVELS).fit(data.X, data.y)
    return rounded(np.mean(data.y_test[:, None] <= model.predict(data.X_test), axis=0))


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: 1,000 draws of each kind, and 18 sets for quantiles."""
    batches = range(1 if quick else 20)
    sizes = SIZES[:1] if quick else SIZES
    named = [("coverage", method) for method in METHODS] + [("sets", "cross")]
    drawn = [(study, method, n, b) for b in batches for n in sizes for study, method in named]
    kinds = [f"{kind}, {noise}" for kind in KINDS for noise in NOISES]
    for_quantiles = [("quantiles", kind, 500, seed) for seed in range(3) for kind in kinds]
    return [
        dict(zip(("study", "method", "n", "batch"), key, strict=True))
        for key in drawn + ([] if quick else for_quantiles)
    ]


if __name__ == "__main__":
    run_missing("intervals_simulated", keys, measure)
