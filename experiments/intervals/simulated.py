"""Intervals and selection frequencies where the truth is known, by many cheap draws."""

from __future__ import annotations

import warnings
from itertools import chain

import numpy as np
from matplotlib.figure import Figure

import bkernn

from ..common.plotting import panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..data.recipes import Array

COVERAGES = (0.5, 0.8, 0.9)
CHEAP = {"penalty": "feature", "regularization": 0.05, "n_particles": 5, "max_iter": 5, "tol": 0}
BATCH = 50  # draws
SELECTION = {"n_particles": 10, "max_iter": 20, "tol": 0, "penalty": "concave_variable"}


def rows(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    """Return X and y = sin 2x₁ + noise."""
    X = rng.normal(size=(n, 3))
    return X, np.sin(2 * X[:, 0]) + 0.5 * rng.normal(size=n)


METHODS = {
    "cross": lambda: bkernn.BKerNNRegressor(intervals="cross", random_state=0, n_jobs=1, **CHEAP),
    "fast": lambda: bkernn.BKerNNRegressor(intervals="fast", random_state=0, n_jobs=1, **CHEAP),
    "cross, λ by the same folds": lambda: bkernn.BKerNNRegressorCV(
        intervals="cross",
        regularizations=[0.2, 0.05, 0.0125],
        random_state=0,
        n_jobs=1,
        **{name: value for name, value in CHEAP.items() if name != "regularization"},
    ),
}


def coverage_records(batch: int, n: int, methods: tuple[str, ...]) -> list[Record]:
    """Return the mean coverage of 200 new rows over some draws, for these methods."""
    found = []
    for method in methods:
        covered = np.zeros((BATCH, len(COVERAGES)))
        for draw in range(BATCH):
            rng = np.random.default_rng(BATCH * batch + draw)
            X, y = rows(rng, n)
            X_new, y_new = rows(rng, 200)
            model = METHODS[method]().fit(X, y)
            for k, coverage in enumerate(COVERAGES):
                lower, upper = model.predict_interval(X_new, coverage)
                covered[draw, k] = np.mean((lower <= y_new) & (y_new <= upper))
        found += [
            {"study": "coverage", "n": n, "method": method, "coverage": c, "covered": float(v)}
            for c, v in zip(COVERAGES, covered.mean(axis=0), strict=True)
        ]
    return found


def selection_records(draw: int) -> list[Record]:
    """Return noise variables above the threshold, and the bound on their expected number."""
    rng = np.random.default_rng(draw)
    X = rng.normal(size=(150, 20))
    y = 2 * X[:, 0] + np.abs(X[:, 1]) + rng.normal(size=150)
    model = bkernn.BKerNNRegressor(random_state=0, n_jobs=1, **SELECTION)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = bkernn.stability(X, y, model, n_pairs=10, random_state=draw)
    noise = int(np.sum(found.selection[2:] >= found.threshold))
    real = int(np.sum(found.selection[:2] >= found.threshold))
    return [{"study": "selection", "noise": noise, "real": real, "bound": found.bound}]


def run(quick: bool) -> list[Record]:
    """Coverage over thousands of draws, and false selections beside their bound."""
    sizes = [60] if quick else [60, 200]
    batches = [(b, n, tuple(METHODS)) for n in sizes for b in range(1 if quick else 20)]
    draws = [(d,) for d in range(2 if quick else 200)]
    return [
        *chain(*in_parallel(coverage_records, batches)),
        *chain(*in_parallel(selection_records, draws)),
    ]


def plot(records: list[Record]) -> Figure:
    """Mean coverage against what was asked."""
    figure, axes = panels(1, 1, width=4, height=3)
    ax = np.ravel(axes)[0]
    for method in METHODS:
        for n in sorted({r["n"] for r in select(records, study="coverage")}):
            means = [
                np.mean([r["covered"] for r in select(records, method=method, n=n, coverage=c)])
                for c in COVERAGES
            ]
            ax.plot(COVERAGES, means, "o-", label=f"{method}, {n} rows")
    ax.plot(COVERAGES, COVERAGES, color="0.6", lw=1)
    ax.set_xlabel("asked")
    ax.set_ylabel("covered")
    ax.legend(fontsize=8)
    return figure


if __name__ == "__main__":
    run_and_write("intervals_simulated", run, plot)
