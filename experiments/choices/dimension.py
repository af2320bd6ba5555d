"""The dimension found on data whose true dimension is known, for 20 draws of each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from bkernn._core import dimension_threshold
from bkernn.datasets import simulate

from ..common.plotting import COLORS, panels, words
from ..common.results import Record, in_parallel, run_and_write, select
from ..common.runs import library_model, timed_fit
from ..data import recipes
from ..data.recipes import Drawn

SEEDS = 20
SHOWN = 12  # sizes
MIDDLE = (0.1, 0.9)  # of the draws
VARIABLES = ("variable", "concave_variable")
FEATURES = ("feature", "concave_feature")
AUTO = ("auto",)  # chosen by held-out rows


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
    variables: bool = False  # k of them, whichever penalty the default chooses
    run: str = "library"
    changes: Mapping[str, Any] = MappingProxyType({})


def _few_variables(seed: int) -> Drawn:
    return recipes.experiment_3("few variables", seed)


def _noise(seed: int) -> Drawn:
    rng = np.random.RandomState(seed)
    X, y = rng.randn(200, 20), rng.randn(200)
    return Drawn(X, y, X, y)


KINDS = {
    "experiment 1: |sum of 5 features|": Kind(_absolute_sum, 1, AUTO + FEATURES),
    "experiment 2: 5 of 20 variables": Kind(
        _absolute_values, 5, AUTO + VARIABLES + FEATURES, variables=True
    ),
    "experiment 3: 5 of 20 variables": Kind(_few_variables, 5, AUTO + VARIABLES, variables=True),
    "the same, λ by cross-validation": Kind(_few_variables, 5, VARIABLES, run="library_cv"),
    "the same, λ by one standard error": Kind(
        _few_variables, 5, VARIABLES, run="library_cv", changes={"one_standard_error": True}
    ),
    "experiment 5: 3 features, n = 500, d = 15": Kind(
        lambda seed: recipes.experiment_5(500, 15, seed), 3, AUTO + FEATURES
    ),
    "noise: n = 200, d = 20": Kind(_noise, 0, AUTO),
    "multi-index: 3 features, n = 500, d = 10": Kind(_multi_index, 3, AUTO + FEATURES),
}


def records_of(kind: str, seed: int) -> list[Record]:
    """All penalties on one draw."""
    draw, k, penalties, variables, run, changes = KINDS[kind]
    data = draw(seed)
    found = []
    for penalty in penalties:
        model = library_model(run, penalty=penalty, **changes)
        timed_fit(model, data.X, data.y)
        by_rows = model.penalty_ in VARIABLES
        asked = variables and penalty not in FEATURES
        number = model.n_variables_ if asked else model.n_active_features_
        sizes = (
            np.sort(np.linalg.norm(model.W_, axis=1))[::-1]
            if by_rows
            else np.linalg.svd(model.W_, compute_uv=False)
        )
        found.append(
            {"kind": kind, "k": k, "penalty": penalty, "seed": seed}
            | {"found": int(number), "sizes": [float(f"{s:.4g}") for s in sizes]}
        )
    return found


def run(quick: bool) -> list[Record]:
    """How often the dimension found is the true one."""
    kinds = list(KINDS)[-1:] if quick else list(KINDS)
    tasks = [(kind, seed) for kind in kinds for seed in range(1 if quick else SEEDS)]
    return [record for part in in_parallel(records_of, tasks) for record in part]


def told(kind: str) -> str:
    """Return a kind of data in the words of the glossary."""
    return kind.replace("|sum of 5 features|", "one direction").replace("features", "directions")


def plot(records: list[Record]) -> Figure:
    """Sizes relative to the largest: the median of the draws, and the middle of them as a band.

    With the threshold of the rule, and the true dimension.
    """
    kinds = [kind for kind in dict.fromkeys(r["kind"] for r in records) if KINDS[kind].k]
    columns = min(2, len(kinds))
    figure, axes = panels(-(-len(kinds) // columns), columns, width=3.3, height=2.1, sharey=True)
    for ax in axes.flat[len(kinds) :]:
        ax.set_visible(False)
    for ax, kind in zip(axes.flat, kinds, strict=False):
        for penalty in KINDS[kind].penalties:
            drawn = [r["sizes"][:SHOWN] for r in select(records, kind=kind, penalty=penalty)]
            longest = max(map(len, drawn))
            sizes = np.array([s + [0.0] * (longest - len(s)) for s in drawn])
            sizes /= np.maximum(sizes[:, :1], 1e-300)
            places, color = np.arange(1, longest + 1), COLORS[penalty]
            ax.fill_between(
                places, *np.quantile(sizes, MIDDLE, axis=0), color=color, alpha=0.15, lw=0
            )
            ax.plot(places, np.median(sizes, 0), color=color, lw=1.5, label=words(penalty))
        ax.axhline(dimension_threshold(), color="black", lw=0.8, ls="--")
        ax.axvline(KINDS[kind].k + 0.5, color="black", lw=0.8, ls=":")
        ax.set_title(told(kind), fontsize=9)
        ax.set_ylim(-0.02, 1.05)
        ax.legend(fontsize=8)
        what = "variable" if KINDS[kind].penalties[-1] in VARIABLES else "direction"
        both = KINDS[kind].variables and KINDS[kind].penalties[-1] in FEATURES
        ax.set_xlabel(f"{'direction or variable' if both else what}, largest first", fontsize=8)
    for ax in axes[:, 0]:
        ax.set_ylabel("size, of the largest")
    return figure


if __name__ == "__main__":
    run_and_write("dimension", run, plot)
