"""Rows that each method needs to find the directions (docs/recovery.md).

``python -m experiments.recovery.compare [--quick] [--output results]`` appends a line to
``recovery.jsonl`` for each fit, and leaves out the fits that are there: a run that was cut goes on
where it ended. A method gets twice as many rows until its mean score over the draws is 0.9.
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
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from threadpoolctl import threadpool_limits

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record, select, values
from ..data.recipes import Array
from .methods import FOR_VARIABLES, METHODS, MOST_ROWS, Found, available
from .tasks import TASKS, Draw, Setting, draw

BASE = Setting()
VARIATIONS = (
    *(Setting(d=d) for d in (10, 50)),
    *(Setting(noise=noise) for noise in (0.0, 0.3)),
    *(Setting(rows=rows) for rows in ("uniform", "correlated", "discrete", "heavy-tailed")),
)
VARIED_TASKS = ("ratio", "mixed")
VARIED_METHODS = (
    "BKerNN", "SIR", "SAVE", "PHD", "projection pursuit", "recursive feature machine",
    "gradient outer product",
)  # fmt: skip
SIZES = (50, 100, 200, 400, 800, 1600)
VARIED_SIZES = (200, 400, 800)
DRAWS, VARIED_DRAWS = 10, 3
MANY_ROWS = 800  # from here on half of the draws are enough
RATE_TASKS, RATE_SIZES, RATE_DRAWS = ("square", "ratio", "folded"), (200, 400, 800, 1600), 2
ENOUGH = 0.9
FIT_SECONDS = 40  # of the processor


class Chain(NamedTuple):
    """A method on a task: more and more rows, until it has found what there is."""

    setting: Setting
    task: str
    method: str
    sizes: tuple[int, ...]
    draws: int
    whole: bool = False  # all sizes, also when enough is found

    def key(self, n: int, number: int) -> Record:
        """Return what tells a fit from all others."""
        return {
            "rows": self.setting.rows,
            "d": self.setting.d,
            "noise": self.setting.noise,
            "task": self.task,
            "method": self.method,
            "n": n,
            "draw": number,
        }


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
        most = MOST_ROWS.get(method, math.inf)
        yield Chain(BASE, task, method, tuple(n for n in SIZES if n <= most), DRAWS)
    for task in RATE_TASKS:
        yield Chain(BASE, task, "BKerNN", RATE_SIZES, RATE_DRAWS, whole=True)
    for setting in VARIATIONS:
        for task in VARIED_TASKS:
            for method in (m for m in VARIED_METHODS if m in here):
                yield Chain(setting, task, method, VARIED_SIZES, VARIED_DRAWS)


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
    """Return the record of one fit, which ends after FIT_SECONDS of processor time."""
    data = draw(chain.task, chain.setting, number, n)
    record = chain.key(n, number)
    before, start = signal.signal(signal.SIGPROF, _give_up), _processor_seconds()
    signal.setitimer(signal.ITIMER_PROF, FIT_SECONDS)
    try:
        with warnings.catch_warnings(), threadpool_limits(1):
            warnings.simplefilter("ignore")
            found = METHODS[chain.method](data.X, data.y, data.X_test, data.P.shape[1])
        signal.setitimer(signal.ITIMER_PROF, 0)
        record |= scores(found, data, TASKS[chain.task].variables)
    except Exception as problem:  # a method that fails has found nothing
        record |= {"failed": f"{type(problem).__name__}: {problem}"[:200], "score": 0.0, "own": 0.0}
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return record | {"seconds": round(_processor_seconds() - start, 3)}


def run_chain(chain: Chain, done: list[Record], file: Path) -> None:
    """Run the fits of a chain that are not done, each written down as it ends."""
    for n in chain.sizes:
        records = []
        for number in range(chain.draws if n < MANY_ROWS or chain.whole else -(-chain.draws // 2)):
            record = next(iter(select(done, **chain.key(n, number))), None)
            if record is None:
                record = fit(chain, n, number)
                append_line(file, record)
            records.append(record)
        enough = all(np.mean(values(records, name)) >= ENOUGH for name in ("score", "own"))
        if (enough and not chain.whole) or all("failed" in r for r in records):
            return


def main(arguments: list[str] | None = None) -> None:
    """Run what has not been run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--methods", nargs="*", help="only these")
    given = parser.parse_args(arguments)
    file, start = given.output / "recovery.jsonl", time.perf_counter()
    done = read_lines(file)
    write_lines(file, done)
    jobs = 1 if given.quick else given.jobs
    Parallel(n_jobs=jobs)(
        delayed(run_chain)(chain, select(done, task=chain.task, method=chain.method), file)
        for chain in chains(given.quick)
        if not given.methods or chain.method in given.methods
    )
    print(
        f"{file}: {len(read_lines(file)) - len(done)} fits in {time.perf_counter() - start:.0f} s"
    )


if __name__ == "__main__":
    main()
