"""Functions of a few hidden directions or variables, and rows to find them from."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple
from zlib import crc32

import numpy as np
from scipy.special import ndtr

from ..data.recipes import Array

TEST_ROWS = 1000
MOST_ROWS = 10_000
_VARIANCE_ROWS = 200_000


class Task(NamedTuple):
    """f(z) of k hidden features; `variables`: they are variables, not combinations of them."""

    formula: str
    k: int
    function: Callable[[Array], Array]
    variables: bool = False
    signs: bool = False  # x is ±1, whatever the setting says


class Setting(NamedTuple):
    """How X is drawn, the number of variables, and the share of the noise in the variance of y."""

    rows: str = "gaussian"
    d: int = 20
    noise: float = 0.1

    def __str__(self) -> str:
        return f"{self.rows}, d = {self.d}, {100 * self.noise:.0f} % noise"


class Draw(NamedTuple):
    """Rows to learn from, rows to test on (y without noise), and the directions (d, k)."""

    X: Array
    y: Array
    X_test: Array
    f_test: Array
    P: Array


def _friedman(z: Array) -> Array:
    u = ndtr(z)
    waves = 10 * np.sin(np.pi * u[:, 0] * u[:, 1]) + 20 * (u[:, 2] - 0.5) ** 2
    return waves + 10 * u[:, 3] + 5 * u[:, 4]


TASKS = {
    "square": Task("z² − 1", 1, lambda z: z[:, 0] ** 2 - 1),
    "cubic": Task("z³ − 3z", 1, lambda z: z[:, 0] ** 3 - 3 * z[:, 0]),
    "sine": Task("sin 3z", 1, lambda z: np.sin(3 * z[:, 0])),
    "ratio": Task("z₁ / (½ + (z₂ + 1.5)²)", 2, lambda z: z[:, 0] / (0.5 + (z[:, 1] + 1.5) ** 2)),
    "staircase": Task(
        "z₁ + z₁z₂ + z₁z₂z₃",
        3,
        lambda z: z[:, 0] + z[:, 0] * z[:, 1] + z[:, 0] * z[:, 1] * z[:, 2],
    ),
    "product": Task("z₁z₂z₃", 3, lambda z: z[:, 0] * z[:, 1] * z[:, 2]),
    "mixed": Task(
        "sin 3z₁ + z₂z₃ + |z₂|",
        3,
        lambda z: np.sin(3 * z[:, 0]) + z[:, 1] * z[:, 2] + np.abs(z[:, 1]),
    ),
    "folded": Task("|sin z₁ + sin z₂ + sin z₃|", 3, lambda z: np.abs(np.sin(z[:, :3]).sum(axis=1))),
    "signs": Task(
        "x₁ + x₂ + x₃ + x₁x₂x₃, x = ±1",
        3,
        lambda z: z[:, :3].sum(axis=1) + z[:, :3].prod(axis=1),
        variables=True,
        signs=True,
    ),
    "friedman": Task("Friedman's function of x₁ … x₅", 5, _friedman, variables=True),
}


def _normal(rng: np.random.Generator, n: int, d: int) -> Array:
    return rng.normal(size=(n, d))


def _uniform(rng: np.random.Generator, n: int, d: int) -> Array:
    return rng.uniform(-np.sqrt(3), np.sqrt(3), size=(n, d))


def _correlated(rng: np.random.Generator, n: int, d: int) -> Array:
    """Correlations 0.5^|i−j|."""
    X = rng.normal(size=(n, d))
    for a in range(1, d):
        X[:, a] = 0.5 * X[:, a - 1] + np.sqrt(0.75) * X[:, a]
    return X


def _discrete(rng: np.random.Generator, n: int, d: int) -> Array:
    """Every other column has the values −1, 0 and 1, in units of its standard deviation."""
    X = rng.normal(size=(n, d))
    X[:, ::2] = rng.integers(-1, 2, size=X[:, ::2].shape) * np.sqrt(1.5)
    return X


def _heavy(rng: np.random.Generator, n: int, d: int) -> Array:
    """Student's t with 5 degrees of freedom."""
    return rng.standard_t(5, size=(n, d)) * np.sqrt(3 / 5)


ROWS: dict[str, Callable[[np.random.Generator, int, int], Array]] = {
    "gaussian": _normal,
    "uniform": _uniform,
    "correlated": _correlated,
    "discrete": _discrete,
    "heavy-tailed": _heavy,
}


def _rows(task: Task, setting: Setting, rng: np.random.Generator, n: int) -> Array:
    X = ROWS[setting.rows](rng, n, setting.d)
    return np.where(X > 0, 1.0, -1.0) if task.signs else X


def _directions(task: Task, d: int, rng: np.random.Generator) -> Array:
    if task.variables:
        return np.eye(d)[:, : task.k]
    return np.linalg.qr(rng.normal(size=(d, task.k)))[0]


@cache
def variance(name: str, rows: str, d: int) -> float:
    """Return the variance of f over many rows, for one draw of the directions."""
    task, rng = TASKS[name], np.random.default_rng(0)
    total = []
    for _ in range(10):  # a part at a time
        P = _directions(task, d, rng)
        X = _rows(task, Setting(rows, d), rng, _VARIANCE_ROWS // 10)
        total.append(task.function(X @ P))
    return float(np.var(np.concatenate(total)))


def draw(name: str, setting: Setting, number: int, n: int) -> Draw:
    """Return the first n rows of a draw: more rows add to those of fewer."""
    task = TASKS[name]
    key = crc32(f"{name} {setting.rows} {setting.d} {number}".encode())
    hidden, learning, errors, testing = np.random.default_rng(key).spawn(4)
    P = _directions(task, setting.d, hidden)
    X = _rows(task, setting, learning, MOST_ROWS)[:n]
    share = setting.noise / (1 - setting.noise)
    deviation = np.sqrt(share * variance(name, setting.rows, setting.d))
    y = task.function(X @ P) + deviation * errors.normal(size=MOST_ROWS)[:n]
    X_test = _rows(task, setting, testing, TEST_ROWS)
    return Draw(X, y, X_test, task.function(X_test @ P), P)
