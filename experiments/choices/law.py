"""How the best λ falls with the rows and rises with the noise (docs/design.md).

The flagship (three hidden directions of 20 variables), y = signal + σ·noise; for each number of
rows and each σ a grid of λ, multiples of that of the rule, which is ∝ 1/n, and R² against the
signal without its noise. Appends a line to ``law.jsonl`` for each fit, and leaves out the fits that
are there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from statistics import mean

import numpy as np

from bkernn import BKerNNRegressor, _core
from bkernn.datasets import simulate

from ..common.lines import run_missing
from ..common.results import Record, select
from ..common.runs import library_model, timed_fit
from ..data.recipes import Array

SIZES = (250, 1_000, 4_000)
NOISES = (0.1, 0.5)
MULTIPLES = (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
DRAWS = 2
TEST_ROWS = 4_000


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run."""
    for n in SIZES[:1] if quick else SIZES:
        for noise in NOISES[:1] if quick else NOISES:
            for multiple in MULTIPLES[:2] if quick else MULTIPLES:
                for draw in range(1 if quick else DRAWS):
                    yield {"n": n, "noise": noise, "multiple": multiple, "draw": draw}


def measure(n: int, noise: float, multiple: float, draw: int) -> Record:
    """Return λ and R² against the signal."""
    data = simulate("multi_index", n=n, n_test=TEST_ROWS, d=20, noise=noise, random_state=draw)
    options = BKerNNRegressor()._options("square", data.X.shape[1])
    given = multiple * _core.automatic_regularization(data.X, data.y[:, None], options)
    model = library_model(regularization=given, penalty="feature", n_particles=50)
    timed_fit(model, data.X, data.y)
    error = np.mean((model.predict(data.X_test) - data.signal_test) ** 2)
    return {"regularization": given, "r2": float(1 - error / np.var(data.signal_test))}


def best(records: list[Record], n: int, noise: float) -> float:
    """Return the best λ: the lowest point of a parabola through the three best of the grid."""
    x, errors = [], []
    for multiple in MULTIPLES:
        some = select(records, n=n, noise=noise, multiple=multiple)
        x.append(mean(math.log(r["regularization"]) for r in some))
        errors.append(math.log(mean(1 - r["r2"] for r in some)))
    place = min(max(int(np.argmin(errors)), 1), len(x) - 2)
    around = slice(place - 1, place + 2)
    curve, slope, _ = np.polyfit(x[around], errors[around], 2)
    lowest = -slope / (2 * curve) if curve > 0 else x[int(np.argmin(errors))]
    return math.exp(min(max(lowest, x[place - 1]), x[place + 1]))


def law(records: list[Record]) -> tuple[float, float]:
    """Return the powers of n and of σ that the best λ follow."""
    pairs = [(n, noise) for n in SIZES for noise in NOISES]
    A: Array = np.array([[1, math.log(n), math.log(noise)] for n, noise in pairs])
    b = np.array([math.log(best(records, n, noise)) for n, noise in pairs])
    _, rows, sigma = np.linalg.lstsq(A, b, rcond=None)[0]
    return float(rows), float(sigma)


if __name__ == "__main__":
    run_missing("law", keys, measure)
