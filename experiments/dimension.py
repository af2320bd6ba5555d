"""The dimension found on data whose true dimension is known, for 20 draws of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from bkernn.datasets import simulate

from . import recipes
from .plotting import COLORS, panels, words
from .recipes import Drawn
from .results import Record, in_parallel, run_and_write, values
from .runs import library_model, timed_fit

SEEDS = 20
VARIABLES = ("variable", "concave_variable")
FEATURES = ("feature", "concave_feature")


def _absolute_values(seed: int) -> Drawn:
    """Experiment 2: y = Σ |2π x_a| over 5 of 20 variables + noise, 412 rows."""
    rng = np.random.RandomState(1 + seed)
    X = 2 * rng.rand(412, 20) - 1
    y = np.abs(2 * np.pi * X[:, :5]).sum(axis=1) + 0.1 * rng.randn(412)
    return Drawn(X, y, X, y)


def _absolute_sum(seed: int) -> Drawn:
    """Experiment 1: y = 2π |sum of 5 hidden features| + noise: one direction; 214 rows of 45."""
    rng = np.random.RandomState(seed)
    direction = rng.randn(45)
    direction *= np.sqrt(5) / np.linalg.norm(direction)
    X = 2 * rng.rand(214, 45) - 1
    y = np.abs(2 * np.pi * X @ direction) + 0.5 * rng.randn(214)
    return Drawn(X, y, X, y)


def _multi_index(seed: int) -> Drawn:
    data = simulate("multi_index", n=500, n_test=0, d=10, noise=0.1, random_state=seed)
    return Drawn(data.X, data.y, data.X, data.y)


class Kind(NamedTuple):
    """What is drawn, its true dimension, the penalties that look for it, how λ is chosen."""

    draw: Callable[[int], Drawn]
    k: int
    penalties: tuple[str, ...]
    run: str = "library"
    changes: Mapping[str, Any] = MappingProxyType({})


def _few_variables(seed: int) -> Drawn:
    return recipes.experiment_3("few variables", seed)


KINDS = {
    "experiment 1: |sum of 5 features|": Kind(_absolute_sum, 1, FEATURES),
    "experiment 2: 5 of 20 variables": Kind(_absolute_values, 5, VARIABLES + FEATURES),
    "experiment 3: 5 of 20 variables": Kind(_few_variables, 5, VARIABLES),
    "the same, λ by cross-validation": Kind(_few_variables, 5, VARIABLES, "library_cv"),
    "the same, λ by one standard error": Kind(
        _few_variables, 5, VARIABLES, "library_cv", {"one_standard_error": True}
    ),
    "experiment 5: 3 features, n = 500, d = 15": Kind(
        lambda seed: recipes.experiment_5(500, 15, seed), 3, FEATURES
    ),
    "multi-index: 3 features, n = 500, d = 10": Kind(_multi_index, 3, FEATURES),
}


def records_of(kind: str, seed: int) -> list[Record]:
    """All penalties on one draw."""
    draw, k, penalties, run, changes = KINDS[kind]
    data = draw(seed)
    found = []
    for penalty in penalties:
        model = library_model(run, penalty=penalty, **changes)
        timed_fit(model, data.X, data.y)
        by_rows = penalty in VARIABLES
        sizes = (
            np.sort(np.linalg.norm(model.W_, axis=1))[::-1]
            if by_rows
            else np.linalg.svd(model.W_, compute_uv=False)
        )
        found.append(
            {"kind": kind, "k": k, "penalty": penalty, "seed": seed}
            | {"found": int(model.n_active_features_), "sizes": [float(s) for s in sizes]}
        )
    return found


def run(quick: bool) -> list[Record]:
    """How often the dimension found is the true one."""
    kinds = list(KINDS)[-1:] if quick else list(KINDS)
    tasks = [(kind, seed) for kind in kinds for seed in range(1 if quick else SEEDS)]
    return [record for part in in_parallel(records_of, tasks) for record in part]


def plot(records: list[Record]) -> Figure:
    """Histograms of the dimension found, the true one marked."""
    kinds = list(dict.fromkeys(r["kind"] for r in records))
    figure, axes = panels(1, len(kinds), width=3.2, height=2.6)
    for ax, kind in zip(axes[0], kinds, strict=True):
        penalties = KINDS[kind].penalties
        for place, penalty in enumerate(penalties):
            found = values(records, "found", kind=kind, penalty=penalty)
            at, counts = np.unique(found, return_counts=True)
            shift = (place - (len(penalties) - 1) / 2) * 0.8 / len(penalties)
            ax.bar(
                at + shift,
                counts,
                0.8 / len(penalties),
                color=COLORS[penalty],
                label=words(penalty),
            )
        ax.axvline(KINDS[kind].k, color="black", lw=0.8, ls="--")
        ax.set_title(kind, fontsize=8)
        ax.set_xlabel("dimension found (dashed: true)")
        ax.legend(fontsize=7)
    return figure


if __name__ == "__main__":
    run_and_write("dimension", run, plot)
