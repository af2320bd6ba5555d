"""What holds for every table: finite predictions, and the symmetries of the problem."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strange_data import rows

from bkernn import BKerNNClassifier, BKerNNRegressor, BrownianKernelRidge
from reliability.faults import TAME

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

PENALTIES = ["basic", "basic_l1", "variable", "feature", "concave_variable", "concave_feature"]
PARTICLES = 6
FEW = {"n_particles": PARTICLES, "max_iter": 4, "tol": 0, "random_state": 0, "n_jobs": 1}

KERNELS = ["brownian", "exponential", "gaussian"]
NUMBERS, OTHERS = ["square", "huber", "quantile"], ["poisson", "logistic", "multinomial"]
# λ as chosen from the data, or so many times the spread of y, in whose units it is. With much
# smaller ones rounding sends the search another way (docs/reliability.md).
STRENGTHS = [None, 0.1, 0.3, 1.0]


def strength(y, relative):
    return "auto" if relative is None or np.ptp(y) == 0 else relative * np.std(y)


def particles(d, seed):
    return np.random.default_rng(seed).normal(size=(d, PARTICLES)) / np.sqrt(d)


def fitted(data, W, **parameters):
    return BKerNNRegressor(init=W, **{**FEW, **parameters}).fit(data.X, data.y)


def assert_near(found, expected, y, tolerance=1e-5):
    """Equal up to `tolerance` of the spread of y (and the rounding of numbers as large as y)."""
    assert np.all(np.isfinite(found)) and np.all(np.isfinite(expected))
    allowed = tolerance * np.std(y) + 1e-10 * np.abs(y).max()
    assert np.abs(found - expected).max() <= allowed


@given(
    rows(),
    st.sampled_from(PENALTIES),
    st.sampled_from(["square", "huber", "quantile"]),
    st.sampled_from(["brownian", "exponential", "gaussian"]),
    st.none() | st.integers(-8, 4),
    st.booleans(),
)
def test_predictions_are_finite(data, penalty, loss, kernel, power, standardize):
    """Any scale, ties, copies, constants, collinear columns, outliers, λ over twelve orders."""
    regularization = "auto" if power is None else 10.0**power
    model = BKerNNRegressor(
        penalty=penalty,
        loss=loss,
        kernel=kernel,
        regularization=regularization,
        standardize=standardize,
        **FEW,
    ).fit(data.X, data.y)
    away = np.vstack([data.X, -3 * data.X, np.zeros_like(data.X[:1])])
    assert np.all(np.isfinite(model.predict(away)))
    assert np.all(np.isfinite(model.W_)) and np.all(np.isfinite(model.dual_coef_))


@given(rows(scales=(-12, 12)), st.integers(-6, 4), st.integers(2, 4))
def test_counts_and_classes_are_finite(data, power, classes):
    order = np.argsort(np.argsort(data.y))
    regularization = 10.0**power
    counts = BKerNNRegressor(loss="poisson", regularization=regularization, **FEW)
    assert np.all(np.isfinite(counts.fit(data.X, order).predict(data.X)))
    labels = order % min(classes, len(order))  # two: the logistic loss, more: the multinomial
    model = BKerNNClassifier(regularization=regularization, **FEW).fit(data.X, labels)
    shares = model.predict_proba(data.X)
    assert shares.shape == (len(order), min(classes, len(order)))
    assert np.all(np.isfinite(shares)) and np.allclose(shares.sum(axis=1), 1)


@given(
    rows(TAME, (-3, 3)),
    st.floats(-100, 100),
    st.integers(0, 99),
    st.sampled_from(PENALTIES),
    st.sampled_from(KERNELS),
    st.sampled_from(STRENGTHS),
)
def test_shift_of_x(data, shift, seed, penalty, kernel, relative):
    W, scale = particles(data.X.shape[1], seed), np.abs(data.X).max()
    chosen = {
        "penalty": penalty,
        "kernel": kernel,
        "regularization": strength(data.y, relative),
    }
    model = fitted(data, W, **chosen)
    moved = fitted(data._replace(X=data.X + shift * scale), W, **chosen)
    assert_near(moved.predict(data.X + shift * scale), model.predict(data.X), data.y, 1e-4)


@given(
    rows(TAME, (0, 0)),
    st.integers(0, 99),
    st.sampled_from(["basic", "feature", "concave_feature"]),
    st.sampled_from(KERNELS),
    st.sampled_from(STRENGTHS),
)
def test_rotation_of_x(data, seed, penalty, kernel, relative):
    d = data.X.shape[1]
    Q = np.linalg.qr(np.random.default_rng(seed).normal(size=(d, d)))[0]
    W = particles(d, seed)
    chosen = {
        "penalty": penalty,
        "kernel": kernel,
        "standardize": False,
        "regularization": strength(data.y, relative),
    }
    model = fitted(data, W, **chosen)
    turned = fitted(data._replace(X=data.X @ Q), Q.T @ W, **chosen)
    assert_near(turned.predict(data.X @ Q), model.predict(data.X), data.y, 1e-4)


@given(
    rows(TAME, (0, 0)),
    st.integers(-12, 12),
    st.integers(0, 99),
    st.sampled_from(["square", "huber", "quantile"]),
    st.sampled_from(STRENGTHS),
)
def test_scale_of_y(data, power, seed, loss, relative):
    W, t = particles(data.X.shape[1], seed), 10.0**power
    model = fitted(data, W, loss=loss, regularization=strength(data.y, relative))
    y = t * data.y
    scaled = fitted(data._replace(y=y), W, loss=loss, regularization=strength(y, relative))
    # The quantile loss turns within a narrow kink: rounding there is worth more.
    tolerance = 5e-3 if loss == "quantile" else 1e-5
    assert_near(scaled.predict(data.X) / t, model.predict(data.X), data.y, tolerance)
    if np.ptp(data.y) > 0:  # a constant has no scale
        assert np.isclose(scaled.regularization_, t * model.regularization_, rtol=1e-6)


@given(
    rows(TAME, (0, 0)),
    st.integers(0, 99),
    st.sampled_from(PENALTIES),
    st.sampled_from(KERNELS),
    st.sampled_from(STRENGTHS),
)
def test_scales_of_columns(data, seed, penalty, kernel, relative):
    """Standardized columns do not know their units."""
    d = data.X.shape[1]
    units = 10.0 ** np.random.default_rng(seed).integers(-12, 13, d)
    W = particles(d, seed)
    chosen = {
        "penalty": penalty,
        "kernel": kernel,
        "regularization": strength(data.y, relative),
    }
    model = fitted(data, W, **chosen)
    other = fitted(data._replace(X=data.X * units), W, **chosen)
    assert_near(other.predict(data.X * units), model.predict(data.X), data.y, 1e-4)


@given(
    rows(TAME, (-3, 3)),
    st.integers(0, 99),
    st.sampled_from(PENALTIES),
    st.sampled_from(KERNELS),
    st.sampled_from(STRENGTHS),
)
def test_order_of_rows_and_columns(data, seed, penalty, kernel, relative):
    rng = np.random.default_rng(seed)
    n, d = data.X.shape
    order, columns = rng.permutation(n), rng.permutation(d)
    W = particles(d, seed)
    chosen = {
        "penalty": penalty,
        "kernel": kernel,
        "regularization": strength(data.y, relative),
    }
    model = fitted(data, W, **chosen)
    X = data.X[np.ix_(order, columns)]
    mixed = fitted(data._replace(X=X, y=data.y[order]), W[columns], **chosen)
    assert_near(mixed.predict(X), model.predict(data.X)[order], data.y, 1e-4)


# What is promised to the bit holds however small λ is, and where λ and the penalty are chosen.
ANY_CHOICE = st.tuples(
    st.sampled_from(["auto", *PENALTIES]),
    st.sampled_from(KERNELS),
    st.sampled_from(NUMBERS + OTHERS),
    st.none() | st.integers(-8, 4),
)


def predictions(data, at, seed, penalty, kernel, loss, power, unit=1.0):
    """Fit numbers, counts or classes, the last two by rank; `unit` is that of y."""
    chosen = {
        "penalty": penalty,
        "kernel": kernel,
        "regularization": "auto" if power is None else 10.0**power,
        "init": particles(data.X.shape[1], seed),
        **FEW,
    }
    if loss in NUMBERS:
        if power is not None:
            chosen["regularization"] *= unit
        return BKerNNRegressor(loss=loss, **chosen).fit(data.X, data.y).predict(at)
    rank = np.unique(data.y, return_inverse=True)[1]
    if loss == "poisson":
        return BKerNNRegressor(loss=loss, **chosen).fit(data.X, rank).predict(at)
    assume(rank.max() > 0)
    classes = rank % (2 if loss == "logistic" else 3)
    return BKerNNClassifier(**chosen).fit(data.X, classes).predict_proba(at)


@given(rows(), st.integers(0, 99), ANY_CHOICE)
def test_rows_in_any_order_give_the_same_bits(data, seed, choice):
    order = np.random.default_rng(seed).permutation(len(data.y))
    mixed = data._replace(X=data.X[order], y=data.y[order])
    expected = predictions(data, data.X, seed, *choice)
    np.testing.assert_array_equal(predictions(mixed, data.X, seed, *choice), expected)


@given(rows(), st.integers(0, 99), st.integers(-40, 40), ANY_CHOICE)
def test_units_that_are_powers_of_two_give_the_same_bits(data, seed, power, choice):
    """Of every column its own, and of y with λ."""
    units = 2.0 ** np.random.default_rng(seed).integers(-40, 41, data.X.shape[1])
    y_unit = 2.0**power if choice[2] in NUMBERS else 1.0
    other = data._replace(X=data.X * units, y=data.y * y_unit)
    expected = predictions(data, data.X, seed, *choice)
    found = predictions(other, other.X, seed, *choice, unit=y_unit)
    np.testing.assert_array_equal(found / y_unit, expected)


@given(
    rows(TAME, (0, 0), least=4),
    st.integers(-12, 12),
    st.integers(-6, 3),
    st.floats(-100, 100),
    st.integers(0, 99),
)
def test_ridge_alone(data, power, regularization, shift, seed):
    """The baseline with fixed directions: the same symmetries, without a search."""

    def predictions(X, y):
        return BrownianKernelRidge(regularization=10.0**regularization).fit(X, y).predict(X)

    t, order = 10.0**power, np.random.default_rng(seed).permutation(len(data.y))
    expected = predictions(data.X, data.y)
    assert_near(predictions(data.X + shift, data.y), expected, data.y)
    assert_near(predictions(data.X, t * data.y) / t, expected, data.y)
    assert_near(predictions(data.X[order], data.y[order]), expected[order], data.y)
