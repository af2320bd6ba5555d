"""Size, time to load, speed and error of one model in each format that it can have.

    python -m experiments.bench.formats [--output results] [--page docs/deploy.md]

The model is that of `bkernn demo`: 2,000 rows of 20 variables, three hidden directions. Times are
those of the processor, with one thread. The results are written to formats.json, and the table of
the page is replaced.
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
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
import pandas as pd

import bkernn

from ..common.markdown import filled, markdown

Record = dict[str, Any]
Predictor = Callable[[np.ndarray], np.ndarray]
ROWS = 20_000
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


def best_seconds(action: Callable[[], Any], times: int = 5) -> float:
    """Return the processor time of the quickest of several calls."""
    found = []
    for _ in range(times):
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def of_file(path: Path) -> Predictor:
    """Return predictions from a model file."""
    model = bkernn.load_model(path).set_params(n_jobs=1)
    names = [f"x{a + 1}" for a in range(model.n_features_in_)]
    return lambda X: model.predict(pd.DataFrame(X, columns=names))


def of_onnx(path: Path) -> Predictor:
    """Return predictions from an ONNX file, which gets the numbers that it wants."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options)
    kind = np.float64 if "double" in session.get_inputs()[0].type else np.float32
    return lambda X: session.run(None, {"X": X.astype(kind)})[0][:, 0]


def of_c(path: Path) -> Predictor:
    """Return predictions from a C file, compiled with a loop over rows."""
    loop, library = path.with_name("loop.c"), path.with_suffix(".so")
    loop.write_text(LOOP)
    flags = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, path, loop, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).predict_rows

    def predict(X: np.ndarray) -> np.ndarray:
        X, out = np.ascontiguousarray(X), np.empty(len(X))
        n, d = (ctypes.c_long(size) for size in X.shape)
        function(n, d, X.ctypes.data_as(ctypes.c_void_p), out.ctypes.data_as(ctypes.c_void_p))
        return out

    return predict


FORMATS: list[tuple[str, str, list[str], Callable[[Path], Predictor]]] = [
    ("JSON, exact", "exact.json", [], of_file),
    ("binary, exact", "exact.cbor", [], of_file),
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


def record(name: str, path: Path, reader: Callable[[Path], Predictor], rows: Rows) -> Record:
    """Return what is measured of one file."""
    predict = reader(path)
    return {
        "format": name,
        "bytes": path.stat().st_size,
        "load_seconds": None if reader is of_c else best_seconds(lambda: reader(path)),
        "rows_per_second": ROWS / best_seconds(lambda: predict(rows.many), 3),
        "error": float(np.abs(predict(rows.X) - rows.expected).max()) / rows.spread,
    }


def measure(folder: Path) -> list[Record]:
    """Return a record for each format."""
    size = ["--n", 2000, "--n-test", 2000, "--d", 20, "--noise", 0.2, "--seed", 1]
    tool("simulate", *size, "-o", folder / "data.csv", "-q")
    exact = folder / "exact.json"
    tool("fit", folder / "data.csv", "-t", "y", "--seed", 1, "--exact", "-o", exact, "-q")
    bkernn.load_model(exact).save_model(folder / "model.json")
    test = np.loadtxt(folder / "data.test.csv", delimiter=",", skiprows=1)
    many = np.random.default_rng(0).uniform(-1, 1, (ROWS, 20))
    rows = Rows(test[:, :20], of_file(exact)(test[:, :20]), float(np.std(test[:, 20])), many)
    within = ["--compress", 1e-4 * rows.spread, "-q"]
    tool("convert", folder / "model.json", folder / "lines.json", *within)
    records = []
    for name, file, options, reader in FORMATS:
        path = folder / file
        if not path.exists():
            source = folder / (file.split(".")[0] + ".json")
            tool("convert", source, path, *options, "-q")
        records.append(record(name, path, reader, rows))
    return records


def table(records: list[Record]) -> str:
    """Return the records as a table."""
    rows = []
    for one in records:
        load, size = one["load_seconds"], one["bytes"]
        rows.append(
            [
                one["format"],
                f"{size / 1e3:,.0f}",
                "" if load is None else f"{1e3 * load:.1f}",
                "" if load is None else f"{1e-6 * size / load:,.0f}",
                f"{one['rows_per_second']:,.0f}",
                f"{one['error']:.1g}",
            ]
        )
    header = ["format", "kB", "ms to load", "MB/s", "rows/s, one thread", "error"]
    return markdown(header, rows)


def main() -> None:
    """Measure, write the results and fill the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.bench.formats")
    parser.add_argument("--output", type=Path, default=Path("results"))
    parser.add_argument("--page", type=Path, default=Path("docs/deploy.md"))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        records = measure(Path(folder))
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "formats.json").write_text(json.dumps(records, indent=1) + "\n")
    page = given.page.read_text(encoding="utf-8")
    given.page.write_text(filled(page, {"formats": table(records)}), encoding="utf-8")
    print(table(records))


if __name__ == "__main__":
    main()
