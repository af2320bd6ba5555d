"""Ways to choose λ on the sets of Experiment 6: by the rule, by theory, by cross-validation."""

from __future__ import annotations

import time

from matplotlib.figure import Figure

from ..common.plotting import panels
from ..common.results import Record, in_parallel, mean, run_and_write, select
from ..common.runs import library_model, timed_fit
from ..data.real import MAIN, experiment_6_split

RACE = {"penalty": ["concave_feature", "concave_variable"]}
WAYS = {
    "auto": ("library", {}),
    "auto, concave variable": ("library", {"penalty": "concave_variable"}),
    "theory": ("library", {"regularization": "theory"}),
    "cv": ("library_cv", {}),
    "cv, two penalties": ("library_cv", {"race": RACE}),
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
    ways = ["auto", "theory"] if quick else list(WAYS)
    return in_parallel(record, [(name, way) for name in sets for way in ways])


def plot(records: list[Record]) -> Figure:
    """One column per set, one marker per way."""
    figure, axes = panels(1, 1, width=9, height=3.6)
    sets = list(dict.fromkeys(r["set"] for r in records))
    for way, marker in zip(WAYS, "o^x*s", strict=True):
        found = {r["set"]: r["r2"] for r in select(records, way=way)}
        if found:
            label = f"{way}: mean {mean(records, 'r2', way=way):.3f}"
            axes[0, 0].plot(sets, [found[name] for name in sets], marker, ms=5, label=label)
    axes[0, 0].tick_params(axis="x", rotation=40)
    axes[0, 0].set_ylabel("R² on test rows")
    axes[0, 0].legend(fontsize=8)
    return figure


if __name__ == "__main__":
    run_and_write("choosing", run, plot)
