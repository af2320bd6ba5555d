"""The published numbers as records like those of this library's own runs."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ..common.results import Record
from ..data.recipes import PENALTIES, STRUCTURES
from .experiment_1 import KERNELS

_KERNEL_NAMES = dict(zip(KERNELS, ("BKerNN", "ExpKerNN", "GaussianKerNN"), strict=True))
_METHODS = {"published": "BKerNN", "bkrr": "BKRR", "relu": "ReLUNN"}
_REAL_METHODS = {
    "published:concave_feature": "BKerNN_concave_feature",
    "published:concave_variable": "BKerNN_concave_variable",
    "bkrr": "BKRR",
    "relu": "ReLUNN",
}


def paper_results() -> Record | None:
    """Return the published numbers, if BKERNN_PAPER_RESULTS names their file."""
    path = os.environ.get("BKERNN_PAPER_RESULTS")
    return json.loads(Path(path).read_text()) if path else None


def paper_records(published: Record, experiment: int) -> list[Record]:
    """Return the published numbers of an experiment; none exist for Experiment 4."""
    readers = {1: _kernels, 2: _sweeps, 3: _penalties, 5: _growth, 6: _real}
    return readers[experiment](published) if experiment in readers else []


def _kernels(published: Record) -> list[Record]:
    records = []
    for kernel, name in _KERNEL_NAMES.items():
        found = published["Experiment1"][name]
        records.append(
            {
                "run": "published",
                "kernel": kernel,
                "regularization": found["chosen_lambda"],
                "train_mse": found["train_mse"][-1],
                "test_mse": found["test_mse"][-1],
                "test_path": found["test_mse"][1:],  # the first entry is that of W₀
                "train_r2": found["train_r2"][-1],
            }
        )
    return records


def _sweeps(published: Record) -> list[Record]:
    found = published["Experiment2"]
    return [
        {"run": "published", "swept": swept, "value": value, "train_r2": train, "test_r2": test}
        for swept, grid, short in (
            ("n_particles", "ms", "m"),
            ("regularization", "lambda_vals", "lambda"),
        )
        for value, train, test in zip(
            found[grid],
            found[f"scores_training_{short}"],
            found[f"scores_testing_{short}"],
            strict=True,
        )
    ]


def _penalties(published: Record) -> list[Record]:
    return [
        {
            "run": "published",
            "structure": structure,
            "penalty": penalty,
            "repetition": repetition,
            "r2": score,
        }
        for structure in STRUCTURES
        for penalty in PENALTIES
        for repetition, score in enumerate(
            published["Experiment3"][structure][penalty.title()]["scores"]
        )
    ]


def _growth(published: Record) -> list[Record]:
    found = published["Experiment5"]
    records = []
    for method, name in _METHODS.items():
        scores = found["methods"][name]
        for axis in ("n", "d"):
            features = scores[f"feature_vs_{axis}_all"]
            for i, value in enumerate(found[f"{axis}_values"]):
                for repetition, r2 in enumerate(scores[f"score_vs_{axis}_all"][i]):
                    feature = features[i][repetition] if features else None
                    records.append(
                        {
                            "method": method,
                            "axis": axis,
                            "value": value,
                            "repetition": repetition,
                            "r2": r2,
                            "feature": feature,
                        }
                    )
    return records


def _real(published: Record) -> list[Record]:
    return [
        {"set": name, "main": main, "d": found["d"], "method": method, "r2": found[key]}
        for part, main in (("Experiment6", True), ("Experiment6_extra", False))
        for name, found in published[part].items()
        for method, key in _REAL_METHODS.items()
    ]
