"""Experiment 4: functions of one variable, against networks of growing width."""

from __future__ import annotations

from itertools import product

from matplotlib.figure import Figure

from bkernn import ReLUNetworkRegressor

from .plotting import COLORS, panels
from .recipes import FUNCTIONS, experiment_4
from .results import Record, in_parallel, run_and_write, select
from .runs import (
    LABELS,
    LIBRARY_RUNS,
    RUNS,
    library_model,
    paper_cross_validation,
    paper_model,
    timed_fit,
)

GRID = (0.005, 0.01, 0.02, 0.05)
PARTICLES = (1, 5)
NEURONS = (1, 5, 32)


def record(method: str, function: str, width: int, quick: bool) -> Record:
    """One method with so many particles or neurons on one function."""
    data = experiment_4()[function]
    if method == "relu":
        model = ReLUNetworkRegressor(
            n_neurons=width,
            step_size=0.005,
            batch_size=16,
            max_iter=4_000 if quick else 400_000,
            standardize=False,
            random_state=0,
        )
    elif method in LIBRARY_RUNS:
        model = library_model(method, n_particles=width)
    else:
        model = paper_model(
            method,
            1,
            penalty="basic",
            n_particles=width,
            max_iter=30 if quick else 300,
            step_size=0.005,
        )
        model.set_params(regularization=paper_cross_validation(model, data.X, data.y, GRID))
    seconds = timed_fit(model, data.X, data.y)
    prediction = model.predict(data.X_test)
    return {
        "method": method,
        "function": function,
        "width": width,
        "r2": model.score(data.X_test, data.y_test),
        "prediction": [round(float(p), 4) for p in prediction[::4]],
        "seconds": seconds,
    }


def run(quick: bool) -> list[Record]:
    """R² on noiseless rows: BKerNN with 1 and 5 particles, ReLU networks of 1, 5, 32 neurons."""
    cells = [(run, f, m, quick) for run, f, m in product(RUNS, FUNCTIONS, PARTICLES)]
    cells += [("relu", f, width, quick) for f, width in product(FUNCTIONS, NEURONS)]
    return in_parallel(record, cells)


def plot(records: list[Record]) -> Figure:
    """One row per function; BKerNN on the left, networks on the right."""
    drawn = experiment_4()
    figure, axes = panels(3, 5, width=2.5, height=2.0, sharex=True, sharey="row")
    columns = [("BKerNN", m) for m in PARTICLES] + [("relu", width) for width in NEURONS]
    for row, function in enumerate(FUNCTIONS):
        data = drawn[function]
        for column, (kind, width) in enumerate(columns):
            ax = axes[row, column]
            ax.plot(data.X, data.y, "+", color="0.6", ms=3, mew=0.6)
            ax.plot(data.X_test, data.y_test, color="black", lw=0.9)
            for method in RUNS if kind == "BKerNN" else ("relu",):
                (found,) = select(records, method=method, function=function, width=width)
                ax.plot(
                    data.X_test[::4],
                    found["prediction"],
                    color=COLORS[method],
                    lw=1.4,
                    label=f"{LABELS.get(method, 'network')}: {found['r2']:.2f}",
                )
            ax.legend(fontsize=6.5, loc="lower left", title="R²", title_fontsize=6.5)
            if row == 0:
                unit = "particle" if kind == "BKerNN" else "neuron"
                plural = "s" if width > 1 else ""
                title = "BKerNN" if kind == "BKerNN" else "ReLU network"
                ax.set_title(f"{title}, {width} {unit}{plural}")
        axes[row, 0].set_ylabel(function)
    return figure


if __name__ == "__main__":
    run_and_write("experiment_4", run, plot)
