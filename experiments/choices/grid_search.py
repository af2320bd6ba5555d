"""What choosing λ costs: the library's cross-validation against scikit-learn's grid search.

Both have the same values of λ, the same folds and the same number of cores. Evaluations of G,
seconds and the R² on new rows go to grid_search.json.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold

from bkernn import BKerNNRegressor, BKerNNRegressorCV
from bkernn.datasets import simulate

from ..common.results import processor_seconds
from ..data.recipes import Array


def judge(model: BKerNNRegressor, X: Array, y: Array) -> dict[str, float]:
    """Return R², and beside it what the fit has cost."""
    return {"r2": model.score(X, y), "evaluations": model._saved.report.evaluations}


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds on the clock and of the processors, workers included."""
    before, start = processor_seconds(), time.perf_counter()
    work()
    return time.perf_counter() - start, processor_seconds() - before


def main() -> None:
    """Compare both on multi-index data."""
    parser = argparse.ArgumentParser(
        prog="python -m experiments.choices.grid_search", description=__doc__
    )
    parser.add_argument("--n", type=int, default=2000)
    parser.add_argument("--d", type=int, default=20)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    arguments = parser.parse_args()
    cores = arguments.cores
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = simulate(
        "multi_index", n=arguments.n, n_test=5000, d=arguments.d, noise=0.3, random_state=1
    )
    folds = KFold(5, shuffle=True, random_state=0)

    rule = BKerNNRegressor(max_iter=0, random_state=0).fit(data.X, data.y).regularization_
    grid = rule * 2.0 ** np.arange(5, -7, -1)

    own = BKerNNRegressorCV(cv=folds, regularizations=grid, random_state=0, n_jobs=cores)
    own_seconds, own_work = timed(lambda: own.fit(data.X, data.y))
    search = GridSearchCV(
        BKerNNRegressor(random_state=0, n_jobs=1),
        {"regularization": grid},
        cv=folds,
        scoring=judge,
        refit="r2",
        n_jobs=cores,
    )
    seconds, work = timed(lambda: search.fit(data.X, data.y))

    results = search.cv_results_
    evaluations = np.sum([results[f"split{fold}_test_evaluations"] for fold in range(5)])
    own_evaluations = own.cv_evaluations_
    records = [
        {
            **{"method": name, "n": arguments.n, "d": arguments.d, "values": len(grid)},
            **{"evaluations": int(count), "seconds": round(clock, 2), "processor_seconds": used},
            "r2": round(model.score(data.X_test, data.y_test), 4),
        }
        for name, count, clock, used, model in (
            ("GridSearchCV", evaluations, seconds, work, search.best_estimator_),
            ("BKerNNRegressorCV", own_evaluations, own_seconds, own_work, own),
        )
    ]
    arguments.output.mkdir(parents=True, exist_ok=True)
    file = arguments.output / "grid_search.json"
    file.write_text(json.dumps({"records": records}, indent=1) + "\n")
    print(f"wrote {file}")


if __name__ == "__main__":
    main()
