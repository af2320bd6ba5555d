"""The classifier: classes of any kind, probabilities, decisions."""

import numpy as np
import pytest
from by_rule import BY_RULE
from sklearn.metrics import log_loss

import bkernn
from bkernn import BKerNNClassifier, BKerNNClassifierCV

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def test_two_classes(binary):
    X, labels, data = binary
    model = BKerNNClassifier(random_state=0).fit(X, labels)
    assert model.classes_.tolist() == ["no", "yes"]
    truth = np.where(data.y_test > 0, "yes", "no")
    bayes = np.mean((data.signal_test > 0.5) == (data.y_test > 0))
    assert model.score(data.X_test, truth) > bayes - 0.08
    p = model.predict_proba(data.X_test)
    np.testing.assert_allclose(p.sum(axis=1), 1)
    f = model.decision_function(data.X_test)
    np.testing.assert_allclose(p[:, 1], 1 / (1 + np.exp(-f)))
    np.testing.assert_array_equal(model.predict(data.X_test), np.where(f > 0, "yes", "no"))
    assert np.isscalar(model.intercept_)


def test_many_classes(multiclass):
    X, labels = multiclass
    model = BKerNNClassifier(random_state=0).fit(X, labels)
    assert model.classes_.tolist() == ["high", "low", "mid"]
    assert model.score(X, labels) > 0.95
    p, f = model.predict_proba(X), model.decision_function(X)
    assert p.shape == f.shape == (len(X), 3)
    np.testing.assert_allclose(p, np.exp(f) / np.exp(f).sum(axis=1, keepdims=True))
    np.testing.assert_allclose(np.exp(model.predict_log_proba(X)), p)
    np.testing.assert_array_equal(model.predict(X), model.classes_[p.argmax(axis=1)])
    assert log_loss(labels, p) < 0.3


def test_multinomial_agrees_with_logistic_for_two_classes(binary):
    X, labels, _ = binary
    model = BKerNNClassifier(random_state=0, loss="multinomial").fit(X, labels)
    assert model.predict_proba(X).shape == (len(X), 2)
    assert model.decision_function(X).shape == (len(X),)
    assert model.score(X, labels) > 0.75


def test_log_probabilities_do_not_underflow():
    X = np.linspace(-1, 1, 60)[:, np.newaxis]
    model = BKerNNClassifier(
        regularization=1e-7, penalty="feature", max_iter=50, tol=0, random_state=0
    )
    model.fit(X, X[:, 0] > 0)
    assert np.all(np.isfinite(model.predict_log_proba(X)))


@pytest.mark.parametrize("labels", [[0, 1], [-1, 1], [True, False], ["a", "b"], [2.0, 5.0]])
def test_labels_of_any_kind(binary, labels):
    X, y, _ = binary
    target = np.array(labels)[(y == "yes").astype(int)]
    model = BKerNNClassifier(max_iter=5, random_state=0).fit(X, target)
    assert model.predict(X).dtype == target.dtype
    assert set(model.predict(X)) <= set(labels)


def test_one_class_is_refused(binary):
    X, y, _ = binary
    with pytest.raises(ValueError, match="one class"):
        BKerNNClassifier().fit(X, np.ones(len(X)))
    with pytest.raises(ValueError, match="one class"):
        BKerNNClassifier().fit(X, y, sample_weight=(y == "yes").astype(float))
    with pytest.raises(ValueError, match="two classes"):
        BKerNNClassifier(loss="logistic").fit(X, np.arange(len(X)) % 3)


@pytest.mark.parametrize(
    ("labels", "words"),
    [([None, "a"], "rows 0, 2, 4"), ([1, "a"], r"several kinds \(int, str\)")],
)
@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_labels_without_an_order_are_refused(labels, words, class_weight):
    y = np.array(labels * 10, dtype=object)
    with pytest.raises(ValueError, match=words):
        BKerNNClassifier(class_weight=class_weight).fit(np.arange(20.0)[:, np.newaxis], y)


@pytest.mark.parametrize("gaps", [False, True])
def test_class_weights_are_sample_weights(multiclass, gaps):
    X, labels = multiclass
    if gaps:  # the mean in their place is by weight
        X = np.where(np.arange(X.size).reshape(X.shape) % 11 == 0, np.nan, X)
    fast = {"penalty": "feature", "regularization": 0.01, "max_iter": 5, "random_state": 0}
    weighted = BKerNNClassifier(class_weight={"low": 3.0, "mid": 0.5}, **fast).fit(X, labels)
    factors = np.select([labels == "low", labels == "mid"], [3.0, 0.5], 1.0)
    by_rows = BKerNNClassifier(**fast).fit(X, labels, sample_weight=factors)
    np.testing.assert_array_equal(weighted.predict_proba(X), by_rows.predict_proba(X))
    twice = BKerNNClassifier(class_weight={"low": 3.0, "mid": 0.5}, **fast)
    twice.fit(X, labels, sample_weight=factors)
    by_rows.fit(X, labels, sample_weight=factors**2)
    np.testing.assert_array_equal(twice.predict_proba(X), by_rows.predict_proba(X))


def test_class_weights_in_cross_validation(multiclass):
    X, labels = multiclass
    fast = {"penalty": "feature", "n_particles": 5, "max_iter": 5, "random_state": 0}
    path = {"regularizations": [0.1, 0.01], "cv": 2} | fast
    factors = np.select([labels == "low", labels == "mid"], [3.0, 0.5], 1.0)
    weighted = BKerNNClassifierCV(class_weight={"low": 3.0, "mid": 0.5}, **path).fit(X, labels)
    by_rows = BKerNNClassifierCV(**path).fit(X, labels, sample_weight=factors)
    assert weighted.regularization_ == by_rows.regularization_
    np.testing.assert_array_equal(weighted.predict_proba(X), by_rows.predict_proba(X))


def test_balanced_classes_count_alike(binary):
    X, y, _ = binary
    rare = (y == "yes") & (np.arange(len(y)) % 5 == 0)
    kept = rare | (y == "no")
    X, y = X[kept], y[kept]
    fast = {"penalty": "feature", "regularization": 0.01, "max_iter": 5, "random_state": 0}
    model = BKerNNClassifier(class_weight="balanced", **fast).fit(X, y)
    share = np.where(y == "yes", np.mean(y == "yes"), np.mean(y == "no"))
    mean = np.average(model.predict_proba(X)[:, 1], weights=0.5 / share)
    assert mean == pytest.approx(0.5, abs=1e-6)  # the intercept makes it so
    assert BKerNNClassifier(**fast).fit(X, y).predict_proba(X)[:, 1].mean() < 0.4
    counts = np.where(y == "yes", 2.0, 1.0)
    again = BKerNNClassifier(class_weight="balanced", **fast).fit(X, y, sample_weight=counts)
    np.testing.assert_allclose(again.predict_proba(X), model.predict_proba(X), atol=0.05)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("even", "must be 'balanced'"),
        ({"maybe": 2.0}, "not a class"),
        ({"yes": 0.0}, "positive"),
        ({"yes": np.inf}, "positive"),
    ],
)
def test_class_weights_that_make_no_sense(binary, given, words):
    X, y, _ = binary
    with pytest.raises(ValueError, match=f"class_weight.*{words}"):
        BKerNNClassifier(class_weight=given).fit(X, y)


def test_a_class_of_two_rows_and_one_that_stands_apart():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 3))
    y = np.where(X[:, 0] > 0, "right", "left")
    y[:2] = "rare"
    X[2:60, 1] += 50.0  # separable: its loss has no minimum without λ
    y[2:60] = "far"
    model = BKerNNClassifier(random_state=0).fit(X, y)
    p = model.predict_proba(X)
    assert model.classes_.tolist() == ["far", "left", "rare", "right"]
    assert np.all(np.isfinite(model.predict_log_proba(X)))
    np.testing.assert_allclose(p.sum(axis=1), 1)
    assert np.mean(model.predict(X) == y) > 0.9


def test_variable_selection():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (500, 12))
    y = np.abs(X[:, 3]) + X[:, 7] > 0.5
    model = BKerNNClassifier(penalty="concave_variable", random_state=0).fit(X, y)
    assert set(np.argsort(-model.feature_importances_)[:2]) == {3, 7}
    assert model.n_active_features_ == 2
    assert bkernn.metrics.accuracy(y.astype(int), model.predict_proba(X)) > 0.93


def test_early_stopping_holds_out_the_same_share_of_each_class(multiclass):
    X, labels = multiclass
    model = BKerNNClassifier(early_stopping=True, validation_fraction=0.25, **BY_RULE)
    model.fit(X, labels)
    held_out = np.all(model.dual_coef_ == 0, axis=1)
    assert held_out.sum() == 60
    for label in model.classes_:
        assert abs(held_out[labels == label].mean() - 0.25) < 0.02
    assert len(model.validation_path_) == model.n_iter_
