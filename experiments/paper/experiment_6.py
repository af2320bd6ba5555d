"""Experiment 6: real data sets, 400 rows to learn from and 100 to test on."""

from __future__ import annotations

from matplotlib.figure import Figure
from sklearn.base import RegressorMixin

from bkernn import BrownianKernelRidge, ReLUNetworkRegressor

from ..common.plotting import COLORS, panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import LABELS, LIBRARY_RUNS, RUNS, library_model, paper_model, timed_fit
from ..data.real import EXTRA, MAIN, Split, experiment_6_split
from ..data.recipes import largest_norm

PENALTIES = ("concave_feature", "concave_variable")
METHODS = [f"{run}:{penalty}" for run in RUNS for penalty in PENALTIES]
METHODS += ["bkrr", "relu"]


def model_for(method: str, name: str, data: Split) -> RegressorMixin:
    """Return what the paper's appendix describes, or the library's defaults."""
    n, d = data.X.shape
    semeion = name == "semeion"
    width = 100 if semeion else 2 * d
    run, _, penalty = method.partition(":")
    if run in LIBRARY_RUNS:
        return library_model(run, penalty=penalty)
    if run == "bkrr":
        return BrownianKernelRidge(
            regularization=largest_norm(data.X) / n, standardize=False, n_jobs=1
        )
    if run == "relu":
        return ReLUNetworkRegressor(
            n_neurons=width,
            step_size=0.01,
            batch_size=16,
            max_iter=250 if semeion else 2500,
            standardize=False,
            random_state=0,
            n_jobs=1,
        )
    return paper_model(
        run,
        d,
        penalty=penalty,
        n_particles=width,
        max_iter=4 if semeion else 40,
        regularization=largest_norm(data.X) / n,
        step_size=50.0 if run == "published" else 500.0,
    )


def record(name: str, method: str) -> Record:
    """One method on one set."""
    data = experiment_6_split(name).standardized()
    model = model_for(method, name, data)
    seconds = timed_fit(model, data.X, data.y)
    return {
        "set": name,
        "main": name in MAIN,
        "d": data.X.shape[1],
        "method": method,
        "r2": model.score(data.X_test, data.y_test),
        "seconds": seconds,
    }


def run(quick: bool) -> list[Record]:
    """R² on the test rows of 22 real data sets."""
    sets = ["abalone", "medical_charges"] if quick else [*MAIN, *EXTRA]
    return in_parallel(record, [(name, method) for name in sets for method in METHODS])


def plot(records: list[Record]) -> Figure:
    """One column per set, by its dimension; one marker per method."""
    figure, axes = panels(1, 1, width=11, height=4.4)
    ax = axes[0, 0]
    sizes = {r["set"]: r["d"] for r in records}
    order = sorted(sizes, key=lambda name: (name in EXTRA, sizes[name]))
    markers = {"concave_feature": "o", "concave_variable": "^", "": "s"}
    names = LABELS | {"bkrr": "BKRR", "relu": "ReLUNN"}
    for offset, method in enumerate(METHODS):
        run_name, _, penalty = method.partition(":")
        chosen = {r["set"]: r["r2"] for r in select(records, method=method)}
        ax.plot(
            [i + (offset - len(METHODS) / 2) * 0.07 for i in range(len(order))],
            [chosen[name] for name in order],
            markers[penalty],
            color=COLORS[run_name],
            ms=4.5,
            label=f"{names[run_name]} {penalty.replace('_', ' ')}".strip(),
        )
    ax.set_xticks(range(len(order)), [f"{n} ({sizes[n]})" for n in order], rotation=40, ha="right")
    ax.set_ylim(-0.3, 1.02)
    ax.set_ylabel("R² on test rows")
    ax.legend(fontsize=7.5, ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.18))
    return figure


if __name__ == "__main__":
    run_and_write("experiment_6", run, plot)
