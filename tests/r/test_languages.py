"""R, Python and the tool: the same table, options and seed give the same model, bit for bit.

They need an R library with the package: `make test-r`.
"""

import json
import os
import pathlib
import re
import subprocess

import numpy as np
import pandas as pd
import pytest

import bkernn
from bkernn import BKerNNClassifier, BKerNNClassifierCV, BKerNNRegressor, BKerNNRegressorCV

LIBRARY = os.environ.get("BKERNN_R_LIBRARY")
if not LIBRARY:
    pytest.skip("BKERNN_R_LIBRARY is not set: make test-r", allow_module_level=True)
HERE = pathlib.Path(__file__).resolve().parent
TOOL = os.environ.get("BKERNN_BINARY", str(HERE.parents[1] / "build" / "release" / "bkernn"))
SHORT = {"max_iter": 12, "tol": 0, "regularization": "rule", "penalty": "feature"}
CASES = {
    "numbers": (BKerNNRegressor, {}),
    "words": (BKerNNRegressor, {}),
    "factors": (BKerNNRegressor, {}),
    "counts": (BKerNNRegressor, {"loss": "poisson"}),
    "outliers": (BKerNNRegressor, {"loss": "huber"}),
    "two": (BKerNNClassifier, {}),
    "three": (BKerNNClassifier, {}),
    "weighted": (BKerNNRegressor, {}),
    "sure": (BKerNNRegressor, {"intervals": "cross"}),
    "quantiles": (BKerNNRegressor, {"loss": "quantile", "quantile": [0.1, 0.5, 0.9]}),
    "chosen": (BKerNNRegressor, {}),  # with all defaults
    "kinds": (BKerNNClassifier, {}),
    "crossed": (BKerNNRegressorCV, {"scoring": "r2"}),  # as the tool does it
    "crossed-kinds": (BKerNNClassifierCV, {}),
}
DEFAULTS = {"chosen", "kinds", "crossed", "crossed-kinds"}


def tables():
    """Return one table for each case, of numbers that every language reads exactly."""
    rng = np.random.default_rng(3)
    X = np.round(rng.uniform(-1, 1, (120, 4)) * 64) / 64
    f = X[:, 0] - X[:, 1] + X[:, 2] ** 2
    numbers = pd.DataFrame(X, columns=list("abcd"))
    words = numbers.assign(kind=rng.choice(["red", "green", "blue"], 120), b=numbers.b.copy())
    words.loc[[2, 70], "b"] = np.nan
    words.loc[[5, 6], "kind"] = None
    classes = np.where(f > 0.5, "up", np.where(f > -0.3, "mid", "down"))
    return {
        "numbers": numbers.assign(y=np.round(f * 1024) / 1024),
        "words": words.assign(y=np.round(f * 64) / 64),
        "factors": words.assign(y=np.round(f * 64) / 64),
        "counts": numbers.assign(y=np.floor(np.exp(f))),
        "outliers": numbers.assign(y=np.where(np.arange(120) < 4, 64, np.round(f * 64) / 64)),
        "two": numbers.assign(y=np.where(f > 0, "no", "yes")),
        "three": numbers.assign(y=classes),
        "weighted": words.assign(y=np.round(f * 64) / 64, w=rng.integers(1, 4, 120)),
        "sure": words.assign(y=np.round(f * 64) / 64),
        "quantiles": numbers.assign(y=np.round(f * 64) / 64),
        "chosen": words.assign(y=np.round(f * 64) / 64),
        "kinds": words.assign(y=classes),
        "crossed": numbers.assign(y=np.round(f * 64) / 64),
        "crossed-kinds": numbers.assign(y=classes),
    }


@pytest.fixture(scope="module")
def fits(tmp_path_factory):
    """Return the folder of all models, and the tables."""
    folder = tmp_path_factory.mktemp("languages")
    rows = tables()
    for case, (kind, params) in CASES.items():
        table = rows[case]
        table.to_csv(folder / f"{case}.csv", index=False)
        params = params if case in DEFAULTS else SHORT | params
        options = flags(params)
        options += ["--weights", "w"] * ("w" in table)
        if case.startswith("crossed"):
            options = ["--regularization", "cv"]
        fit = [TOOL, "fit", f"{case}.csv", "--target", "y", "--seed", "4", *options, "-q"]
        subprocess.run([*fit, "--exact", "-o", f"{case}-tool.json"], cwd=folder, check=True)
        ours = kind(random_state=4, **params).fit(variables(table), table.y, table.get("w"))
        ours.save_model(folder / f"{case}-python.json", compress=False)
    run = subprocess.run(
        ["Rscript", HERE / "fit.R", folder],
        env={**os.environ, "R_LIBS": LIBRARY},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return folder, rows


def variables(table):
    """Return the columns that are not response and weights."""
    return table.drop(columns=["y", "w"], errors="ignore")


def flags(params):
    """Return options of Python as the tool writes them."""
    return [
        f"--{name}s={','.join(map(str, value))}"
        if isinstance(value, list)
        else f"--{name.replace('_', '-')}={value}"
        for name, value in params.items()
    ]


def parts(path):
    """Return what a model file says, without scores, which only the tool adds, and seconds."""
    document = json.loads(path.read_text())
    left_out = {"scores", "checksum", "target_names", "training"}
    kept = {key: value for key, value in document.items() if key not in left_out}
    kept["options"] = {k: v for k, v in kept["options"].items() if k != "n_threads"}
    return kept


def predicted(model, table):
    """Return what R calls the response: of two classes the probability of the second."""
    X = variables(table)
    if not isinstance(model, BKerNNClassifier):
        return model.predict(X).ravel("F")
    probabilities = model.predict_proba(X)
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities.ravel("F")


@pytest.mark.parametrize("case", CASES)
def test_same_model(fits, case):
    folder, _ = fits
    r = parts(folder / f"{case}-r.json")
    assert r == parts(folder / f"{case}-python.json")
    assert r == parts(folder / f"{case}-tool.json")


@pytest.mark.parametrize("case", CASES)
def test_same_predictions_from_each_others_files(fits, case):
    folder, rows = fits
    expected = predicted(bkernn.load_model(folder / f"{case}-r.cbor"), rows[case])
    assert np.ptp(expected) > 0.1
    for name in ("tool", "python"):
        model = bkernn.load_model(folder / f"{case}-{name}.json")
        np.testing.assert_array_equal(predicted(model, rows[case]), expected)
    for name in ("r", "tool", "python"):
        np.testing.assert_array_equal(np.fromfile(folder / f"{case}-{name}.bin"), expected)


def by_tool(folder, case, *options):
    """Return what the tool predicts from the file of R, for the rows of the case."""
    predict = [TOOL, "predict", f"{case}-r.json", f"{case}.csv", "-o", "p.npy", "-q", *options]
    subprocess.run(predict, cwd=folder, check=True)
    found = np.load(folder / "p.npy")
    return found[:, 1] if case == "two" else found.ravel("F")


@pytest.mark.parametrize("case", CASES)
def test_tool_predicts_from_files_of_r(fits, case):
    folder, _ = fits
    found = by_tool(folder, case)
    np.testing.assert_array_equal(found, np.fromfile(folder / f"{case}-r.bin"))


def test_same_intervals(fits):
    folder, rows = fits
    found = np.fromfile(folder / "sure-r-intervals.bin")
    np.testing.assert_array_equal(by_tool(folder, "sure", "--interval", "0.8"), found)
    model = bkernn.load_model(folder / "sure-r.json")
    X = variables(rows["sure"])
    ends = np.column_stack([model.predict(X), *model.predict_interval(X, 0.8)])
    np.testing.assert_array_equal(ends.ravel("F"), found)


def test_same_study_of_stability(fits):
    folder, rows = fits
    table = rows["words"]
    model = BKerNNRegressor(random_state=4, **SHORT)
    ours = bkernn.stability(variables(table), table.y, model, n_pairs=2, random_state=4)
    curve = [ours.loss, ours.standard_error, ours.p_value]
    found = np.concatenate([*curve, ours.selection, ours.angles.ravel("F")])
    np.testing.assert_array_equal(np.fromfile(folder / "words-r-study.bin"), found)
    study = [TOOL, "stability", "words.csv", "--target", "y", "--seed", "4", *flags(SHORT)]
    subprocess.run([*study, "--pairs", "2", "-q", "-o", "study.json"], cwd=folder, check=True)
    by_tool = json.loads((folder / "study.json").read_text())
    assert json.loads(ours.to_json()) | {"seconds": 0} == by_tool | {"seconds": 0}


def test_guide_runs(tmp_path):
    """The blocks of docs/guides/r.md, one after the other."""
    page = (HERE.parents[1] / "docs" / "guides" / "r.md").read_text()
    blocks = re.findall(r"^```r\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert blocks
    (tmp_path / "guide.R").write_text("\n".join(blocks))
    run = subprocess.run(
        ["Rscript", "guide.R"],
        cwd=tmp_path,
        env={**os.environ, "R_LIBS": LIBRARY},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "must lie between" in run.stdout
