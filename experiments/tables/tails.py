"""Heavy tails: columns, or y, bent beyond their quantiles before a default fit.

``python -m experiments.tables.tails`` fits 1,000 rows of real sets, and of simulated ones whose
columns have heavy tails, and scores new rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from sklearn.metrics import r2_score
from threadpoolctl import threadpool_limits

from bkernn import BKerNNRegressor

from ..common.lines import run_missing
from ..common.results import Record
from ..data.real import Split, larger_sets, set_rows
from ..data.recipes import Array

LEARNT, TESTED = 1000, 5000
DRAWS = 3  # of simulated sets
BEND = 3.0  # where tails begin, in standard deviations of a normal distribution

DISTRIBUTIONS: dict[str, Callable[[np.random.RandomState, tuple[int, int]], Array]] = {
    "t2": lambda draw, size: draw.standard_t(2, size),
    "lognormal": lambda draw, size: draw.lognormal(size=size),
}
TARGETS: dict[str, Callable[[Array], Array]] = {"of x": lambda x: x, "of asinh x": np.arcsinh}


class Bend(NamedTuple):
    """Numbers in units of their spread, with tails that grow as a logarithm does."""

    middle: Array
    spread: Array

    @classmethod
    def learn(cls, x: Array, share: float) -> Bend:
        """Measure the spread between the quantiles `share` and 1 − `share`."""
        low, middle, high = np.quantile(x, [share, 0.5, 1 - share], axis=0)
        normal = {0.25: 1.349, 0.05: 3.290}[share]
        spread = (high - low) / normal
        return cls(middle, np.where(spread > 0, spread, np.maximum(x.std(axis=0), 1e-300)))

    def bend(self, x: Array) -> Array:
        """z, and beyond BEND on both sides BEND + asinh of what is beyond."""
        z = (x - self.middle) / self.spread
        beyond = np.maximum(np.abs(z) - BEND, 0)
        return np.sign(z) * (np.abs(z) - beyond + np.arcsinh(beyond))

    def straighten(self, bent: Array) -> Array:
        """Undo `bend`."""
        beyond = np.maximum(np.abs(bent) - BEND, 0)
        return self.middle + self.spread * np.sign(bent) * (np.abs(bent) - beyond + np.sinh(beyond))


def predictions(form: str, split: Split) -> Array:
    """Fit and predict with columns or y in one of FORMS."""
    X, y, X_test = split.X, split.y, split.X_test
    if form.startswith("X "):
        bend = Bend.learn(X, 0.25 if form == "X by quartiles" else 0.05)
        bent = bend.bend(X), bend.bend(X_test)
        if form == "X beside":  # the bent copy of columns that have tails
            tailed = np.abs((X - bend.middle) / bend.spread).max(axis=0) > 2 * BEND
            bent = (np.hstack([X, bent[0][:, tailed]]), np.hstack([X_test, bent[1][:, tailed]]))
        X, X_test = bent
    model = BKerNNRegressor(random_state=0, n_jobs=1)
    if form != "y":
        return model.fit(X, y).predict(X_test)
    bend = Bend.learn(y, 0.05)
    return bend.straighten(model.fit(X, bend.bend(y)).predict(X_test))


FORMS = ("as it is", "X by quartiles", "X by 5 %", "X beside", "y")


def real_split(name: str) -> Split:
    """1,000 rows of a permutation to learn from, the next ones to test on."""
    X, y = set_rows(name)
    rows = np.random.RandomState(0).permutation(len(X))
    train, test = rows[:LEARNT], rows[LEARNT : LEARNT + TESTED]
    return Split(X[train], y[train], X[test], y[test])


def simulated_split(distribution: str, target: str, seed: int) -> Split:
    """Draw |u'g(x)| + |v'g(x)|/2 + noise, of ten columns with heavy tails."""
    draw = np.random.RandomState(seed)
    X = DISTRIBUTIONS[distribution](draw, (LEARNT + TESTED, 10))
    G = TARGETS[target](X)
    G = G - np.median(G, axis=0)
    P = np.linalg.qr(draw.randn(10, 2))[0]
    y = np.abs(G @ P) @ np.array([1.0, 0.5]) + 0.2 * draw.randn(len(X))
    return Split(X[:LEARNT], y[:LEARNT], X[LEARNT:], y[LEARNT:])


def split_of(name: str, draw: int) -> Split:
    """Return the rows of a real set, or of `distribution, target`."""
    return simulated_split(*name.split(", "), draw) if ", " in name else real_split(name)


def measure(set: str, draw: int, form: str) -> Record:
    """R² of one form on new rows of a set, and the largest |z| of its columns."""
    split = split_of(set, draw)
    bend = Bend.learn(split.X, 0.05)
    with threadpool_limits(1):
        r2 = r2_score(split.y_test, predictions(form, split))
    return {
        "largest": round(float(np.abs((split.X - bend.middle) / bend.spread).max()), 1),
        **{"n": len(split.X), "d": split.X.shape[1], "r2": round(float(r2), 6)},
    }


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: real sets, then draws of simulated ones, each in all forms."""
    simulated = [f"{x}, {target}" for x in DISTRIBUTIONS for target in TARGETS]
    real = [(name, 0) for name in larger_sets(2 * LEARNT)]
    drawn = [(name, draw) for name in simulated for draw in range(DRAWS)]
    some = drawn[:1] if quick else real + drawn
    return [{"set": name, "draw": draw, "form": form} for name, draw in some for form in FORMS]


if __name__ == "__main__":
    run_missing("tails", keys, measure)
