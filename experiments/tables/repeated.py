"""Numbers of few values that come again and again: as they are, and with a copy as a category.

``python -m experiments.tables.repeated`` scores new rows, and rows held out of the training rows,
by which one could choose.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, mean_poisson_deviance, r2_score
from threadpoolctl import threadpool_limits

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import larger_sets, set_rows
from .compare import TESTED, descriptions, read
from .methods import fit_method

LEARNT, MOST_TESTED = 1000, 5000  # of a set of numbers
FORMS = ("number", "both")
MOST_VALUES, LEAST_ROWS, LEAST_SHARE = 100, 10, 0.95


class Data(NamedTuple):
    """Rows to learn from and rows to test on."""

    task: str
    X: pd.DataFrame
    y: pd.Series
    X_test: pd.DataFrame
    y_test: pd.Series


def repeated(x: pd.Series) -> bool:
    """Whether few values, with LEAST_ROWS rows each, make up LEAST_SHARE of the column."""
    if not pd.api.types.is_numeric_dtype(x):
        return False
    counts = x.value_counts()
    if not 3 <= len(counts) <= MOST_VALUES:
        return False
    return counts[counts >= LEAST_ROWS].sum() >= LEAST_SHARE * counts.sum()


def with_copies(X: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Put a copy of these columns, as a category, behind the others."""
    return X.assign(**{f"{c} level": X[c].astype("category") for c in columns})


def table_data(name: str) -> Data:
    """Return a table with words and gaps."""
    table = next(table for table in descriptions() if table["name"] == name)
    X, y = read(table)
    cut = len(X) - int(TESTED * len(X))
    return Data(table["task"], X[:cut], y[:cut], X[cut:], y[cut:])


def numbers_data(name: str) -> Data:
    """Return a set of numbers: 1,000 rows of a permutation, and the next ones."""
    values, y = set_rows(name)
    X = pd.DataFrame(values, columns=[f"x{a}" for a in range(values.shape[1])])
    rows = np.random.RandomState(0).permutation(len(X))
    train, test = rows[:LEARNT], rows[LEARNT : LEARNT + MOST_TESTED]
    y = pd.Series(y)
    return Data("regression", X.iloc[train], y.iloc[train], X.iloc[test], y.iloc[test])


def loss(data: Data) -> float:
    """Fit the rows to learn from; return 1 − R², the deviance or the log loss of the others."""
    predicted, classes = fit_method("BKerNN", data.task, data.X, data.y)(data.X_test)
    if data.task == "regression":
        return 1 - float(r2_score(data.y_test, predicted))
    if data.task == "count":
        return float(mean_poisson_deviance(data.y_test, predicted))
    return float(log_loss(data.y_test, predicted, labels=classes))


def held_out(data: Data) -> Data:
    """Return two thirds of the rows to learn from, and the last third to judge by."""
    cut = 2 * len(data.X) // 3
    return Data(data.task, data.X[:cut], data.y[:cut], data.X[cut:], data.y[cut:])


def data_of(name: str) -> Data:
    """Return a table with words and gaps, or a set of numbers."""
    tables = {table["name"] for table in descriptions()}
    return table_data(name) if name in tables else numbers_data(name)


def measure(set: str, form: str) -> Record:
    """Losses of one form on new rows, and on rows held out."""
    data = data_of(set)
    columns = [c for c in data.X if repeated(data.X[c])]
    one = data
    if form == "both":
        one = data._replace(
            X=with_copies(data.X, columns), X_test=with_copies(data.X_test, columns)
        )
    with threadpool_limits(1):
        return {
            **{"task": data.task, "n": len(data.X), "d": data.X.shape[1], "copied": len(columns)},
            **{"loss": round(loss(one), 6), "held_out": round(loss(held_out(one)), 6)},
        }


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: sets with such columns, each in both forms."""
    tables = [table["name"] for table in descriptions() if table["task"] == "regression"]
    some = ["bank32nh"] if quick else tables + larger_sets(2 * LEARNT)
    found = [name for name in some if any(repeated(x) for _, x in data_of(name).X.items())]
    return [{"set": name, "form": form} for name in found for form in FORMS]


if __name__ == "__main__":
    run_missing("repeated", keys, measure)
