"""Plots, notebook and HTML report."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import bkernn
from bkernn import BKerNNClassifier, BKerNNRegressor, BKerNNRegressorCV

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def fitted(regression):
    X = pd.DataFrame(regression.X, columns=["age", "dose", "height", "mass", "a<b", "z"])
    return BKerNNRegressor(random_state=0).fit(X, regression.y)


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")


def test_ridge_functions(fitted):
    display = bkernn.RidgeFunctionsDisplay.from_estimator(fitted)
    assert len(display.axes_) == fitted.n_active_features_
    assert display.axes_[0].get_title().startswith("Direction 1: ")
    assert display.axes_[0].get_xlabel() == "projection (standard deviations)"
    assert len({ax.get_ylim() for ax in display.axes_}) == 1
    figure, axes = plt.subplots(1, 2)
    assert bkernn.RidgeFunctionsDisplay.from_estimator(fitted, k=2, axes=axes).figure_ is figure
    with pytest.raises(ValueError, match="axes"):
        bkernn.RidgeFunctionsDisplay.from_estimator(fitted, k=1, axes=axes)


def test_three_panels_stand_side_by_side():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 5))
    model = BKerNNRegressor(penalty="basic", regularization=1e-3, max_iter=5, random_state=0)
    model.fit(X, np.sin(X) @ np.arange(1.0, 6.0))
    display = bkernn.RidgeFunctionsDisplay.from_estimator(model, k=4)
    grid = display.axes_[0].get_gridspec()
    assert (grid.nrows, grid.ncols) == (2, 3)
    assert [ax.get_visible() for ax in display.figure_.axes] == 4 * [True] + 2 * [False]


def test_profiles_are_predictions(fitted):
    display = bkernn.RidgeFunctionsDisplay.from_estimator(fitted, k=1)
    t = display.positions[0]
    direction = fitted.components_[0] * fitted.scale_
    rows = fitted.center_ + np.outer(t, direction) * fitted.scale_
    frame = pd.DataFrame(rows, columns=fitted.feature_names_in_)
    at_center = fitted.predict(pd.DataFrame([fitted.center_], columns=fitted.feature_names_in_))
    np.testing.assert_allclose(display.profiles[0], fitted.predict(frame) - at_center)


def test_the_central_rows_are_drawn(fitted, regression):
    X = pd.DataFrame(regression.X, columns=fitted.feature_names_in_)
    wanted = np.quantile(fitted.transform(X)[:, 0], [0.025, 0.975])
    given = bkernn.RidgeFunctionsDisplay.from_estimator(fitted, X, k=1)
    np.testing.assert_allclose(given.positions[0][[0, -1]], wanted)
    marks = given.axes_[0].lines[-1].get_xdata()
    assert len(marks) == 190
    knots = bkernn.RidgeFunctionsDisplay.from_estimator(fitted, k=1)
    np.testing.assert_allclose(knots.positions[0][[0, -1]], wanted, atol=0.1)


def test_importances_and_convergence(fitted):
    display = bkernn.ImportanceDisplay.from_estimator(fitted, max_features=4)
    assert len(display.ax_.patches) == 4
    assert "largest 4 of 6" in display.ax_.get_title()
    _, ax = plt.subplots()
    assert bkernn.ConvergenceDisplay.from_estimator(fitted, ax=ax).ax_ is ax


@pytest.mark.parametrize(
    ("y", "heading", "names"),
    [
        (lambda y: y, "y", []),
        (lambda y: pd.Series(y, name="price"), "price", ["price"]),
        (lambda y: pd.DataFrame({"low": y, "high": -y}), "low, high", ["low", "high"]),
        (lambda y: pd.Series(y > 0, name="sold"), "sold", ["sold"]),
        (lambda y: pd.Series(y), "y", []),
        (lambda y: pd.DataFrame({0: y, 1: -y}), "y", []),
    ],
)
def test_the_report_names_the_target(regression, y, heading, names):
    targets = y(regression.y)
    few = {"max_iter": 2, "n_particles": 2, "random_state": 0}
    classes = np.asarray(targets).dtype == bool
    model = (BKerNNClassifier if classes else BKerNNRegressor)(**few).fit(regression.X, targets)
    assert f'"target":"{heading}"' in model.to_html().replace(" ", "").replace(",", ", ")
    assert model._saved.target_names == names


def test_path(regression):
    model = BKerNNRegressorCV(cv=3, random_state=0, regularizations=[0.1, 0.01], n_particles=5)
    display = bkernn.RegularizationPathDisplay.from_estimator(model.fit(regression.X, regression.y))
    assert "λ" in display.ax_.get_xlabel()


def test_classes_and_constant_model(multiclass):
    model = BKerNNClassifier(random_state=0).fit(*multiclass)
    display = bkernn.RidgeFunctionsDisplay.from_estimator(model, output=2)
    assert display.axes_[0].get_ylabel() == "change of the log-odds"
    constant = BKerNNRegressor(regularization=1e6).fit(multiclass[0], multiclass[0][:, 0])
    with pytest.raises(ValueError, match="constant"):
        bkernn.RidgeFunctionsDisplay.from_estimator(constant)


def test_the_direction_of_a_class_is_the_one_that_separates_it():
    X = np.random.default_rng(0).uniform(-1, 1, (300, 3))
    y = np.where(X[:, 0] < -0.2, "left", np.where(X[:, 1] > 0, "up", "down"))
    model = BKerNNClassifier(
        penalty="variable", regularization=3e-3, n_particles=20, random_state=0
    ).fit(X, y)
    display = bkernn.ClassDirectionsDisplay.from_estimator(model, k=2)
    assert display.classes == ["down", "left", "up"]
    assert sorted(display.directions) == ["x0", "x1"]
    down, left, up = display.sizes[:, np.argsort(display.directions)]
    assert left[0] > 2 * left[1]
    assert up[1] > 2 * left[1]
    assert down[1] > 2 * left[1]
    assert display.ax_.get_xticklabels()[0].get_text().startswith("1: x")


def test_log_odds_of_two_classes_are_those_of_both(binary):
    model = BKerNNClassifier(random_state=0).fit(*binary[:2])
    display = bkernn.ClassDirectionsDisplay.from_estimator(model, k=1)
    change = bkernn.RidgeFunctionsDisplay.from_estimator(model, k=1).profiles[0]
    np.testing.assert_allclose(display.sizes, np.full((2, 1), np.ptp(change) / 2))


def test_only_classes_have_directions_of_their_own(fitted):
    with pytest.raises(TypeError, match="BKerNNRegressor has no classes"):
        bkernn.ClassDirectionsDisplay.from_estimator(fitted)


def test_notebook(fitted):
    assert "Importance of variables" in fitted._repr_html_()
    assert "a&lt;b" in fitted._repr_html_()
    shown = fitted._repr_mimebundle_()["text/html"]
    assert f"<th>directions found</th><td>{fitted.n_directions_}</td>" in shown
    in_use = (fitted.feature_importances_ > 0).sum()
    assert f"<th>variables in use</th><td>{in_use} of {fitted.n_features_in_}</td>" in shown
    assert "features found" not in shown
    assert "Importance" not in BKerNNRegressor()._repr_html_()


def test_report(fitted, regression, multiclass):
    page = fitted.to_html()
    assert page.lstrip().lower().startswith("<!doctype html")
    X = pd.DataFrame(regression.X, columns=fitted.feature_names_in_)
    assert len(fitted.to_html(X, regression.y)) > len(page)
    model = BKerNNClassifier(random_state=0, max_iter=10).fit(*multiclass)
    assert "high" in model.to_html(*multiclass)
    assert '"name":"x0"' in model.to_html()  # as Python counts
    with pytest.raises(ValueError, match="both"):
        fitted.to_html(X)
