"""Uses an installed wheel where there is nothing but what it asks for: NumPy and scikit-learn."""

import importlib.metadata
import importlib.util
import pathlib
import pickle
import shutil
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.model_selection import GridSearchCV

import bkernn
from bkernn.datasets import simulate

installed = pathlib.Path(bkernn.__file__).parent
assert installed.is_relative_to(sys.prefix), f"{installed} is not in {sys.prefix}"
assert (installed / "py.typed").exists() and (installed / "_core.pyi").exists()
for name in ("matplotlib", "pandas", "tqdm", "nanobind"):
    assert importlib.util.find_spec(name) is None, f"{name} is installed: not a clean environment"

metadata = importlib.metadata.metadata("bkernn")
assert metadata["Version"] == bkernn.__version__
assert metadata["License-Expression"] == "BSD-3-Clause" and metadata["Author"]
assert metadata["Description-Content-Type"] == "text/markdown"
assert metadata.get_payload().startswith("# ") and len(metadata["Summary"]) < 512
assert metadata.get_all("Project-URL") and len(metadata.get_all("Classifier")) > 5

data = simulate("multi_index", n=300, n_test=300, d=6)
labels = np.where(data.y > np.median(data.y), "high", "low")
short = {"max_iter": 20, "tol": 0, "random_state": 0}
estimators = [
    bkernn.BKerNNRegressor(**short, verbose=1),
    bkernn.BKerNNRegressorCV(**short, cv=3, n_regularizations=3),
    bkernn.BrownianKernelRidge(),
    bkernn.ReLUNetworkRegressor(random_state=0),
    bkernn.BKerNNClassifier(**short),
    bkernn.BKerNNClassifierCV(**short, cv=3, n_regularizations=3),
]
for estimator in estimators:
    y = labels if "Classifier" in type(estimator).__name__ else data.y
    estimator.fit(data.X, y)
    score = estimator.score(data.X, y)
    print(f"{type(estimator).__name__}: {score:.3f}")
    assert score > 0.5
    copy = pickle.loads(pickle.dumps(estimator))
    np.testing.assert_array_equal(copy.predict(data.X_test), estimator.predict(data.X_test))

model = estimators[0]
with tempfile.TemporaryDirectory() as folder:
    model.save_model(pathlib.Path(folder) / "model.cbor", compress=False)
    copy = bkernn.load_model(pathlib.Path(folder) / "model.cbor")
np.testing.assert_array_equal(copy.predict(data.X_test), model.predict(data.X_test))
assert "<html" in model.to_html(data.X_test, data.y_test)
assert "Importance of variables" in model._repr_html_()
try:
    bkernn.ImportanceDisplay.from_estimator(model)
except ImportError as error:
    assert "bkernn[plot]" in str(error)
else:
    raise AssertionError("a plot without matplotlib")
search = GridSearchCV(bkernn.BKerNNRegressor(**short), {"penalty": ["basic", "variable"]}, n_jobs=2)
assert search.fit(data.X, data.y).best_score_ > 0.5


def run(*command: object) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# The command: the program itself, with completion, and with models that Python reads.
assert not any(shutil.which(one) for one in ("cc", "c++", "gcc", "clang")), "there is a compiler"
tool = pathlib.Path(sys.prefix) / "bin" / "bkernn"
assert tool.read_bytes()[:4] == b"\x7fELF"
assert run("bkernn", "--version").startswith(f"bkernn {bkernn.__version__} (")
for shell in ("bash", "zsh", "fish"):
    assert "convert" in run("bkernn", "completion", shell)
with tempfile.TemporaryDirectory() as folder:
    data_file, model_file = pathlib.Path(folder) / "d.csv", pathlib.Path(folder) / "m.json"
    run("bkernn", "simulate", "--n", "200", "--d", "4", "-q", "-o", data_file)
    run("bkernn", "fit", data_file, "--target", "y", "--max-iter", "5", "-q", "-o", model_file)
    run("bkernn", "convert", model_file, model_file.with_suffix(".onnx"), "-q")
    assert bkernn.load_model(model_file).predict(np.zeros((3, 4))).shape == (3,)
    assert model.to_onnx()[:1] == b"\x08" and "double predict" in model.to_c()

# Nothing of the system but its C library.
(extension,) = installed.glob("_core*.so")
stable = "-abi3-" in (importlib.metadata.distribution("bkernn").read_text("WHEEL") or "")
assert stable == (".abi3." in extension.name), f"{extension.name} is not what the wheel says"
for path in (extension, tool):
    needs = {line.split()[0].split(".")[0] for line in run("/usr/bin/ldd", path).splitlines()}
    system = {
        "libc",
        "libm",
        "libpthread",
        "libdl",
        "librt",
        "linux-vdso",
        "/lib64/ld-linux-x86-64",
    }
    assert needs <= system, f"{path} needs {needs - system}"
print(f"bkernn {bkernn.__version__} works in {sys.prefix}")
