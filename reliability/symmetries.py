"""How far predictions move where only rounding changes: columns in another order, other units.

Small random tables, all penalties, kernels and losses, λ from where little is fitted to where all
is. A symmetry of the problem holds up to rounding, unless rounding sends the search another way.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from bkernn import BKerNNClassifier, BKerNNRegressor

from .faults import TAME, spoiled
from .tool import check

PENALTIES = [
    *("auto", "basic", "basic_l1", "variable"),
    *("feature", "concave_variable", "concave_feature"),
]
KERNELS = ["brownian", "exponential", "gaussian"]
NUMBERS, COUNTS, CLASSES = ["square", "huber", "quantile"], ["poisson"], ["logistic", "multinomial"]
KINDS = ["rows", "columns", "units", "shift", "multiple"]
# λ, or so many times the spread of y: chosen, by the rule, and from large to small.
STRENGTHS: list[str | float] = ["auto", "rule", 1.0, 0.1, 1e-2, 1e-4, 1e-6, 1e-8]
LITTLE, MUCH = 1e-4, 1e-2  # moves, of the spread of y or as probabilities
BRIEF = {"n_particles": 6, "max_iter": 4, "tol": 0}


def _table(rng: np.random.Generator, most: int) -> tuple[Any, Any]:
    n, d = int(rng.integers(4, most + 1)), int(rng.integers(1, 6))
    X = spoiled(rng.normal(size=(n, d)), str(rng.choice(TAME)), rng)
    y = np.abs(X[:, 0]) / (1 + np.abs(X[:, 0]).max()) + 0.1 * rng.normal(size=n)
    return X, spoiled(y[:, None], str(rng.choice(TAME)), rng)[:, 0]


def _move(seed: int, most: int, brief: bool) -> tuple[str, str, float] | None:
    """Return kind, λ and how far predictions move in one trial, if the table has two values."""
    rng = np.random.default_rng(seed)
    X, y = _table(rng, most)
    n, d = X.shape
    loss, penalty, kernel, kind = (
        str(rng.choice(some)) for some in (NUMBERS + COUNTS + CLASSES, PENALTIES, KERNELS, KINDS)
    )
    strength = STRENGTHS[int(rng.integers(len(STRENGTHS)))]
    particles = 6 if brief else 50
    W = rng.normal(size=(d, particles)) / np.sqrt(d)
    rank = np.unique(y, return_inverse=True)[1]
    if rank.max() == 0:
        return None
    if loss not in NUMBERS and kind == "multiple":  # of counts and classes there is none
        kind = "columns"
    target = y if loss in NUMBERS else rank % (2 if loss == "logistic" else 3)
    target = rank if loss in COUNTS else target
    spread = 1.0 if loss in CLASSES else float(np.std(target))

    def predictions(X: Any, target: Any, W: Any, unit: float = 1.0) -> Any:
        scale = unit * (spread if loss in NUMBERS else 1.0)
        chosen = strength if isinstance(strength, str) else strength * scale
        options = {"regularization": chosen, "penalty": penalty, "kernel": kernel, "init": W}
        options |= BRIEF if brief else {"n_particles": particles}
        options |= {"random_state": 0, "n_jobs": 1}
        if loss in CLASSES:
            return BKerNNClassifier(**options).fit(X, target).predict_proba(X)
        return BKerNNRegressor(loss=loss, **options).fit(X, target).predict(X) / unit

    found, order = predictions(X, target, W), np.arange(n)
    if kind == "rows":
        order = rng.permutation(n)
        again = predictions(X[order], target[order], W)
    elif kind == "columns":
        columns = rng.permutation(d)
        again = predictions(X[:, columns], target, W[columns])
    elif kind == "units":
        again = predictions(X * 10.0 ** rng.integers(-12, 13, d), target, W)
    elif kind == "shift":
        again = predictions(X + rng.uniform(-100, 100) * np.abs(X).max(), target, W)
    else:
        unit = 10.0 ** rng.integers(-12, 13)
        again = predictions(X, unit * target, W, unit)
    return kind, str(strength), float(np.abs(again - found[order]).max()) / spread


def _shares(moves: list[float]) -> dict[str, Any]:
    return {
        "tables": len(moves),
        "same_bits": sum(one == 0 for one in moves),
        "above_little": sum(one > LITTLE for one in moves),
        "above_much": sum(one > MUCH for one in moves),
        "largest": max(moves, default=0.0),
    }


def moved(trials: int, most: int, brief: bool, seed: int = 0) -> dict[str, Any]:
    """Return the moves of tables of at most so many rows, by λ; the order of rows moves nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [_move(seed + k, most, brief) for k in range(trials)]
    known = [one for one in found if one is not None]
    check(all(move == 0 for kind, _, move in known if kind == "rows"), "the order of rows matters")
    others = [one for one in known if one[0] != "rows"]
    shares = {
        name: _shares([move for _, strength, move in others if strength == name])
        for name in map(str, STRENGTHS)
    }
    return {**shares, "all": _shares([move for *_, move in others])}


def trial(tables: int) -> dict[str, Any]:
    """Return the moves of small tables by a whole fit, and of larger ones by four iterations."""
    return {"small": moved(tables, 40, False), "larger": moved(tables // 4, 300, True)}
