"""Ways to choose λ on the sets of Experiment 6: the default race, a rule, cross-validation."""

from __future__ import annotations

import time

from matplotlib.figure import Figure

from ..common.plotting import BLUE, GREEN, GREY, OURS, panels
from ..common.results import Record, in_parallel, mean, run_and_write, select
from ..common.runs import library_model, timed_fit
from ..data.real import MAIN, experiment_6_split

RULE = "λ by the rule"
THEOREM = "λ by the theorem"
WAYS = {
    "default": ("library", {}),
    RULE: ("library", {"regularization": "rule"}),
    THEOREM: ("library", {"regularization": "theory"}),
    "four models": ("library", {"n_models": 4}),
    "cross-validated": ("library_cv", {}),
    "mean of the folds": ("library_cv", {"ensemble": True}),
}


def record(name: str, way: str) -> Record:
    """One way on one set."""
    data = experiment_6_split(name).standardized()
    run, changes = WAYS[way]
    model = library_model(run, **changes)
    before = time.process_time()
    timed_fit(model, data.X, data.y)
    return {
        "set": name,
        "way": way,
        "r2": model.score(data.X_test, data.y_test),
        "regularization": float(model.regularization_),
        "seconds": time.process_time() - before,
    }


def run(quick: bool) -> list[Record]:
    """R² on the test rows, and processor seconds, of the ways to choose λ."""
    sets = MAIN[:1] if quick else MAIN
    ways = ["default", THEOREM] if quick else list(WAYS)
    return in_parallel(record, [(name, way) for name in sets for way in ways])


def plot(records: list[Record]) -> Figure:
    """One line per set: how much R² each way gains over the rule; the theorem is left out."""
    sets = list(dict.fromkeys(r["set"] for r in records))
    figure, axes = panels(1, 1, width=6.6, height=0.24 * len(sets) + 1.3)
    base = {r["set"]: r["r2"] for r in select(records, way=RULE)}
    colors = (OURS, BLUE, GREEN, GREY)
    shown = [way for way in WAYS if way not in (RULE, THEOREM)]
    for way, marker, color in zip(shown, "o^sv", colors, strict=True):
        found = {r["set"]: r["r2"] for r in select(records, way=way)}
        if found and base:
            gains = [found[name] - base[name] for name in sets]
            label = f"{way}: mean R² {mean(records, 'r2', way=way):.3f}"
            axes[0, 0].plot(gains, sets, marker, ms=5, color=color, alpha=0.8, label=label)
    axes[0, 0].axvline(0, color="black", lw=0.8)
    axes[0, 0].invert_yaxis()
    axes[0, 0].set_xlabel(f"R² on test rows, minus that with {RULE}")
    if base:
        axes[0, 0].legend(fontsize=8, loc="lower center", bbox_to_anchor=(0.4, 1), ncols=2)
    return figure


if __name__ == "__main__":
    run_and_write("choosing", run, plot)
