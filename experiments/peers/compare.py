"""The real data sets for other regressors, at their defaults and tuned."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from itertools import chain

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from threadpoolctl import threadpool_limits

from ..common.plotting import panels
from ..common.results import Record, in_parallel, run_and_write, select
from ..data.real import EXTRA, MAIN, Split, experiment_6_split, larger_sets, larger_split
from .methods import fit_method, method_names
from .ranks import Ranking, rank

ROWS = 4000  # of the larger sets, for training and for testing
TUNING_ROWS = 1000
SETTINGS = ("default", "tuned")


def records_of(group: str, name: str, settings: Sequence[str]) -> list[Record]:
    """All methods on one set."""
    split = experiment_6_split(name) if group == "experiment 6" else larger_split(name, ROWS)
    data = split.standardized()
    return [
        {"group": group, "set": name} | record(data, method, setting)
        for method in method_names()
        for setting in settings
    ]


def record(data: Split, method: str, setting: str) -> Record:
    """One method on one set."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # convergence: every method stops where its defaults say
        start = time.perf_counter()
        model = fit_method(method, setting == "tuned", data.X, data.y, TUNING_ROWS)
        fitted = time.perf_counter()
        prediction = model.predict(data.X_test)
        predicted = time.perf_counter()
    residual = ((data.y_test - prediction) ** 2).sum()
    return {
        "n": len(data.X),
        "d": data.X.shape[1],
        "method": method,
        "setting": setting,
        "r2": float(1 - residual / ((data.y_test - data.y_test.mean()) ** 2).sum()),
        "fit_seconds": fitted - start,
        "predict_seconds": predicted - fitted,
    }


def run(quick: bool) -> list[Record]:
    """R², fit and predict seconds of BKerNN and its peers on all real regression sets."""
    small = ["abalone"] if quick else [*MAIN, *EXTRA]
    sets = [("experiment 6", name) for name in small]
    sets += [] if quick else [("larger", name) for name in reversed(larger_sets())]
    settings = SETTINGS[:1] if quick else SETTINGS
    return list(chain(*in_parallel(records_of, [(*s, settings) for s in sets])))


def plot(records: list[Record]) -> Figure:
    """Mean ranks; methods joined by a bar do not differ significantly."""
    groups = [g for g in ("experiment 6", "larger") if select(records, group=g)]
    settings = [s for s in SETTINGS if select(records, setting=s)]
    figure, axes = panels(len(groups), len(settings), width=5.4, height=2.5)
    for row, group in enumerate(groups):
        for column, setting in enumerate(settings):
            ranking = rank(select(records, group=group, setting=setting))
            draw_ranking(axes[row, column], ranking)
            axes[row, column].set_title(f"{group}: {ranking.n_sets} sets, {setting}", fontsize=9)
    return figure


def draw_ranking(ax: Axes, ranking: Ranking) -> None:
    """Draw mean ranks on a line, best on the left, with bars over what is not distinguishable."""
    ordered = sorted(ranking.mean_ranks.items(), key=lambda item: item[1])
    count, bars = len(ordered), len(ranking.groups)
    ax.set_axis_off()
    ax.set_xlim(1 - 2.6, count + 2.6)
    ax.plot([1, count], [0, 0], color="black", lw=1)
    for place in range(1, count + 1):
        ax.plot([place, place], [0, 0.2], color="black", lw=1)
        ax.text(place, 0.3, str(place), ha="center", fontsize=8)
    for place, (method, value) in enumerate(ordered):
        left = place < (count + 1) // 2
        y = -0.6 - 0.4 * bars - 0.7 * (place if left else count - 1 - place)
        edge = 1 - 0.2 if left else count + 0.2
        look = {"color": "#d55e00" if method == "BKerNN" else "black"}
        ax.plot([value, value, edge], [0, y, y], lw=1.1, **look)
        side = "right" if left else "left"
        shift = -0.1 if left else 0.1
        label = f"{method} {value:.2f}"
        ax.text(edge + shift, y, label, ha=side, va="center", fontsize=8, **look)
    for level, (first, last) in enumerate(ranking.groups):
        y = -0.35 - 0.4 * level
        ax.plot([first - 0.05, last + 0.05], [y, y], color="0.35", lw=3.5, solid_capstyle="butt")


if __name__ == "__main__":
    run_and_write("peers", run, plot)
