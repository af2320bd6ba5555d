"""The real data sets for other regressors, at their defaults and tuned (docs/comparison.md).

``python -m experiments.peers.compare [--quick] [--output docs/results] [--again BKerNN]`` appends a
line to ``peers.jsonl`` for each fit, and leaves out the fits that are there. ``--again`` names
methods whose fits are forgotten first: when the library changes, only its own are run again.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

from threadpoolctl import threadpool_limits

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record, select
from ..data.real import MAIN, Split, experiment_6_split, larger_sets, larger_split
from . import LARGER, SMALL
from .methods import fit_method, method_names

ROWS = 4000  # of the larger sets, for training and for testing
TUNING_ROWS = 1000


def data_of(group: str, name: str) -> Split:
    """Return the standardized rows of one set."""
    split = experiment_6_split(name) if group == SMALL else larger_split(name, ROWS)
    return split.standardized()


def record(data: Split, method: str, setting: str) -> Record:
    """One method on one set; seconds are those of the processor, of one thread."""
    with warnings.catch_warnings(), threadpool_limits(1):
        warnings.simplefilter("ignore")  # convergence: every method stops where its defaults say
        start = time.process_time()
        model = fit_method(method, setting == "tuned", data.X, data.y, TUNING_ROWS)
        fitted = time.process_time()
        prediction = model.predict(data.X_test)
        predicted = time.process_time()
    residual = ((data.y_test - prediction) ** 2).sum()
    return {
        "n": len(data.X),
        "d": data.X.shape[1],
        "r2": round(float(1 - residual / ((data.y_test - data.y_test.mean()) ** 2).sum()), 6),
        "fit_seconds": round(fitted - start, 4),
        "predict_seconds": round(predicted - fitted, 5),
    }


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run: all sets at the defaults, then the small ones tuned."""
    small = ["abalone"] if quick else MAIN
    sets = [(SMALL, name) for name in small]
    larger = [] if quick else [(LARGER, name) for name in larger_sets()]
    for setting, some in (("default", sets + larger), ("tuned", [] if quick else sets)):
        for group, name in some:
            for method in method_names():
                yield {"group": group, "set": name, "method": method, "setting": setting}


def main(arguments: list[str] | None = None) -> None:
    """Run what has not been run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--settings", nargs="*", default=["default", "tuned"], help="only these")
    parser.add_argument("--again", nargs="*", default=[], help="methods to run once more")
    given = parser.parse_args(arguments)
    file = given.output / "peers.jsonl"
    done = [r for r in read_lines(file) if r["method"] not in given.again]
    write_lines(file, done)
    wanted = [key for key in keys(given.quick) if key["setting"] in given.settings]
    missing = [key for key in wanted if not select(done, **key)]
    data, name = None, None
    for key in missing:
        if key["set"] != name:
            data, name = data_of(key["group"], key["set"]), key["set"]
        append_line(file, key | record(data, key["method"], key["setting"]))
    print(f"{file}: {len(missing)} fits")


if __name__ == "__main__":
    main()
