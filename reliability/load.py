"""Many processes and threads at once: no deadlock, no leak, no wrong result, no time lost."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import warnings
from typing import Any

import numpy as np

from bkernn import BKerNNRegressor
from bkernn.datasets import simulate

from .tool import check

warnings.filterwarnings("ignore", module="bkernn")
ROWS = 1500


def _piece(data: Any, seed: int, threads: int) -> bytes:
    """Fit and predict once; the bytes of the predictions."""
    model = BKerNNRegressor(n_particles=20, max_iter=8, tol=0, random_state=seed, n_jobs=threads)
    return bytes(model.fit(data.X, data.y).predict(data.X).tobytes())


def _data() -> Any:
    return simulate("multi_index", n=ROWS, d=8, random_state=1)


def _resident() -> int:
    """Return the resident memory of this process in kilobytes."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def _worker(threads: int, seconds: float, expected: list[bytes], results: Any) -> None:
    """Work in `threads` Python threads until the time is over; report counts, memory and faults."""
    data, end = _data(), time.monotonic() + seconds
    done, wrong, memory = [0] * threads, [0], []

    def work(number: int) -> None:
        while time.monotonic() < end:
            seed = done[number] % len(expected)
            if _piece(data, seed, 2) != expected[seed]:
                wrong[0] += 1
            done[number] += 1

    team = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(threads)]
    for one in team:
        one.start()
    while time.monotonic() < end:
        time.sleep(min(seconds / 40, 5))
        memory.append(_resident())
    for one in team:
        one.join(timeout=120 + seconds)
    stuck = sum(one.is_alive() for one in team)
    results.put((sum(done), min(done), wrong[0], stuck, time.process_time(), memory))


def crowd(processes: int, threads: int, seconds: float) -> dict[str, float]:
    """Let `processes` × `threads` fit and predict at once; compare with work one by one."""
    data = _data()
    expected = [_piece(data, seed, 1) for seed in range(3)]
    start, pieces = time.process_time(), 0
    while time.process_time() - start < max(1.0, seconds / 60):
        _piece(data, pieces % 3, 1)
        pieces += 1
    alone = (time.process_time() - start) / pieces

    context = multiprocessing.get_context("spawn")
    results: Any = context.Queue()
    arguments = (threads, seconds, expected, results)
    team = [context.Process(target=_worker, args=arguments) for _ in range(processes)]
    begin = time.monotonic()
    for one in team:
        one.start()
    found = [results.get(timeout=seconds * 2 + 300) for _ in team]
    for one in team:
        one.join(timeout=60)
        check(one.exitcode == 0, f"a worker ended with {one.exitcode}")
    total = sum(one[0] for one in found)
    check(all(one[2] == 0 for one in found), "a result differs from the one computed alone")
    check(all(one[3] == 0 for one in found), "a thread hangs")
    check(all(one[1] > 0 for one in found), "a thread did nothing")
    ratio = sum(one[4] for one in found) / total / alone
    if seconds >= 60:  # short runs are mostly starting up
        check(ratio < 2, f"{ratio:.2f} times the processor time of the same work one by one")
    quarter = [np.median(one[5][len(one[5]) // 4 : len(one[5]) // 2]) for one in found]
    last = [np.median(one[5][-max(len(one[5]) // 4, 1) :]) for one in found]
    return {
        "processes": processes,
        "threads": threads,
        "seconds": round(time.monotonic() - begin, 1),
        "pieces": total,
        "processor_ratio": round(ratio, 3),
        "memory_growth_percent": round(100 * float(max(np.array(last) / np.array(quarter)) - 1), 2),
        "memory_megabytes": round(float(max(last)) / 1024, 1),
    }


def _child(pipe: Any, data: Any, model: BKerNNRegressor) -> None:
    pipe.send((model.predict(data.X).tobytes(), _piece(data, 0, 2)))
    pipe.close()


def forked(children: int) -> int:
    """Load once, use threads, then fork: the children predict and fit (as web servers do)."""
    data = _data()
    model = BKerNNRegressor(n_particles=20, max_iter=3, tol=0, random_state=0, n_jobs=2)
    expected = (model.fit(data.X, data.y).predict(data.X).tobytes(), _piece(data, 0, 2))
    context = multiprocessing.get_context("fork")
    for _ in range(children):
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(theirs, data, model))
        child.start()
        theirs.close()
        check(ours.poll(120), "a forked child hangs")
        check(ours.recv() == expected, "a forked child computed something else")
        child.join(timeout=60)
        check(child.exitcode == 0, f"a forked child ended with {child.exitcode}")
    check(len(os.listdir("/proc/self/task")) < 64, "threads pile up")
    return children
