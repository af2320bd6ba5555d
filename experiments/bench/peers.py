"""Time, memory and test R² against the number of rows, for BKerNN and for other methods.

    python -m experiments.bench.peers [--quick] [--output results]

Every fit runs in a process of its own, one after the other, on all cores: so the peak of its memory
is its own and no method waits for another. Short fits are run three times and the median one
counts, because machines are noisy. Simulated multi-index data (20 variables, 3 hidden
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

from ..common.results import select
from ..data.recipes import Array

SIZES = [1_000, 10_000, 100_000, 1_000_000]
QUICK_SIZES = [500, 2_000]
TEST_ROWS = 50_000
REAL_SETS = ["kin40k", "protein", "sgemm", "beijing_pm25"]
METHODS = [
    "BKerNN",
    "BKerNN knots",
    "LightGBM",
    "XGBoost",
    "HistGradientBoosting",
    "MLP",
    "KernelRidge",
    "xRFM",
]
MILLION = ["BKerNN", "LightGBM"]  # by --million, which takes minutes and not hours
#: Rows beyond which a method is not asked: its time or memory grows too fast.
LARGEST = {"KernelRidge": 10_000, "xRFM": 1_000, "MLP": 100_000}
#: Seconds; fits that take less are repeated.
SHORT = 12.0
MARKERS = "os^vDPX*"
COLORS = ["#d55e00", "#8a2c00", "#0072b2", "#56b4e9", "#009e73", "#7f7f7f", "#cc79a7", "#e69f00"]


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


def make(method: str) -> Any:
    """Return an estimator with its defaults, boosting with 500 trees, on all cores."""
    import bkernn

    if method == "BKerNN":
        return bkernn.BKerNNRegressor(random_state=0, n_jobs=-1)
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
        return methods.LGBMRegressor(n_estimators=500, n_jobs=cores, verbose=-1)
    if method == "XGBoost":
        return methods.XGBRegressor(n_estimators=500, n_jobs=cores)
    if methods.xRFM is None:
        raise ImportError("xrfm is not installed")
    return methods.RecursiveFeatureMachine()


def measure(method: str, data: str, n: int) -> dict[str, Any]:
    """Fit and predict in this process."""
    if data == "simulated":
        (X, y), (X_test, y_test) = simulated(n, 0), simulated(TEST_ROWS, 1)
    else:
        X, y, X_test, y_test = real(data)
    estimator = make(method)
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
        if data == "simulated":
            score = estimator.feature_learning_score(hidden_directions())
            record["feature_learning_score"] = score
        smaller = estimator.compress(1e-3 * float(np.std(y)))
        started = time.perf_counter()
        smaller.predict(X_test)
        record["compressed_rows_per_second"] = len(y_test) / (time.perf_counter() - started)
    return record


def measured(method: str, data: str, n: int) -> dict[str, Any] | None:
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


def in_own_process(method: str, data: str, n: int) -> dict[str, Any] | None:
    """Return the record of a fresh process, or None if it failed."""
    command = [sys.executable, "-W", "ignore", "-m", "experiments.bench.peers"]
    command += ["--one", method, data, str(n)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        print(f"{method:21} {data:14} {n:8}  failed: {last[0]}", flush=True)
        return None
    record: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return record


def against_rows(records: list[dict[str, Any]], method: str, name: str) -> list[tuple[int, float]]:
    """Return (n, value) of a method on the simulated data, by n."""
    return sorted((r["n"], r[name]) for r in select(records, method=method, data="simulated"))


def growth(records: list[dict[str, Any]]) -> dict[str, float]:
    """Return the slope of log seconds against log n between the two largest sizes, by method."""
    exponents = {}
    for method in METHODS:
        mine = against_rows(records, method, "seconds")
        if len(mine) >= 2:
            (n1, t1), (n2, t2) = mine[-2:]
            exponents[method] = math.log(t2 / t1) / math.log(n2 / n1)
    return exponents


def draw(records: list[dict[str, Any]], path: Path) -> None:
    """Draw seconds, memory and R² against n, one line per method."""
    from ..common.plotting import panels

    figure, axes = panels(2, 2, width=4.2, height=3.2)
    *drawn, legend = np.ravel(axes)
    columns = [("seconds", "seconds to fit"), ("peak_gigabytes", "peak memory, GB")]
    columns.append(("r2", "1 − R² on new rows"))
    for axis, (name, label) in zip(drawn, columns, strict=True):
        # Curves that lie on one another stay visible: a thin one upon a thick one.
        for place, (method, color) in enumerate(zip(METHODS, COLORS, strict=True)):
            mine = against_rows(records, method, name)
            if mine:
                if name == "r2":
                    mine = [(n, 1 - r2) for n, r2 in mine]
                size = {"lw": 1.5, "ms": 4} if place % 2 else {"lw": 4.5, "ms": 8}
                look = {"color": color, "label": method, "marker": MARKERS[place]}
                axis.plot(*zip(*mine, strict=True), **look, **size, alpha=0.85)
        axis.set(xscale="log", yscale="log", xlabel="training rows", title=label)
    legend.set_axis_off()
    legend.legend(*drawn[0].get_legend_handles_labels(), loc="center", fontsize=11)
    figure.savefig(path, bbox_inches="tight", dpi=120)


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--one", nargs=3, metavar=("METHOD", "DATA", "N"), help="one fit, as JSON")
    parser.add_argument("--million", action="store_true", help="a million rows, two methods, once")
    parser.add_argument("--quick", action="store_true", help="small sizes, simulated data only")
    parser.add_argument("--output", type=Path, default=Path("results"))
    options = parser.parse_args()
    if options.one:
        method, data, n = options.one
        print(json.dumps(measure(method, data, int(n))))
        return
    if options.million:
        records = [in_own_process(method, "simulated", SIZES[-1]) for method in MILLION]
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "million.json").write_text(json.dumps({"records": records}, indent=1))
        return
    records = []
    for n in QUICK_SIZES if options.quick else SIZES:
        tasks = [(m, "simulated", n) for m in METHODS if n <= LARGEST.get(m, n)]
        records += [r for task in tasks if (r := measured(*task))]
    if not options.quick and "BKERNN_DATA_DIR" in os.environ:
        tasks = [(m, s, 0) for s in REAL_SETS for m in METHODS if m not in LARGEST]
        records += [r for task in tasks if (r := measured(*task))]
    options.output.mkdir(parents=True, exist_ok=True)
    document = {"records": records, "growth": growth(records)}
    (options.output / "bench_peers.json").write_text(json.dumps(document, indent=1))
    draw(records, options.output / "bench_peers.png")
    for method, exponent in document["growth"].items():
        print(f"{method:21} seconds grow as n^{exponent:.2f} between the two largest sizes")


if __name__ == "__main__":
    main()
