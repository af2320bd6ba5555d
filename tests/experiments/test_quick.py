"""Every experiment runs as a command, its quick variant."""

import importlib
import json
import os
import sys

import pytest

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
    assert {record["penalty"] for record in records} == {"feature", "concave_feature"}
    assert all(record["sizes"] == sorted(record["sizes"], reverse=True) for record in records)


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_choosing(tmp_path, monkeypatch):
    auto, theory = run_quickly("choices.choosing", "choosing", tmp_path, monkeypatch)
    assert theory["regularization"] > auto["regularization"]


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
def test_peers(tmp_path, monkeypatch):
    pytest.importorskip("lightgbm")
    pytest.importorskip("xgboost")
    records = run_quickly("peers.compare", "peers", tmp_path, monkeypatch)
    assert {"BKerNN", "LightGBM", "XGBoost"} <= {record["method"] for record in records}


def test_intervals(tmp_path, monkeypatch):
    records = run_quickly("intervals.simulated", "intervals_simulated", tmp_path, monkeypatch)
    for record in records:
        if record["study"] == "coverage":
            assert abs(record["covered"] - record["coverage"]) < 0.06
