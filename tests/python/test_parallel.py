"""Searches in threads and processes, threads of our own, forks, and the GIL."""

import _thread
import multiprocessing
import signal
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
from by_rule import BY_RULE
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from bkernn import BKerNNClassifier, BKerNNRegressor, _core
from bkernn._input.validation import threads
from reliability import PATIENCE

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_grid_search_in_parallel(regression, backend):
    search = GridSearchCV(
        make_pipeline(
            StandardScaler(), BKerNNRegressor(penalty="feature", max_iter=10, random_state=0)
        ),
        {"bkernnregressor__regularization": [0.001, 0.01, 0.1]},
        cv=3,
        n_jobs=2,
    )
    with joblib.parallel_backend(backend):
        search.fit(regression.X, regression.y)
    serial = clone(search).set_params(n_jobs=1).fit(regression.X, regression.y)
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], serial.cv_results_["mean_test_score"]
    )
    assert search.best_score_ > 0.5


def test_cross_val_score(binary):
    X, y, _ = binary
    assert cross_val_score(BKerNNClassifier(max_iter=20, random_state=0), X, y, cv=3).mean() > 0.7


def test_threads_inside_workers():
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend, n_jobs=2):
            shares = joblib.Parallel()(joblib.delayed(threads)(-1) for _ in range(4))
            assert shares == [max(1, joblib.cpu_count() // 2) if backend == "loky" else 1] * 4
            assert joblib.Parallel()(joblib.delayed(threads)(None) for _ in range(4)) == [1] * 4


def test_threads_are_counted_as_scikit_learn_does():
    assert (threads(None), threads(3), threads(-1)) == (1, 3, joblib.cpu_count())
    with joblib.parallel_config(n_jobs=3):
        assert threads(None) == 3
    with joblib.parallel_config(n_jobs=-1):
        assert threads(None) == joblib.cpu_count()
    with pytest.raises(ValueError, match="n_jobs = 0"):
        threads(0)


COUNT_THREADS = """
import os, warnings
import joblib
from sklearn.dummy import DummyRegressor
from sklearn.model_selection import GridSearchCV
from bkernn import BKerNNRegressor
from bkernn.datasets import simulate

warnings.simplefilter("ignore")
data = simulate("multi_index", n=4000, d=10)
by_rule = {by_rule}

def count(estimator, X, y):
    return len(os.listdir("/proc/self/task"))

def most_threads(estimator):
    search = GridSearchCV(estimator, {{}}, scoring=count, cv=4, n_jobs=2, refit=False)
    with joblib.parallel_backend("{backend}"):
        results = search.fit(data.X, data.y).cv_results_
    return max(results[f"split{{k}}_test_score"][0] for k in range(4))

without = most_threads(DummyRegressor())
ours = most_threads(BKerNNRegressor(max_iter=3, tol=0, **by_rule))
many = most_threads(BKerNNRegressor(max_iter=3, tol=0, n_jobs=4, **by_rule))
print(int(ours - without), int(many - without))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_no_oversubscription_in_a_search(backend):
    """Native threads that a search with n_jobs=2 adds: its share of the cores, no more."""
    code = COUNT_THREADS.format(backend=backend, by_rule=BY_RULE)
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE
    )
    assert run.returncode == 0, run.stderr
    ours, many = map(int, run.stdout.split())
    share = max(1, joblib.cpu_count() // 2) if backend == "loky" else 1
    assert ours <= share - 1
    assert many >= 3  # otherwise the count would see nothing


def test_no_openmp_of_ours():
    threadpoolctl = pytest.importorskip("threadpoolctl")
    code = """
    import bkernn._core, threadpoolctl
    paths = [library["filepath"] for library in threadpoolctl.threadpool_info()]
    print([path for path in paths if "bkernn" in path])
    """
    assert threadpoolctl.threadpool_info() is not None
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


def test_fork_after_use(regression):
    """A child forked after threads were used can use them again."""
    data = (regression.X, regression.y)
    BKerNNRegressor(max_iter=2, tol=0, random_state=0, n_jobs=2).fit(*data)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        W = pool.apply_async(_fit_in_child, data).get(timeout=PATIENCE)
    np.testing.assert_array_equal(W, _fit_in_child(*data))


def _fit_in_child(X, y):
    return BKerNNRegressor(max_iter=2, tol=0, random_state=0, n_jobs=2).fit(X, y).W_


def test_other_python_threads_run_during_a_fit(monkeypatch):
    """One of them ends the fit, which would otherwise go on for a minute."""
    X = np.random.default_rng(0).normal(size=(4000, 10))
    begun, ended, fit = threading.Event(), threading.Event(), _core.fit

    def begin(*arguments, **options):
        begun.set()
        result = fit(*arguments, **options)
        ended.set()
        return result

    def interrupt():
        begun.wait()
        for _ in range(100):
            time.sleep(0)  # the other one goes on meanwhile
        if not ended.is_set():
            _thread.interrupt_main()

    monkeypatch.setattr(_core, "fit", begin)
    thread = threading.Thread(target=interrupt)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background
    try:
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            BKerNNRegressor(max_iter=2000, tol=0, n_jobs=1, **BY_RULE).fit(X, X[:, 0])
    finally:
        thread.join()
        signal.signal(signal.SIGINT, before)
