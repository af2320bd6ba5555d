"""Categories of many levels: as they are, as a mean of y by TargetEncoder, both, and left out.

``python -m experiments.tables.levels`` scores new rows of simulated tables, and of real ones with a
column of 50 to 300 levels; some of these are columns written as one, as people do.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.metrics import r2_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import TargetEncoder
from threadpoolctl import threadpool_limits

from bkernn import BKerNNRegressor

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import set_rows
from .compare import descriptions, read

FORMS = ("levels", "TargetEncoder", "both", "left out")
LEARNT, TESTED, DRAWS = 2000, 5000, 1

#: Real tables: which columns are written as one.
JOINED = {
    "diamonds_mixed": ("cut", "color", "clarity"),
    "computers": ("hd",),
    "wages": ("ed", "exp"),
    "budget_food": ("town", "age"),
    "bike": ("x4", "x6"),  # hour and day of the week
    "beijing_pm25": ("x11", "x12", *(f"x{a}" for a in range(15, 27))),  # hour and station
}


#: Simulated tables: levels, rows, and y by the worth of the level and the first number.
Worth = Callable[[np.ndarray, np.ndarray], np.ndarray]
SIMULATED: dict[str, tuple[int, int, Worth]] = {
    "100 levels, a sum": (100, 1500, lambda w, x: np.abs(x) + w),
    "100 levels, level × number": (100, 1500, lambda w, x: np.abs(x) + w * x),
}


def simulated(name: str, seed: int) -> tuple[pd.DataFrame, pd.Series, int]:
    """One category beside four numbers, and how many rows to learn from."""
    levels, n, worth = SIMULATED[name]
    draw = np.random.default_rng(seed)
    rows = n + 1500
    level, x = draw.integers(0, levels, rows), draw.normal(size=(rows, 4))
    y = worth(draw.normal(size=levels)[level], x[:, 0]) + 0.3 * draw.normal(size=rows)
    X = pd.DataFrame(x, columns=list("abcd")).assign(level=[f"level {k}" for k in level])
    return X, pd.Series(y), n


def real(name: str) -> tuple[pd.DataFrame, pd.Series, int]:
    """Return a table whose columns of JOINED are one category, and how many rows to learn from."""
    if name in {table["name"] for table in descriptions()}:
        X, y = read(next(table for table in descriptions() if table["name"] == name))
    else:
        values, target = set_rows(name)
        rows = np.random.RandomState(0).permutation(len(values))[: LEARNT + TESTED]
        X = pd.DataFrame(values[rows], columns=[f"x{a}" for a in range(values.shape[1])])
        y = pd.Series(target[rows])
    joined = list(JOINED[name])
    level = X[joined].astype(str).agg(" ".join, axis=1)
    return X.drop(columns=joined).assign(level=level), y, min(LEARNT, 4 * len(X) // 5)


def score(form: str, X: pd.DataFrame, y: pd.Series, n: int) -> float:
    """R² on the rows behind the first n."""
    model = BKerNNRegressor(random_state=0, n_jobs=1)
    if form in ("TargetEncoder", "both"):
        encoder = TargetEncoder(target_type="continuous", random_state=0)
        kept = [("passthrough", ["level"])] if form == "both" else []
        columns = make_column_transformer((encoder, ["level"]), *kept, remainder="passthrough")
        model = make_pipeline(columns.set_output(transform="pandas"), model)
    elif form == "left out":
        X = X.drop(columns="level")
    return float(r2_score(y[n:], model.fit(X[:n], y[:n]).predict(X[n:])))


def measure(set: str, draw: int, form: str) -> Record:
    """R² of one form on new rows of a table, and how many of its rows have a rare level."""
    X, y, n = simulated(set, draw) if set in SIMULATED else real(set)
    counts = X["level"][:n].value_counts()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r2 = score(form, X, y, n)
    rare = counts[counts < 10].sum() / n
    return {"n": n, "levels": len(counts), "rare": round(float(rare), 3), "r2": round(r2, 6)}


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: real tables, then draws of simulated ones, each in all forms."""
    drawn = [(name, draw) for draw in range(DRAWS) for name in SIMULATED]
    some = [("wages", 0)] if quick else [(name, 0) for name in JOINED] + drawn
    return [{"set": name, "draw": draw, "form": form} for name, draw in some for form in FORMS]


if __name__ == "__main__":
    run_missing("levels", keys, measure)
