"""Data of every kind: memory layouts, data frames, weights, seeds."""

import tracemalloc

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import bkernn
from bkernn import BKerNNClassifier, BKerNNRegressor, BrownianKernelRidge, _core
from bkernn._input.validation import native, seed

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def short(**params):
    return BKerNNRegressor(max_iter=10, tol=0, random_state=0, **params)


def layouts(X):
    wide = np.zeros((len(X), 2 * X.shape[1]))
    wide[:, ::2] = X
    read_only = X.copy()
    read_only.flags.writeable = False
    return {
        "C": np.ascontiguousarray(X),
        "Fortran": np.asfortranarray(X),
        "slice": wide[:, ::2],
        "reversed": np.ascontiguousarray(X[::-1])[::-1],
        "columns reversed": np.ascontiguousarray(X[:, ::-1])[:, ::-1],
        "read-only": read_only,
        "big-endian": X.astype(">f8"),
        "list": X.tolist(),
    }


def test_layout_changes_nothing(regression):
    expected = short().fit(regression.X, regression.y)
    for name, X in layouts(regression.X).items():
        model = short().fit(X, regression.y)
        np.testing.assert_array_equal(model.W_, expected.W_, err_msg=name)
        np.testing.assert_array_equal(model.predict(X), expected.predict(regression.X))


def test_float64_is_not_copied(regression):
    for name in ("C", "Fortran", "slice", "read-only"):
        X = layouts(regression.X)[name]
        assert np.shares_memory(native(X), X), name


def peak_memory(call):
    """Return the most that NumPy and Python held during a call, beyond what they held before."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("layout", ["C", "Fortran", "slice", "read-only", "float32"])
def test_no_needless_copies(layout):
    """Float64 of any layout is not copied, float32 once: into float64."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (20_000, 40))
    y = X[:, 0] + X[:, 1] ** 2
    given = X.astype(np.float32) if layout == "float32" else layouts(X)[layout]
    copies = 1 if layout == "float32" else 0
    model = BKerNNRegressor(n_particles=2, knots=8, max_iter=1, tol=0, random_state=0)
    for call in (lambda: model.fit(given, y), lambda: model.predict(given)):
        assert peak_memory(call) < (copies + 0.4) * X.nbytes


def test_broadcast_arrays(regression):
    X = np.broadcast_to(regression.X[:, :1], (200, 3))
    np.testing.assert_array_equal(
        short().fit(X, regression.y).predict(X), short().fit(X.copy(), regression.y).predict(X)
    )


def test_float32(regression):
    X = regression.X.astype(np.float32)
    model = short().fit(X, regression.y.astype(np.float32))
    np.testing.assert_array_equal(
        model.predict(X), short().fit(X.astype(float), regression.y.astype("f4")).predict(X)
    )


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_data_frames(regression, frame):
    names = [f"v{a}" for a in range(6)]
    X = frame(dict(zip(names, regression.X.T, strict=True)))
    model = short().fit(X, regression.y)
    assert model.feature_names_in_.tolist() == names
    np.testing.assert_array_equal(
        model.predict(X), short().fit(regression.X, regression.y).predict(regression.X)
    )
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame(dict(zip(names[::-1], regression.X.T, strict=True))))


@pytest.mark.parametrize("container", ["pandas", "polars"])
def test_set_output(regression, container):
    model = BKerNNRegressor(random_state=0).fit(regression.X, regression.y)
    plain = model.transform(regression.X)
    frame = model.set_output(transform=container).transform(regression.X)
    assert list(frame.columns) == list(model.get_feature_names_out())
    assert list(frame.columns) == [f"bkernnregressor{a}" for a in range(model.n_active_features_)]
    np.testing.assert_array_equal(frame.to_numpy(), plain)
    with pytest.raises(ValueError, match="set_output"):
        model.transform(regression.X, k=1)


def test_transform_is_the_projection_on_components(regression):
    model = BKerNNRegressor(random_state=0).fit(regression.X, regression.y)
    X = regression.X_test
    expected = (X - model.center_) @ model.components_.T
    np.testing.assert_allclose(model.transform(X), expected)
    assert model.transform(X, k=1).shape == (200, 1)
    P = (model.components_ * model.scale_).T
    np.testing.assert_allclose(P.T @ P, np.eye(P.shape[1]), atol=1e-10)
    assert bkernn.metrics.feature_learning_score(P[:, :3], regression.P) > 0.9


@pytest.mark.parametrize("penalty", ["feature", "concave_variable"])
def test_names_of_decompositions(regression, penalty):
    options = {"penalty": penalty, "regularization": 0.05, "n_particles": 20, "random_state": 0}
    model = BKerNNRegressor(**options).fit(regression.X, regression.y)
    np.testing.assert_array_equal(
        BKerNNRegressor(**options).fit_transform(regression.X, regression.y),
        model.transform(regression.X),
    )
    k = model.n_active_features_
    assert len(model.get_feature_names_out()) == len(model.components_) == k > 0
    sizes = model.singular_values_
    if penalty == "concave_variable":
        sizes = np.sort(np.linalg.norm(model.W_, axis=1))[::-1]
    np.testing.assert_allclose(model.explained_variance_, sizes[:k] ** 2 / 20, rtol=1e-8)
    expected = sizes[:k] ** 2 / np.sum(sizes**2)
    np.testing.assert_allclose(model.explained_variance_ratio_, expected, rtol=1e-8)


@pytest.mark.parametrize(
    "estimator", [BKerNNRegressor(), BKerNNClassifier(), BrownianKernelRidge()]
)
def test_weights_count_rows(estimator, regression):
    rng = np.random.default_rng(1)
    X, y = regression.X[:60], regression.y[:60]
    if isinstance(estimator, BKerNNClassifier):
        y = np.digitize(y, [-0.3, 0.6])
    counts = rng.integers(0, 4, 60)
    if "random_state" in estimator.get_params():
        estimator.set_params(random_state=0)
    weighted = clone(estimator).fit(X, y, sample_weight=counts)
    repeated = clone(estimator).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    method = "predict_proba" if hasattr(weighted, "predict_proba") else "predict"
    np.testing.assert_allclose(
        getattr(weighted, method)(X), getattr(repeated, method)(X), rtol=1e-5, atol=1e-6
    )
    assert np.all(weighted.dual_coef_[counts == 0] == 0)


@pytest.mark.parametrize(
    "weight", [np.full(200, -1.0), np.zeros(200), np.ones(3), np.full(200, np.nan)]
)
def test_bad_weights(regression, weight):
    with pytest.raises(ValueError, match="sample_weight"):
        BKerNNRegressor().fit(regression.X, regression.y, sample_weight=weight)


def test_seeds(regression):
    assert seed(7) == 7
    assert seed(2**32 - 1) == 2**32 - 1
    a = BKerNNRegressor(max_iter=3, tol=0, random_state=5).fit(regression.X, regression.y)
    options = _core.FitOptions()
    options.max_iter, options.tol, options.seed = 3, 0.0, 5
    b = _core.fit(regression.X, regression.y[:, np.newaxis], options)
    np.testing.assert_array_equal(a.W_, b.W)
    state = np.random.RandomState(3)
    one = BKerNNRegressor(max_iter=2, tol=0, random_state=state).fit(regression.X, regression.y)
    two = BKerNNRegressor(max_iter=2, tol=0, random_state=state).fit(regression.X, regression.y)
    assert not np.array_equal(one.W_, two.W_)


def test_global_random_state_is_left_alone(regression):
    np.random.seed(0)  # noqa: NPY002
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    BKerNNRegressor(max_iter=2, tol=0, random_state=1).fit(regression.X, regression.y)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    n=st.integers(5, 40),
    d=st.integers(1, 6),
    m=st.integers(1, 8),
    scale=st.sampled_from([1e-6, 1.0, 1e6]),
    shift=st.sampled_from([0.0, 100.0]),
    number=st.integers(0, 10**6),
)
def test_units_do_not_matter(n, d, m, scale, shift, number):
    rng = np.random.default_rng(number)
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    # Exact inner solutions: a loose residual may be met one step earlier or later.
    params = {"n_particles": m, "max_iter": 4, "tol": 0, "inner_solver": "cholesky"}
    plain = BKerNNRegressor(**params, random_state=0).fit(X, y)
    other = BKerNNRegressor(**params, random_state=0)
    other.fit(X * scale + shift * scale, y * scale + shift * scale)
    np.testing.assert_allclose(
        (other.predict(X * scale + shift * scale) - shift * scale) / scale,
        plain.predict(X),
        atol=1e-6 * (1 + np.abs(y).max()),
    )
    assert other.regularization_ == pytest.approx(plain.regularization_ * scale, rel=1e-6)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(
    rows=st.integers(2, 30),
    threads=st.integers(1, 4),
    number=st.integers(0, 10**6),
)
def test_threads_and_other_rows_change_no_bit(rows, threads, number):
    rng = np.random.default_rng(number)
    X, y = rng.normal(size=(rows + 5, 3)), rng.normal(size=rows + 5)
    params = {"n_particles": 5, "max_iter": 3, "tol": 0, "random_state": 0}
    one = BKerNNRegressor(n_jobs=1, **params).fit(X, y)
    many = BKerNNRegressor(n_jobs=threads, **params).fit(X, y)
    np.testing.assert_array_equal(one.W_, many.W_)
    np.testing.assert_array_equal(one.predict(X)[:rows], many.predict(X[:rows]))
