"""Size, load time, speed and error of each kind of model file: the table of docs/deploy.md."""

from __future__ import annotations

import argparse
import ctypes
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Callable

import numpy as np
import onnxruntime

import bkernn
from bkernn.datasets import simulate

MARK = "<!-- filled by `make bench-deploy`: {} -->"
SPREAD = 1e-3  # in the units of y: for what is compressed further
CFLAGS = ["-std=c99", "-O2", "-ffp-contract=off", "-shared", "-fPIC"]


def seconds(action: Callable[[], object], repeats: int) -> float:
    """Return the shortest time of an action."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        action()
        times.append(time.perf_counter() - started)
    return min(times)


def c_function(source: pathlib.Path) -> Callable[[np.ndarray], np.ndarray]:
    """Return the compiled function, applied to each row."""
    library = source.with_suffix(".so")
    subprocess.run(["cc", *CFLAGS, source, "-o", library, "-lm"], check=True)
    function = ctypes.CDLL(str(library)).predict
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

    def predict(X: np.ndarray) -> np.ndarray:
        start, step = X.ctypes.data, X.strides[0]
        return np.array([function(start + i * step, None) for i in range(len(X))])

    return predict


def main() -> None:
    """Fit the model of the demo, write it in every form, and print or fill in the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--page", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    data = simulate("multi_index", n=2000, n_test=2000, d=20, noise=0.2, random_state=1)
    model = bkernn.BKerNNRegressor(random_state=1).fit(data.X, data.y)
    X, truth = data.X_test, model.predict(data.X_test)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)

        def convert(name: str, *more: str) -> pathlib.Path:
            command = [options.tool, "convert", place / "exact.json", place / name, *more, "-q"]
            subprocess.run(command, check=True)
            return place / name

        def add(what: str, path: pathlib.Path, load: Callable, needs: str) -> None:
            predict = load(path)
            found = np.ravel(predict(X))
            took = seconds(lambda: predict(X), options.repeats)
            rows.append(
                [
                    what,
                    f"{path.stat().st_size / 1000:,.0f} kB",
                    f"{1000 * seconds(lambda: load(path), options.repeats):,.1f} ms",
                    f"{len(X) / took:,.0f}",
                    f"{np.abs(found - truth).max() / data.y.std():.0e}",
                    needs,
                ]
            )

        def files(path: pathlib.Path) -> Callable:
            return bkernn.load_model(path).predict

        def onnx(kind: type) -> Callable:
            def load(path: pathlib.Path) -> Callable:
                session = onnxruntime.InferenceSession(path)
                return lambda X: session.run(None, {"X": X.astype(kind)})[0]

            return load

        model.save_model(place / "exact.json", compress=False)
        for encoding in ("json", "ubj", "cbor"):
            path = place / f"model.{encoding}"
            model.save_model(path)
            add(f"`.{encoding}`", path, files, "bkernn")
        for encoding in ("json", "cbor"):
            path = convert(f"every_knot.{encoding}")
            add(f"`.{encoding}`, every knot", path, files, "bkernn")
        further = ["--compress", str(SPREAD)]
        for what, more in [("", []), (f", `--compress {SPREAD}`", further)]:
            add(f"`.onnx`{what}", convert("m.onnx", *more), onnx(np.float64), "an ONNX runtime")
            path = convert("m32.onnx", "--float32", *more)
            add(f"`.onnx`, float32{what}", path, onnx(np.float32), "an ONNX runtime")
        for what, more in [("", []), (f", `--compress {SPREAD}`", further)]:
            add(f"`.c`{what}", convert("m.c", *more), c_function, "a C compiler")
    for row in rows:
        if row[0].startswith("`.c`"):
            row[2] = "compiled"
    head = [["", "size", "loads in", "rows per second", "error", "needs"], ["---"] * 6]
    table = "\n".join("| " + " | ".join(row) + " |" for row in head + rows)
    print(table)
    if options.page:
        text = options.page.read_text()
        begin, end = MARK.format("begin"), MARK.format("end")
        before, rest = text.split(begin + "\n")
        options.page.write_text(f"{before}{begin}\n\n{table}\n\n{end}{rest.split(end)[1]}")


if __name__ == "__main__":
    main()
