"""Experiment 1: three kernels, of which only the Brownian one is homogeneous."""

from __future__ import annotations

from itertools import product

from matplotlib.figure import Figure

from bkernn import BKerNNRegressor

from ..common.plotting import COLORS, panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import (
    LABELS,
    LIBRARY_RUNS,
    PAPER_RUNS,
    RUNS,
    error_path,
    library_model,
    paper_cross_validation,
    paper_model,
    timed_fit,
)
from ..data.recipes import Drawn, experiment_1, largest_norm

KERNELS = ("brownian", "exponential", "gaussian")
GRID = (0.05, 0.1, 0.5, 1.0, 1.5)  # of 2 max‖x‖/n


def paper_record(run: str, kernel: str, data: Drawn, particles: int, iterations: int) -> Record:
    """Choose λ with a tenth of the iterations, then fit from scratch.

    The published curves show the state before each of the iterations, with α and c solved for it.
    """
    base = 2 * largest_norm(data.X) / len(data.X)
    model = paper_model(
        run,
        data.X.shape[1],
        penalty="basic",
        n_particles=particles,
        max_iter=iterations // 10,
        kernel=kernel,
    )
    chosen = paper_cross_validation(model, data.X, data.y, [base * factor for factor in GRID])
    model.set_params(regularization=chosen, max_iter=iterations - 1)
    return trace(run, kernel, BKerNNRegressor(**model.get_params()), data)


def library_record(run: str, kernel: str, data: Drawn, quick: bool) -> Record:
    """λ by the library's own rule or cross-validation."""
    changes = {"kernel": kernel} | ({"n_particles": 5} if quick else {})
    search = library_model(run, **changes)
    timed_fit(search, data.X, data.y)
    model = library_model(regularization=search.regularization_, **changes)
    return trace(run, kernel, model, data)


def spectral_record(kernel: str, data: Drawn, regularization: float, particles: int) -> Record:
    """Solve the published problem (penalty, m, λ, W₀) by the library's optimizer."""
    model = paper_model(
        "written",
        data.X.shape[1],
        penalty="basic",
        n_particles=particles,
        max_iter=200,
        regularization=regularization,
        kernel=kernel,
    ).set_params(optimizer="spectral", tol=1e-3)
    return trace("spectral", kernel, model, data)


def trace(run: str, kernel: str, model: BKerNNRegressor, data: Drawn) -> Record:
    """Errors after each iteration, and those of the model that is returned."""
    seconds = timed_fit(model, data.X, data.y)
    return {
        "run": run,
        "kernel": kernel,
        "regularization": float(model.regularization_),
        "objective": float(model.objective_path_[-1]),
        "train_path": error_path(model, data.X, data.y, data.X, data.y),
        "test_path": error_path(model, data.X, data.y, data.X_test, data.y_test),
        "train_mse": float(((model.predict(data.X) - data.y) ** 2).mean()),
        "test_mse": float(((model.predict(data.X_test) - data.y_test) ** 2).mean()),
        "train_r2": model.score(data.X, data.y),
        "seconds": seconds,
    }


def run(quick: bool) -> list[Record]:
    """Mean squared errors per iteration for the Brownian, exponential and Gaussian kernels."""
    data = experiment_1()
    particles, iterations = (5, 20) if quick else (100, 200)
    library_runs, kernels = (LIBRARY_RUNS[:1], KERNELS[:2]) if quick else (LIBRARY_RUNS, KERNELS)
    records = in_parallel(
        paper_record,
        [(r, k, data, particles, iterations) for r, k in product(PAPER_RUNS, kernels)],
    )
    records += in_parallel(
        library_record, [(r, k, data, quick) for r, k in product(library_runs, kernels)]
    )
    published = {r["kernel"]: r["regularization"] for r in select(records, run="published")}
    records += in_parallel(spectral_record, [(k, data, published[k], particles) for k in kernels])
    return records


def plot(records: list[Record]) -> Figure:
    """One row per run; training rows on the left, test rows on the right."""
    runs = [run for run in RUNS if select(records, run=run)]
    figure, axes = panels(len(runs), 2, width=3.3, height=2.1, sharey="col")
    for row, name in enumerate(runs):
        for record in select(records, run=name):
            for column, part in enumerate(("train", "test")):
                path = record[f"{part}_path"]
                label = f"{record['kernel']}: {record[f'{part}_mse']:.2f}"
                axes[row, column].semilogy(
                    range(1, len(path) + 1), path, color=COLORS[record["kernel"]], label=label
                )
        axes[row, 0].set_ylabel(LABELS[name])
        for ax in axes[row]:
            ax.legend(fontsize=8)
    for column, part in enumerate(("training", "test")):
        axes[0, column].set_title(f"mean squared error, {part} rows")
        axes[-1, column].set_xlabel("iteration")
    return figure


if __name__ == "__main__":
    run_and_write("experiment_1", run, plot)
