"""Experiment 5: prediction and feature learning against rows and dimension."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from matplotlib.figure import Figure
from sklearn.base import RegressorMixin

from bkernn import BrownianKernelRidge, ReLUNetworkRegressor

from ..common.plotting import COLORS, panels
from ..common.results import Record, in_parallel, mean, run_and_write, select
from ..common.runs import LABELS, LIBRARY_RUNS, RUNS, library_model, paper_model, timed_fit
from ..common.scores import feature_score, leading_directions
from ..data.recipes import Array, Drawn, experiment_5, largest_norm

ROWS = (10, 20, 50, 100, 150, 200, 300, 400, 500)
DIMENSIONS = (3, 5, 10, 20, 30, 40, 50)
FIXED_DIMENSION, FIXED_ROWS = 15, 212
METHODS = (*RUNS, "bkrr", "relu")
NAMES = {run: f"BKerNN {LABELS[run]}" for run in RUNS} | {"bkrr": "BKRR", "relu": "ReLUNN"}


def model_for(method: str, data: Drawn) -> RegressorMixin:
    """Return what the paper's appendix describes, or the library's defaults."""
    n, d = data.X.shape
    regularization = 2 * largest_norm(data.X) / n
    if method in LIBRARY_RUNS:
        return library_model(method)
    if method == "bkrr":
        return BrownianKernelRidge(regularization=regularization, standardize=False, n_jobs=1)
    if method == "relu":
        return ReLUNetworkRegressor(
            n_neurons=50,
            step_size=0.05,
            batch_size=16,
            max_iter=1500,
            standardize=False,
            random_state=0,
            n_jobs=1,
        )
    return paper_model(
        method,
        d,
        penalty="feature",
        n_particles=50,
        max_iter=20,
        regularization=regularization,
    )


def learned_features(model: RegressorMixin, P: Array) -> Record:
    """Return the feature learning score, and how many directions it rests on (at most 3)."""
    if isinstance(model, BrownianKernelRidge):  # learns none
        return {"feature": None, "directions": 0}
    return {
        "feature": feature_score(model.W_, model.scale_[:, np.newaxis] * P),
        "directions": leading_directions(model.W_, P.shape[1]).shape[1],
    }


def records_of(
    axis: str, n: int, d: int, repetition: int, methods: Sequence[str] = METHODS
) -> list[Record]:
    """All methods on one draw of the data."""
    data = experiment_5(n, d, repetition)
    records = []
    for method in methods:
        model = model_for(method, data)
        seconds = timed_fit(model, data.X, data.y)
        records.append(
            {
                "method": method,
                "axis": axis,
                "value": n if axis == "n" else d,
                "repetition": repetition,
                "r2": model.score(data.X_test, data.y_test),
                "seconds": seconds,
            }
            | learned_features(model, data.P)
        )
    return records


def run(quick: bool) -> list[Record]:
    """R² and feature learning score of BKerNN, BKRR and ReLUNN against n and d, 10 repetitions."""
    rows, dimensions = (ROWS[2:3], DIMENSIONS[:1]) if quick else (ROWS, DIMENSIONS)
    points = [("n", n, FIXED_DIMENSION) for n in rows]
    points += [("d", FIXED_ROWS, d) for d in dimensions]
    repetitions = range(1 if quick else 10)
    cells = [(*point, repetition) for point in points for repetition in repetitions]
    return list(chain(*in_parallel(records_of, cells)))


def plot(records: list[Record]) -> Figure:
    """Against n above, against d below; R² left, feature learning score right."""
    figure, axes = panels(2, 2, width=3.3, height=2.7)
    fixed = {"n": f"d = {FIXED_DIMENSION}", "d": f"n = {FIXED_ROWS}"}
    for row, axis in enumerate(("n", "d")):
        x = sorted({r["value"] for r in select(records, axis=axis)})
        for column, score in enumerate(("r2", "feature")):
            ax = axes[row, column]
            for method in METHODS:
                if score == "feature" and method == "bkrr":
                    continue
                cells = [{"axis": axis, "value": v, "method": method} for v in x]
                for cell in cells:
                    every = [r[score] for r in select(records, **cell)]
                    every = [np.nan if e is None else e for e in every]
                    ax.plot([cell["value"]] * len(every), every, ".", color=COLORS[method], ms=2.5)
                means = [mean(records, score, **cell) for cell in cells]
                ax.plot(x, means, "o-", ms=4, color=COLORS[method], label=NAMES[method])
            ax.set_xlabel(f"{'rows n' if axis == 'n' else 'variables d'}  ({fixed[axis]})")
            ax.set_ylabel("R² on test rows" if score == "r2" else "feature learning score")
            ax.set_ylim(-0.55 if score == "r2" else 0, 1.02)
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=8)
    return figure


if __name__ == "__main__":
    run_and_write("experiment_5", run, plot)
