"""How sure directions, variables and their number are."""

import json

import matplotlib
import numpy as np
import pandas as pd
import pytest

import bkernn

matplotlib.use("agg")
SMALL = {"n_particles": 10, "max_iter": 40, "tol": 0}


@pytest.fixture(scope="module")
def found():
    data = bkernn.datasets.simulate("sine_features", n=300, d=6, k=1, noise=0.1)
    return bkernn.stability(
        data.X, data.y, bkernn.BKerNNRegressor(random_state=0, **SMALL), n_pairs=5
    )


def test_one_direction_is_found_again_in_every_half(found):
    assert found.dimension == 1
    assert found.sentence.startswith("1 direction: the first lowers")
    assert found.halves == 10
    assert found.angles.shape[0] == 10
    assert np.median(found.angles[:, 0]) < 20
    weights = found.directions[:, 0]
    inside = (found.lower[:, 0] <= weights + 0.1) & (weights - 0.1 <= found.upper[:, 0])
    assert inside.all()
    assert np.all((found.selection >= 0) & (found.selection <= 1))
    assert found.bound == pytest.approx(found.selected**2 / ((2 * 0.75 - 1) * 6))
    assert "principal angles" in str(found)


def test_noise_has_no_direction():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150, 4)), rng.normal(size=150)
    found = bkernn.stability(X, y, bkernn.BKerNNRegressor(random_state=0, **SMALL), n_pairs=1)
    assert found.dimension == 0
    assert found.sentence.startswith("No direction")


def test_words_and_gaps_are_judged_by_column():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"size": rng.normal(size=160), "color": rng.choice(list("abc"), 160)})
    y = X["size"] + 2.0 * (X["color"] == "a") + 0.2 * rng.normal(size=160)
    X.loc[::9, "size"] = np.nan
    model = bkernn.BKerNNRegressor(penalty="feature", regularization=0.05, **SMALL)
    found = bkernn.stability(X, y, model, n_pairs=1, random_state=0)
    assert found.names == ["size", "color"] and found.selection.shape == (2,)
    assert found.coordinate_names[1:3] == ["size missing", "color=a"]
    assert len(found.directions) == len(found.lower) == len(found.coordinate_names) == 5
    assert json.loads(found.to_json())["coordinates"] == found.coordinate_names
    labels = bkernn.StabilityDisplay.from_stability(found).axes_[2].get_yticklabels()
    assert {label.get_text() for label in labels} == set(found.coordinate_names)
    assert "color=a" in str(found)


def test_pictures_files_and_the_report(found, tmp_path):
    axes = bkernn.StabilityDisplay.from_stability(found).axes_
    assert len(axes) == 3
    selection, angles, weights = axes
    assert [bar.get_width() for bar in selection.patches] == sorted(100 * found.selection)
    assert selection.lines[0].get_xdata()[0] == 100 * found.threshold == 75
    assert angles.get_ylim() == (0, 90)
    assert weights.get_title() == "Weights of direction 1"
    order = np.argsort(np.abs(found.directions[:, 0]), kind="stable")
    intervals = np.column_stack([found.lower[order, 0], found.upper[order, 0]])
    shown = np.array(weights.collections[0].get_segments())
    np.testing.assert_array_equal(shown[:, :, 0], intervals)
    np.testing.assert_array_equal(shown[:, 0, 1], np.arange(6))
    curve = bkernn.DimensionDisplay.from_stability(found)
    assert curve.ax_.get_title() == "How many directions: 1"
    found.save(tmp_path / "stability.json")
    read = json.loads((tmp_path / "stability.json").read_text())
    assert read["curve"]["dimension"] == 1
    assert [one["selection"] for one in read["variables"]] == list(found.selection)
    page = found.estimator.to_html(stability=found)
    assert '"sentence":"1 direction' in page
    assert "predict" in dir(found.estimator)


def test_the_same_seed_gives_the_same_study_on_any_number_of_threads():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(80, 3))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=80) > 0, "a", "b")
    one, two = (
        bkernn.stability(
            X, y, bkernn.BKerNNClassifier(random_state=0, n_jobs=jobs, **SMALL), n_pairs=2
        )
        for jobs in (1, 2)
    )
    np.testing.assert_array_equal(one.angles, two.angles)
    np.testing.assert_array_equal(one.loss, two.loss)
    np.testing.assert_array_equal(one.p_value, two.p_value)


def test_refits_of_permuted_tables():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 3))
    y = X[:, 0] + 0.5 * rng.normal(size=100)
    model = bkernn.BKerNNRegressor(penalty="feature", regularization=0.05, **SMALL)
    found = bkernn.stability(X, y, model, n_pairs=0, n_refits=19)
    assert found.dimension == 1
    np.testing.assert_allclose(found.p_value[0], 1 / 20)
    assert found.p_value[1] * 20 == pytest.approx(round(found.p_value[1] * 20))


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"n_pairs": -1}, ValueError, "n_pairs"),
        ({"n_pairs": 1.5}, TypeError, "n_pairs"),
        ({"threshold": 0.5}, ValueError, "threshold"),
        ({"coverage": 1.0}, ValueError, "coverage"),
        ({"n_folds": 1}, ValueError, "n_folds"),
        ({"n_permutations": 3}, ValueError, "n_permutations"),
        ({"n_refits": 3}, ValueError, "n_refits"),
        ({"estimator": "bkernn"}, TypeError, "estimator"),
    ],
)
def test_bad_settings_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        bkernn.stability(np.ones((20, 2)), np.ones(20), **settings)


def test_nineteen_permutations_are_the_fewest():
    X = np.random.default_rng(3).normal(size=(20, 2))
    found = bkernn.stability(X, X[:, 0], n_pairs=1, n_permutations=19)
    np.testing.assert_allclose(found.p_value * 20, np.round(found.p_value * 20))
    with pytest.raises(ValueError, match="n_permutations = 18: must be at least 19"):
        bkernn.stability(X, X[:, 0], n_permutations=18)


def test_too_few_rows_are_refused():
    rng = np.random.default_rng(2)
    with pytest.raises(ValueError, match="8 at least"):
        bkernn.stability(rng.normal(size=(6, 2)), rng.normal(size=6), n_pairs=1)
