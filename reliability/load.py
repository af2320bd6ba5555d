"""Many processes and threads at once: no deadlock, no leak, no wrong result, no time lost."""

from __future__ import annotations

import multiprocessing
import os
import queue
import threading
import time
import warnings
from typing import Any

import numpy as np

from bkernn import BKerNNRegressor
from bkernn.datasets import simulate

from . import PATIENCE
from .tool import check

warnings.filterwarnings("ignore", module="bkernn")
ROWS = 1500
LEAK, BRIEF_LEAK = 5.0, 8.0  # percent that memory may grow by; in runs below a minute


def _piece(data: Any, seed: int, threads: int) -> bytes:
    """Fit and predict once; the bytes of the predictions."""
    model = BKerNNRegressor(
        regularization="rule",
        penalty="feature",
        n_particles=20,
        max_iter=8,
        tol=0,
        random_state=seed,
        n_jobs=threads,
    )
    return bytes(model.fit(data.X, data.y).predict(data.X).tobytes())


def _data() -> Any:
    return simulate("multi_index", n=ROWS, d=8, random_state=1)


def _resident() -> int:
    """Return the resident memory of this process in kilobytes."""
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def _worker(
    threads: int, seconds: float, patience: float, expected: list[bytes], results: Any
) -> None:
    """Work in `threads` Python threads until the time is over; report counts, memory and faults."""
    data, end = _data(), time.monotonic() + seconds
    done, wrong, memory = [0] * threads, [0], []

    def work(number: int) -> None:
        while done[number] == 0 or time.monotonic() < end:
            seed = done[number] % len(expected)
            if _piece(data, seed, 2) != expected[seed]:
                wrong[0] += 1
            done[number] += 1

    team = [threading.Thread(target=work, args=(i,), daemon=True) for i in range(threads)]
    for one in team:
        one.start()
    while time.monotonic() < end:
        time.sleep(min(seconds / 40, 5))
        if min(done) > 0:  # before, every thread still takes its share of memory
            memory.append(_resident())
    for one in team:
        one.join(timeout=max(0.0, end + patience - time.monotonic()))
    stuck = sum(one.is_alive() for one in team)
    results.put((sum(done), min(done), wrong[0], stuck, time.process_time(), memory))


def _answers(team: list[Any], results: Any, deadline: float) -> list[Any]:
    """Return what the workers found; a worker that dies or is silent too long broke a promise."""
    found: list[Any] = []
    while len(found) < len(team):
        try:
            found.append(results.get(timeout=1))
        except queue.Empty:
            codes = [one.exitcode for one in team]
            check(not any(codes), f"load: a worker died, exit codes {codes}")
            late = f"load: a deadlock, {len(team) - len(found)} of {len(team)} processes are silent"
            check(time.monotonic() < deadline, late)
    return found


def _growth(memory: list[int]) -> float:
    """Return the growth in percent from the second quarter of the samples to the last."""
    if not memory:
        return 0.0
    count = len(memory)
    before = np.median(memory[count // 4 : max(count // 2, count // 4 + 1)])
    return 100 * float(np.median(memory[-max(count // 4, 1) :]) / before - 1)


def crowd(
    processes: int, threads: int, seconds: float, patience: float = PATIENCE
) -> dict[str, float]:
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
    arguments = (threads, seconds, patience, expected, results)
    team = [context.Process(target=_worker, args=arguments, daemon=True) for _ in range(processes)]
    begin = time.monotonic()
    try:
        for one in team:
            one.start()
        found = _answers(team, results, begin + patience + seconds + patience)
        stuck = sum(one[3] for one in found)
        check(stuck == 0, f"load: a deadlock, {stuck} of {processes * threads} threads hang")
        for one in team:
            one.join(timeout=PATIENCE)
            check(one.exitcode == 0, f"load: a worker ended with {one.exitcode}")
    finally:
        _end(team)
    total = sum(one[0] for one in found)
    check(all(one[2] == 0 for one in found), "load: a result differs from the one computed alone")
    check(all(one[1] > 0 for one in found), "load: a thread did nothing")
    ratio = sum(one[4] for one in found) / total / alone
    growth = max(_growth(one[5]) for one in found)
    if seconds >= 60:  # short runs are mostly starting up
        check(ratio < 2, f"load: {ratio:.2f} times the processor time of the work one by one")
    allowed = LEAK if seconds >= 60 else BRIEF_LEAK
    check(growth <= allowed, f"load: a leak, memory grew by {growth:.1f} %")
    return {
        "processes": processes,
        "threads": threads,
        "seconds": round(time.monotonic() - begin, 1),
        "pieces": total,
        "processor_ratio": round(ratio, 3),
        "memory_growth_percent": round(growth, 2),
        "memory_megabytes": round(max(max(one[5], default=0) for one in found) / 1024, 1),
    }


def _end(processes: list[Any]) -> None:
    """Leave no process behind, whatever it is doing."""
    for one in processes:
        if one.is_alive():
            one.kill()
            one.join()


def _child(pipe: Any, data: Any, model: BKerNNRegressor) -> None:
    pipe.send((model.predict(data.X).tobytes(), _piece(data, 0, 2)))
    pipe.close()


def _answer(pipe: Any) -> Any:
    try:
        return pipe.recv()
    except EOFError:
        return None


def forked(children: int, patience: float = PATIENCE) -> int:
    """Load once, use threads, then fork: the children predict and fit (as web servers do)."""
    data = _data()
    model = BKerNNRegressor(n_particles=20, max_iter=3, tol=0, random_state=0, n_jobs=2)
    expected = (model.fit(data.X, data.y).predict(data.X).tobytes(), _piece(data, 0, 2))
    context = multiprocessing.get_context("fork")
    for _ in range(children):
        ours, theirs = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(theirs, data, model), daemon=True)
        child.start()
        theirs.close()
        try:
            check(ours.poll(patience), "forked children: one hangs")
            answer = _answer(ours)
            child.join(timeout=patience)
            check(child.exitcode == 0, f"forked children: one ended with {child.exitcode}")
            check(answer == expected, "forked children: one computed something else")
        finally:
            _end([child])
    check(len(os.listdir("/proc/self/task")) < 64, "forked children: threads pile up")
    return children
