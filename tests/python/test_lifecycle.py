"""Pickles, model files, warm starts, searches, threads and interruptions."""

import pickle
import subprocess
import sys
import textwrap
import threading
import time

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bkernn
from bkernn import BKerNNClassifier, BKerNNRegressor
from bkernn._validation import threads

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def fitted(regression):
    return BKerNNRegressor(random_state=0).fit(regression.X, regression.y)


def test_pickle_and_joblib(fitted, regression, tmp_path):
    expected = fitted.predict(regression.X_test)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for copy in (pickle.loads(pickle.dumps(fitted)), joblib.load(tmp_path / "model.joblib")):
        np.testing.assert_array_equal(copy.predict(regression.X_test), expected)
        copy.save_model(tmp_path / "copy.json")
    saved = bkernn.load_model(tmp_path / "copy.json")
    np.testing.assert_array_equal(saved.objective_path_, fitted.objective_path_)


def test_pickle_holds_plain_data_only(fitted):
    state = fitted._saved.__getstate__()
    assert set(state) == {"model", "rest"}
    assert isinstance(state["rest"], str)
    for value in state["model"].values():
        assert isinstance(value, str | int | list | np.ndarray)


@pytest.mark.parametrize("extension", ["json", "ubj", "cbor"])
def test_files_give_back_every_bit(fitted, regression, tmp_path, extension):
    path = tmp_path / f"model.{extension}"
    fitted.save_model(path)
    copy = bkernn.load_model(path)
    np.testing.assert_array_equal(
        copy.predict(regression.X_test), fitted.predict(regression.X_test)
    )
    np.testing.assert_array_equal(copy.transform(regression.X), fitted.transform(regression.X))
    for name in ("n_active_features_", "regularization_", "n_iter_", "converged_"):
        assert getattr(copy, name) == getattr(fitted, name)
    assert copy.regularization == fitted.regularization_
    assert copy.random_state == 0


@pytest.mark.parametrize("labels", [["a", "b", "c"], [0, 1, 2], [0, 1], [False, True]])
def test_files_keep_classes(labels, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.array(labels)[np.digitize(X[:, 0], np.linspace(-0.5, 0.5, len(labels) - 1))]
    model = BKerNNClassifier(max_iter=5, random_state=0).fit(X, y)
    model.save_model(tmp_path / "model.json")
    copy = bkernn.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(copy.classes_, model.classes_)
    np.testing.assert_array_equal(copy.predict(X), model.predict(X))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_missing_and_broken_files(tmp_path):
    (tmp_path / "broken.json").write_text("{")
    for name in ("none.json", "broken.json"):
        with pytest.raises(OSError, match=name):
            bkernn.load_model(tmp_path / name)


def test_warm_start(regression):
    model = BKerNNRegressor(random_state=0, max_iter=5, tol=0, warm_start=True)
    first = model.fit(regression.X, regression.y).objective_path_[-1]
    W = model.W_
    assert model.fit(regression.X, regression.y).objective_path_[-1] < first
    direct = BKerNNRegressor(random_state=0, max_iter=5, tol=0, init=W)
    np.testing.assert_array_equal(direct.fit(regression.X, regression.y).W_, model.W_)
    with pytest.raises(ValueError, match="init"):
        model.set_params(n_particles=7).fit(regression.X, regression.y)


def test_early_stopping(regression):
    model = BKerNNRegressor(random_state=0, early_stopping=True, n_iter_no_change=5, tol=0)
    model.fit(regression.X, regression.y)
    assert model.converged_
    assert model.n_iter_ - 1 - np.argmin(model.validation_path_) == 5
    assert np.sum(model.dual_coef_ == 0) == 20
    again = clone(model).fit(regression.X, regression.y)
    np.testing.assert_array_equal(again.W_, model.W_)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_grid_search_in_parallel(regression, backend):
    search = GridSearchCV(
        make_pipeline(StandardScaler(), BKerNNRegressor(max_iter=10, tol=0, random_state=0)),
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
    assert search.best_score_ > 0.7


def test_cross_val_score(binary):
    X, y, _ = binary
    assert cross_val_score(BKerNNClassifier(max_iter=20, random_state=0), X, y, cv=3).mean() > 0.7


def test_threads_inside_workers():
    everything = joblib.cpu_count()
    assert threads(None) == threads(-1) == everything
    assert threads(3) == 3
    with joblib.parallel_backend("threading", n_jobs=2):
        assert joblib.Parallel()(joblib.delayed(threads)(None) for _ in range(4)) == [1] * 4
    with joblib.parallel_backend("loky", n_jobs=2):
        granted = joblib.Parallel()(joblib.delayed(threads)(None) for _ in range(4))
    assert granted == [max(1, everything // 2)] * 4


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
    import multiprocessing

    with multiprocessing.get_context("fork").Pool(1) as pool:
        W = pool.apply_async(_fit_in_child, data).get(timeout=60)
    np.testing.assert_array_equal(W, _fit_in_child(*data))


def _fit_in_child(X, y):
    return BKerNNRegressor(max_iter=2, tol=0, random_state=0, n_jobs=2).fit(X, y).W_


INTERRUPTED = """
import signal, sys, threading, time
import numpy as np
import bkernn
rng = np.random.default_rng(0)
X = rng.uniform(-1, 1, ({n}, 20))
y = np.sin(3 * X[:, 0]) + X[:, 1]
sent = []
def interrupt():
    sent.append(time.perf_counter())
    signal.raise_signal(signal.SIGINT)
threading.Timer({after}, interrupt).start()
try:
    bkernn.BKerNNRegressor(max_iter=10**6, tol=0, random_state=0).fit(X, y)
except KeyboardInterrupt:
    print("stopped after", time.perf_counter() - sent[0])
data = bkernn.datasets.simulate(n=100, d=3)
model = bkernn.BKerNNRegressor(random_state=0, max_iter=20).fit(data.X, data.y)
print("healthy", model.score(data.X, data.y) > 0.5)
"""


@pytest.mark.parametrize(("n", "after"), [(500, 1.0), (100_000, 4.0)])
def test_ctrl_c(n, after):
    """Also when one iteration takes long."""
    code = INTERRUPTED.format(n=n, after=after)
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=300
    )
    lines = run.stdout.splitlines()
    assert lines[0].startswith("stopped after"), run.stderr
    print(lines[0])
    assert float(lines[0].split()[-1]) < 1
    assert lines[1] == "healthy True"


def test_other_python_threads_run_during_a_fit():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4000, 10))
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    BKerNNRegressor(max_iter=10, tol=0, random_state=0, n_jobs=1).fit(X, X[:, 0])
    done.set()
    thread.join()
    assert len(ticks) > 5


def test_progress(regression, capsys, monkeypatch):
    BKerNNRegressor(max_iter=200, tol=0, random_state=0, verbose=1).fit(regression.X, regression.y)
    assert "bkernn" in capsys.readouterr().err
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    data = bkernn.datasets.simulate(n=3000, d=10)
    BKerNNRegressor(max_iter=40, tol=0, random_state=0, verbose=1).fit(data.X, data.y)
    assert "of at most 40: objective" in capsys.readouterr().err
    BKerNNRegressor(max_iter=5, tol=0, random_state=0).fit(regression.X, regression.y)
    assert capsys.readouterr().err == ""


def test_overhead_of_a_call(fitted, regression):
    """Printed, not asserted: the machine may be busy."""
    row = regression.X[:1]
    for name, call in (
        ("core", lambda: fitted._saved.model.predict(row, 1)),
        ("estimator", lambda: fitted.predict(row)),
    ):
        call()
        best = min(_seconds(call) for _ in range(50))
        print(f"predict one row through the {name}: {1e6 * best:.0f} µs")


def _seconds(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start
