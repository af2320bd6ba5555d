"""Coverage and width of prediction intervals on the real data sets."""

from __future__ import annotations

import time
import warnings
from itertools import chain

import numpy as np
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from ..common.plotting import panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..data.real import MAIN, Split, experiment_6_split, larger_sets, larger_split
from .methods import METHODS, Ends

COVERAGES = (0.8, 0.9, 0.95)
ROWS = 4000
MOST_VARIABLES = 100  # of the larger sets


def records_of(group: str, name: str, methods: list[str]) -> list[Record]:
    """All methods on one set."""
    split = experiment_6_split(name) if group == "500 rows" else larger_split(name, ROWS)
    data = split.standardized()
    if data.X.shape[1] > MOST_VARIABLES:
        return []
    shared = {"group": group, "set": name, "n": len(data.X), "d": data.X.shape[1]}
    return [shared | record for method in methods for record in records(data, method)]


def records(data: Split, method: str) -> list[Record]:
    """One method on one set, at all coverages."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        start = time.process_time()
        found = METHODS[method](data.X, data.y, data.X_test, COVERAGES)
        seconds = time.process_time() - start
    return [
        {"method": method, "coverage": coverage, "seconds": seconds, **scores(data, ends)}
        for coverage, ends in zip(COVERAGES, found, strict=True)
    ]


def scores(data: Split, ends: Ends) -> Record:
    """Return coverage, mean width (in standard deviations of y) and coverage within thirds."""
    lower, upper = ends
    inside = (lower <= data.y_test) & (data.y_test <= upper)
    leading = np.linalg.svd(data.X - data.X.mean(axis=0), full_matrices=False)[2][0]
    by = {"middle": (lower + upper) / 2, "component": data.X_test @ leading}
    thirds = {
        f"thirds_{name}": [
            float(inside[part].mean()) for part in np.array_split(np.argsort(values), 3)
        ]
        for name, values in by.items()
    }
    return {
        "covered": float(inside.mean()),
        "width": float(np.mean(upper - lower)),
        **thirds,
    }


def run(quick: bool) -> list[Record]:
    """Coverage and width of all methods on all real sets."""
    sets = [("500 rows", name) for name in (MAIN[:1] if quick else MAIN)]
    sets += [] if quick else [("4,000 rows", name) for name in reversed(larger_sets())]
    methods = ["BKerNN fast", "BKerNN cross"] if quick else list(METHODS)
    return list(chain(*in_parallel(records_of, [(*one, methods) for one in sets])))


def plot(records: list[Record]) -> Figure:
    """Coverage and width, relative to that of cross, at 0.9: one dot per set."""
    groups = [g for g in ("500 rows", "4,000 rows") if select(records, group=g)]
    figure, axes = panels(len(groups), 2, width=5, height=3)
    for row, group in enumerate(groups):
        here = select(records, group=group, coverage=0.9)
        methods = list(dict.fromkeys(record["method"] for record in here))
        base = {r["set"]: r["width"] for r in select(here, method="BKerNN cross")}
        for place, method in enumerate(methods):
            own = select(here, method=method)
            covered = [r["covered"] for r in own]
            width = [r["width"] / base[r["set"]] for r in own]
            for ax, values in zip(axes[row], (covered, width), strict=True):
                ax.plot(values, [place] * len(values), "o", ms=3, alpha=0.5)
                ax.plot(np.mean(values), place, "k|", ms=14)
                ax.set_yticks(range(len(methods)), methods, fontsize=8)
        axes[row][0].axvline(0.9, color="0.6", lw=1)
        axes[row][0].set_title(f"coverage, {group}", fontsize=9)
        axes[row][1].set_title(f"width beside cross, {group}", fontsize=9)
    return figure


if __name__ == "__main__":
    run_and_write("intervals", run, plot)
