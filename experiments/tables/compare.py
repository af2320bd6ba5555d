"""Ten real tables with words and gaps, all methods at their defaults."""

from __future__ import annotations

import gzip
import json
import os
import time
import warnings
from itertools import chain
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure
from sklearn.metrics import log_loss, mean_poisson_deviance, r2_score
from threadpoolctl import threadpool_limits

from ..common.plotting import BLUE, panels
from ..common.results import Record, in_parallel, run_and_write, select
from .methods import METHODS, fit_method

SCORES = {
    "regression": "R²",
    "count": "Poisson deviance",
    "binary": "log loss",
    "multiclass": "log loss",
}
TESTED = 0.2  # the last rows


def folder() -> Path:
    """Return where the tables are."""
    return Path(os.environ["BKERNN_DATA_DIR"]) / "tables"


def descriptions() -> list[Record]:
    """Return what is known of each table: name, task, target, columns of words."""
    return json.loads((folder() / "manifest.json").read_text())["datasets"]


def read(table: Record) -> tuple[pd.DataFrame, pd.Series]:
    """Return the variables, of which words are categories, and the target."""
    with gzip.open(folder() / f"{table['name']}.csv.gz", "rt") as file:
        frame = pd.read_csv(file)
    target = frame.pop(table["target"])
    if table["task"] in ("binary", "multiclass"):
        target = target.astype(str)
    words = [name for name in frame if not pd.api.types.is_numeric_dtype(frame[name])]
    return frame.astype(dict.fromkeys(words, "category")), target


def records_of(table: Record) -> list[Record]:
    """All methods on one table."""
    X, y = read(table)
    cut = len(X) - int(TESTED * len(X))
    rows = slice(None, cut), slice(cut, None)
    return [record(table, method, X, y, *rows) for method in METHODS]


def record(
    table: Record, method: str, X: pd.DataFrame, y: pd.Series, train: slice, test: slice
) -> Record:
    """One method on one table."""
    task = table["task"]
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        start, used = time.perf_counter(), time.process_time()
        predict = fit_method(method, task, X.iloc[train], y.iloc[train])
        seconds, processor = time.perf_counter() - start, time.process_time() - used
        prediction, classes = predict(X.iloc[test])
    truth = y.iloc[test]
    if task == "regression":
        score = r2_score(truth, prediction)
    elif task == "count":
        score = mean_poisson_deviance(truth, prediction)
    else:
        score = log_loss(truth, prediction, labels=classes)
    return {
        "table": table["name"],
        "task": task,
        "n": train.stop,
        "d": X.shape[1],
        "categories": len(table["categorical"]),
        "gaps": int(X.isna().sum().sum()),
        "method": method,
        "score": float(score),
        "seconds": seconds,
        "processor_seconds": processor,
    }


def run(quick: bool) -> list[Record]:
    """R², Poisson deviance or log loss, and seconds, on tables with words and gaps."""
    tables = descriptions()[2:3] if quick else descriptions()
    return list(chain(*in_parallel(records_of, [(table,) for table in tables])))


def loss_of(record: Record) -> float:
    """Return the score so that less is better."""
    return 1 - record["score"] if record["task"] == "regression" else record["score"]


def mean_ranks(records: list[Record]) -> dict[str, float]:
    """Return the mean rank of each method over the tables, 1 being the best."""
    ranks: dict[str, list[int]] = {method: [] for method in METHODS}
    for name in dict.fromkeys(r["table"] for r in records):
        order = sorted(select(records, table=name), key=loss_of)
        for place, r in enumerate(order, start=1):
            ranks[r["method"]].append(place)
    return {method: sum(places) / len(places) for method, places in ranks.items() if places}


def plot(records: list[Record]) -> Figure:
    """Mean ranks."""
    figure, axes = panels(1, 1, width=5, height=2.2)
    ranks = mean_ranks(records)
    axes[0, 0].barh(list(ranks), list(ranks.values()), color=BLUE)
    axes[0, 0].invert_yaxis()
    axes[0, 0].set_xlabel("mean rank (1 is best)")
    return figure


def table_text(records: list[Record]) -> str:
    """Return the scores as lines of text."""
    lines = [f"{'':16}{'score':18}" + "".join(f"{m:>22}" for m in METHODS)]
    for name in dict.fromkeys(r["table"] for r in records):
        mine = {r["method"]: r for r in select(records, table=name)}
        first = next(iter(mine.values()))
        cells = [f"{mine[m]['score']:.4f} ({mine[m]['processor_seconds']:.1f} s)" for m in METHODS]
        lines.append(f"{name:16}{SCORES[first['task']]:18}" + "".join(f"{c:>22}" for c in cells))
    ranks = mean_ranks(records)
    lines.append(f"{'':16}{'mean rank':18}" + "".join(f"{ranks[m]:>22.2f}" for m in METHODS))
    return "\n".join(lines)


def run_and_print(quick: bool) -> list[Record]:
    """R², Poisson deviance or log loss, and seconds, on tables with words and gaps."""
    records = run(quick)
    print(table_text(records))
    return records


if __name__ == "__main__":
    run_and_write("tables", run_and_print, plot)
