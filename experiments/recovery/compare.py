"""Rows that each method needs to find the directions (docs/recovery.md).

``python -m experiments.recovery.compare [--quick] [--output docs/results] [--minutes 15]`` appends
a line to ``recovery.jsonl`` for each method, task and number of rows, with the measures of every
draw, and leaves out the lines that are there: a run that was cut, or that ends after so many
minutes, goes on where it ended. A method gets twice as many rows until its mean score over the
draws is 0.9. ``--again`` names methods whose lines are forgotten first.
"""

from __future__ import annotations

import argparse
import math
import os
import signal
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record, select
from ..data.recipes import Array
from .cells import KEY, cell_of, is_enough
from .methods import FOR_VARIABLES, METHODS, MOST_ROWS, Found, available
from .tasks import TASKS, Draw, Setting, draw

BASE = Setting()
VARIATIONS = (
    *(Setting(d=d) for d in (10, 50)),
    *(Setting(noise=noise) for noise in (0.0, 0.3)),
    *(Setting(rows=rows) for rows in ("uniform", "correlated", "discrete", "heavy-tailed")),
)
VARIED_TASKS = ("square", "ratio", "staircase", "folded")
VARIED_METHODS = (
    "BKerNN", "SIR", "SAVE", "recursive feature machine", "gradient outer product",
)  # fmt: skip
HYPERCUBE = Setting(d=200, noise=0.0025)  # errors of deviation 0.1
HYPERCUBE_METHODS = ("BKerNN", "gradient outer product", "lasso", "random forest")
HYPERCUBE_SIZES = (50, 100, 200, 400)
PUBLISHED = tuple(Setting(d=10, noise=noise) for noise in (0.05, 0.15))
PUBLISHED_SIZES = (50, 75, 100, 175)
SIZES = (50, 100, 200, 400, 800, 1600, 3200, 10_000)
DRAWS = 10
SHOWN_ROWS = 400  # every method is run up to here, that all can be compared
RATE_TASKS, RATE_ROWS = ("square", "staircase", "folded"), 1600  # the same for BKerNN
FIT_SECONDS = 40  # of the processor


class Chain(NamedTuple):
    """A method on a task: more and more rows, until it has found what there is."""

    setting: Setting
    task: str
    method: str
    sizes: tuple[int, ...]
    draws: int
    at_least: int = 0  # rows, also when fewer are enough

    def key(self, n: int) -> Record:
        """Return what tells a cell from all others."""
        values = (*self.setting, self.task, self.method, n)
        return dict(zip(KEY, values, strict=True))

    def next_size(self, cells: list[Record]) -> int | None:
        """Return how many rows come next, None if this is the end."""
        for n in self.sizes:
            cell = next(iter(select(cells, **self.key(n))), None)
            if cell is None or len(cell["score"]) < self.draws:
                return n
            if all(cell.get("failed", [None])) or (is_enough(cell) and n >= self.at_least):
                return None
        return None


def chains(quick: bool) -> Iterator[Chain]:
    """Return what is to be run, the base setting first."""
    here = available()
    if quick:
        quickest = ("BKerNN", "SIR", "gradient outer product", "lasso")
        yield from (Chain(BASE, "ratio", m, (60,), 2) for m in quickest[:3])
        yield from (Chain(BASE, "signs", m, (60,), 1) for m in quickest)
        return
    for task, method in ((t, m) for t in TASKS for m in here):
        if method in FOR_VARIABLES and not TASKS[task].variables:
            continue
        if method == "BKerNN, k given":  # its directions are those of BKerNN
            yield Chain(BASE, task, method, (SHOWN_ROWS,), DRAWS)
            continue
        most = MOST_ROWS.get(method, math.inf)
        sizes = tuple(n for n in SIZES if n <= most)
        rates = method == "BKerNN" and task in RATE_TASKS
        yield Chain(BASE, task, method, sizes, DRAWS, RATE_ROWS if rates else SHOWN_ROWS)
    for setting in VARIATIONS:
        for task in VARIED_TASKS:
            for method in (m for m in VARIED_METHODS if m in here):
                yield Chain(setting, task, method, (SHOWN_ROWS,), DRAWS)
    for method in HYPERCUBE_METHODS:
        yield Chain(HYPERCUBE, "signs", method, HYPERCUBE_SIZES, DRAWS, HYPERCUBE_SIZES[-1])
    for setting in PUBLISHED:
        yield Chain(setting, "folded", "BKerNN", PUBLISHED_SIZES, DRAWS, PUBLISHED_SIZES[-1])


def newest(file: Path) -> list[Record]:
    """Return the last line of each key: one with fewer draws than are asked for is run again."""
    return list({tuple(cell[name] for name in KEY): cell for cell in read_lines(file)}.values())


def place(cell: Record) -> tuple[Any, ...]:
    """Return where a line stands in the file: in the order of the plan, whatever ran first."""
    setting = Setting(cell["rows"], cell["d"], cell["noise"])
    return (
        [BASE, *VARIATIONS, HYPERCUBE, *PUBLISHED].index(setting),
        list(TASKS).index(cell["task"]),
        list(METHODS).index(cell["method"]),
        cell["n"],
    )


def overlap(found: Found, P: Array, count: int, variables: bool) -> float:
    """Return tr(P̂P) for the first `count` directions, or how many of so many variables are true."""
    if variables:
        weights = found.importances
        if weights is None:
            weights = (np.linalg.qr(found.directions[:, :count])[0] ** 2).sum(axis=1)
        chosen = [a for a in np.argsort(-weights, kind="stable")[:count] if weights[a] > 0]
        return float(np.sum(P[chosen].any(axis=1)))
    B = found.directions[:, :count]
    return float(np.sum((np.linalg.qr(B)[0].T @ P) ** 2)) if B.shape[1] else 0.0


def angle(found: Found, P: Array) -> float:
    """Return the largest principal angle between the k leading directions and the true ones."""
    k = P.shape[1]
    B = found.directions[:, :k]
    if B.shape[1] < k:
        return 90.0
    cosines = np.linalg.svd(np.linalg.qr(B)[0].T @ P, compute_uv=False)
    return float(np.degrees(np.arccos(np.clip(cosines[-1], 0, 1))))


def scores(found: Found, data: Draw, variables: bool) -> Record:
    """Return the measures of one fit.

    `score` is overlap/k for what was found of the true number; `own` is overlap/max(k, k̂) for as
    many as the method says itself: none may be missing and none too many.
    """
    k = data.P.shape[1]
    score = overlap(found, data.P, k, variables) / k
    size = found.chosen if variables else found.size
    own = score if size is None else overlap(found, data.P, size, variables) / max(k, size)
    error = float(np.mean((found.predicted - data.f_test) ** 2))
    return {
        "k": k,
        "size": size,
        "score": score,
        "own": own,
        "recall": overlap(found, data.P, k if size is None else size, variables) / k,
        "angle": angle(found, data.P) if found.directions is not None else None,
        "r2": 1 - error / float(np.var(data.f_test)),
    }


class _TooLongError(Exception):
    pass


def _give_up(*_: object) -> None:
    raise _TooLongError


def _processor_seconds() -> float:
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def fit(chain: Chain, n: int, number: int) -> Record:
    """Return the measures of one fit, which ends after FIT_SECONDS of processor time."""
    data = draw(chain.task, chain.setting, number, n)
    record: Record = {}
    before, start = signal.signal(signal.SIGPROF, _give_up), _processor_seconds()
    signal.setitimer(signal.ITIMER_PROF, FIT_SECONDS)
    try:
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            found = METHODS[chain.method](data.X, data.y, data.X_test, data.P.shape[1])
        signal.setitimer(signal.ITIMER_PROF, 0)
        record = scores(found, data, TASKS[chain.task].variables)
    except Exception as problem:  # a method that fails has found nothing
        record = {"failed": f"{type(problem).__name__}: {problem}"[:200], "score": 0.0, "own": 0.0}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return record | {"seconds": _processor_seconds() - start}


def run_cell(chain: Chain, n: int, file: Path, deadline: float) -> None:
    """Run all draws of a cell and write them down; nothing after the deadline."""
    records = []
    for number in range(chain.draws):
        if time.monotonic() > deadline:
            return
        records.append(fit(chain, n, number))
    append_line(file, cell_of(chain.key(n), TASKS[chain.task].k, records))


def main(arguments: list[str] | None = None) -> None:
    """Run what has not been run, fewer rows first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--methods", nargs="*", default=list(METHODS), help="only these")
    parser.add_argument("--again", nargs="*", default=[], help="methods to run once more")
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing after them")
    given = parser.parse_args(arguments)
    file, deadline = given.output / "recovery.jsonl", time.monotonic() + 60 * given.minutes
    cells = [cell for cell in newest(file) if cell["method"] not in given.again]
    before = len(cells)
    write_lines(file, cells)
    wanted = [chain for chain in chains(given.quick) if chain.method in given.methods]
    while time.monotonic() < deadline:
        sizes = [(chain, chain.next_size(cells)) for chain in wanted]
        least = min((n for _, n in sizes if n is not None), default=None)
        if least is None:
            break
        Parallel(n_jobs=1 if given.quick else given.jobs)(
            delayed(run_cell)(chain, n, file, deadline) for chain, n in sizes if n == least
        )
        cells = newest(file)
    write_lines(file, sorted(cells, key=place))
    print(f"{file}: {len(cells) - before} new lines")


if __name__ == "__main__":
    main()
