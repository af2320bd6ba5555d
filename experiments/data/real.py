"""The real data sets: Experiment 6's, and larger ones, from the folder BKERNN_DATA_DIR.

Without that folder the sets of Experiment 6 are drawn anew from OpenML where there is a network;
such rows are not the published ones.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple
from urllib.error import URLError

import numpy as np

from .recipes import Array

MAIN = [
    "abalone",
    "Ailerons",
    "Bike_Sharing_Demand",
    "Brazilian_houses",
    "cpu_act",
    "diamonds",
    "elevators",
    "house_16H",
    "house_sales",
    "houses",
    "medical_charges",
    "MiamiHousing2016",
    "nyc-taxi-green-dec-2016",
    "pol",
    "sulfur",
    "superconduct",
    "wine_quality",
]

EXTRA = ["Yolanda", "geographical_origin_of_music", "tecator", "semeion", "pah"]
_SMALL = {"tecator": 240, "semeion": 100, "pah": 80}  # rows of which a fifth is for testing


class Split(NamedTuple):
    """Rows to learn from and rows to test on, in their own units."""

    X: Array
    y: Array
    X_test: Array
    y_test: Array

    def standardized(self) -> Split:
        """Return X and y with mean 0 and deviation 1 on the training rows."""
        center, scale = self.X.mean(axis=0), self.X.std(axis=0)
        scale[scale <= 1e-12 * np.abs(center)] = 1.0  # constant, up to the rounding of its mean
        mean, deviation = self.y.mean(), self.y.std()
        return Split(
            (self.X - center) / scale,
            (self.y - mean) / deviation,
            (self.X_test - center) / scale,
            (self.y_test - mean) / deviation,
        )


def data_folder() -> Path | None:
    """Return the folder that BKERNN_DATA_DIR names."""
    name = os.environ.get("BKERNN_DATA_DIR")
    return Path(name) if name else None


def _table(path: Path) -> tuple[Array, Array]:
    """Return X and y of a gzipped CSV whose last column is y."""
    rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
    return rows[:, :-1], rows[:, -1]


def _manifest(folder: Path) -> dict[str, dict]:
    document = json.loads((folder / "manifest.json").read_text())
    return {entry["name"]: entry for entry in document["datasets"]}


def experiment_6_split(name: str) -> Split:
    """Return the rows of one set of Experiment 6 that the paper trains and tests on."""
    folder = data_folder()
    if folder is None:
        return _openml_split(name)
    entry = _manifest(folder / "exp6")[name]
    X, y = _table(folder / "exp6" / entry["file"])
    ranges = (entry["train_rows"], entry["test_rows"])
    train, test = (slice(first, last + 1) for first, last in ranges)
    return Split(X[train], y[train], X[test], y[test])


def _openml_split(name: str) -> Split:
    from sklearn.datasets import fetch_openml

    try:
        X, y = fetch_openml(name, return_X_y=True, as_frame=True, parser="auto", n_retries=1)
    except URLError as error:
        raise OSError(f"{name}: set BKERNN_DATA_DIR, or connect to OpenML") from error
    X = X.select_dtypes("number").dropna(axis=1)
    rows = np.random.RandomState(0).permutation(len(X))[: _SMALL.get(name, 500)]
    values, target = X.to_numpy(np.float64)[rows], y.to_numpy(np.float64)[rows]
    n = len(rows) * 4 // 5
    return Split(values[:n], target[:n], values[n:], target[n:])


def larger_sets(least: int = 0) -> list[str]:
    """Return the regression sets of so many rows under BKERNN_DATA_DIR/real, few rows first."""
    folder = data_folder()
    if folder is None:
        return []
    entries = _manifest(folder / "real").values()
    regression = [e for e in entries if e["task"] == "regression" and e["n"] >= least]
    return [entry["name"] for entry in sorted(regression, key=lambda entry: entry["n"])]


def set_rows(name: str) -> tuple[Array, Array]:
    """Return all rows of a set under BKERNN_DATA_DIR/real, in their order."""
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError("BKERNN_DATA_DIR: not set")
    return _table(folder / "real" / _manifest(folder / "real")[name]["file"])


def class_sets() -> dict[str, int]:
    """Return the sets with classes under BKERNN_DATA_DIR/real and their rows, few rows first."""
    folder = data_folder()
    if folder is None:
        return {}
    entries = [e for e in _manifest(folder / "real").values() if e["task"] != "regression"]
    return {entry["name"]: entry["n"] for entry in sorted(entries, key=lambda entry: entry["n"])}


def larger_split(name: str, most_rows: int | None) -> Split:
    """Return at most so many rows for training and as many for testing (None: all).

    The first published split where there is one, otherwise the first 80 % and the last 20 %.
    """
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError("BKERNN_DATA_DIR: not set")
    entry = _manifest(folder / "real")[name]
    X, y = _table(folder / "real" / entry["file"])
    if "splits" in entry and entry["splits"]["file"].endswith("_test_rows.csv.gz"):
        test_rows = folder / "real" / entry["splits"]["file"]
        test = np.loadtxt(test_rows, delimiter=",", skiprows=1, usecols=0, dtype=np.intp)
        train = np.setdiff1d(np.arange(len(X)), test)
    else:
        train, test = np.split(np.arange(len(X)), [len(X) * 4 // 5])
    draw = np.random.RandomState(0)
    train, test = (draw.permutation(part)[:most_rows] for part in (train, test))
    return Split(X[train], y[train], X[test], y[test])
