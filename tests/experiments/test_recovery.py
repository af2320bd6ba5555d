"""The benchmark of directions: its tasks, its measures, and a run that is cut and goes on."""

import json

import numpy as np
import pytest

pytest.importorskip("statsmodels")

from experiments.common.lines import write_lines
from experiments.pages import recovery as page
from experiments.recovery import compare, seeds
from experiments.recovery.cells import KEY, cell_of, records_of
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


def by_methods(folder, *methods):
    arguments = ["--quick", "--output", str(folder)]
    compare.main(arguments + (["--methods", *methods] if methods else []))
    return compare.read_lines(folder / "recovery.jsonl")


def timeless(cells):
    return [{**cell, "seconds": 0} for cell in cells]


@pytest.fixture
def two_methods(monkeypatch):
    plan = [
        compare.Chain(compare.BASE, "ratio", method, (60, 120), 2)
        for method in ("SIR", "gradient outer product")
    ]
    monkeypatch.setattr(compare, "chains", lambda quick: iter(plan))


def test_a_run_that_was_cut_goes_on(tmp_path, two_methods):
    whole = by_methods(tmp_path)
    assert [(c["method"], c["n"], len(c["score"])) for c in whole] == [
        (method, n, 2) for method in ("SIR", "gradient outer product") for n in (60, 120)
    ]
    file = tmp_path / "recovery.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join(lines[1:3]) + "\n" + lines[3][:40])
    again = by_methods(tmp_path)
    assert timeless(again) == timeless(whole)
    assert again[1:3] == whole[1:3]


def test_a_slice_of_a_run(tmp_path, two_methods):
    compare.main(["--quick", "--output", str(tmp_path), "--minutes", "0"])
    assert compare.read_lines(tmp_path / "recovery.jsonl") == []
    part = by_methods(tmp_path, "gradient outer product")
    assert {c["method"] for c in part} == {"gradient outer product"}
    whole = by_methods(tmp_path)
    assert whole[2:] == part  # in the order of the plan
    compare.main(["--quick", "--output", str(tmp_path), "--again", "SIR", "--minutes", "0"])
    assert compare.read_lines(tmp_path / "recovery.jsonl") == part


def test_a_method_that_has_found_enough_ends(tmp_path):
    chain = compare.Chain(compare.BASE, "ratio", "SIR", (60, 120, 240), 2, at_least=120)
    cells = [chain.key(60) | {"score": [0.95, 0.9]}]
    assert chain.next_size(cells) == 120
    cells.append(chain.key(120) | {"score": [1.0, 1.0], "own": [1.0, 0.5]})
    assert chain.next_size(cells) == 240  # not by its own number
    cells[1]["own"] = [1.0, 0.9]
    assert chain.next_size(cells) is None
    assert chain._replace(draws=3).next_size(cells) == 60


def test_a_line_keeps_what_the_draws_have():
    one = {"score": 0.51239, "own": 0.5, "size": 2, "recall": 0.5, "angle": None, "r2": 0.1}
    two = {"score": 0.0, "own": 0.0, "failed": "ValueError: x"}
    seconds = {"seconds": 1.0}
    key = compare.Chain(compare.BASE, "ratio", "SIR", (60,), 2).key(60)
    cell = json.loads(json.dumps(cell_of(key, 2, [one | seconds, two | seconds])))
    assert "angle" not in cell
    first, second = records_of([cell])
    assert first == key | one | seconds | {"k": 2, "draw": 0, "failed": None, "score": 0.5124}
    assert (second["failed"], second["size"], second["r2"]) == ("ValueError: x", None, None)
    alike = cell_of(key, 2, [one | seconds | {"own": 0.51239}])
    assert "own" not in alike
    assert records_of([alike])[0]["own"] == 0.5124


def test_a_method_that_takes_too_long_or_fails_is_written_down(tmp_path, monkeypatch):
    def endless(X, y, X_test, k):
        while True:
            np.ones(100).sum()

    monkeypatch.setitem(compare.METHODS, "SIR", endless)
    monkeypatch.setattr(compare, "FIT_SECONDS", 0.05)
    chain = compare.Chain(compare.BASE, "ratio", "SIR", (60, 120), 1)
    compare.run_cell(chain, 60, tmp_path / "lines", np.inf)
    cells = compare.read_lines(tmp_path / "lines")
    (record,) = records_of(cells)
    assert record["failed"].startswith("_TooLongError")
    assert record["score"] == 0
    assert chain.next_size(cells) is None


def made_up(method, n, number, score, size=None):
    """Return a record as the page reads it."""
    return compare.Chain(compare.BASE, "ratio", method, (), 0).key(n) | {
        "draw": number, "k": 2, "size": size, "score": score, "own": score / 2, "recall": 1.0,
        "angle": 10.0, "r2": score, "seconds": 0.1, "failed": None,
    }  # fmt: skip


def test_rows_needed_lie_on_a_line_over_log_n():
    curve = {100: 0.5, 200: 0.8, 400: 1.0}
    records = [made_up("SIR", n, i, s) for n, s in curve.items() for i in range(2)]
    assert page.Needed(records, "score").rows == pytest.approx(np.sqrt(200 * 400))
    assert str(page.Needed(records, "own")) == ">\u202f400"
    assert str(page.Needed(records[4:], "score")) == "≤\u202f400"


def test_tables_name_who_needs_least():
    records = [made_up("BKerNN", n, 0, s, 2) for n, s in {100: 0.5, 200: 0.95}.items()]
    records += [made_up("SIR", n, 0, s) for n, s in {100: 0.6, 200: 0.7}.items()]
    table = page.needed_table(records)
    assert "**185**" in table
    assert ">\u202f200" in table
    assert "| k leading directions | 1 of 1 |  |  |" in page.won_table(records)
    assert "| as many as it says | 0 of 1 |  | ratio |" in page.won_table(records)
    records += [made_up("SAVE", 100, 0, 0.99)]
    assert "| k leading directions | 0 of 1 | ratio (SAVE) |  |" in page.won_table(records)
    assert "1/1 (2)" in page.number_table(records)


def test_variables_of_the_hypercube_are_counted_among_those_that_are_named():
    records = [
        made_up("BKerNN", 50, i, 1.0, size) | {"d": 200, "recall": recall}
        for i, (size, recall) in enumerate([(3, 1.0), (2, 2 / 3), (3, 1.0)])
    ]
    records += [made_up("SIR", 50, 0, 1 / 3) | {"d": 200}]
    table = page.hypercube_table(records)
    assert "| BKerNN | 0.89 (3) |" in table
    assert "| SIR | 0.33 |" in table


def test_r2_of_noisy_rows_stands_beside_what_is_published():
    setting = {"task": "folded", "d": 10, "noise": 0.15}
    records = [made_up("BKerNN", n, 0, 0.8) | setting for n in page.PUBLISHED]
    table = page.published_table(records)
    assert "| MAVE + MARS, published | 0.31 | 0.84 | 0.85 | 0.86 |" in table
    assert "15 % of the variance | 0.68 | 0.68 | 0.68 | 0.68 |" in table


def test_other_rows_are_compared_on_the_same_tasks():
    records = [
        made_up(method, page.SHOWN_ROWS, 0, score) | {"rows": rows, "task": task}
        for rows in ("gaussian", "uniform")
        for method, scores in {"BKerNN": (1.0, 0.5), "SIR": (0.2, 0.4)}.items()
        for task, score in zip(("ratio", "square"), scores, strict=True)
    ]
    records += [made_up("BKerNN", page.SHOWN_ROWS, 0, 0.0) | {"task": "mixed"}]
    table = page.varied_table(records, page.SHOWN_ROWS)
    assert "| gaussian, d = 20, noise 10 % | 0.75 | 0.30 |" in table
    assert "| uniform, d = 20, noise 10 % | 0.75 | 0.30 |" in table


def test_a_slice_leaves_the_page_as_it_is(tmp_path, monkeypatch, two_methods, capsys):
    compare.main(["--quick", "--output", str(tmp_path), "--methods", "SIR"])
    monkeypatch.setattr(page, "PAGE", tmp_path / "page.md")
    page.main(["--results", str(tmp_path)])
    assert "1 methods and tasks are not through" in capsys.readouterr().out
    assert not (tmp_path / "page.md").exists()


def test_seeds_and_their_table(tmp_path):
    for _ in range(2):  # the second time there is nothing to do
        seeds.main(["--quick", "--output", str(tmp_path)])
        (problem,) = compare.read_lines(tmp_path / "seeds.jsonl")
    assert min(problem["excess"]) == 0
    assert len(problem["angle"]) == 2
    made = {"task": "ratio", "n": 60, "draw": 0, "penalty": "feature"}
    made |= {"excess": [0.0, 0.01, 0.011], "angle": [0.0, 5.1, 90.0]}
    assert "| ratio | 60 | 0 | feature | 2 of 3 | 1 of 3 |" in page.seeds_table([made])


def test_the_newest_line_of_a_cell_counts(tmp_path):
    first, second = (dict.fromkeys(KEY, 0) | {"score": [0.5] * n} for n in (3, 10))
    write_lines(tmp_path / "cells.jsonl", [first, second])
    assert compare.newest(tmp_path / "cells.jsonl") == [second]
