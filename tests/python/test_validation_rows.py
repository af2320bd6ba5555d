"""Rows that `fit` is given to judge by."""

import numpy as np
import pandas as pd
import pytest
from by_rule import BY_RULE

from bkernn import BKerNNClassifier, BKerNNRegressor, BKerNNRegressorCV


def test_the_best_directions_for_these_rows_are_returned(regression):
    # The path is that of the solves on the way, which are as exact as inner_tol says.
    model = BKerNNRegressor(**BY_RULE, random_state=0, inner_tol=1e-6)
    model.fit(regression.X, regression.y, X_val=regression.X_test, y_val=regression.y_test)
    error = np.mean((model.predict(regression.X_test) - regression.y_test) ** 2)
    best = 2 * np.var(regression.y) * np.min(model.validation_path_)
    assert error == pytest.approx(best, rel=1e-5)
    assert np.all(model.dual_coef_ != 0)  # no row of X was held out


def test_other_rows_may_end_the_fit_elsewhere(regression):
    settings = {**BY_RULE, "n_iter_no_change": 1, "random_state": 0}
    fitted = [
        BKerNNRegressor(**settings).fit(
            regression.X, regression.y, X_val=regression.X_test, y_val=sign * regression.y_test
        )
        for sign in (1, -1)
    ]
    assert fitted[0].n_iter_ > fitted[1].n_iter_


def test_several_quantiles(regression):
    model = BKerNNRegressor(loss="quantile", quantile=[0.1, 0.9], **BY_RULE, max_iter=5)
    model.fit(regression.X, regression.y, X_val=regression.X_test, y_val=regression.y_test)
    assert len(model.validation_path_) == model.n_iter_


def test_words_in_both(regression):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"size": rng.normal(size=90), "color": rng.choice(["red", "blue"], 90)})
    y = X["size"] + (X["color"] == "red")
    model = BKerNNRegressor(**BY_RULE, random_state=0)
    model.fit(X[:60], y[:60], X_val=X[60:], y_val=y[60:])
    assert model.score(X[60:], y[60:]) > 0.9


def test_classes(binary):
    X, labels, _ = binary
    model = BKerNNClassifier(**BY_RULE, random_state=0)
    model.fit(X[:200], labels[:200], X_val=X[200:], y_val=labels[200:])
    given = model.predict_proba(X[200:])[np.arange(100), (labels[200:] == "yes").astype(int)]
    assert -np.log(given).mean() == pytest.approx(np.min(model.validation_path_), rel=1e-3)
    with pytest.raises(ValueError, match="classes that the model does not know"):
        model.fit(X, labels, X_val=X[:2], y_val=["yes", "perhaps"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"X_val": np.zeros((3, 6))}, "both or neither"),
        ({"y_val": np.zeros(3)}, "both or neither"),
        ({"X_val": np.zeros((3, 6)), "y_val": np.zeros(2)}, "3 rows and 2 targets"),
        ({"X_val": np.zeros((3, 5)), "y_val": np.zeros(3)}, "5 features"),
        ({"X_val": np.zeros((3, 6)), "y_val": np.full(3, np.nan)}, "validation_Y"),
    ],
)
def test_bad_rows_are_named(regression, given, message):
    with pytest.raises(ValueError, match=message):
        BKerNNRegressor(**BY_RULE).fit(regression.X, regression.y, **given)


def test_cross_validation_has_its_folds(regression):
    with pytest.raises(TypeError, match="X_val"):
        BKerNNRegressorCV().fit(regression.X, regression.y, X_val=regression.X, y_val=regression.y)
