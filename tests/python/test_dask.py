"""Fits on a Dask cluster of separate processes: the model of one machine, and what can go wrong."""

import os
import pickle
import signal
import subprocess
import sys
from multiprocessing import forkserver, get_context
from types import SimpleNamespace

import joblib
import numpy as np
import pytest
from by_rule import BY_RULE
from numpydoc.validate import validate
from sklearn.base import clone
from sklearn.metrics import accuracy_score, r2_score
from sklearn.model_selection import GridSearchCV

dask = pytest.importorskip("dask")
da = pytest.importorskip("dask.array")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("distributed")
pd = pytest.importorskip("pandas")

from bkernn import BKerNNClassifier, BKerNNRegressor
from bkernn._dask import shards
from bkernn._dask.shards import Shards
from bkernn._input.validation import threads
from bkernn.dask import DaskBKerNNClassifier, DaskBKerNNRegressor
from bkernn.datasets import simulate

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

SMALL = {**BY_RULE, "n_particles": 8, "knots": 16, "max_iter": 6, "random_state": 0}
PLACES = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}


@pytest.fixture(scope="module", autouse=True)
def imported_once():
    """Let workers be copies of one process that has imported everything: most of a start."""
    get_context("forkserver").set_forkserver_preload(["distributed", "bkernn.dask"])
    forkserver.ensure_running()
    with dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}):
        yield


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(n_workers=4, silence_logs=50, **PLACES) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def rows():
    data = simulate("multi_index", n=400, d=4, random_state=1)
    rng = np.random.default_rng(2)
    return data.X, data.y, rng.integers(0, 3, len(data.y)).astype(float)


def lazy(array, sizes):
    return da.from_array(array, chunks=(tuple(sizes), *((-1,) * (array.ndim - 1))))


def assert_near(found, wanted):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-12 * np.abs(wanted).max())


@pytest.mark.parametrize(
    ("loss", "sizes"),
    [("square", [400]), ("square", [1, 99, 200, 60, 40]), ("huber", [150, 250])],
    ids=["one", "five", "huber"],
)
def test_regression_equals_the_local_fit(client, rows, loss, sizes):
    X, y, w = rows
    local = BKerNNRegressor(loss=loss, **SMALL).fit(X, y, w)
    X_, y_, w_ = (lazy(a, sizes) for a in rows)
    model = DaskBKerNNRegressor(loss=loss, **SMALL).fit(X_, y_, w_)
    prediction = model.predict(X_)
    assert isinstance(prediction, da.Array)
    assert prediction.chunks == (tuple(sizes),)
    assert_near(prediction.compute(), local.predict(X))
    assert_near(model.dual_coef_.compute(), local.dual_coef_)
    assert model.dual_coef_.shape == (400,)
    assert model.intercept_ == pytest.approx(local.intercept_)
    assert model.n_iter_ == local.n_iter_
    assert_near(model.transform(X_, k=2).compute(), local.transform(X, k=2))
    assert model.score(X_, y_, w_) == pytest.approx(r2_score(y, local.predict(X), sample_weight=w))
    report = model.communication_
    assert report.partitions == len(sizes)
    assert report.rounds > model.n_iter_
    assert report.bytes_received > 0 < report.bytes_sent
    assert 0 < report.seconds_computing < report.seconds


def test_every_parameter_of_a_loss_reaches_the_rows(client, rows):
    X, y, _ = rows
    settings = {**SMALL, "loss": "quantile", "quantile": 0.7, "quantile_width": 0.4}
    local = BKerNNRegressor(**settings).fit(X, y)
    X_, y_ = (lazy(a, [150, 250]) for a in (X, y))
    model = DaskBKerNNRegressor(**settings).fit(X_, y_)
    assert_near(model.predict(X_).compute(), local.predict(X))


def test_several_models_equal_the_local_fit(client, rows):
    X, y, _ = rows
    local = BKerNNRegressor(n_models=2, **SMALL).fit(X, y)
    X_, y_ = (lazy(a, [150, 250]) for a in (X, y))
    model = DaskBKerNNRegressor(n_models=2, **SMALL).fit(X_, y_)
    assert model.dual_coef_ is None
    assert np.array_equal(model.W_, local.W_)


def test_many_unknowns_and_repeated_rows_equal_the_local_fit(client):
    """Where conjugate gradients take many steps, every rounding of a sum would show."""
    data = simulate("multi_index", n=1500, d=6, random_state=3)
    X, y = np.repeat(data.X, 2, axis=0), np.repeat(data.y, 2)
    options = {**BY_RULE, "knots": 32, "max_iter": 20, "tol": 0, "random_state": 0}
    local = BKerNNRegressor(**options).fit(X, y)
    model = DaskBKerNNRegressor(**options).fit(*(lazy(a, [7, 1993, 1000]) for a in (X, y)))
    assert np.array_equal(model.W_, local.W_)
    assert np.array_equal(model.to_local().predict(X), local.predict(X))


def test_data_frames_of_unknown_length_and_several_outputs(client, rows):
    X, y, _ = rows
    frame = pd.DataFrame(X, columns=list("abcd")).assign(y=y, z=y**2)
    local = BKerNNRegressor(**SMALL).fit(frame[list("abcd")], frame[["y", "z"]])
    table = dd.from_pandas(frame, npartitions=3)
    table = table[table.a > -np.inf]
    model = DaskBKerNNRegressor(client=client, **SMALL).fit(table[list("abcd")], table[["y", "z"]])
    assert model.feature_names_in_.tolist() == list("abcd")
    assert_near(model.predict(table[list("abcd")]).compute(), local.predict(frame[list("abcd")]))
    assert model.dual_coef_.shape == (400, 2)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(table[list("dcba")])


@pytest.mark.parametrize(
    ("n_classes", "class_weight"), [(2, {"low": 3}), (2, None), (3, "balanced"), (3, None)]
)
def test_classification_equals_the_local_fit(client, rows, n_classes, class_weight):
    X, y, w = rows
    labels = np.array(["low", "mid", "top"])[np.digitize(y, np.quantile(y, [0.4, 0.7]))]
    labels = np.where(labels == "mid", "low", labels) if n_classes == 2 else labels
    order = np.argsort(labels, kind="stable")  # partitions with one class only
    X, labels, w = X[order], labels[order], w[order]
    local = BKerNNClassifier(class_weight=class_weight, **SMALL).fit(X, labels, w)
    X_, labels_, w_ = (lazy(a, [100, 100, 200]) for a in (X, labels, w))
    model = DaskBKerNNClassifier(class_weight=class_weight, **SMALL).fit(X_, labels_, w_)
    assert model.get_params()["class_weight"] == class_weight
    assert model.classes_.tolist() == local.classes_.tolist()
    for method in ("predict_proba", "predict_log_proba", "decision_function"):
        assert_near(getattr(model, method)(X_).compute(), getattr(local, method)(X))
    prediction = model.predict(X_).compute()
    np.testing.assert_array_equal(prediction, local.predict(X))
    accuracy = accuracy_score(labels, prediction, sample_weight=w)
    assert model.score(X_, labels_, w_) == pytest.approx(accuracy)
    assert_near(model.dual_coef_.compute(), local.dual_coef_)


def placed(client, parts, workers):
    """Return a Dask array of parts that lie on these workers in turn."""
    blocks = []
    for k, part in enumerate(parts):
        future = client.scatter(part, workers=[workers[k % len(workers)]], hash=False)
        blocks.append(da.from_delayed(future, part.shape, part.dtype))
    return da.concatenate(blocks)


def test_same_bits_on_any_number_of_workers(client, rows):
    addresses = sorted(client.nthreads())
    found = []
    for count in (1, 2, 4):
        X, y = (placed(client, np.split(a, 4), addresses[:count]) for a in rows[:2])
        options = {**SMALL, "regularization": "auto", "penalty": "auto", "max_iter": 4}
        model = DaskBKerNNRegressor(**options).fit(X, y)
        found.append((model.communication_.workers, model.W_, model.predict(X).compute()))
    assert [workers for workers, _, _ in found] == [1, 2, 4]
    for _, W, prediction in found[1:]:
        np.testing.assert_array_equal(W, found[0][1])
        np.testing.assert_array_equal(prediction, found[0][2])


def test_early_stopping_holds_out_rows_of_each_partition(client, rows):
    X, y, w = rows
    w_ = np.where(np.arange(400) < 10, 0.0, w)
    settings = {**SMALL, "early_stopping": True, "validation_fraction": 0.2}
    data = [lazy(a, [100, 300]) for a in (X, y, w_)]
    model = DaskBKerNNRegressor(**settings).fit(*data)
    assert len(model.validation_path_) == model.n_iter_
    alpha = model.dual_coef_.compute()
    held = (alpha == 0) & (w_ > 0)
    for part in (slice(0, 100), slice(100, 400)):
        assert held[part].sum() == round(0.2 * (w_[part] > 0).sum())
    rest = BKerNNRegressor(**{**SMALL, "max_iter": 1}).fit(X[~held], y[~held], w_[~held])
    np.testing.assert_allclose(model.center_, rest.center_)


def test_local_copies(client, rows, tmp_path):
    X, y, _ = rows
    X_, y_ = lazy(X, [200, 200]), lazy(y, [200, 200])
    model = DaskBKerNNRegressor(client=client, **SMALL).fit(X_, y_)
    local = model.to_local()
    assert type(local) is BKerNNRegressor
    assert local.get_params()["knots"] == 16
    wanted = model.predict(X_).compute(scheduler="sync")
    np.testing.assert_array_equal(local.predict(X), wanted)
    np.testing.assert_array_equal(model.predict(X), wanted)
    again = pickle.loads(pickle.dumps(model))
    assert again.client is None
    np.testing.assert_array_equal(again.predict(X), wanted)
    assert clone(model).client is client
    assert repr(DaskBKerNNRegressor(knots=8)) == "DaskBKerNNRegressor(knots=8)"
    local.save_model(tmp_path / "model.json")


def test_bad_input(client, rows):
    X, y, w = rows
    X_, y_ = lazy(X, [200, 200]), lazy(y, [200, 200])

    def refuses(match, *data, error=ValueError, kind=DaskBKerNNRegressor, **params):
        with pytest.raises(error, match=match):
            kind(**{**SMALL, **params}).fit(*data)

    refuses("Dask", X_, y, error=TypeError)
    refuses("rows", X_, y_[:-1])
    refuses("finite", lazy(np.where(X > 1e9, X, np.inf), [200, 200]), y_)
    refuses("weights", X_, y_, lazy(-1 - w, [200, 200]))
    refuses("one class", X_, y_ * 0, kind=DaskBKerNNClassifier)
    refuses("kernel", X_, y_, kernel="gaussian")
    refuses("auto or a number", X_, y_, regularization="theory")
    unknown = dd.from_pandas(pd.Series(y), npartitions=3)
    refuses("partitions", X_, unknown[unknown > -np.inf])


def test_how_long_it_waits_for_a_first_worker(monkeypatch):
    looks = []

    def wait(futures, timeout):
        looks.append(timeout)
        if len(looks) < 4:
            raise shards.DaskTimeoutError

    monkeypatch.setattr(shards, "wait", wait)
    waiting = object.__new__(Shards)
    waiting._client, waiting._places, waiting._actors = SimpleNamespace(nthreads=dict), [], []
    waiting._wait([])
    assert len(looks) == 4
    looks.clear()
    monkeypatch.setattr(shards, "PATIENCE", -1.0)
    with pytest.raises(RuntimeError, match="no Dask worker"):
        waiting._wait([])
    looks.clear()
    waiting._client.nthreads = lambda: {"somewhere": 1}
    waiting._wait([])  # for ever, where there is one


def killing(monkeypatch, at):
    """Let the worker with the first partition be killed after iteration `at`, once.

    Return what is killed, and the iterations as they are finished.
    """
    killed, finished = [], []

    def keep(self, state):
        original(self, state)
        finished.append(state.iteration)
        if state.iteration == at and not killed:
            killed.append(self._places[0])
            pids = self._client.run(os.getpid)
            os.kill(pids[self._places[0]], signal.SIGKILL)

    original = Shards.keep
    monkeypatch.setattr(Shards, "keep", keep)
    return killed, finished


def test_a_worker_dies(monkeypatch, rows):
    """The fit goes on from the last iteration, to the same bits; or says what is missing."""
    with (
        distributed.LocalCluster(n_workers=2, silence_logs=50, **PLACES) as cluster,
        distributed.Client(cluster) as client,
    ):
        X_, y_ = (lazy(a, [200, 200]) for a in rows[:2])
        whole = DaskBKerNNRegressor(**SMALL).fit(X_, y_)
        killed, finished = killing(monkeypatch, at=3)
        model = DaskBKerNNRegressor(**SMALL).fit(X_, y_)
        assert len(killed) == 1
        assert finished == list(range(1, model.n_iter_ + 1))  # none is done again
        assert model.communication_.workers_lost == 1
        np.testing.assert_array_equal(model.W_, whole.W_)
        np.testing.assert_array_equal(model.objective_path_, whole.objective_path_)

        # Two that answer: a dead one may still be listed, and the new one not yet. Whichever of
        # them dies has a part that is nowhere else.
        addresses = []
        while len(addresses) < 2:
            client.wait_for_workers(2)
            addresses = list(client.run(os.getpid, on_error="ignore"))
        halves = zip(np.array_split(rows[0], 2), addresses[:2], strict=True)
        parts = [client.scatter(half, workers=[address]) for half, address in halves]
        scattered = da.concatenate([da.from_delayed(p, (200, 4), float) for p in parts])
        killed, _ = killing(monkeypatch, at=2)
        with pytest.raises(RuntimeError, match="cannot be computed again"):
            DaskBKerNNRegressor(**SMALL).fit(scattered, y_)
        assert len(killed) == 1


def test_grid_search_through_joblib(client, rows):
    X, y, _ = rows
    search = GridSearchCV(BKerNNRegressor(**SMALL), {"regularization": [0.001, 0.01, 0.1]}, cv=2)
    serial = clone(search).fit(X, y)
    with joblib.parallel_backend("dask"):
        search.fit(X, y)
        granted = joblib.Parallel()(joblib.delayed(threads)(jobs) for jobs in (None, -1))
    np.testing.assert_array_equal(
        search.cv_results_["mean_test_score"], serial.cv_results_["mean_test_score"]
    )
    assert granted == [1, 1]
    assert threads(-1) == joblib.cpu_count()  # outside of tasks


@pytest.mark.parametrize("kind", [DaskBKerNNRegressor, DaskBKerNNClassifier])
def test_documentation(client, rows, kind):
    methods = ("fit", "predict", "transform", "score", "to_local")
    for name in ("", *(f".{method}" for method in methods)):
        skipped = {"ES01", "SA01", "PR08"} | ({"EX01"} if name else {"PR03"})
        errors = validate(f"bkernn.dask.{kind.__name__}{name}")["errors"]
        assert [error for error in errors if error[0] not in skipped] == []
    section = kind.__doc__.partition("Attributes\n")[2].partition("See Also\n")[0]
    data = lazy(rows[0], [400]), lazy(rows[1] > 0.5, [400])
    for name in vars(kind(**SMALL).fit(*data)):
        assert not name.endswith("_") or name in section


def test_the_package_alone_does_not_import_dask():
    code = "import bkernn, sys; print('dask' in sys.modules or 'distributed' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


@pytest.mark.filterwarnings("ignore:X .* feature names")
def test_words_and_gaps_equal_the_local_fit(client):
    rng = np.random.default_rng(3)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=240),
            "color": rng.choice(["red", "green", "blue"], 240),
            "floor": rng.integers(0, 3, 240),
        }
    )
    y = X["size"].abs() + 2.0 * (X["color"] == "red")
    X.loc[::7, "size"] = np.nan
    X.loc[:79, "color"] = None  # of a partition: it does not know what kind of column it is
    given = {**SMALL, "categorical_features": ["floor"]}
    local = BKerNNRegressor(**given).fit(X, y)
    frame, target = (dd.from_pandas(part, npartitions=3) for part in (X, y))
    model = DaskBKerNNRegressor(**given).fit(frame, target)
    assert model.coordinate_names() == local.coordinate_names()
    assert np.array_equal(model.W_, local.W_)
    prediction = model.predict(frame)
    assert isinstance(prediction, da.Array)
    assert np.array_equal(prediction.compute(), local.predict(X))
    assert model.score(frame, target) == pytest.approx(local.score(X, y))
    assert model.level_effects("color") == local.level_effects("color")
    assert np.array_equal(model.to_local().predict(X), local.predict(X))
    assert np.array_equal(model.predict(X), local.predict(X))


def test_words_of_weighted_classes_equal_the_local_fit(client):
    """The mean that stands for a gap, and which levels are rare, depend on the weights too."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"size": rng.normal(size=240), "color": ["red", "green", "blue"] * 80})
    X.loc[:3, "color"] = "violet"  # in fewer than 2 % of the rows, but they count twice
    labels = pd.Series(np.where(np.arange(240) < 4, "few", "many")).mask(X["size"] > 1, "few")
    X.loc[::7, "size"] = np.nan
    given = {**SMALL, "class_weight": {"few": 2.0}}
    local = BKerNNClassifier(**given).fit(X, labels)
    assert "color=violet" in local.coordinate_names()
    model = DaskBKerNNClassifier(**given)
    model.fit(*(dd.from_pandas(part, npartitions=3) for part in (X, labels)))
    assert model.coordinate_names() == local.coordinate_names()
    assert np.array_equal(model.center_, local.center_)
    assert np.array_equal(model.predict_proba(X), local.predict_proba(X))


def test_gaps_in_an_array_equal_the_local_fit(client, rows):
    X, y, w = (array.copy() for array in rows)
    X[::5, 1] = np.nan
    local = BKerNNRegressor(**SMALL).fit(X, y, w)
    X_, y_, w_ = (lazy(a, [100, 300]) for a in (X, y, w))
    model = DaskBKerNNRegressor(**SMALL).fit(X_, y_, w_)
    assert np.array_equal(model.W_, local.W_)
    assert np.array_equal(model.predict(X_).compute(), local.predict(X))
