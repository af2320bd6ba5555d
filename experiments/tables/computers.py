"""Why trees do better on the table `computers`: its disc sizes as numbers, as a category, as both.

``python -m experiments.tables.computers`` prints R² on the last fifth of the rows.
"""

from __future__ import annotations

import pandas as pd
from sklearn.metrics import r2_score

from .compare import TESTED, descriptions, read
from .methods import fit_method


def views(X: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return the table with its disc sizes (hd) told in each way."""
    sizes = X["hd"].astype("category")
    return {"number": X, "category": X.assign(hd=sizes), "both": X.assign(hd_level=sizes)}


def main() -> None:
    """Print what each view gives."""
    X, y = read(next(table for table in descriptions() if table["name"] == "computers"))
    cut = len(X) - int(TESTED * len(X))
    for name, view in views(X).items():
        predict = fit_method("BKerNN", "regression", view[:cut], y[:cut])
        print(f"hd as {name}: R² {r2_score(y[cut:], predict(view[cut:])[0]):.3f}", flush=True)


if __name__ == "__main__":
    main()
