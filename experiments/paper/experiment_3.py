"""Experiment 3: five penalties on data with and without structure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product

from matplotlib.figure import Figure

from ..common.plotting import COLORS, panels, words
from ..common.results import Record, in_parallel, run_and_write, select, values
from ..common.runs import LABELS, LIBRARY_RUNS, RUNS, library_model, paper_model, timed_fit
from ..data.recipes import PENALTIES, STRUCTURES, experiment_3, largest_norm


def records_of(structure: str, repetition: int, runs: Sequence[str] = RUNS) -> list[Record]:
    """All penalties and runs on one draw of the data."""
    data = experiment_3(structure, repetition)
    n, d = data.X.shape
    records = []
    for name, penalty in product(runs, PENALTIES):
        if name in LIBRARY_RUNS:
            model = library_model(name, penalty=penalty)
        else:
            model = paper_model(
                name,
                d,
                penalty=penalty,
                n_particles=20,
                max_iter=25,
                regularization=2 * largest_norm(data.X) / n,
            )
        seconds = timed_fit(model, data.X, data.y)
        records.append(
            {
                "run": name,
                "structure": structure,
                "repetition": repetition,
                "penalty": penalty,
                "r2": model.score(data.X_test, data.y_test),
                "seconds": seconds,
            }
        )
    return records


def run(quick: bool) -> list[Record]:
    """R² on test rows of every penalty, on three kinds of data drawn 20 times each."""
    runs, repetitions = (RUNS[:3], range(1)) if quick else (RUNS, range(20))
    return list(chain(*in_parallel(records_of, product(STRUCTURES, repetitions, [runs]))))


def plot(records: list[Record]) -> Figure:
    """One row per run, one panel per kind of data, one box per penalty."""
    runs = [run for run in RUNS if select(records, run=run)]
    figure, axes = panels(
        len(runs), len(STRUCTURES), width=2.2, height=1.6, sharex="col", sharey=True
    )
    for row, column in product(range(len(runs)), range(len(STRUCTURES))):
        ax, name, structure = axes[row, column], runs[row], STRUCTURES[column]
        boxes = ax.boxplot(
            [values(records, "r2", run=name, structure=structure, penalty=p) for p in PENALTIES],
            patch_artist=True,
            orientation="horizontal",
            widths=0.6,
            medianprops={"color": "black"},
            flierprops={"markersize": 3},
        )
        for box, penalty in zip(boxes["boxes"], PENALTIES, strict=True):
            box.set_facecolor(COLORS[penalty])
        ax.set_yticks(range(1, 6), [words(p) for p in PENALTIES])
        if row == 0:
            ax.set_title(structure.replace("features", "directions"))
        if column == 0:
            ax.set_ylabel(LABELS[name].replace(", ", ",\n"))
        if row == len(runs) - 1:
            ax.set_xlabel("R² on test rows")
    axes[0, 0].invert_yaxis()
    return figure


if __name__ == "__main__":
    run_and_write("experiment_3", run, plot)
