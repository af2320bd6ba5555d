"""Pickles, model files, warm starts, early stopping, progress, and what a call costs."""

import pickle
import sys

import joblib
import numpy as np
import pytest
from by_rule import BY_RULE
from sklearn.base import clone

import bkernn
from bkernn import (
    BKerNNClassifier,
    BKerNNClassifierCV,
    BKerNNRegressor,
    BKerNNRegressorCV,
    BrownianKernelRidge,
    ReLUNetworkRegressor,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def fitted(regression):
    return BKerNNRegressor(random_state=0).fit(regression.X, regression.y)


def test_pickle_and_joblib(fitted, regression, tmp_path):
    expected = fitted.predict(regression.X_test)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        np.testing.assert_array_equal(copy.predict(regression.X_test), expected)
        copy.save_model(tmp_path / "copy.json")
    saved = bkernn.load_model(tmp_path / "copy.json")
    np.testing.assert_array_equal(saved.objective_path_, fitted.objective_path_)


OLD_MODULES = {
    "_brownian_ridge": BrownianKernelRidge(),
    "_classifier": BKerNNClassifier(max_iter=2),
    "_cv_classifier": BKerNNClassifierCV(max_iter=2, cv=2, n_regularizations=2),
    "_cv_regressor": BKerNNRegressorCV(max_iter=2, cv=2, n_regularizations=2),
    "_regressor": BKerNNRegressor(max_iter=2),
    "_relu_network": ReLUNetworkRegressor(max_iter=2),
}


@pytest.mark.parametrize("module", OLD_MODULES)
def test_pickles_that_name_modules_of_version_0_1(module, regression):
    y = regression.y > 0.5 if "classifier" in module else regression.y
    model = clone(OLD_MODULES[module]).fit(regression.X, y)
    today = f"c{type(model).__module__}\n".encode()
    stored = pickle.dumps(model, protocol=3)  # before 4, names are lines
    assert today in stored
    copy = pickle.loads(stored.replace(today, f"cbkernn.{module}\n".encode()))
    assert type(copy) is type(model)
    np.testing.assert_array_equal(copy.predict(regression.X), model.predict(regression.X))


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("_base", "RidgeFunction"),
        ("_dask_classifier", "DaskBKerNNClassifier"),
        ("_dask_regressor", "DaskBKerNNRegressor"),
        ("_dask_shards", "Communication"),
        ("_display", "ImportanceDisplay"),
        ("_display_functions", "RidgeFunctionsDisplay"),
    ],
)
def test_other_classes_of_version_0_1(module, name):
    found = pickle.loads(f"cbkernn.{module}\n{name}\n.".encode())
    assert isinstance(found, type) and found.__name__ == name


def test_pickle_holds_plain_data_only(fitted):
    state = fitted._saved.__getstate__()
    assert set(state) == {"model", "rest"}
    assert isinstance(state["rest"], str)
    for value in state["model"].values():
        assert isinstance(value, str | int | list | np.ndarray)


@pytest.mark.parametrize("extension", ["json", "ubj", "cbor"])
def test_files_give_back_every_bit(fitted, regression, tmp_path, extension):
    path = tmp_path / f"model.{extension}"
    fitted.save_model(path, compress=False)
    copy = bkernn.load_model(path)
    np.testing.assert_array_equal(
        copy.predict(regression.X_test), fitted.predict(regression.X_test)
    )
    np.testing.assert_array_equal(copy.transform(regression.X), fitted.transform(regression.X))
    for name in ("n_active_features_", "regularization_", "n_iter_", "converged_"):
        assert getattr(copy, name) == getattr(fitted, name)
    assert copy.regularization == fitted.regularization_
    assert copy.random_state == 0


@pytest.mark.parametrize("extension", ["json", "ubj", "cbor"])
def test_files_are_small_and_near(fitted, regression, tmp_path, extension):
    small, large, again = (tmp_path / f"{name}.{extension}" for name in ("small", "large", "again"))
    fitted.save_model(small)
    fitted.save_model(large, compress=False)
    # A short decimal takes fewer bytes as text only.
    share = 0.8 if extension == "json" else 1
    assert small.stat().st_size < share * large.stat().st_size
    rows = np.concatenate([regression.X_test, 5 * regression.X_test])
    copy, expected = bkernn.load_model(small), fitted.predict(rows)
    moved = np.abs(copy.predict(rows) - expected).max()
    assert 0 < moved <= 1e-4 * regression.y.std()
    # What was compressed once is not compressed again.
    copy.save_model(again)
    assert again.read_bytes() == small.read_bytes()
    # A pickle, and a file of every bit, can still be compressed, to the same file.
    for model in (pickle.loads(pickle.dumps(fitted)), bkernn.load_model(large)):
        np.testing.assert_array_equal(model.predict(rows), expected)
        model.save_model(again)
        assert again.read_bytes() == small.read_bytes()


def test_several_outputs_are_compressed_by_their_own_spread(regression, tmp_path):
    Y = np.column_stack([regression.y, 1e6 * regression.X[:, 0]])
    model = BKerNNRegressor(max_iter=5, random_state=0, **BY_RULE).fit(regression.X, Y)
    model.save_model(tmp_path / "m.json")
    found = bkernn.load_model(tmp_path / "m.json").predict(regression.X_test)
    moved = np.abs(found - model.predict(regression.X_test)).max(axis=0)
    assert np.all(moved <= 1e-4 * Y.std(axis=0)) and np.all(moved > 1e-7 * Y.std(axis=0))


WORDS_LIKE_NUMBERS = [["10", "9"], ["01", "1", "2"]]


@pytest.mark.parametrize(
    "labels", [["a", "b", "c"], [0, 1, 2], [0, 1], [False, True], *WORDS_LIKE_NUMBERS]
)
def test_files_keep_classes(labels, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.array(labels)[np.digitize(X[:, 0], np.linspace(-0.5, 0.5, len(labels) - 1))]
    model = BKerNNClassifier(max_iter=5, random_state=0).fit(X, y)
    model.save_model(tmp_path / "model.json", compress=False)
    copy = bkernn.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(copy.classes_, model.classes_)
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_missing_and_broken_files(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    for name in ("none.json", "broken.json"):
        with pytest.raises(OSError, match=name):
            bkernn.load_model(tmp_path / name)


def test_warm_start(regression):
    model = BKerNNRegressor(random_state=0, max_iter=5, tol=0, warm_start=True)
    first = model.fit(regression.X, regression.y).objective_path_[-1]
    W = model.W_
    assert model.fit(regression.X, regression.y).objective_path_[-1] < first
    direct = BKerNNRegressor(random_state=0, max_iter=5, tol=0, init=W)
    np.testing.assert_array_equal(direct.fit(regression.X, regression.y).W_, model.W_)
    with pytest.raises(ValueError, match="init"):
        model.set_params(n_particles=7).fit(regression.X, regression.y)


def test_early_stopping(regression):
    model = BKerNNRegressor(random_state=0, early_stopping=True, n_iter_no_change=5, tol=0)
    model.fit(regression.X, regression.y)
    assert not model.converged_
    assert model.n_iter_ - 1 - np.argmin(model.validation_path_) == 5
    assert np.sum(model.dual_coef_ == 0) == 20
    again = clone(model).fit(regression.X, regression.y)
    np.testing.assert_array_equal(again.W_, model.W_)


def test_progress(regression, capsys, monkeypatch):
    BKerNNRegressor(max_iter=200, tol=0, random_state=0, verbose=1).fit(regression.X, regression.y)
    assert "bkernn" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    data = bkernn.datasets.simulate(n=3000, d=10)
    BKerNNRegressor(max_iter=40, tol=0, random_state=0, verbose=1).fit(data.X, data.y)
    assert "of at most 40: objective" in capsys.readouterr().err
    BKerNNRegressor(max_iter=5, tol=0, random_state=0).fit(regression.X, regression.y)
    assert capsys.readouterr().err == ""


def test_progress_of_a_path(regression, capsys, monkeypatch):
    path = {"cv": 3, "regularizations": [0.1, 0.01], "max_iter": 5, "tol": 0, "random_state": 0}
    path["penalty"] = "feature"
    BKerNNRegressorCV(**path, verbose=1).fit(regression.X, regression.y)
    assert "bkernn path" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    BKerNNRegressorCV(**path, verbose=1).fit(regression.X, regression.y)
    assert "λ 2 of at most 2: 0.01, score" in capsys.readouterr().err


def test_overhead_of_a_call(fitted, regression):
    """A call that has next to nothing to compute: what binding and estimator add, in calls."""
    row = regression.X[:1]
    for name, call, most in (
        ("binding", lambda: fitted._saved.model.predict(row, 1), 10),
        ("estimator", lambda: fitted.predict(row), 1000),
    ):
        call()
        count = _calls(call)
        print(f"predict one row through the {name}: {count} calls")
        assert 1 <= count < most


def _calls(call):
    """Return how many functions, of Python and of C, a call runs."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        call()
    finally:
        sys.setprofile(None)
    return count


def test_compressed_model_keeps_its_promise(fitted, regression):
    smaller = fitted.compress(1e-2)
    difference = smaller.predict(regression.X_test) - fitted.predict(regression.X_test)
    assert 0 < np.abs(difference).max() <= 1e-2

    def knots(model):
        return sum(len(h.knots) for h in model.ridge_functions())

    assert knots(smaller) < knots(fitted) / 2
    with pytest.raises(ValueError, match="tolerance = -1: must be at least 0"):
        fitted.compress(-1)


def test_schedule_and_preconditioner(regression):
    X, y = np.tile(regression.X, (4, 1)), np.tile(regression.y, 4)
    rng = np.random.default_rng(0)
    X = X + 1e-3 * rng.normal(size=X.shape)
    model = BKerNNRegressor(max_iter=2, schedule="direct", preconditioner="always", **BY_RULE).fit(
        X, y
    )
    report = model._saved.report
    assert report.stages == [len(y)] and report.coarse_unknowns > 0
    for name, value in (("schedule", "fast"), ("preconditioner", "maybe")):
        with pytest.raises(ValueError, match=f'{name} = "{value}"'):
            BKerNNRegressor(**{name: value}).fit(X, y)
