"""Every experiment runs as a command, its quick variant."""

import importlib
import json
import math
import os
import sys

import numpy as np
import pytest

from experiments.common.lines import read_lines, run_missing
from experiments.common.results import run_and_write


def run_quickly(command, name, folder, monkeypatch):
    module = importlib.import_module(f"experiments.{command}")
    monkeypatch.setattr(sys, "argv", [name, "--quick", "--output", str(folder)])
    run_and_write(name, module.run, module.plot)
    document = json.loads((folder / f"{name}.json").read_text())
    assert document["quick"]
    assert (folder / f"{name}.png").stat().st_size > 5000
    return document["records"]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_simulated(number, tmp_path, monkeypatch):
    records = run_quickly(
        f"paper.experiment_{number}", f"experiment_{number}", tmp_path, monkeypatch
    )
    runs = {record.get("run", record.get("method")) for record in records}
    assert {"published", "written", "library"} <= runs


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_real(tmp_path, monkeypatch):
    records = run_quickly("paper.experiment_6", "experiment_6", tmp_path, monkeypatch)
    assert {record["set"] for record in records} == {"abalone", "medical_charges"}
    assert all(record["r2"] > 0 for record in records)


def test_dimension(tmp_path, monkeypatch):
    records = run_quickly("choices.dimension", "dimension", tmp_path, monkeypatch)
    assert {record["penalty"] for record in records} == {"auto", "feature", "concave_feature"}
    assert all(record["sizes"] == sorted(record["sizes"], reverse=True) for record in records)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_choosing(tmp_path, monkeypatch):
    auto, theory = run_quickly("choices.choosing", "choosing", tmp_path, monkeypatch)
    assert theory["regularization"] > auto["regularization"]


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
@pytest.mark.parametrize("name", ["tails", "levels"])
def test_columns(name, tmp_path, monkeypatch):
    module = importlib.import_module(f"experiments.tables.{name}")
    monkeypatch.setattr(module, "LEARNT", 150)
    for _ in range(2):  # the second time, nothing is missing
        run_missing(name, module.keys, module.measure, ["--quick", "--output", str(tmp_path)])
    records = read_lines(tmp_path / f"{name}.jsonl")
    assert [record["form"] for record in records] == list(module.FORMS)
    assert all(record["n"] == 150 for record in records)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_ranks_of_columns(tmp_path):
    values, auto = quick_lines("choices.ranks", tmp_path)
    assert (values["way"], values["ranks"], auto["way"]) == ("values", "none", "auto")


def quick_lines(command, folder):
    module = importlib.import_module(f"experiments.{command}")
    name = command.split(".")[-1]
    for _ in range(2):  # the second time, nothing is missing
        run_missing(name, module.keys, module.measure, ["--quick", "--output", str(folder)])
    return read_lines(folder / f"{name}.jsonl")


def test_flagship(tmp_path):
    from experiments.pages.flagship import draws_table

    (record,) = quick_lines("choices.flagship", tmp_path)
    assert record["seconds"] > record["seconds_at_the_choice"] > 0
    row = f"| 1,000 | {int(record['directions'] == 3)} of 1 |"
    assert row in draws_table([record | {"n": 1000}])


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_folds(tmp_path, monkeypatch):
    from experiments.choices import folds
    from experiments.pages.folds import table

    monkeypatch.setattr(folds, "ROWS", 60)
    monkeypatch.setattr(folds, "CLASSES", ())
    records = quick_lines("choices.folds", tmp_path)
    assert [record["way"] for record in records] == list(folds.WAYS)[:2]
    assert all(record["n"] == 60 and record["r2"] > 0.5 for record in records)
    monkeypatch.setattr("experiments.pages.folds.NUMBERS", ("yacht",))
    assert "| yacht | 60 × 6 | R² | 0." in table(tmp_path)


def test_law(tmp_path):
    from experiments.choices import law

    low, high = quick_lines("choices.law", tmp_path)
    assert high["regularization"] == pytest.approx(low["regularization"] / 0.3)
    made = [
        key | {"regularization": one, "r2": 1 - 0.1 * (1 + math.log(one / wanted) ** 2)}
        for key in law.keys(quick=False)
        for one in [key["multiple"] / key["n"]]
        for wanted in [0.1 * key["noise"] ** 0.8 * key["n"] ** -0.4]
    ]
    # The grid is coarse: the logarithms of errors are no parabola.
    assert law.law(made) == pytest.approx((-0.4, 0.8), abs=0.1)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_thousand(tmp_path):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    pytest.importorskip("catboost")
    one, several = quick_lines("peers.thousand", tmp_path)
    assert one["method"] == "BKerNN"
    assert several["fit_seconds"] > one["fit_seconds"]
    assert min(one["r2"], several["r2"]) > 0.9


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_what_classes_cost(tmp_path):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    module = importlib.import_module("experiments.classes.speed")
    arguments = ["--quick", "--output", str(tmp_path)]
    run_missing("classes_speed", module.keys, module.measure, arguments)
    records = read_lines(tmp_path / "classes_speed.jsonl")
    assert [record["form"] for record in records] == list(module.FORMS)
    assert all(record["n"] == 100 and record["fit_seconds"] > 0 for record in records)
    assert all(record["megabytes"] >= record["megabytes_before"] > 50 for record in records)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_peers(tmp_path, monkeypatch):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    pytest.importorskip("catboost")
    from experiments.peers import compare

    file, arguments = tmp_path / "peers.jsonl", ["--quick", "--output", str(tmp_path)]
    compare.main(arguments)
    first = read_lines(file)
    assert {"BKerNN", "LightGBM", "XGBoost"} <= {record["method"] for record in first}
    compare.main(arguments)  # nothing is missing
    assert read_lines(file) == first
    compare.main([*arguments, "--again", "BKerNN"])
    assert sorted(r["method"] for r in read_lines(file)) == sorted(r["method"] for r in first)
    assert read_lines(file)[:-1] == first[1:]


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_classes_goes_on_where_it_was_cut(tmp_path):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    from experiments.classes.compare import main
    from experiments.pages.classes import plot, tables

    file = tmp_path / "classes.jsonl"
    main(["--quick", "--output", str(tmp_path)])
    whole = read_lines(file)
    assert [record["method"] for record in whole] == ["BKerNN", "LogisticRegression"]
    file.write_text(file.read_text()[:-100])  # within the second line
    main(["--quick", "--output", str(tmp_path)])
    again = read_lines(file)
    assert [record["log_loss"] for record in again] == [record["log_loss"] for record in whole]
    assert len(plot(again).axes) == 2
    assert tables(again, [])["ranks small"].count("\n") == 3


def run_intervals(part, name, folder):
    """Run a quick part twice, the second time after its last line was cut."""
    module = importlib.import_module(f"experiments.intervals.{part}")
    arguments, file = ["--quick", "--output", str(folder)], folder / f"{name}.jsonl"
    run_missing(name, module.keys, module.measure, arguments)
    whole = read_lines(file)
    file.write_text(file.read_text()[:-20])
    run_missing(name, module.keys, module.measure, arguments)
    again = read_lines(file)
    assert [without_cost(one) for one in again] == [without_cost(one) for one in whole]
    return again


def without_cost(record):
    cost = ("seconds", "bytes")
    return {name: value for name, value in record.items() if not name.endswith(cost)}


def test_intervals(tmp_path):
    for record in run_intervals("simulated", "intervals_simulated", tmp_path):
        np.testing.assert_allclose(record["covered"], [0.5, 0.8, 0.9], atol=0.06)


def test_stability(tmp_path):
    selection, null = run_intervals("stability", "stability", tmp_path)
    assert np.mean(selection["noise"]) <= np.mean(selection["bound"])
    assert np.mean(selection["linear"]) == np.mean(selection["square"]) == 1
    assert np.mean(np.less_equal(null["p"], 0.05)) <= 0.1


def test_cost_of_intervals(tmp_path):
    (record,) = run_intervals("cost", "intervals_cost", tmp_path)
    assert 0 < record["seconds"] < 60 and 0 < record["file_megabytes"] < 1


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_sets_of_classes(tmp_path):
    (record,) = run_intervals("sets", "intervals_sets", tmp_path)
    np.testing.assert_allclose(record["covered"], [0.8, 0.9, 0.95], atol=0.06)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_intervals_of_real_data(tmp_path):
    for peer in ("lightgbm", "catboost", "mapie"):
        pytest.importorskip(peer)
    from experiments.pages.intervals import plot, real_table

    fast, cross = run_intervals("compare", "intervals", tmp_path)
    assert fast["covered"][1] < cross["covered"][1]
    assert len(plot([fast, cross]).axes) == 4
    assert "| BKerNN cross | 1 |" in real_table([fast, cross])
