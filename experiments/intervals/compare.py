"""Coverage and width of prediction intervals on real data sets, with few rows and with many.

``python -m experiments.intervals.compare [--quick] [--output docs/results] [--again METHOD]``
appends a line to ``intervals.jsonl`` for each method on each set, and leaves out what is there. At
most 2,000 rows of each set are for testing. What takes long comes last, so that the tables are of
use wherever the run is cut.
"""

from __future__ import annotations

import time
import warnings
from functools import cache

import numpy as np
from threadpoolctl import threadpool_limits

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model
from ..data.real import Split, larger_sets, larger_split
from ..data.recipes import Array
from .asked import AT, COVERAGES, LARGE, LEVELS, QUANTILES, SMALL, TESTED, rounded
from .methods import METHODS, Ends

#: What is run, by rows, cheapest first.
ORDER = {
    SMALL: [
        "BKerNN fast",
        "MAPIE, LightGBM",
        "BKerNN cross",
        "MAPIE, BKerNN",
        "CatBoost quantiles",
        QUANTILES,
        "BKerNN quantile",
    ],
    LARGE: [
        "MAPIE, LightGBM",
        "BKerNN fast",
        "CatBoost quantiles",
        "BKerNN cross",
        "MAPIE, BKerNN",
        "BKerNN quantile",
    ],
}


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: sets of at least twice as many rows as the most that are learnt."""
    sets = larger_sets(2 * LARGE)
    if quick:
        some = ("BKerNN fast", "BKerNN cross")
        return [{"rows": SMALL, "method": method, "set": sets[0]} for method in some]
    return [
        {"rows": rows, "method": method, "set": name}
        for rows, methods in ORDER.items()
        for method in methods
        for name in sets
    ]


@cache
def prepared(name: str, rows: int) -> tuple[Split, Array]:
    """Return a set in standard units, and its test rows along the largest direction found."""
    whole = larger_split(name, LARGE)
    data = Split(
        whole.X[:rows], whole.y[:rows], whole.X_test[:TESTED], whole.y_test[:TESTED]
    ).standardized()
    return data, leading_direction(data)


def leading_direction(data: Split) -> Array:
    """Return the test rows along the largest direction that a fit finds (a constant finds none)."""
    quick = library_model(penalty="feature", regularization="rule", n_particles=50, max_iter=30)
    found = quick.fit(data.X, data.y).transform(data.X_test)
    return found[:, 0] if found.shape[1] else data.X_test[:, 0]


def measure(rows: int, method: str, set: str) -> Record:
    """One method on one set, at all coverages."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        data, along = prepared(set, rows)
        start = time.process_time()
        if method == QUANTILES:
            found = {"below": shares_below(data)}
            seconds = time.process_time() - start
        else:
            ends = METHODS[method](data.X, data.y, data.X_test, COVERAGES)
            seconds = time.process_time() - start
            found = scores(data, ends, along)
    return {"d": data.X.shape[1], **found, "seconds": round(seconds, 3)}


def scores(data: Split, ends: list[Ends], along: Array) -> Record:
    """Return coverages and mean widths (in deviations of y), and coverage at 0.9 within thirds."""
    inside = [(lower <= data.y_test) & (data.y_test <= upper) for lower, upper in ends]
    by = {"prediction": np.mean(ends[AT], axis=0), "direction": along}
    thirds = {
        f"thirds_{name}": rounded(
            inside[AT][part].mean() for part in np.array_split(np.argsort(values), 3)
        )
        for name, values in by.items()
    }
    widths = rounded(np.mean(upper - lower) for lower, upper in ends)
    return {"covered": rounded(one.mean() for one in inside), "width": widths, **thirds}


def shares_below(data: Split) -> list[float]:
    """Return the share of the test rows below each of three quantiles of one fit."""
    model = library_model(loss="quantile", quantile=LEVELS).fit(data.X, data.y)
    return rounded(np.mean(data.y_test[:, None] <= model.predict(data.X_test), axis=0))


if __name__ == "__main__":
    run_missing("intervals", keys, measure)
