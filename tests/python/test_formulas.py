"""Metrics, baselines and simulated data against the formulas in NumPy."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st

import bkernn
from bkernn import BrownianKernelRidge, ReLUNetworkRegressor, metrics
from bkernn.datasets import simulate, simulation_kinds


@settings(max_examples=30, deadline=None, derandomize=True)
@given(n=st.integers(2, 50), q=st.integers(1, 3), number=st.integers(0, 10**6))
def test_regression_scores(n, q, number):
    rng = np.random.default_rng(number)
    Y, F, w = rng.normal(size=(n, q)), rng.normal(size=(n, q)), rng.uniform(0.1, 2, n)
    for ours, theirs in (
        (metrics.r2_score, sklearn.metrics.r2_score),
        (metrics.mean_squared_error, sklearn.metrics.mean_squared_error),
    ):
        expected = theirs(Y, F, sample_weight=w)
        assert ours(Y, F, sample_weight=w) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert metrics.pinball_loss(Y, F, quantile=0.3) == pytest.approx(
        sklearn.metrics.mean_pinball_loss(Y, F, alpha=0.3)
    )
    assert metrics.quantile_coverage(Y, F) == pytest.approx(np.mean(Y <= F))
    assert metrics.interval_coverage(Y, F - 1, F + 1) == pytest.approx(np.mean(np.abs(Y - F) <= 1))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(n=st.integers(3, 50), q=st.integers(2, 4), number=st.integers(0, 10**6))
def test_classification_scores(n, q, number):
    rng = np.random.default_rng(number)
    p = rng.dirichlet(np.ones(q), n)
    y = rng.integers(0, q, n)
    expected = sklearn.metrics.log_loss(y, p, labels=range(q))
    assert metrics.log_loss(y, p) == pytest.approx(expected)
    assert metrics.log_loss(np.eye(q)[y], p) == pytest.approx(expected)
    assert metrics.accuracy(y, p) == pytest.approx(np.mean(p.argmax(axis=1) == y))
    assert 0 <= metrics.expected_calibration_error(y, p) <= 1


def test_feature_learning_score():
    rng = np.random.default_rng(0)
    P, R = (np.linalg.qr(rng.normal(size=(7, 3)))[0] for _ in range(2))
    expected = 1 - np.linalg.norm(P @ P.T - R @ R.T) ** 2 / 6
    assert metrics.feature_learning_score(P, R) == pytest.approx(expected)
    with pytest.raises(ValueError, match="rank"):
        metrics.feature_learning_score(np.zeros((7, 3)), P)


def test_brownian_kernel_ridge_is_its_formula():
    data = simulate("multi_index", n=60, n_test=20, d=4)
    X, y, lam, n = data.X, data.y, 0.02, 60
    model = BrownianKernelRidge(regularization=lam, standardize=False).fit(X, y)

    def kernel(A, B):
        norms = np.linalg.norm(A, axis=1)[:, None] + np.linalg.norm(B, axis=1)
        return (norms - np.linalg.norm(A[:, None] - B, axis=2)) / 2

    center = np.eye(n) - 1 / n
    K = kernel(X, X)
    alpha = np.linalg.solve(center @ K @ center + n * lam * np.eye(n), center @ y)
    c = y.mean() - (K @ alpha).mean()
    np.testing.assert_allclose(model.dual_coef_, alpha, atol=1e-10)
    np.testing.assert_allclose(model.predict(data.X_test), kernel(data.X_test, X) @ alpha + c)


def test_relu_network_is_its_formula():
    data = simulate("multi_index", n=100, d=4)
    model = ReLUNetworkRegressor(random_state=0).fit(data.X, data.y)
    Z = (data.X - model.center_) / model.scale_
    F = np.maximum(Z @ model.W_ + model.biases_, 0) @ model.output_weights_
    expected = F[:, 0] * data.y.std() + data.y.mean()
    np.testing.assert_allclose(model.predict(data.X), expected)
    assert 0 <= model.feature_learning_score(data.P) <= 1
    with pytest.raises(FloatingPointError):
        ReLUNetworkRegressor(step_size=1e6, random_state=0).fit(data.X, data.y)


@pytest.mark.parametrize("kind", simulation_kinds())
def test_simulations(kind):
    d = 1 if kind.endswith("wave") else 6
    data = simulate(kind, n=50, n_test=10, d=d)
    assert data.X.shape == (50, d)
    assert data.y_test.shape == data.signal_test.shape == (10,)
    np.testing.assert_allclose(data.P.T @ data.P, np.eye(data.P.shape[1]), atol=1e-12)
    assert np.all(np.abs(data.X) <= 1)


def test_theory():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (400, 3))
    value, error, suprema = bkernn.theory.estimate_gaussian_complexity(X, draws=4)
    assert value == pytest.approx(suprema.mean())
    assert error >= 0
    for sphere in ("l2", "l1"):
        bound = bkernn.theory.gaussian_complexity_bound(X, sphere=sphere)
        assert 0 < value < bound
    risk = bkernn.theory.excess_risk_bound(
        lipschitz=1, n=100, complexity=0.1, sigma=1, penalty_of_best=2
    )
    lam = bkernn.theory.regularization(lipschitz=1, n=100, complexity=0.1, sigma=1)
    assert risk == pytest.approx(4 * lam)
    with pytest.raises(ValueError, match="sphere"):
        bkernn.theory.dimension_independent_bound(X, sphere="l3")
