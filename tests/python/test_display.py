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


def test_profiles_are_predictions(fitted):
    display = bkernn.RidgeFunctionsDisplay.from_estimator(fitted, k=1)
    t = display.positions[0]
    direction = fitted.components_[0] * fitted.scale_
    rows = fitted.center_ + np.outer(t, direction) * fitted.scale_
    frame = pd.DataFrame(rows, columns=fitted.feature_names_in_)
    at_center = fitted.predict(pd.DataFrame([fitted.center_], columns=fitted.feature_names_in_))
    np.testing.assert_allclose(display.profiles[0], fitted.predict(frame) - at_center)


def test_importances_and_convergence(fitted):
    display = bkernn.ImportanceDisplay.from_estimator(fitted, max_features=4)
    assert len(display.ax_.patches) == 4
    assert "largest 4 of 6" in display.ax_.get_title()
    _, ax = plt.subplots()
    assert bkernn.ConvergenceDisplay.from_estimator(fitted, ax=ax).ax_ is ax


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


def test_notebook(fitted):
    assert "Importance of variables" in fitted._repr_html_()
    assert "a&lt;b" in fitted._repr_html_()
    assert "features found" in fitted._repr_mimebundle_()["text/html"]
    assert "Importance" not in BKerNNRegressor()._repr_html_()


def test_report(fitted, regression, multiclass):
    page = fitted.to_html()
    assert page.lstrip().lower().startswith("<!doctype html")
    X = pd.DataFrame(regression.X, columns=fitted.feature_names_in_)
    assert len(fitted.to_html(X, regression.y)) > len(page)
    model = BKerNNClassifier(random_state=0, max_iter=10).fit(*multiclass)
    assert "high" in model.to_html(*multiclass)
    with pytest.raises(ValueError, match="both"):
        fitted.to_html(X)
