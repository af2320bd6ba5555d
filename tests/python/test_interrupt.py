"""Ctrl-C stops a fit within a second, whatever runs it, and leaves a healthy interpreter.

Seconds are those that the processors give to the fit: a busy machine changes nothing.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time

import pytest

from reliability import PATIENCE

START = """
import signal
import warnings
import numpy as np
from sklearn.model_selection import GridSearchCV
import bkernn

signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background job ignores
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, ({n}, 20))
y = np.sin(3 * X[:, 0]) + X[:, 1] + 0.1 * rng.normal(size=len(X))
endless = dict(max_iter=10**6, tol=0, random_state=0)
print("started", flush=True)
try:
    {action}
except KeyboardInterrupt:
    print("stopped", flush=True)
data = bkernn.datasets.simulate(n=100, d=3)
model = bkernn.BKerNNRegressor(random_state=0, max_iter=20).fit(data.X, data.y)
print("healthy", model.score(data.X, data.y) > 0.5, flush=True)
"""

GRID = (
    "GridSearchCV(bkernn.BKerNNRegressor(**endless), {{'concavity': [1.0, 2.0]}}, n_jobs={})"
    ".fit(X, y)"
)
ACTIONS = {
    "fit": (500, "bkernn.BKerNNRegressor(**endless).fit(X, y)"),
    "one long iteration": (100_000, "bkernn.BKerNNRegressor(**endless).fit(X, y)"),
    "classifier": (2000, "bkernn.BKerNNClassifier(**endless).fit(X, y > 0)"),
    "path": (500, "bkernn.BKerNNRegressorCV(**endless).fit(X, y)"),
    "long path": (20_000, "bkernn.BKerNNRegressorCV(**endless).fit(X, y)"),
    "grid search": (500, GRID.format(1)),
    "grid search in processes": (500, GRID.format(2)),
    "prediction": (
        500,
        "m = bkernn.BKerNNRegressor(max_iter=5, tol=0).fit(X, y)\n"
        "    while True: m.predict(np.tile(X, (2000, 1)))",
    ),
}


def processor_seconds(*pids):
    """Return what processes and all their threads have used so far."""
    ticks = 0
    for pid in pids:
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            ticks += sum(map(int, fields(pid)[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


def fields(pid):
    """Return what /proc says of a process, from its state on."""
    with open(f"/proc/{pid}/stat") as file:
        return file.read().rpartition(")")[2].split()


def group(leader):
    """Return the processes of a group: a search has workers."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if int(fields(pid)[2]) == leader:
                yield pid


def interrupted(n, action, after):
    """Return processor seconds from the signal to the exception, and what the process then said."""
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(n=n, action=action)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # readline() must leave the next line to communicate()
        start_new_session=True,
    )
    try:
        assert process.stdout.readline() == b"started\n", process.stderr.read()
        begun = processor_seconds(process.pid)
        while processor_seconds(*group(process.pid)) < begun + after:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        sent = processor_seconds(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
        stopped = process.stdout.readline()
        seconds = processor_seconds(process.pid) - sent
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert stopped == b"stopped\n", err
    assert process.returncode == 0, err
    return seconds, out


@pytest.mark.parametrize("name", ACTIONS)
def test_ctrl_c(name):
    seconds, rest = interrupted(*ACTIONS[name], after=1)
    assert rest == b"healthy True\n"
    assert seconds < os.cpu_count()
