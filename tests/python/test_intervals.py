"""Prediction intervals and sets, and several quantiles in one fit."""

import os
import pickle
import subprocess

import numpy as np
import pytest
from by_rule import BY_RULE
from sklearn.base import clone

import bkernn

SMALL = {**BY_RULE, "n_particles": 8, "max_iter": 15, "tol": 0, "random_state": 0}


def noisy(n, seed=0, uneven=False):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    noise = 0.05 + 0.5 * np.abs(X[:, 0]) if uneven else 0.3
    return X, np.sin(2 * X[:, 0]) + noise * rng.normal(size=n)


@pytest.mark.parametrize("method", ["cross", "fast", "quantile"])
def test_intervals_cover_new_rows(method):
    X, y = noisy(400)
    model = bkernn.BKerNNRegressor(intervals=method, **SMALL).fit(X, y)
    X_new, y_new = noisy(3000, seed=1)
    for coverage in (0.8, 0.95):
        lower, upper = model.predict_interval(X_new, coverage)
        assert lower.shape == y_new.shape
        covered = np.mean((lower <= y_new) & (y_new <= upper))
        assert covered == pytest.approx(coverage, abs=0.15 if method == "fast" else 0.05)
    copy = pickle.loads(pickle.dumps(model))
    for one, other in zip(copy.predict_interval(X_new), model.predict_interval(X_new), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.skipif("BKERNN_BINARY" not in os.environ, reason="BKERNN_BINARY is not set")
def test_intervals_survive_files_compression_and_the_tool(tmp_path):
    X, y = noisy(100)
    model = bkernn.BKerNNRegressor(intervals="cross", **SMALL).fit(X, y)
    path = tmp_path / "model.json"
    model.save_model(path, compress=False)
    lower, upper = model.predict_interval(X)
    for copy in (bkernn.load_model(path), model.compress(0)):
        np.testing.assert_array_equal(copy.predict_interval(X)[0], lower)
    rows = tmp_path / "rows.npy"
    np.save(rows, X)
    out = tmp_path / "out.npy"
    subprocess.run(
        [os.environ["BKERNN_BINARY"], "predict", path, rows, "--interval", "0.9", "-o", out, "-q"],
        check=True,
    )
    np.testing.assert_array_equal(np.load(out)[:, 1:], np.column_stack([lower, upper]))


def test_several_targets_models_and_folds_of_a_cross_validation():
    X, y = noisy(120)
    Y = np.column_stack([y, X[:, 1]])
    lower, upper = (
        bkernn.BKerNNRegressor(intervals="cross", n_models=2, **SMALL).fit(X, Y).predict_interval(X)
    )
    assert lower.shape == Y.shape
    assert np.all(lower <= upper)
    groups = np.arange(120) // 10
    settings = {k: v for k, v in SMALL.items() if k != "regularization"}
    model = bkernn.BKerNNRegressorCV(intervals="cross", cv=3, regularizations=[0.1], **settings)
    lower, upper = model.fit(X, y, groups=groups).predict_interval(X)
    assert np.mean((lower <= y) & (y <= upper)) > 0.8


def test_sets_of_classes_cover_new_rows():
    X, f = noisy(400)
    X_new, f_new = noisy(3000, seed=1)
    names = np.array(["low", "middle", "top"])
    y, y_new = (names[np.digitize(v, [-0.5, 0.5])] for v in (f, f_new))
    model = bkernn.BKerNNClassifier(intervals="cross", **SMALL).fit(X, y)
    sets = model.predict_set(X_new, 0.85)
    assert sets.dtype == bool
    covered = sets[np.arange(len(y_new)), np.searchsorted(model.classes_, y_new)]
    assert covered.mean() == pytest.approx(0.85, abs=0.05)


def test_bad_questions_get_clear_answers():
    X, y = noisy(30)
    model = bkernn.BKerNNRegressor(intervals="fast", **SMALL).fit(X, y)
    for coverage in (0, 1, -1, 1.5, float("nan")):
        with pytest.raises(ValueError, match="coverage"):
            model.predict_interval(X, coverage)
    with pytest.raises(TypeError, match="coverage"):
        model.predict_interval(X, "wide")
    with pytest.raises(ValueError, match="needs the errors of 99 rows"):
        model.predict_interval(X, 0.99)
    with pytest.raises(ValueError, match="no calibration"):
        clone(model).set_params(intervals="none").fit(X, y).predict_interval(X)
    with pytest.raises(ValueError, match="intervals"):
        clone(model).set_params(intervals="wide").fit(X, y)
    with pytest.raises(ValueError, match="10 different rows"):
        clone(model).set_params(intervals="cross").fit(X[:9], y[:9])
    with pytest.raises(ValueError, match="one target"):
        clone(model).set_params(intervals="quantile").fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="classes take cross"):
        bkernn.BKerNNClassifier(intervals="fast", **SMALL).fit(X, y > 0)


def test_several_quantiles_do_not_cross(tmp_path):
    X, y = noisy(400, uneven=True)
    settings = {**SMALL, "regularization": 0.05, "max_iter": 50}
    levels = [0.1, 0.5, 0.9]
    model = bkernn.BKerNNRegressor(loss="quantile", quantile=levels, **settings).fit(X, y)
    X_new, y_new = noisy(3000, seed=1, uneven=True)
    found = model.predict(X_new)
    assert np.all(np.diff(found, axis=1) >= 0)
    covered = np.mean(y_new[:, np.newaxis] <= found, axis=0)
    np.testing.assert_allclose(covered, levels, atol=0.06)
    model.save_model(tmp_path / "model.cbor", compress=False)
    copy = bkernn.load_model(tmp_path / "model.cbor")
    assert copy.get_params()["quantile"] == levels
    np.testing.assert_array_equal(copy.predict(X_new), found)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X_new), found)
    with pytest.raises(ValueError, match="must increase"):
        clone(model).set_params(quantile=[0.9, 0.1]).fit(X, y)


def test_cross_validation_takes_the_folds_that_it_fitted():
    data = bkernn.datasets.simulate("sine_features", n=90, d=3, k=1, noise=0.2)
    settings = {"cv": 3, "penalty": "feature", "n_particles": 5, "max_iter": 5, "tol": 0}
    plain, with_intervals = (
        bkernn.BKerNNRegressorCV(intervals=how, random_state=0, **settings).fit(data.X, data.y)
        for how in ("none", "cross")
    )
    assert np.array_equal(plain.predict(data.X), with_intervals.predict(data.X))
    lower, upper = with_intervals.predict_interval(data.X, 0.5)
    assert np.all(lower <= upper)
    with pytest.raises(ValueError, match="several quantiles have none"):
        bkernn.BKerNNRegressorCV(
            loss="quantile", quantile=[0.1, 0.9], intervals="cross", **settings
        ).fit(data.X, data.y)
