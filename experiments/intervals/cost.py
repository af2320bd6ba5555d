"""Processor seconds and memory of intervals and of a study of stability, on simulated data.

``python -m experiments.intervals.cost [--quick] [--output docs/results]`` appends lines to
``intervals_cost.jsonl`` and leaves out what is there. Every line is a process of its own with one
thread; memory is what it takes beyond that of the imported modules and the rows.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from threadpoolctl import threadpool_limits

import bkernn
from bkernn.datasets import simulate

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model

INTERVALS = ("none", "fast", "cross", "quantile")
STABILITY = "stability"
NEW = 10_000  # rows


def megabytes(name: str) -> float:
    """Return what /proc says of this process: VmRSS, or VmHWM for its largest so far."""
    kilobytes = re.search(rf"{name}:\s+(\d+)", Path("/proc/self/status").read_text())[1]
    return int(kilobytes) / 1000


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """Return what `work` gives, and its processor seconds."""
    start = time.process_time()
    return work(), round(time.process_time() - start, 3)


def measure(what: str, n: int) -> Record:
    """Return what one thing takes."""
    data = simulate("multi_index", n=n, n_test=NEW, d=20, noise=0.1)
    before = megabytes("VmRSS")
    with threadpool_limits(1):
        if what == STABILITY:
            study, seconds = timed(lambda: bkernn.stability(data.X, data.y, library_model()))
            found = {"seconds": seconds, "fits": study.halves + 6}
            return found | {"megabytes": round(megabytes("VmHWM") - before, 1)}
        model, seconds = timed(lambda: library_model(intervals=what).fit(data.X, data.y))
        peak = megabytes("VmHWM") - before
        ask = model.predict if what == "none" else model.predict_interval
        _, asked = timed(lambda: ask(data.X_test))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save_model(path)
        size = path.stat().st_size / 1e6
    found = {"seconds": seconds, "megabytes": round(peak, 1), "predict_seconds": asked}
    return found | {"file_megabytes": round(size, 3)}


def keys(quick: bool) -> list[Record]:
    """Return what is to be run: a study of many rows takes minutes and comes last."""
    if quick:
        return [{"what": "fast", "n": 100}]
    return [{"what": what, "n": n} for n in (1000, 4000) for what in (*INTERVALS, STABILITY)]


if __name__ == "__main__":
    run_missing("intervals_cost", keys, measure, alone=True)
