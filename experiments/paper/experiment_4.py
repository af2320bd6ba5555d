"""Experiment 4: functions of one variable, against networks of growing width."""

from __future__ import annotations

from itertools import product

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from bkernn import ReLUNetworkRegressor

from ..common.plotting import COLORS, panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import (
    LABELS,
    LIBRARY_RUNS,
    RUNS,
    library_model,
    paper_cross_validation,
    paper_model,
    timed_fit,
)
from ..data.recipes import FUNCTIONS, experiment_4

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
    """One column per function; BKerNN above, networks below; R² above each panel."""
    drawn = experiment_4()
    figure, axes = panels(5, 3, width=2.2, height=1.6, sharex=True, sharey="col")
    columns = [(RUNS, m) for m in PARTICLES] + [(("relu",), width) for width in NEURONS]
    for column, function in enumerate(FUNCTIONS):
        data = drawn[function]
        for ax, (methods, width) in zip(axes[:, column], columns, strict=True):
            ax.plot(data.X, data.y, "+", color="0.6", ms=3, mew=0.6)
            ax.plot(data.X_test, data.y_test, color="black", lw=0.9)
            for place, method in enumerate(methods):
                (found,) = select(records, method=method, function=function, width=width)
                look = {"color": COLORS[method], "transform": ax.transAxes, "fontsize": 8}
                ax.plot(data.X_test[::4], found["prediction"], color=COLORS[method], lw=1.3)
                ax.text(0.25 * place, 1.01, f"{found['r2']:.3f}", **look)
            if column == 0:
                unit = "neuron" if methods == ("relu",) else "particle"
                title = "ReLU network" if methods == ("relu",) else "BKerNN"
                ax.set_ylabel(f"{title},\n{width} {unit}{'s' if width > 1 else ''}")
        axes[0, column].set_title(function, pad=14)
    names = LABELS | {"relu": "ReLU network"}
    lines = [Line2D([], [], color=COLORS[method], label=names[method]) for method in names]
    figure.legend(handles=lines, loc="outside lower center", ncols=3)
    return figure


if __name__ == "__main__":
    run_and_write("experiment_4", run, plot)
