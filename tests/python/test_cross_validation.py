"""λ by cross-validation."""

import sys

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, KFold, ShuffleSplit

import bkernn
from bkernn import BKerNNClassifierCV, BKerNNRegressor, BKerNNRegressorCV
from bkernn.datasets import simulate

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def fitted(regression):
    return BKerNNRegressorCV(random_state=0, cv=3).fit(regression.X, regression.y)


def test_chooses_the_best_of_the_path(fitted, regression):
    path = fitted.regularizations_
    assert np.all(np.diff(path) < 0)
    assert fitted.cv_scores_.shape == (len(path), 3)
    np.testing.assert_allclose(fitted.cv_scores_.mean(axis=1), fitted.cv_mean_)
    assert fitted.best_index_ == np.argmin(fitted.cv_mean_)
    assert fitted.regularization_ == pytest.approx(path[fitted.best_index_])
    assert fitted.best_params_ == {
        "regularization": path[fitted.best_index_],
        "penalty": fitted.penalty_,
    }
    assert fitted.cv_evaluations_ > fitted.cv_scores_.size  # more than one for each fit
    assert fitted.score(regression.X_test, regression.y_test) > 0.8


def test_the_model_is_the_one_of_that_lambda(fitted, regression):
    plain = BKerNNRegressor(
        random_state=0, regularization=fitted.regularization_, penalty=fitted.penalty_
    )
    plain.fit(regression.X, regression.y)
    np.testing.assert_allclose(plain.predict(regression.X), fitted.predict(regression.X), atol=1e-6)


def test_one_standard_error_is_simpler(fitted, regression):
    simple = BKerNNRegressorCV(random_state=0, cv=3, one_standard_error=True)
    simple.fit(regression.X, regression.y)
    assert simple.regularization_ >= fitted.regularization_


@pytest.mark.parametrize(
    "cv", [KFold(4), list(KFold(4).split(np.zeros((200, 1)))), GroupKFold(4), 4]
)
def test_folds_of_every_kind(regression, cv):
    groups = np.repeat(np.arange(20), 10)
    model = BKerNNRegressorCV(
        cv=cv, random_state=0, regularizations=[0.01, 0.1], n_particles=5, max_iter=20
    ).fit(regression.X, regression.y, groups=groups)
    assert model.cv_scores_.shape == (2, 4)
    assert model.regularizations_.tolist() == [0.1, 0.01]


def test_test_sets_must_not_overlap(regression):
    with pytest.raises(ValueError, match="one test set"):
        BKerNNRegressorCV(cv=ShuffleSplit(3, test_size=0.6, random_state=0)).fit(
            regression.X, regression.y
        )


def test_race(regression):
    model = BKerNNRegressorCV(
        cv=3,
        random_state=0,
        regularizations=[0.1, 0.01],
        race={"penalty": ["feature", "variable"], "n_particles": [2, 10]},
        scoring="r2",
    ).fit(regression.X, regression.y)
    assert len(model.cv_paths_) == 4
    assert model.best_score_ == max(path["mean"].max() for path in model.cv_paths_)
    assert model.W_.shape[1] == model.best_params_["n_particles"]
    with pytest.raises(ValueError, match="race"):
        BKerNNRegressorCV(race={"tol": [1]}).fit(regression.X, regression.y)


def test_classes(binary, tmp_path):
    X, y, data = binary
    model = BKerNNClassifierCV(cv=3, random_state=0, scoring="accuracy").fit(X, y)
    assert model.score(data.X_test, np.where(data.y_test > 0, "yes", "no")) > 0.7
    model.save_model(tmp_path / "model.json", compress=False)
    copy = bkernn.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize(
    ("name", "core"),
    [
        ("r2", "r2"),
        ("neg_mean_squared_error", "mse"),
        ("neg_root_mean_squared_error", "rmse"),
        ("neg_mean_absolute_error", "mae"),
    ],
)
def test_names_of_scikit_learn(regression, name, core):
    options = {"n_particles": 5, "penalty": "feature", "n_regularizations": 3, "random_state": 0}
    X, y = regression.X, regression.y
    theirs = BKerNNRegressorCV(scoring=name, **options).fit(X, y)
    ours = BKerNNRegressorCV(scoring=core, **options).fit(X, y)
    sign = 1 if name == core else -1
    np.testing.assert_array_equal(theirs.cv_scores_, sign * ours.cv_scores_)
    assert theirs.regularization_ == ours.regularization_
    assert theirs.best_score_ == theirs.cv_mean_.max() == ours.best_score_
    with pytest.raises(ValueError, match="scoring = 'neg_everything': must be one of loss"):
        BKerNNRegressorCV(scoring="neg_everything").fit(X, y)


def test_races_the_automatic_number_of_particles(regression):
    race = {"n_particles": ["auto", 5]}
    options = {"penalty": "feature", "n_regularizations": 2, "max_iter": 5, "random_state": 0}
    model = BKerNNRegressorCV(race=race, **options).fit(regression.X, regression.y)
    assert [path["n_particles"] for path in model.cv_paths_] == [0, 5]
    assert model.W_.shape[1] in (5, 50)


def test_an_ensemble_of_the_folds_is_one_model(fitted, regression, tmp_path):
    model = BKerNNRegressorCV(
        random_state=0, cv=3, ensemble=True, regularizations=[fitted.regularization_]
    ).fit(regression.X, regression.y)
    assert model.dual_coef_ is None
    assert model.W_.shape[1] == 3 * 50
    assert model.score(regression.X_test, regression.y_test) > 0.8
    model.save_model(tmp_path / "m.json")
    copy = bkernn.load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(copy.predict(regression.X_test), model.predict(regression.X_test))


def test_many_rows_are_tried_near_what_was_best_on_a_sample(capsys, monkeypatch):
    data = simulate("multi_index", n=6100, n_test=200, d=3, noise=0.3, random_state=0)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    options = {"cv": 3, "n_particles": 4, "max_iter": 5, "random_state": 0}
    model = BKerNNRegressorCV(**options, verbose=1).fit(data.X, data.y)
    rows = [path["rows"] for path in model.cv_paths_]
    assert all(3000 <= some <= 3003 for some in rows[:3])
    assert rows[3:] == [6100] * len(rows[3:]) and len(rows) > 3
    chosen = [path for path in model.cv_paths_[3:] if path["penalty"] == model.penalty_]
    np.testing.assert_array_equal(chosen[0]["regularizations"], model.regularizations_)
    assert len(model.regularizations_) < len(model.cv_paths_[0]["regularizations"])
    said = capsys.readouterr().err
    assert "(3000 rows)" in said or "(3001 rows)" in said or "(3002 rows)" in said
    assert "(6100 rows)" in said

    asked = BKerNNRegressorCV(**options, penalty="feature", n_regularizations=2)
    asked.fit(data.X, data.y)
    assert [path["rows"] for path in asked.cv_paths_] == [6100]
