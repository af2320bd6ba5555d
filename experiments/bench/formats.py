"""Size, time to load, speed and error of one model in each format that it can have.

    python -m experiments.bench.formats [--output results]

The model is that of `bkernn demo`: 2,000 rows of 20 variables, three hidden directions. Times are
those of the processor, the least of many tries, so that other work on the machine counts little:
what two threads take together is what two idle cores would share. By the clock they are measured
too. The results are written to formats.json.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
import pandas as pd

import bkernn

Record = dict[str, Any]
Predictor = Callable[[np.ndarray], np.ndarray]
Reader = Callable[[Path, int], Predictor]
Clock = Callable[[], float]
ROWS = 20_000
TRIES, MOST_SECONDS = 30, 3
LOOP = """
double predict(const double *x, double *out);
void predict_rows(long n, long d, const double *x, double *out) {
  long i;
  for (i = 0; i < n; ++i) out[i] = predict(x + i * d, (double *)0);
}
"""


class Rows(NamedTuple):
    """New rows, what the exact model predicts for them, the spread of y, and many rows."""

    X: np.ndarray
    expected: np.ndarray
    spread: float
    many: np.ndarray


def tool(*arguments: object) -> None:
    """Run the command-line tool."""
    program = os.environ.get("BKERNN_BINARY") or shutil.which("bkernn") or "bkernn"
    subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


def best_seconds(action: Callable[[], Any], clock: Clock = time.process_time) -> float:
    """Return the time of the quickest of many calls, or of three where one takes long."""
    found: list[float] = []
    while len(found) < 3 or (len(found) < TRIES and sum(found) < MOST_SECONDS):
        start = clock()
        action()
        found.append(clock() - start)
    return min(found)


def of_file(path: Path, threads: int) -> Predictor:
    """Return predictions from a model file."""
    model = bkernn.load_model(path).set_params(n_jobs=threads)
    names = [f"x{a + 1}" for a in range(model.n_features_in_)]
    return lambda X: model.predict(pd.DataFrame(X, columns=names))


def of_onnx(path: Path, threads: int) -> Predictor:
    """Return predictions from an ONNX file, which gets the numbers that it wants."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # takes time
    session = onnxruntime.InferenceSession(path, options)
    kind = np.float64 if "double" in session.get_inputs()[0].type else np.float32
    return lambda X: session.run(None, {"X": X.astype(kind)})[0][:, 0]


def compiled(path: Path) -> Path:
    """Return a library of a C file and a loop over rows."""
    loop, library = path.with_name("loop.c"), path.with_suffix(".so")
    if library.exists():
        return library
    loop.write_text(LOOP)
    flags = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, path, loop, "-o", library, "-lm"], check=True)
    return library


def of_c(path: Path, threads: int) -> Predictor:
    """Return predictions from a C file, each thread with its part of the rows."""
    function = ctypes.CDLL(str(compiled(path))).predict_rows
    pool = ThreadPoolExecutor(threads)

    def predict_part(X: np.ndarray) -> np.ndarray:
        X, out = np.ascontiguousarray(X), np.empty(len(X))
        n, d = (ctypes.c_long(size) for size in X.shape)
        function(n, d, X.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p))
        return out

    def predict(X: np.ndarray) -> np.ndarray:
        return np.concatenate(list(pool.map(predict_part, np.array_split(X, threads))))

    return predict


FORMATS: list[tuple[str, str, list[str], Reader]] = [
    ("JSON, exact", "exact.json", [], of_file),
    ("binary, exact", "exact.cbor", ["--exact"], of_file),
    ("JSON", "model.json", [], of_file),
    ("binary", "model.cbor", [], of_file),
    ("JSON, lines", "lines.json", [], of_file),
    ("binary, lines", "lines.cbor", [], of_file),
    ("ONNX", "model.onnx", [], of_onnx),
    ("ONNX, lines", "lines.onnx", [], of_onnx),
    ("ONNX, lines, float32", "lines.32.onnx", ["--float32"], of_onnx),
    ("C", "model.c", [], of_c),
    ("C, lines", "lines.c", [], of_c),
]


def record(name: str, path: Path, reader: Reader, rows: Rows) -> Record:
    """Return what is measured of one file."""
    predict, with_two = reader(path, 1), reader(path, 2)
    one, two = (best_seconds(lambda do=do: do(rows.many)) for do in (predict, with_two))
    by_clock = best_seconds(lambda: with_two(rows.many), time.perf_counter)
    return {
        "format": name,
        "bytes": path.stat().st_size,
        "load_seconds": None if reader is of_c else best_seconds(lambda: reader(path, 1)),
        "rows_per_second": ROWS / one,
        "rows_per_second_two_threads": 2 * ROWS / two,
        "rows_per_second_two_threads_by_the_clock": ROWS / by_clock,
        "error": float(np.abs(predict(rows.X) - rows.expected).max()) / rows.spread,
    }


def function_bytes(path: Path) -> int:
    """Return the size of a model's functions in memory, where they are lines between knots."""
    model = bkernn.load_model(path)._saved.model
    return sum(part.nbytes for j in range(model.W.shape[1]) for part in model.function(j))


def measure(folder: Path) -> list[Record]:
    """Return a record for each format."""
    size = ["--n", 2000, "--n-test", 2000, "--d", 20, "--noise", 0.2, "--seed", 1]
    tool("simulate", *size, "-o", folder / "data.csv", "-q")
    exact = folder / "exact.json"
    tool("fit", folder / "data.csv", "-t", "y", "--seed", 1, "--exact", "-o", exact, "-q")
    bkernn.load_model(exact).save_model(folder / "model.json")
    test = np.loadtxt(folder / "data.test.csv", delimiter=",", skiprows=1)
    many = np.random.default_rng(0).uniform(-1, 1, (ROWS, 20))
    rows = Rows(test[:, :20], of_file(exact, 1)(test[:, :20]), float(np.std(test[:, 20])), many)
    within = ["--compress", 1e-4 * rows.spread, "-q"]
    tool("convert", folder / "model.json", folder / "lines.json", *within)
    records = []
    for name, file, options, reader in FORMATS:
        path = folder / file
        if not path.exists():
            source = folder / (file.split(".")[0] + ".json")
            tool("convert", source, path, *options, "-q")
        records.append(record(name, path, reader, rows))
        if reader is of_file:
            records[-1]["function_bytes"] = function_bytes(path)
    return records


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(prog="python -m experiments.bench.formats")
    parser.add_argument("--output", type=Path, default=Path("results"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        results = measure(Path(folder))
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "formats.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
