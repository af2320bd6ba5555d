"""Studies of stability where the truth is known: numbers of directions, p-values, variables.

``python -m experiments.intervals.stability [--quick] [--output docs/results]`` appends lines to
``stability.jsonl`` and leaves out what is there.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

import bkernn
from bkernn.datasets import simulate

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model
from ..data.recipes import Array

BATCH = 25  # draws of a line
PERMUTATIONS = 199
TESTS = {"signs": 0, "refits": 19}  # ways to a p-value, by the permuted tables that are fitted


class Data(NamedTuple):
    """Simulated data: how they are drawn, and the number of hidden directions."""

    draw: Callable[[np.random.Generator], tuple[Array, Array]]
    directions: int


def hidden(d: int, n: int, f: Callable[[Array], Array], noise: float = 0.5) -> Callable:
    """Return a way to draw n normal rows of d variables and y = f(x) + noise."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        X = rng.normal(size=(n, d))
        return X, f(X) + noise * rng.normal(size=n)

    return draw


def three(d: int, n: int) -> Callable:
    """Return a way to draw y = sin 3z₁ + z₂z₃ + |z₂| + noise."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array]:
        data = simulate("multi_index", n=n, d=d, noise=0.1, random_state=int(rng.integers(2**31)))
        return data.X, data.y

    return draw


def linear_and_square(X: Array) -> Array:
    """Return one effect that grows and one that is even, of the same variance."""
    return X[:, 0] + (X[:, 1] ** 2 - 1) / np.sqrt(2)


#: How many directions a study counts, all at the defaults.
COUNTED = {
    "noise, 200 rows of 20": Data(hidden(20, 200, lambda X: 0 * X[:, 0]), 0),
    "three directions, 1,000 rows of 20": Data(three(20, 1000), 3),
}

#: Where one more direction than there are is asked for.
TRUE = {
    "noise": Data(hidden(5, 200, lambda X: 0 * X[:, 0]), 0),
    "x₁": Data(hidden(5, 200, lambda X: X[:, 0]), 1),
    "sin 2x₁": Data(hidden(5, 200, lambda X: np.sin(2 * X[:, 0])), 1),
    "three directions": Data(three(6, 400), 3),
}
_SHORT = {"penalty": "feature", "n_particles": 10, "max_iter": 20, "tol": 0}
FITS: dict[str, dict[str, Any]] = {
    "defaults": {},
    "λ = 0.05": _SHORT | {"regularization": 0.05},
    "λ = 0.005": _SHORT | {"regularization": 0.005},
}

#: Which variables halves select: two of 20 matter.
SELECTED = {
    "concave_variable, noise 0.5": ("concave_variable", 0.5),
    "concave_variable, noise 1": ("concave_variable", 1.0),
    "variable, noise 0.5": ("variable", 0.5),
}


def study(
    X: Array, y: Array, seed: int, n_pairs: int, *, n_refits: int = 0, **fit: Any
) -> bkernn.Stability:
    """Return what a study finds."""
    few = {"n_folds": 2, "n_permutations": 19} if n_pairs else {"n_permutations": PERMUTATIONS}
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")
        model, few = library_model(**fit), few | {"n_refits": n_refits}
        return bkernn.stability(X, y, model, n_pairs=n_pairs, random_state=seed, **few)


def count(data: str, rng: np.random.Generator, seed: int) -> Record:
    """Return the number of directions that one draw seems to have."""
    return {"found": study(*COUNTED[data].draw(rng), seed, 0).dimension}


def p_value(data: str, fit: str, rng: np.random.Generator, seed: int, refits: int) -> Record:
    """Return the p-value of one more direction than there are (1 where a fit has none to try)."""
    found = study(*TRUE[data].draw(rng), seed, 0, n_refits=refits, **FITS[fit])
    k = TRUE[data].directions
    return {"p": round(float(found.p_value[k]), 4) if k < len(found.p_value) else 1.0}


def select(fit: str, rng: np.random.Generator, seed: int) -> Record:
    """Return how many variables, noise and real, three quarters of the halves select."""
    penalty, noise = SELECTED[fit]
    X, y = hidden(20, 300, linear_and_square, noise)(rng)
    found = study(X, y, seed, 10, **(_SHORT | {"penalty": penalty}))
    above = found.selection >= found.threshold
    return {
        "linear": int(above[0]),
        "square": int(above[1]),
        "noise": int(above[2:].sum()),
        "bound": round(float(found.bound), 5),
        "selected": round(float(found.selected), 3),
    }


def measure(study: str, data: str, fit: str, batch: int) -> Record:
    """Return what the draws of a batch gave, one list for each thing that is counted."""
    draws = 1 if study == "count" else BATCH
    found = []
    for seed in range(draws * batch, draws * (batch + 1)):
        rng = np.random.default_rng(seed)
        if study == "count":
            found.append(count(data, rng, seed))
        elif study in TESTS:
            found.append(p_value(data, fit, rng, seed, TESTS[study]))
        else:
            found.append(select(fit, rng, seed))
    return {name: [one[name] for one in found] for name in found[0]}


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: ten draws for counts, hundreds for p-values and variables."""
    nulls = [("noise", "λ = 0.05"), ("x₁", "λ = 0.05"), ("x₁", "λ = 0.005")]
    nulls += [("x₁", "defaults"), ("sin 2x₁", "defaults"), ("three directions", "defaults")]
    jobs = [("selection", "two of 20 variables", fit, b) for b in range(8) for fit in SELECTED]
    jobs += [("signs", *null, b) for b in range(12) for null in nulls]
    jobs += [("refits", *null, b) for b in range(4) for null in nulls[1:3]]
    jobs += [("refits", *nulls[3], b) for b in range(2)]
    jobs += [("count", data, "defaults", b) for b in range(10) for data in COUNTED]
    if quick:
        jobs = [jobs[0], ("signs", *nulls[0], 0)]
    return [dict(zip(("study", "data", "fit", "batch"), job, strict=True)) for job in jobs]


if __name__ == "__main__":
    run_missing("stability", keys, measure)
