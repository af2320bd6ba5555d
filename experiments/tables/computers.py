"""Why trees do better on the table `computers`: its disc sizes as numbers, as a category, as both.

``python -m experiments.tables.computers`` prints R² on the last fifth of the rows, and the same of
the ages of the table `slid`.
"""

from __future__ import annotations

import pandas as pd
from sklearn.metrics import r2_score

from .compare import TESTED, descriptions, read
from .methods import fit_method

COLUMNS = {"computers": "hd", "slid": "age"}


def views(X: pd.DataFrame, column: str) -> dict[str, pd.DataFrame]:
    """Return the table with one of its numbers told in each way."""
    levels = X[column].astype("category")
    copy = {f"{column}_level": levels}
    return {"number": X, "category": X.assign(**{column: levels}), "both": X.assign(**copy)}


def main() -> None:
    """Print what each view gives."""
    for table, column in COLUMNS.items():
        X, y = read(next(one for one in descriptions() if one["name"] == table))
        cut = len(X) - int(TESTED * len(X))
        for name, view in views(X, column).items():
            predict = fit_method("BKerNN", "regression", view[:cut], y[:cut])
            r2 = r2_score(y[cut:], predict(view[cut:])[0])
            print(f"{table}, {column} as {name}: R² {r2:.3f}", flush=True)


if __name__ == "__main__":
    main()
