"""Experiment 2: what the number of particles and λ do."""

from __future__ import annotations

from matplotlib.figure import Figure

from ..common.plotting import COLORS, panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import LABELS, PAPER_RUNS, library_model, paper_model, timed_fit
from ..data.recipes import experiment_2

PARTICLES = (1, 3, 5, 7, 10, 15, 20, 30, 40, 50)
REGULARIZATIONS = (0.0005, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3, 0.5)

RUNS = (*PAPER_RUNS, "library")


def record(run: str, swept: str, value: float) -> Record:
    """One fit: λ = 0.02 while m varies, m = 10 while λ varies; the library keeps its defaults."""
    data = experiment_2()
    if run == "library":
        model = library_model(**{swept: value})
    else:
        settings = {"n_particles": 10, "regularization": 0.02, swept: value}
        model = paper_model(run, data.X.shape[1], penalty="basic", max_iter=50, **settings)
    seconds = timed_fit(model, data.X, data.y)
    return {
        "run": run,
        "swept": swept,
        "value": value,
        "train_r2": model.score(data.X, data.y),
        "test_r2": model.score(data.X_test, data.y_test),
        "objective": float(model.objective_path_[-1]),
        "seconds": seconds,
    }


def run(quick: bool) -> list[Record]:
    """R² on training and test rows against the number of particles and against λ."""
    step = 6 if quick else 1
    sweeps = {"n_particles": PARTICLES[::step], "regularization": REGULARIZATIONS[::step]}
    return in_parallel(
        record,
        [(r, swept, value) for r in RUNS for swept in sweeps for value in sweeps[swept]],
    )


def plot(records: list[Record]) -> Figure:
    """Particles on the left, λ on the right."""
    figure, axes = panels(1, 2, width=3.3, height=2.9, sharey=True)
    names = {"n_particles": "number of particles m", "regularization": "regularization λ"}
    for ax, swept in zip(axes[0], names, strict=True):
        for name in RUNS:
            chosen = select(records, run=name, swept=swept)
            x = [r["value"] for r in chosen]
            label = LABELS[name]
            ax.plot(x, [r["test_r2"] for r in chosen], "o-", ms=4, color=COLORS[name], label=label)
            ax.plot(x, [r["train_r2"] for r in chosen], "o:", ms=3, color=COLORS[name])
        ax.set_xlabel(names[swept])
    axes[0, 1].set_xscale("log")
    axes[0, 0].set_ylabel("R²")
    axes[0, 0].plot([], [], "o:", ms=3, color="0.4", label="the same, training rows")
    axes[0, 0].legend()
    return figure


if __name__ == "__main__":
    run_and_write("experiment_2", run, plot)
