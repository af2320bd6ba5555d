"""Why trees do better on the table `computers`: its disc sizes as numbers, as a category, as both.

``python -m experiments.tables.computers`` writes R² on the last fifth of the rows, and the same of
the ages of the table `slid`, to computers.json.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pandas as pd
from sklearn.metrics import r2_score

from .compare import TESTED, descriptions, read
from .methods import fit_method

#: Columns of numbers with few values; those of the third are told as categories together.
COLUMNS = {"computers": ["hd"], "slid": ["age"], "computers, others": ["speed", "ram", "screen"]}


def views(X: pd.DataFrame, columns: list[str]) -> dict[str, pd.DataFrame]:
    """Return the table with some of its numbers told in each way."""
    levels = {name: X[name].astype("category") for name in columns}
    copies = {f"{name}_level": level for name, level in levels.items()}
    return {"number": X, "category": X.assign(**levels), "both": X.assign(**copies)}


def main() -> None:
    """Write what each view gives."""
    parser = argparse.ArgumentParser(prog="python -m experiments.tables.computers")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    folder: Path = parser.parse_args().output
    records = []
    for what, columns in COLUMNS.items():
        table = what.split(",")[0]
        X, y = read(next(one for one in descriptions() if one["name"] == table))
        cut = len(X) - int(TESTED * len(X))
        for name, view in views(X, columns).items():
            predict = fit_method("BKerNN", "regression", view[:cut], y[:cut])
            r2 = round(r2_score(y[cut:], predict(view[cut:])[0]), 4)
            records.append({"table": what, "columns": columns, "as": name, "r2": r2})
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "computers.json").write_text(json.dumps({"records": records}, indent=1) + "\n")


if __name__ == "__main__":
    main()
