"""The regressor: what it learns, and what its attributes are."""

import warnings

import numpy as np
import pytest
from by_rule import BY_RULE
from sklearn.exceptions import ConvergenceWarning, NotFittedError

import bkernn
from bkernn import BKerNNRegressor, _core
from bkernn.datasets import simulate

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def brownian(a, b):
    return (np.abs(a) + np.abs(b) - np.abs(a - b)) / 2


def naive_prediction(model, X_train, X):
    """f(x) = c + (1/m) Σ_j Σ_i α_i k(w_jᵀx, w_jᵀx_i), in the coordinates of the model."""
    Z, Z_train = X / model.scale_, X_train / model.scale_
    f = np.zeros(len(X))
    for w in model.W_.T:
        f += brownian((Z @ w)[:, None], (Z_train @ w)[None, :]) @ model.dual_coef_
    return f / model.W_.shape[1] + model.intercept_


def test_finds_the_hidden_directions():
    data = simulate("multi_index", n=500, n_test=500, d=10)
    model = BKerNNRegressor(random_state=0).fit(data.X, data.y)
    assert model.score(data.X_test, data.y_test) > 0.9
    assert model.feature_learning_score(data.P) > 0.95
    assert model.n_active_features_ == 3


@pytest.mark.parametrize("standardize", [True, False])
def test_prediction_is_the_formula_of_the_paper(regression, standardize):
    model = BKerNNRegressor(random_state=0, standardize=standardize).fit(regression.X, regression.y)
    expected = naive_prediction(model, regression.X, regression.X_test)
    np.testing.assert_allclose(model.predict(regression.X_test), expected, atol=1e-9)
    assert abs(model.dual_coef_.sum()) < 1e-9


def test_ridge_functions_add_up_to_the_prediction(regression):
    model = BKerNNRegressor(random_state=0).fit(regression.X, regression.y)
    X = regression.X_test
    f = np.full(len(X), model.predict(model.center_[np.newaxis])[0])
    for direction, knots, values in model.ridge_functions():
        f += np.interp((X - model.center_) @ direction, knots, values)
    np.testing.assert_allclose(model.predict(X), f, atol=1e-10)


def test_w_is_in_the_units_of_x_without_standardize(regression):
    model = BKerNNRegressor(random_state=0, standardize=False).fit(regression.X, regression.y)
    assert np.all(model.scale_ == 1)
    assert model.W_.shape == (6, 50)


def test_objective_path_ends_with_the_returned_model(regression):
    X, y = regression.X, regression.y
    model = BKerNNRegressor(
        random_state=0, standardize=False, penalty="variable", regularization=0.003
    ).fit(X, y)
    assert len(model.objective_path_) == model.n_iter_ + 1
    m, lam, alpha = model.W_.shape[1], model.regularization_, model.dual_coef_
    P = X @ model.W_
    K = sum(brownian(p[:, None], p[None, :]) for p in P.T) / m
    residual = y - K @ alpha - model.intercept_
    omega = np.linalg.norm(model.W_, axis=1).sum() / (2 * np.sqrt(m))
    objective = residual @ residual / (2 * len(y)) + lam / 2 * alpha @ K @ alpha + lam * omega
    np.testing.assert_allclose(model.objective_path_[-1], objective, rtol=1e-8)
    assert model.objective_path_[-1] <= model.objective_path_[:-1].min() * (1 + 1e-3)


def test_tol_zero_runs_exactly_max_iter_without_a_warning(regression):
    with warnings.catch_warnings():
        warnings.simplefilter("error", ConvergenceWarning)
        model = BKerNNRegressor(max_iter=7, tol=0, random_state=0).fit(regression.X, regression.y)
    assert model.n_iter_ == 7
    assert not model.converged_


@pytest.mark.filterwarnings("default::sklearn.exceptions.ConvergenceWarning")
def test_warns_when_it_did_not_converge(regression):
    with pytest.warns(ConvergenceWarning, match="after 3 iterations: the next step promises"):
        BKerNNRegressor(max_iter=3, random_state=0).fit(regression.X, regression.y)


def test_defaults_are_those_of_the_core():
    options, model = _core.FitOptions(), BKerNNRegressor()
    others = ("init", "knots", "n_particles", "n_directions", "regularization")
    for name, value in model.get_params().items():
        if hasattr(options, name) and name not in others:
            assert getattr(options, name) == value, name


def test_several_outputs(regression):
    Y = np.column_stack([regression.y, -2 * regression.y, regression.signal])
    model = BKerNNRegressor(random_state=0).fit(regression.X, Y)
    assert model.predict(regression.X_test).shape == (200, 3)
    assert model.dual_coef_.shape == (200, 3)
    assert model.intercept_.shape == (3,)
    prediction = model.predict(regression.X_test)
    np.testing.assert_allclose(prediction[:, 1], -2 * prediction[:, 0], atol=1e-6)
    assert model.fit(regression.X, regression.y[:, np.newaxis]).predict(regression.X).shape == (
        200,
        1,
    )


@pytest.mark.parametrize("tau", [0.1, 0.5, 0.9])
def test_quantiles_cover_their_share_of_new_rows(tau):
    data = simulate("sine_features", n=300, n_test=2000, d=2, k=1, noise=0.5)
    model = BKerNNRegressor(
        loss="quantile", quantile=tau, regularization=0.03, n_particles=5, random_state=0
    ).fit(data.X, data.y)
    coverage = bkernn.metrics.quantile_coverage(data.y_test, model.predict(data.X_test))
    assert abs(coverage - tau) < 0.06


def test_huber_shrugs_off_outliers():
    data = simulate("multi_index", n=300, n_test=300, d=4)
    y = data.y.copy()
    y[::15] += 30

    def error(loss):
        model = BKerNNRegressor(loss=loss, regularization=0.1, random_state=0).fit(data.X, y)
        return np.mean((model.predict(data.X_test) - data.signal_test) ** 2)

    assert error("huber") < 0.5 * error("square")


def test_counts():
    data = simulate("counts", n=400, n_test=400, d=4)
    model = BKerNNRegressor(loss="poisson", random_state=0).fit(data.X, data.y)
    prediction = model.predict(data.X_test)
    assert np.all(prediction > 0)
    assert bkernn.metrics.r2_score(data.signal_test, prediction) > 0.6


@pytest.mark.parametrize("penalty", _core.penalty_names())
@pytest.mark.parametrize("kernel", _core.kernel_names())
def test_every_penalty_and_kernel(regression, penalty, kernel):
    model = BKerNNRegressor(penalty=penalty, kernel=kernel, max_iter=15, random_state=0)
    assert model.fit(regression.X, regression.y).score(regression.X, regression.y) > 0.5


@pytest.mark.parametrize(
    "params",
    [
        {"optimizer": "paper", "step_size": 10.0, "max_halvings": 8},
        {"optimizer": "spectral"},
        {"inner_solver": "cg"},
        {"inner_solver": "cholesky"},
        {"knots": 32},
        {"concavity": 0.0},
        {"penalty_weight": 0.5},
        {"regularization": 0.01},
        {"n_particles": 3},
        {"n_jobs": 2},
        {"n_jobs": -1},
    ],
)
def test_every_option(regression, params):
    model = BKerNNRegressor(max_iter=15, random_state=0, **params).fit(regression.X, regression.y)
    assert model.score(regression.X, regression.y) > 0.5


def test_theory_gives_a_much_larger_lambda(regression):
    auto = BKerNNRegressor(max_iter=1, random_state=0).fit(regression.X, regression.y)
    theory = BKerNNRegressor(max_iter=1, random_state=0, regularization="theory")
    theory.fit(regression.X, regression.y)
    assert theory.regularization_ > 100 * auto.regularization_


@pytest.mark.parametrize(
    ("params", "error", "message"),
    [
        ({"n_particles": -1}, ValueError, "n_particles"),
        ({"n_particles": 2.5}, TypeError, "n_particles"),
        ({"penalty": "none"}, ValueError, "penalty"),
        ({"penalty": 3}, TypeError, "penalty"),
        ({"regularization": "big"}, ValueError, "regularization"),
        ({"regularization": 0}, ValueError, "regularization"),
        ({"loss": "logistic"}, ValueError, "loss"),
        ({"tol": -1}, ValueError, "tol"),
        ({"tol": "small"}, TypeError, "tol"),
        ({"quantile": 2, "loss": "quantile"}, ValueError, "quantile"),
        ({"init": np.zeros((2, 2))}, ValueError, "init"),
        ({"standardize": "yes"}, TypeError, "standardize"),
        ({"early_stopping": True, "validation_fraction": 2}, ValueError, "validation_fraction"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"knots": 1}, ValueError, "knots"),
        ({"random_state": -1}, ValueError, "seed|random_state|Seed"),
        ({"verbose": "much"}, TypeError, "verbose"),
    ],
)
def test_bad_parameters_are_named(regression, params, error, message):
    with pytest.raises(error, match=message):
        BKerNNRegressor(**params).fit(regression.X, regression.y)


def test_not_fitted(regression):
    for method in ("predict", "transform"):
        with pytest.raises(NotFittedError):
            getattr(BKerNNRegressor(), method)(regression.X)
    for method in ("to_c", "to_onnx"):
        with pytest.raises(NotFittedError):
            getattr(BKerNNRegressor(), method)()


def test_constant_target_and_constant_columns(regression):
    model = BKerNNRegressor(random_state=0).fit(regression.X, np.full(200, 3.0))
    np.testing.assert_allclose(model.predict(regression.X_test), 3.0)
    X = np.column_stack([regression.X, np.ones(200)])
    model = BKerNNRegressor(random_state=0).fit(X, regression.y)
    assert model.components_[:, -1] == pytest.approx(0, abs=1e-9)


def test_several_models_become_one(regression, tmp_path):
    options = {**BY_RULE, "n_particles": 6, "random_state": 0}
    X, y, X_test = regression.X, regression.y, regression.X_test
    one = BKerNNRegressor(**options).fit(X, y)
    all_ = BKerNNRegressor(n_models=3, **options).fit(X, y)
    assert all_.W_.shape == (X.shape[1], 18) and all_.dual_coef_ is None
    assert isinstance(all_.intercept_, float)
    np.testing.assert_array_equal(all_.W_[:, :6], one.W_)
    assert all_.score(X_test, regression.y_test) > one.score(X_test, regression.y_test) - 0.01
    all_.save_model(tmp_path / "m.json")
    copy = bkernn.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(copy.predict(X_test), all_.predict(X_test))
    assert copy.n_models == 3
    with pytest.raises(ValueError, match="n_models = 2: must be 1"):
        BKerNNRegressor(n_models=2, init=one.W_, **options).fit(X, y)


def test_fits_again_within_the_leading_directions(regression, tmp_path):
    options = {**BY_RULE, "n_particles": 10, "random_state": 0}
    X, y, X_test = regression.X, regression.y, regression.X_test
    first = BKerNNRegressor(**options).fit(X, y)
    second = BKerNNRegressor(n_directions=1, **options).fit(X, y)
    assert first.refit_ is None and {one["penalty"] for one in second.refit_} == {"basic"}
    assert second.n_directions_ == 1 and second.penalty_ == first.penalty_
    np.testing.assert_allclose(
        np.abs(np.corrcoef(second.components_[0], first.components_[0])[0, 1]), 1, atol=1e-9
    )
    second.save_model(tmp_path / "m.json", compress=False)
    copy = bkernn.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(copy.predict(X_test), second.predict(X_test))
    assert copy.n_directions == 1 and copy.refit_ == second.refit_
    with pytest.raises(ValueError, match="n_directions"):
        BKerNNRegressor(n_directions=-1, **options).fit(X, y)


def test_directions_and_variables_are_counted_by_held_out_rows(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(300, 20))
    y = (X[:, 0] + X[:, 1]) ** 2 / 2 + 0.47 * rng.normal(size=300)
    model = BKerNNRegressor(penalty="feature", random_state=0).fit(X, y)
    assert (model.singular_values_ > 0.1 * model.singular_values_[0]).sum() > 1
    assert (model.feature_importances_ > 0.1 * model.feature_importances_.max()).sum() > 2
    assert (model.n_directions_, model.n_active_features_, model.n_variables_) == (1, 1, 2)
    assert model.components_.shape == (1, 20) and model.transform(X).shape == (300, 1)
    model.save_model(tmp_path / "m.json")
    copy = bkernn.load_model(tmp_path / "m.json")
    assert (copy.n_directions_, copy.n_variables_) == (1, 2)


def test_automatic_number_of_particles(regression, tmp_path):
    model = BKerNNRegressor(max_iter=1, tol=0, **BY_RULE).fit(regression.X, regression.y)
    assert model.W_.shape[1] == 50
    many = np.tile(regression.X, (5, 1)), np.tile(regression.y, 5)
    model = BKerNNRegressor(max_iter=1, tol=0, **BY_RULE).fit(*many)
    assert model.W_.shape[1] == 101
    model.save_model(tmp_path / "m.json")
    assert bkernn.load_model(tmp_path / "m.json").n_particles == "auto"
    for bad in ("many", 2.5, None):
        with pytest.raises((ValueError, TypeError), match="n_particles"):
            BKerNNRegressor(n_particles=bad).fit(*many)
