"""The benchmark of directions: its tasks, its measures, and a run that is cut and goes on."""

import json

import numpy as np
import pytest

pytest.importorskip("statsmodels")

from experiments.pages import recovery as page
from experiments.recovery import compare, seeds
from experiments.recovery.classical import (
    distance_covariance,
    principal_hessian_directions,
    sliced_average_variances,
    sliced_inverse_regression,
)
from experiments.recovery.kernel_ridge import kernel_ridge
from experiments.recovery.methods import Found, gradient_outer_product
from experiments.recovery.tasks import ROWS, TASKS, Setting, draw, variance


def cosine(found, P):
    return abs(float((found[:, 0] / np.linalg.norm(found[:, 0])) @ P[:, 0]))


@pytest.mark.parametrize("rows", ROWS)
def test_rows_have_unit_variance(rows):
    X = ROWS[rows](np.random.default_rng(0), 40_000, 4)
    np.testing.assert_allclose(X.var(axis=0), 1, atol=0.06)
    expected = 0.5 if rows == "correlated" else 0.0
    assert np.corrcoef(X.T)[1, 2] == pytest.approx(expected, abs=0.02)


@pytest.mark.parametrize("task", ["ratio", "signs", "friedman"])
def test_more_rows_add_to_fewer_and_noise_has_its_share(task):
    setting = Setting(noise=0.3)
    few, many = draw(task, setting, 3, 50), draw(task, setting, 3, 2000)
    np.testing.assert_array_equal(few.X, many.X[:50])
    np.testing.assert_allclose(few.y, many.y[:50], rtol=1e-12)
    noise = many.y - TASKS[task].function(many.X @ many.P)
    share = noise.var() / (variance(task, "gaussian", 20) + noise.var())
    assert share == pytest.approx(0.3, abs=0.03)


@pytest.mark.parametrize(
    ("method", "task"),
    [
        (sliced_inverse_regression, "ratio"),
        (sliced_average_variances, "square"),
        (principal_hessian_directions, "square"),
        (distance_covariance, "square"),
    ],
)
def test_classical_methods_find_one_direction(method, task):
    data = draw(task, Setting("correlated", d=4), 0, 400)
    y = data.X @ data.P[:, 0] if task == "ratio" else data.y
    assert cosine(method(data.X, y, 1), data.P) > 0.95


def test_gradients_of_kernel_ridge_are_its_derivatives():
    data = draw("square", Setting(d=4), 0, 60)
    fit, step = kernel_ridge(data.X, data.y), 1e-5
    slopes = [
        (fit.predict(data.X + step * axis) - fit.predict(data.X - step * axis)) / (2 * step)
        for axis in np.eye(4)
    ]
    np.testing.assert_allclose(fit.gradients(), np.array(slopes).T, atol=1e-5)
    found = gradient_outer_product(data.X, data.y, data.X_test, 1)
    assert cosine(found.directions, data.P) > 0.9


def test_scores_count_what_is_missing_and_what_is_too_much():
    data = draw("ratio", Setting(d=6), 0, 20)
    rest = np.linalg.svd(data.P)[0][:, 2:]
    for directions, size, score, own in [
        (data.P, 2, 1.0, 1.0),
        (np.hstack([data.P, rest]), 4, 1.0, 0.5),
        (np.hstack([data.P[:, :1], rest]), 1, 0.5, 0.5),
        (rest, 2, 0.0, 0.0),
    ]:
        found = compare.scores(Found(directions, data.f_test, size=size), data, variables=False)
        assert (found["score"], found["own"]) == pytest.approx((score, own), abs=1e-12)
        assert found["r2"] == 1
        assert found["angle"] == pytest.approx(0 if score == 1 else 90, abs=1e-4)


def test_scores_of_variables():
    data = draw("signs", Setting(d=6), 0, 20)
    weights = np.array([3.0, 0.0, 2.0, 1.0, 0.0, 0.0])
    found = compare.scores(Found(None, data.f_test, weights, chosen=3), data, variables=True)
    assert (found["score"], found["own"], found["recall"]) == pytest.approx((2 / 3, 2 / 3, 2 / 3))
    assert found["angle"] is None


def test_a_run_that_was_cut_goes_on(tmp_path, monkeypatch):
    chain = compare.Chain(compare.BASE, "ratio", "SIR", (60, 120), 2)
    monkeypatch.setattr(compare, "chains", lambda quick: iter([chain]))
    arguments = ["--quick", "--output", str(tmp_path)]
    compare.main(arguments)
    file = tmp_path / "recovery.jsonl"
    whole = compare.read_lines(file)
    assert len(whole) == 4
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[:2]) + "\n" + lines[2][:40])
    compare.main(arguments)
    again = compare.read_lines(file)
    strip = [{**r, "seconds": 0} for r in whole]
    assert [{**r, "seconds": 0} for r in again] == strip
    assert again[:2] == whole[:2]
    assert json.loads(lines[0])["method"] == "SIR"


def test_a_method_that_takes_too_long_or_fails_is_written_down(tmp_path, monkeypatch):
    def endless(X, y, X_test, k):
        while True:
            np.ones(100).sum()

    monkeypatch.setitem(compare.METHODS, "SIR", endless)
    monkeypatch.setattr(compare, "FIT_SECONDS", 0.05)
    chain = compare.Chain(compare.BASE, "ratio", "SIR", (60, 120), 1)
    compare.run_chain(chain, [], tmp_path / "lines")
    (record,) = compare.read_lines(tmp_path / "lines")  # no more rows after that
    assert record["failed"].startswith("_TooLongError")
    assert record["score"] == 0


def made_up(method, n, number, score, size=None):
    """Return a record as `compare.fit` writes it."""
    return compare.Chain(compare.BASE, "ratio", method, (), 0).key(n, number) | {
        "k": 2, "size": size, "score": score, "own": score / 2, "recall": 1.0, "angle": 10.0,
        "r2": score, "seconds": 0.1,
    }  # fmt: skip


def test_rows_needed_lie_on_a_line_over_log_n():
    curve = {100: 0.5, 200: 0.8, 400: 1.0}
    records = [made_up("SIR", n, i, s) for n, s in curve.items() for i in range(2)]
    assert page.Needed(records, "score").rows == pytest.approx(np.sqrt(200 * 400))
    assert str(page.Needed(records, "own")) == "> 400"
    assert str(page.Needed(records[4:], "score")) == "≤ 400"


def test_tables_name_who_needs_least():
    records = [made_up("BKerNN", n, 0, s, 2) for n, s in {100: 0.5, 200: 0.95}.items()]
    records += [made_up("SIR", n, 0, s) for n, s in {100: 0.6, 200: 0.7}.items()]
    table = page.needed_table(records)
    assert "**185**" in table
    assert "> 200" in table
    assert "| k leading directions | 1 of 1 |  |  |" in page.won_table(records)
    assert "| as many as it says | 0 of 1 |  | ratio |" in page.won_table(records)
    records += [made_up("SAVE", 100, 0, 0.99)]
    assert "| k leading directions | 0 of 1 | ratio (SAVE) |  |" in page.won_table(records)
    assert "1/1 (2)" in page.number_table(records)


def test_seeds_and_their_table(tmp_path):
    seeds.main(["--quick", "--output", str(tmp_path)])
    records = json.loads((tmp_path / "recovery_seeds.json").read_text())
    assert min(r["excess"] for r in records) == 0
    assert "of 2" in page.seeds_table(records)
