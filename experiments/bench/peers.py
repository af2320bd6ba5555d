"""Time, memory and test R² against the number of rows, for BKerNN and for other methods.

    python -m experiments.bench.peers [--quick] [--output docs/results] [--again BKerNN]

appends a line to `bench_peers.jsonl` for each fit and leaves out the fits that are there; `--again`
names methods whose fits are forgotten first, `--methods` those that take part, `--million` asks for
the largest size only, and nothing begins after so many `--minutes`.

Every fit runs in a process of its own, one after the other, on all cores: so the peak of its memory
is its own and no method waits for another. Short fits are run three times and the median one
counts, because machines are noisy. *BKerNN, 3 λ* has the feature penalty and three times the λ of
the rule, so that nothing is chosen. Simulated multi-index data (20 variables, 3 hidden
directions, X uniform on [−1, 1]²⁰), and the largest real sets of `$BKERNN_DATA_DIR/real`.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record, select
from ..data.recipes import Array

SIZES = [1_000, 10_000, 100_000, 1_000_000]
QUICK_SIZES = [500, 2_000]
TEST_ROWS = 50_000
REAL_SETS = ["kin40k", "protein", "sgemm", "beijing_pm25"]
METHODS = [
    "BKerNN",
    "BKerNN, 3 λ",
    "BKerNN knots",
    "LightGBM",
    "XGBoost",
    "HistGradientBoosting",
    "MLP",
    "KernelRidge",
    "xRFM",
]
MILLION = ["BKerNN", "BKerNN, 3 λ", "LightGBM"]  # by --million
#: Rows beyond which a method is not asked: its time or memory grows too fast.
LARGEST = {"KernelRidge": 10_000, "xRFM": 1_000, "MLP": 100_000}
#: Seconds; fits that take less are repeated.
SHORT = 5.0


def hidden_directions() -> Array:
    """Return P (20, 3) with orthonormal columns, the same for all simulated data."""
    directions: Array = np.linalg.qr(np.random.default_rng(0).normal(size=(20, 3)))[0]
    return directions


def simulated(n: int, seed: int) -> tuple[Array, Array]:
    """Return X (n, 20) and y = sin 3z₁ + z₂z₃ + |z₂| + noise, z = PᵀX."""
    rng = np.random.default_rng(1 + seed)
    X = rng.uniform(-1, 1, (n, 20))
    z = X @ hidden_directions()
    y = np.sin(3 * z[:, 0]) + z[:, 1] * z[:, 2] + np.abs(z[:, 1])
    return X, y + 0.1 * rng.normal(size=n)


def real(name: str) -> tuple[Array, Array, Array, Array]:
    """Return the first four fifths of the rows, and the rest."""
    path = Path(os.environ["BKERNN_DATA_DIR"]) / "real" / f"{name}.csv.gz"
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    cut = 4 * len(table) // 5
    return table[:cut, :-1], table[:cut, -1], table[cut:, :-1], table[cut:, -1]


def by_rule(X: Array, y: Array) -> float:
    """Return λ of the rule."""
    from bkernn import BKerNNRegressor, _core

    options = BKerNNRegressor(n_jobs=-1)._options("square", X.shape[1])
    return _core.automatic_regularization(X, y[:, None], options)


def make(method: str, X: Array, y: Array) -> Any:
    """Return an estimator with its defaults, boosting with 500 trees, on all cores."""
    import bkernn

    if method == "BKerNN":
        return bkernn.BKerNNRegressor(random_state=0, n_jobs=-1)
    if method == "BKerNN, 3 λ":
        given = {"regularization": 3 * by_rule(X, y), "penalty": "feature"}
        return bkernn.BKerNNRegressor(**given, random_state=0, n_jobs=-1)
    if method == "BKerNN knots":
        return bkernn.BKerNNRegressor(knots=64, random_state=0, n_jobs=-1)
    if method == "KernelRidge":
        from sklearn.kernel_ridge import KernelRidge

        return KernelRidge(kernel="rbf", alpha=0.1)
    if method == "MLP":
        from sklearn.neural_network import MLPRegressor

        return MLPRegressor(random_state=0, early_stopping=True)
    if method == "HistGradientBoosting":
        from sklearn.ensemble import HistGradientBoostingRegressor

        return HistGradientBoostingRegressor(max_iter=500, random_state=0)
    from ..peers import methods

    cores = len(os.sched_getaffinity(0))
    if method == "LightGBM":
        from lightgbm import LGBMRegressor

        return LGBMRegressor(n_estimators=500, n_jobs=cores, verbose=-1)
    if method == "XGBoost":
        from xgboost import XGBRegressor

        return XGBRegressor(n_estimators=500, n_jobs=cores)
    if methods.xRFM is None:
        raise ImportError("xrfm is not installed")
    return methods.RecursiveFeatureMachine()


def measure(method: str, data: str, n: int) -> Record:
    """Fit and predict in this process."""
    if data == "simulated":
        (X, y), (X_test, y_test) = simulated(n, 0), simulated(TEST_ROWS, 1)
    else:
        X, y, X_test, y_test = real(data)
    estimator = make(method, X, y)
    before = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    estimator.fit(X, y)
    seconds = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_SELF)
    started = time.perf_counter()
    prediction = np.ravel(estimator.predict(X_test))
    predict_seconds = time.perf_counter() - started
    record = {
        "method": method,
        "data": data,
        "n": len(y),
        "d": X.shape[1],
        "seconds": seconds,
        "processor_seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak_gigabytes": after.ru_maxrss / 2**20,
        "r2": 1 - float(np.sum((y_test - prediction) ** 2) / np.sum((y_test - y_test.mean()) ** 2)),
        "predicted_rows_per_second": len(y_test) / predict_seconds,
    }
    if method.startswith("BKerNN"):
        report = estimator._saved.report
        record |= {"stages": report.stages, "inner_residual": report.inner_residual}
        record["converged"] = report.converged
        record["directions"] = int(estimator.n_directions_)
        if data == "simulated":
            score = estimator.feature_learning_score(hidden_directions())
            record["feature_learning_score"] = score
        smaller = estimator.compress(1e-3 * float(np.std(y)))
        started = time.perf_counter()
        smaller.predict(X_test)
        record["compressed_rows_per_second"] = len(y_test) / (time.perf_counter() - started)
    return record


def measured(method: str, data: str, n: int) -> Record | None:
    """Return the record of a fit, of short ones the median of three, or None if it failed."""
    runs = [in_own_process(method, data, n)]
    if runs[0] is not None and runs[0]["seconds"] < SHORT:
        runs += [in_own_process(method, data, n) for _ in range(2)]
    done = sorted((run for run in runs if run is not None), key=lambda run: run["seconds"])
    if not done:
        return None
    record = done[(len(done) - 1) // 2]
    print(
        f"{method:21} {data:14} {record['n']:8} {record['seconds']:9.2f} s "
        f"{record['processor_seconds']:9.2f} s {record['peak_gigabytes']:6.2f} GB  "
        f"R² {record['r2']:.4f}  {record['predicted_rows_per_second']:11.0f} rows/s",
        flush=True,
    )
    return record


def in_own_process(method: str, data: str, n: int) -> Record | None:
    """Return the record of a fresh process, or None if it failed."""
    command = [sys.executable, "-W", "ignore", "-m", "experiments.bench.peers"]
    command += ["--one", method, data, str(n)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"{method:21} {data:14} {n:8}  failed: {last[0]}", flush=True)
        return None
    record: Record = json.loads(done.stdout.splitlines()[-1])
    return record


def against_rows(records: list[Record], method: str, name: str) -> list[tuple[int, float]]:
    """Return (n, value) of a method on the simulated data, by n."""
    return sorted((r["n"], r[name]) for r in select(records, method=method, data="simulated"))


def growth(records: list[Record]) -> dict[str, float]:
    """Return the slope of log seconds against log n between the two largest sizes, by method."""
    exponents = {}
    for method in METHODS:
        mine = against_rows(records, method, "seconds")
        if len(mine) >= 2:
            (n1, t1), (n2, t2) = mine[-2:]
            exponents[method] = math.log(t2 / t1) / math.log(n2 / n1)
    return exponents


def tasks(quick: bool, million: bool) -> list[tuple[str, str, int]]:
    """Return method, data and rows (0: all that there are) of each fit."""
    if million:
        return [(method, "simulated", SIZES[-1]) for method in MILLION]
    sizes = QUICK_SIZES if quick else SIZES
    found = [(m, "simulated", n) for n in sizes for m in METHODS if n <= LARGEST.get(m, n)]
    if not quick and "BKERNN_DATA_DIR" in os.environ:
        found += [(m, name, 0) for name in REAL_SETS for m in METHODS if m not in LARGEST]
    return found


def is_done(done: list[Record], method: str, data: str, n: int) -> bool:
    """Return whether a fit has been run."""
    return bool(select(done, method=method, data=data, **({"n": n} if n else {})))


def main() -> None:
    """Run what the command line asks for and has not been run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("METHOD", "DATA", "N"), help="one fit, as JSON")
    parser.add_argument("--million", action="store_true", help="a million rows, three methods")
    parser.add_argument("--quick", action="store_true", help="small sizes, simulated data only")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--methods", nargs="*", default=METHODS, help="only these")
    parser.add_argument("--again", nargs="*", default=[], help="methods to run once more")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing after them")
    options = parser.parse_args()
    if options.one:
        method, data, n = options.one
        print(json.dumps(measure(method, data, int(n))))
        return
    file = options.output / "bench_peers.jsonl"
    deadline = time.monotonic() + 60 * options.minutes
    asked = [t for t in tasks(options.quick, options.million) if t[0] in options.methods]
    done = read_lines(file)
    for task in asked:
        if task[0] in options.again:
            done = [record for record in done if not is_done([record], *task)]
    write_lines(file, done)
    for task in asked:
        if time.monotonic() < deadline and not is_done(done, *task) and (found := measured(*task)):
            append_line(file, found)


if __name__ == "__main__":
    main()
