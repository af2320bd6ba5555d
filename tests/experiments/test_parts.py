"""The parts that the experiments are made of, against independent computations."""

import numpy as np
import pytest

from bkernn import BKerNNRegressor
from bkernn.metrics import feature_learning_score
from experiments.common.markdown import filled
from experiments.common.published import kernel_matrix
from experiments.common.runs import error_path, library_model, paper_model
from experiments.common.scores import feature_score
from experiments.data.recipes import experiment_5
from experiments.pages import tables
from experiments.paper.claims import comparisons, parameters
from experiments.peers.ranks import rank


@pytest.mark.parametrize("kernel", ["brownian", "exponential", "gaussian"])
def test_dense_kernel_is_that_of_the_library(kernel):
    data = experiment_5(60, 4, 0)
    model = paper_model(
        "written", 4, penalty="basic", n_particles=5, max_iter=3, regularization=0.1, kernel=kernel
    ).fit(data.X, data.y)
    assert type(model) is BKerNNRegressor
    K = kernel_matrix(kernel, data.X_test @ model.W_, data.X @ model.W_)
    difference = model.predict(data.X_test) - K @ model.dual_coef_
    assert difference.std() < 1e-8  # a constant: the intercept of this form of the kernel


def test_published_estimator_is_one_step_behind():
    data = experiment_5(80, 5, 0)
    settings = {"penalty": "feature", "n_particles": 6, "regularization": 0.05}
    published = paper_model("published", 5, max_iter=4, **settings).fit(data.X, data.y)
    before = BKerNNRegressor(**published.get_params() | {"max_iter": 3}).fit(data.X, data.y)
    after = BKerNNRegressor(**published.get_params()).fit(data.X, data.y)
    np.testing.assert_array_equal(published.W_, after.W_)
    assert published.penalty_weight == pytest.approx(1 / np.sqrt(6))
    K = kernel_matrix("brownian", data.X_test @ after.W_, data.X @ after.W_)
    difference = published.predict(data.X_test) - K @ before.dual_coef_
    assert difference.std() < 1e-8
    assert np.abs(published.predict(data.X_test) - after.predict(data.X_test)).max() > 1e-4


@pytest.mark.parametrize("standardize", [False, True])
def test_error_path_ends_at_the_error_of_the_model(standardize):
    data = experiment_5(80, 5, 0)
    model = library_model(
        optimizer="paper", max_iter=5, tol=0.0, standardize=standardize, regularization=0.02
    )
    path = error_path(model, data.X, data.y, data.X_test, data.y_test)
    model.fit(data.X, data.y)
    assert len(path) == 5
    error = ((model.predict(data.X_test) - data.y_test) ** 2).mean()
    assert path[-1] == pytest.approx(error, rel=1e-4)


@pytest.mark.parametrize(("d", "k"), [(9, 3), (5, 3), (3, 3)])
def test_feature_score_of_full_rank(d, k):
    rng = np.random.default_rng(d)
    W, P = rng.normal(size=(d, 8)), np.linalg.qr(rng.normal(size=(d, k)))[0]
    leading = np.linalg.svd(W)[0][:, :k]
    assert feature_score(W, P) == pytest.approx(feature_learning_score(leading, P))


def test_feature_score_of_low_rank_is_a_mean():
    rng = np.random.default_rng(0)
    d, k = 6, 2
    P = np.linalg.qr(rng.normal(size=(d, k)))[0]
    w = rng.normal(size=(d, 1))
    scores = [
        feature_learning_score(np.hstack([w, rng.normal(size=(d, 1))]), P) for _ in range(4000)
    ]
    assert feature_score(w @ np.ones((1, 4)), P) == pytest.approx(np.mean(scores), abs=0.01)


def test_ranks():
    table = {"good": [0.9, 0.8, 0.7], "middle": [0.8, 0.7, 0.6], "bad": [0.1, 0.2, 0.3]}
    ranking = rank(
        [
            {"set": str(i), "method": method, "r2": r2}
            for method, scores in table.items()
            for i, r2 in enumerate(scores)
        ]
    )
    assert ranking.mean_ranks == {"good": 1.0, "middle": 2.0, "bad": 3.0}
    # Nemenyi's table: q = 2.343 for three methods at 5 %
    assert ranking.critical_difference == pytest.approx(2.343 * np.sqrt(12 / 18), abs=1e-3)
    assert ranking.groups == [(1.0, 2.0), (2.0, 3.0)]


@pytest.mark.parametrize(("brownian", "holds"), [(1.0, True), (3.0, False)])
def test_claim_on_kernels(brownian, holds):
    errors = {"brownian": brownian, "exponential": 2.0, "gaussian": 4.0}
    records = [{"run": "r", "kernel": k, "test_mse": e} for k, e in errors.items()]
    assert parameters.brownian_best(records, "r")[0] is holds


@pytest.mark.parametrize(("network", "holds"), [(0.3, True), (0.6, False)])
def test_claim_on_rows(network, holds):
    curves = {"r": {10: 0.1, 20: 0.9}, "relu": {10: network * 1.4, 20: 0.79}}
    records = [
        {"method": m, "axis": "n", "value": n, "r2": r2}
        for m, curve in curves.items()
        for n, r2 in curve.items()
    ]
    assert comparisons.fewer_rows(records, "r")[0] is holds


def test_tables_are_replaced_between_marks():
    page = "a\n<!-- table: one -->\nold\n<!-- end -->\nb\n<!-- table: two -->\nkept\n<!-- end -->\n"
    result = filled(page, {"one": "| new |"})
    assert "old" not in result
    assert "| new |" in result
    assert "kept" in result
    assert filled(result, {"one": "| new |"}) == result


def test_the_page_of_tables_says_where_a_reason_is_needed():
    found = [
        {
            "table": "houses",
            "task": "regression",
            "n": 1000,
            "d": 3,
            "categories": 1,
            "method": method,
            "score": score,
            "processor_seconds": 1.0,
        }
        for method, score in zip(tables.METHODS, (0.90, 0.95, 0.8, 0.7, 0.6), strict=True)
    ]
    text = tables.scores_table(found)
    assert "| houses (1,000 × 3, 1) | R² | 0.900 | **0.950** |" in text
    assert "| mean rank |  | 2.0 | 1.0 |" in text
    assert [name for name, _ in tables.behind(found)] == ["houses"]
    cabins = [{**one, "table": "cabins", "processor_seconds": 0.25} for one in found]
    seconds = tables.seconds_table(found + cabins)
    assert "| cabins | 0.25 | 0.25 |" in seconds and "| all | 1.2 | 1.2 |" in seconds
