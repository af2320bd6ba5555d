"""How the paper's simulated data were drawn, number by number.

NumPy's legacy generator with these seeds and this order of draws gives the published data bit for
bit, so that runs can be compared with the published numbers one by one.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ortho_group

Array = NDArray[np.float64]

PENALTIES = ("basic", "variable", "concave_variable", "feature", "concave_feature")
STRUCTURES = ("no structure", "few variables", "few features")
FUNCTIONS = ("sine", "square wave", "triangle wave")


class Drawn(NamedTuple):
    """Rows to learn from, rows to test on, and the hidden directions if there are any."""

    X: Array
    y: Array
    X_test: Array
    y_test: Array
    P: Array | None = None


def largest_norm(X: Array) -> float:
    """Return max ‖x_i‖, which sets the scale of λ in the paper."""
    return float(np.linalg.norm(X, axis=1).max())


def initial_particles(d: int, m: int) -> Array:
    """Return the W₀ of all published runs."""
    return np.random.RandomState(0).randn(d, m) / np.sqrt(d)


def _rows(rng: np.random.RandomState, n: int, d: int) -> Array:
    return 2 * rng.rand(n, d) - 1


def _directions(rng: np.random.RandomState, d: int, k: int) -> Array:
    return ortho_group.rvs(d, random_state=rng)[:, :k]


def experiment_1() -> Drawn:
    """Draw y = 2π |Σ of 5 hidden features| + noise, 214 rows of 45 variables."""
    rng = np.random.RandomState(0)
    P = _directions(rng, 45, 5)
    parts = []
    for n in (214, 1024):
        X = _rows(rng, n, 45)
        parts += [X, np.abs((2 * np.pi * X @ P).sum(axis=1)) + 0.5 * rng.randn(n)]
    return Drawn(*parts, P)


def experiment_2() -> Drawn:
    """Draw y = Σ |2π x_a| over 5 of 20 variables + noise, 412 rows."""
    rng = np.random.RandomState(1)
    parts = []
    for n in (412, 1024):
        X = _rows(rng, n, 20)
        parts += [X, np.abs(2 * np.pi * X[:, :5]).sum(axis=1) + 0.1 * rng.randn(n)]
    return Drawn(*parts, np.eye(20)[:, :5])


def experiment_3(structure: str, repetition: int) -> Drawn:
    """Draw y = Σ sin over all variables, 5 of them or 5 hidden features; 214 rows of 20."""
    rng = np.random.RandomState(1 + repetition)
    P = {
        "no structure": lambda: np.eye(20),
        "few variables": lambda: np.eye(20)[:, :5],
        "few features": lambda: _directions(rng, 20, 5),
    }[structure]()
    X, X_test = _rows(rng, 214, 20), _rows(rng, 1024, 20)
    deviation = 1.0 if structure == "no structure" else 0.5
    y, y_test = (np.sin(Z @ P).sum(axis=1) + deviation * rng.randn(len(Z)) for Z in (X, X_test))
    return Drawn(X, y, X_test, y_test, P)


def experiment_4() -> dict[str, Drawn]:
    """Three functions of one variable, 128 noisy rows each; the test rows have no noise."""
    targets = (
        lambda x: np.sin(2 * np.pi * x),
        lambda x: np.sign(np.sin(2 * np.pi * x)),
        lambda x: 4 * np.abs(x + 0.75 - np.floor(x + 0.75) - 0.5) - 1,
    )
    rng = np.random.RandomState(1)
    X_test = np.linspace(-1, 1, 1024)[:, np.newaxis]
    drawn = {}
    for name, target in zip(FUNCTIONS, targets, strict=True):
        X = _rows(rng, 128, 1)
        y = target(X) + 0.2 * rng.randn(128, 1)
        drawn[name] = Drawn(X, y[:, 0], X_test, target(X_test)[:, 0])
    return drawn


def experiment_5(n: int, d: int, repetition: int) -> Drawn:
    """Draw y = |Σ sin of 3 hidden features|, no noise."""
    rng = np.random.RandomState(repetition)
    P = _directions(rng, d, 3)
    parts = []
    for rows in (n, 201):
        X = _rows(rng, rows, d)
        rng.randn(rows)  # the published runs drew noise and multiplied it by 0
        parts += [X, np.abs(np.sin(X @ P).sum(axis=1))]
    return Drawn(*parts, P)
