"""The package and the command-line tool read each other's models and predict the same bits."""

import os
import pathlib
import subprocess

import numpy as np
import pandas as pd
import pytest
from by_rule import BY_RULE

import bkernn
from bkernn import BKerNNClassifier, BKerNNRegressor, BKerNNRegressorCV
from reliability import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("BKERNN_BINARY", ROOT / "build" / "release" / "bkernn"))
if not TOOL.exists():
    pytest.skip(f"{TOOL} does not exist: build it, or set BKERNN_BINARY", allow_module_level=True)


def tool(folder, *arguments):
    subprocess.run(
        [TOOL, *map(str, arguments)], cwd=folder, check=True, capture_output=True, timeout=PATIENCE
    )


def cli_predictions(folder, model, X):
    np.save(folder / "x.npy", X)
    tool(folder, "predict", model, "x.npy", "-o", "p.npy", "-q")
    return np.load(folder / "p.npy")


FITS = {
    "default": ([], {}),
    "variable": (["--penalty", "concave_variable"], {"penalty": "concave_variable"}),
    "exponential": (["--kernel", "exponential"], {"kernel": "exponential"}),
    "knots": (["--knots", 16], {"knots": 16}),
    "huber": (["--loss", "huber"], {"loss": "huber"}),
    "paper": (["--optimizer", "paper", "--step-size", 10], {"optimizer": "paper", "step_size": 10}),
    "as given": (["--no-standardize"], {"standardize": False}),
}


@pytest.mark.parametrize("extension", ["json", "ubj", "cbor"])
@pytest.mark.parametrize("name", FITS)
def test_same_bits(regression, tmp_path, name, extension):
    """The same fit in both; then each model is predicted from by the other."""
    options, params = FITS[name]
    np.save(tmp_path / "data.npy", np.column_stack([regression.X, regression.y]))
    short = ["--max-iter", 12, "--tol", 0, "--seed", 4]
    fit = ["fit", "data.npy", "--target", "column7", *short, "-q"]
    tool(tmp_path, *fit, *options, "--exact", "-o", f"theirs.{extension}")
    theirs = bkernn.load_model(tmp_path / f"theirs.{extension}")
    names = [f"column{a + 1}" for a in range(6)]
    ours = BKerNNRegressor(max_iter=12, tol=0, random_state=4, **params)
    ours.fit(pd.DataFrame(regression.X, columns=names), regression.y)
    ours.save_model(tmp_path / f"ours.{extension}", compress=False)

    X = pd.DataFrame(regression.X_test, columns=names)
    expected = ours.predict(X)
    np.testing.assert_array_equal(theirs.predict(X), expected)
    for model in ("theirs", "ours"):
        predicted = cli_predictions(tmp_path, f"{model}.{extension}", regression.X_test)
        np.testing.assert_array_equal(predicted.ravel(), expected)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_same_choice_by_cross_validation(tmp_path):
    """The penalty is open: those after the first have short paths, in both."""
    X = np.round(np.random.default_rng(2).uniform(-1, 1, (120, 4)) * 64) / 64
    y = np.round((X[:, 0] - X[:, 1] + X[:, 2] ** 2) * 1024) / 1024
    np.save(tmp_path / "data.npy", np.column_stack([X, y]))
    fit = ["fit", "data.npy", "--target", "column5", "--regularization", "cv", "--folds", 3]
    short = ["--max-iter", 12, "--tol", 0, "--seed", 4]
    tool(tmp_path, *fit, *short, "--exact", "-q", "-o", "theirs.json")
    ours = BKerNNRegressorCV(max_iter=12, tol=0, cv=3, random_state=4, scoring="r2").fit(X, y)
    theirs = bkernn.load_model(tmp_path / "theirs.json")
    assert theirs.regularization_ == ours.regularization_
    np.testing.assert_array_equal(theirs.predict(X), ours.predict(X))


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("weighted", [False, True])
def test_same_bits_for_repeated_rows(regression, tmp_path, weighted):
    """Equal rows are merged in both, and a weight is what so many copies are."""
    copies = np.arange(len(regression.X)) % 3 + 1
    rows = np.column_stack([regression.X, regression.y, copies])
    table = rows if weighted else np.repeat(rows, copies, axis=0)
    np.save(tmp_path / "data.npy", table)
    fit = ["fit", "data.npy", "--target", "column7", "--max-iter", 12, "--tol", 0, "--seed", 4]
    last = ["--weights", "column8"] if weighted else ["--ignore", "column8"]
    tool(tmp_path, *fit, *last, "--exact", "-q", "-o", "theirs.json")
    ours = BKerNNRegressor(max_iter=12, tol=0, random_state=4)
    ours.fit(regression.X, regression.y, sample_weight=copies)
    expected = ours.predict(regression.X_test)
    theirs = bkernn.load_model(tmp_path / "theirs.json")
    assert np.array_equal(theirs.predict(regression.X_test), expected)


@pytest.mark.parametrize("kinds", [2, 3])
def test_same_probabilities(multiclass, tmp_path, kinds):
    X, labels = multiclass
    y = np.where(labels == "mid", "mid", "end") if kinds == 2 else labels
    rows = [",".join([*map(repr, row), kind]) for row, kind in zip(X.tolist(), y, strict=True)]
    (tmp_path / "data.csv").write_text("\n".join(["a,b,c,d,kind", *rows]) + "\n")
    short = ["--max-iter", 8, "--tol", 0, "--seed", 4]
    tool(
        tmp_path,
        "fit",
        "data.csv",
        "--target",
        "kind",
        *short,
        "--exact",
        "-q",
        "-o",
        "theirs.json",
    )
    theirs = bkernn.load_model(tmp_path / "theirs.json")
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    ours = BKerNNClassifier(max_iter=8, tol=0, random_state=4).fit(frame, y)
    np.testing.assert_array_equal(theirs.classes_, ours.classes_)
    assert theirs.feature_names_in_.tolist() == list(frame.columns)
    np.testing.assert_array_equal(theirs.predict_proba(frame), ours.predict_proba(frame))
    np.testing.assert_array_equal(theirs.predict(frame), ours.predict(frame))
    ours.save_model(tmp_path / "ours.json", compress=False)
    tool(tmp_path, "predict", "ours.json", "data.csv", "-o", "p.csv", "-q")
    table = [line.split(",") for line in (tmp_path / "p.csv").read_text().splitlines()[1:]]
    assert [cells[0] for cells in table] == ours.predict(frame).tolist()
    probabilities = [[float(cell) for cell in cells[1:]] for cells in table]
    np.testing.assert_array_equal(probabilities, ours.predict_proba(frame))


def test_same_report(regression, tmp_path):
    np.savetxt(
        tmp_path / "data.csv",
        np.column_stack([regression.X, regression.y]),
        delimiter=",",
        header="a,b,c,d,e,f,y",
        comments="",
        fmt="%.17g",
    )
    fit = ["fit", "data.csv", "--target", "y", "--max-iter", 12, "--tol", 0, "-q"]
    tool(tmp_path, *fit, "-o", "model.json")
    tool(tmp_path, "report", "model.json", "data.csv", "-o", "report.html", "-q")
    model = bkernn.load_model(tmp_path / "model.json")
    frame = pd.DataFrame(regression.X, columns=list("abcdef"))
    page = model.to_html(frame, regression.y).replace("the rows given", "data.csv")
    assert page == (tmp_path / "report.html").read_text()


def test_rows_per_second(tmp_path):
    """Predictions in Python cost no more than in the tool, which also reads and writes files.

    Processor time of one thread each: a busy machine changes little.
    """
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (200_000, 20))
    y = np.sin(3 * X[:, 0]) + X[:, 1]
    model = BKerNNRegressor(max_iter=20, tol=0, **BY_RULE).fit(X[:2000], y[:2000])
    model.save_model(tmp_path / "model.cbor")
    model = bkernn.load_model(tmp_path / "model.cbor")
    np.save(tmp_path / "x.npy", X)
    model.set_params(n_jobs=1)
    predict = ["predict", "model.cbor", "x.npy", "-o", "p.npy", "-q", "--threads", 1]
    start = os.times()
    ours = model.predict(X)
    middle = os.times()
    tool(tmp_path, *predict)
    end = os.times()
    np.testing.assert_array_equal(np.load(tmp_path / "p.npy").ravel(), ours)
    python = (middle.user + middle.system) - (start.user + start.system)
    command = (end.children_user + end.children_system) - (
        middle.children_user + middle.children_system
    )
    for name, cpu, wall in (
        ("Python", python, middle.elapsed - start.elapsed),
        ("tool", command, end.elapsed - middle.elapsed),
    ):
        print(f"{name}: {cpu:.2f} s of processor time, {1e-6 * len(X) / wall:.2f} million rows/s")
    assert python < 3 * command
