"""Numbers by their ranks, from Python."""

import pickle

import numpy as np
import pandas as pd
import pytest

from bkernn import (
    BKerNNClassifier,
    BKerNNRegressor,
    BKerNNRegressorCV,
    load_model,
    stability,
)


def long_tails(n=500):
    """Columns with long tails, and y that follows their logarithms."""
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(n, 3))
    y = np.sin(2 * Z[:, 0]) + Z[:, 1] + 0.1 * rng.normal(size=n)
    return np.exp(2 * Z), y


X, Y = long_tails()
TRAIN, TEST = slice(0, 300), slice(300, None)


def fitted(**options):
    return BKerNNRegressor(random_state=0, **options).fit(X[TRAIN], Y[TRAIN])


def test_the_default_takes_ranks_where_they_are_clearly_better():
    auto, plain = fitted(), fitted(ranks="none", max_iter=100, tol=0.01)
    assert auto.ranks_ in ("uniform", "normal")
    assert plain.ranks_ == "none"
    assert auto.score(X[TEST], Y[TEST]) > plain.score(X[TEST], Y[TEST]) + 0.02
    tried = {point["ranks"] for point in auto.race_}
    assert tried == {"none", "uniform", "normal"}
    assert {point["ranks"] for point in plain.race_} == {"none"}


def test_new_rows_are_ranked_in_copies_and_files(tmp_path):
    model = fitted()
    expected = model.predict(X[TEST])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X[TEST]), expected)
    model.save_model(tmp_path / "m.json", compress=False)
    loaded = load_model(tmp_path / "m.json")
    assert loaded.ranks_ == model.ranks_
    np.testing.assert_array_equal(loaded.predict(X[TEST]), expected)


def test_units_of_powers_of_two_do_not_matter():
    model, other = fitted(), BKerNNRegressor(random_state=0).fit(8 * X[TRAIN], Y[TRAIN])
    assert other.ranks_ == model.ranks_
    np.testing.assert_allclose(other.predict(8 * X[TEST]), model.predict(X[TEST]), rtol=1e-9)


def test_a_gap_counts_as_the_mean():
    model = fitted(ranks="normal")
    row, filled = X[TEST][:1].copy(), X[TEST][:1].copy()
    row[0, 2] = np.nan
    filled[0, 2] = X[TRAIN][:, 2].mean()
    np.testing.assert_allclose(model.predict(row), model.predict(filled), rtol=1e-6)


def test_tables_with_words_and_gaps():
    table = pd.DataFrame(X, columns=["a", "b", "c"])
    table["kind"] = np.where(Y > 0, "up", "down")
    table.loc[::7, "c"] = np.nan
    model = BKerNNRegressor(random_state=0, ranks="uniform", max_iter=20, tol=0)
    model.fit(table[TRAIN], Y[TRAIN])
    assert model.predict(table[TEST]).shape == (200,)
    assert list(model.coordinate_names()) == ["a", "b", "c", "c missing", "kind=up"]


def test_several_models_have_the_coordinates_of_all_kinds():
    y = Y + 0.2 * X[:, 2]
    model = BKerNNRegressor(random_state=0, n_models=3).fit(X[TRAIN], y[TRAIN])
    assert model.score(X[TEST], y[TEST]) > 0.5
    assert model.W_.shape[0] % 3 == 0
    assert model.feature_importances_.shape == (3,)
    assert len(model.coordinate_names()) == model.W_.shape[0]


def test_classes():
    model = BKerNNClassifier(random_state=0).fit(X[TRAIN], Y[TRAIN] > 0)
    assert model.ranks_ != "none"
    assert model.score(X[TEST], Y[TEST] > 0) > 0.9


def test_cross_validation_takes_the_same_ranks_in_all_folds():
    model = BKerNNRegressorCV(random_state=0, n_regularizations=4).fit(X[TRAIN], Y[TRAIN])
    assert model.ranks_ != "none"
    assert model.score(X[TEST], Y[TEST]) > 0.9


def test_intervals_and_stability_of_ranks():
    model = fitted(intervals="cross")
    low, high = model.predict_interval(X[TEST])
    assert np.mean((low <= Y[TEST]) & (Y[TEST] <= high)) > 0.8
    study = stability(X[TRAIN], Y[TRAIN], model, n_pairs=2, n_folds=2)
    assert np.all(np.isfinite(study.loss))


def test_what_cannot_be_ranked_is_refused():
    with pytest.raises(ValueError, match="ranks"):
        fitted(ranks="log")
