"""Small data sets that many tests share."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")  # else scikit-learn skips one of its checks

import matplotlib
import numpy as np
import pytest

from bkernn.datasets import simulate

matplotlib.use("agg")


@pytest.fixture(scope="session")
def regression():
    return simulate("multi_index", n=200, n_test=200, d=6)


@pytest.fixture(scope="session")
def binary():
    data = simulate("logistic", n=300, n_test=200, d=5)
    return data.X, np.where(data.y > 0, "yes", "no"), data


@pytest.fixture(scope="session")
def multiclass():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (240, 4))
    return X, np.array(["low", "mid", "high"])[np.digitize(X[:, 0] + 0.1 * X[:, 1], [-0.3, 0.3])]
