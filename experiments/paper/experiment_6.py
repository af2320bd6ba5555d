"""Experiment 6: real data sets, 400 rows to learn from and 100 to test on."""

from __future__ import annotations

from matplotlib.figure import Figure
from sklearn.base import RegressorMixin

from bkernn import BrownianKernelRidge, ReLUNetworkRegressor

from ..common.plotting import COLORS, panels, words
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
    """One line per set: R² minus that of Brownian kernel ridge regression, a panel per penalty."""
    sizes = {r["set"]: r["d"] for r in records}
    order = sorted(sizes, key=lambda name: (name in EXTRA, sizes[name]))
    base = {r["set"]: r["r2"] for r in select(records, method="bkrr")}
    figure, axes = panels(1, 2, width=3.4, height=0.22 * len(order) + 1.4, sharey=True)
    for ax, penalty in zip(axes[0], ("concave_feature", "concave_variable"), strict=True):
        for method, marker in zip(METHODS, "oooossssxx", strict=False):
            run_name, _, own = method.partition(":")
            if run_name == "bkrr" or own not in ("", penalty):
                continue
            found = {r["set"]: r["r2"] - base[r["set"]] for r in select(records, method=method)}
            label = (LABELS | {"relu": "ReLUNN"})[run_name]
            look = {"color": COLORS[run_name], "alpha": 0.8, "ms": 5, "label": label}
            ax.plot([found[n] for n in order], range(len(order)), marker, **look)
        ax.axvline(0, color="black", lw=0.8)
        ax.set_xlim(-0.3, 0.5)
        ax.set_title(words(penalty))
        ax.set_xlabel("R² on test rows, minus that of BKRR")
    axes[0, 0].set_yticks(range(len(order)), [f"{n} ({sizes[n]})" for n in order], fontsize=8)
    axes[0, 0].invert_yaxis()
    handles = axes[0, 0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside upper center", ncols=3, fontsize=8)
    return figure


if __name__ == "__main__":
    run_and_write("experiment_6", run, plot)
