"""Coverage and width of prediction intervals on real data sets, with few rows and with many.

At most 2,000 rows of each set are for testing. Quantiles by this library and MAPIE around it are
compared on few rows alone: on many they take as long as all other methods together.
"""

from __future__ import annotations

import time
import warnings
from itertools import chain

import numpy as np
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from ..common.plotting import panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import library_model
from ..data.real import Split, larger_sets, larger_split
from ..data.recipes import Array
from .methods import METHODS, Ends

COVERAGES = (0.8, 0.9, 0.95)
LEVELS = [0.05, 0.5, 0.95]
SMALL, LARGE = "500 rows", "4,000 rows"
ROWS = {SMALL: 500, LARGE: 4000}
SETS, TESTED = 15, 2000
ONLY_SMALL = ("BKerNN quantile", "MAPIE, BKerNN")


def records_of(name: str, methods: dict[str, list[str]]) -> list[Record]:
    """Try the methods of each group on one set, and on few rows the quantiles of one fit."""
    whole = larger_split(name, max(ROWS.values()))
    found = []
    for group, some in methods.items():
        n = ROWS[group]
        data = Split(whole.X[:n], whole.y[:n], whole.X_test[:TESTED], whole.y_test[:TESTED])
        shared = {"group": group, "set": name, "n": n, "d": data.X.shape[1]}
        of_group = group_records(data.standardized(), some, quantiles=group == SMALL)
        found += [shared | record for record in of_group]
    return found


def group_records(data: Split, methods: list[str], *, quantiles: bool) -> list[Record]:
    """Try the methods on these rows, and the quantiles of one fit if asked for."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        found = quantile_records(data) if quantiles else []
        along = leading_direction(data)
        for method in methods:
            found += records(data, method, along)
    return found


def leading_direction(data: Split) -> Array:
    """Return the test rows along the largest direction that a fit finds (a constant finds none)."""
    quick = library_model(penalty="feature", regularization="rule", n_particles=50, max_iter=30)
    found = quick.fit(data.X, data.y).transform(data.X_test)
    return found[:, 0] if found.shape[1] else data.X_test[:, 0]


def records(data: Split, method: str, along: Array) -> list[Record]:
    """One method on one set, at all coverages."""
    start = time.process_time()
    found = METHODS[method](data.X, data.y, data.X_test, COVERAGES)
    seconds = time.process_time() - start
    return [
        {"method": method, "coverage": coverage, "seconds": seconds, **scores(data, ends, along)}
        for coverage, ends in zip(COVERAGES, found, strict=True)
    ]


def scores(data: Split, ends: Ends, along: Array) -> Record:
    """Return coverage, mean width (in standard deviations of y) and coverage within thirds."""
    lower, upper = ends
    inside = (lower <= data.y_test) & (data.y_test <= upper)
    by = {"middle": (lower + upper) / 2, "direction": along}
    thirds = {
        f"thirds_{name}": [
            float(inside[part].mean()) for part in np.array_split(np.argsort(values), 3)
        ]
        for name, values in by.items()
    }
    return {"covered": float(inside.mean()), "width": float(np.mean(upper - lower)), **thirds}


def quantile_records(data: Split) -> list[Record]:
    """Return the share of the test rows below each of three quantiles of one fit."""
    start = time.process_time()
    model = library_model(loss="quantile", quantile=LEVELS).fit(data.X, data.y)
    seconds = time.process_time() - start
    below = np.mean(data.y_test[:, None] <= model.predict(data.X_test), axis=0)
    return [
        {"method": "quantiles", "level": level, "below": float(share), "seconds": seconds}
        for level, share in zip(LEVELS, below, strict=True)
    ]


def run(quick: bool) -> list[Record]:
    """Coverage and width of all methods on all real sets."""
    sets = larger_sets()[-SETS:]  # those that have as many rows
    if quick:
        return records_of(sets[0], {SMALL: ["BKerNN fast", "BKerNN cross"]})
    methods = {SMALL: list(METHODS), LARGE: [name for name in METHODS if name not in ONLY_SMALL]}
    return list(chain(*in_parallel(records_of, [(name, methods) for name in sets])))


def plot(records: list[Record]) -> Figure:
    """Coverage and width, relative to that of cross, at 0.9: one dot per set."""
    groups = [g for g in (SMALL, LARGE) if select(records, group=g)]
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
