"""to_onnx, to_c, and our estimators in the pipelines of skl2onnx."""

import numpy as np
import onnxruntime
import pandas as pd
import pytest
from by_rule import BY_RULE
from skl2onnx import to_onnx
from sklearn.ensemble import VotingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import bkernn.onnx
from bkernn import (
    BKerNNClassifier,
    BKerNNClassifierCV,
    BKerNNRegressor,
    BKerNNRegressorCV,
    BrownianKernelRidge,
    ReLUNetworkRegressor,
)

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
SHORT = {**BY_RULE, "max_iter": 5, "random_state": 0}


def run(graph, X):
    session = onnxruntime.InferenceSession(
        graph if isinstance(graph, bytes) else graph.SerializeToString()
    )
    return session.run(None, {"X": X})


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-12), ("float32", 1e-4)])
def test_graphs_predict_the_same(regression, binary, dtype, tolerance):
    X = regression.X_test.astype(dtype)
    model = BKerNNRegressor(**SHORT).fit(regression.X, regression.y)
    expected = model.predict(X.astype(float))
    (found,) = run(model.to_onnx(dtype), X)
    assert found.dtype == dtype
    assert np.abs(found[:, 0] - expected).max() <= tolerance * regression.y.std()
    rows, labels, data = binary
    model = BKerNNClassifier(**SHORT).fit(rows, labels)
    X = data.X_test.astype(dtype)
    label, probabilities = run(model.to_onnx(dtype), X)
    wanted = model.predict_proba(X.astype(float))
    assert np.abs(probabilities - wanted).max() <= tolerance
    clear = np.abs(wanted[:, 0] - 0.5) > 1e-3
    np.testing.assert_array_equal(label[clear], model.predict(X.astype(float))[clear])


def test_arguments(regression):
    model = BKerNNRegressor(**SHORT).fit(regression.X, regression.y)
    with pytest.raises(ValueError, match="dtype = 'int8'"):
        model.to_onnx("int8")
    assert "double predict(const double *x, double *out)" in model.to_c()


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-10), (np.float32, 1e-4)])
def test_skl2onnx_knows_the_estimators_in_pipelines(regression, dtype, tolerance):
    X = regression.X_test.astype(dtype)
    models = [
        BKerNNRegressor(**SHORT),
        make_pipeline(StandardScaler(), BKerNNRegressor(**SHORT)),
        BKerNNRegressorCV(max_iter=5, cv=2, n_regularizations=2, random_state=0),
        VotingRegressor([("a", BKerNNRegressor(**SHORT)), ("b", LinearRegression())]),
        BrownianKernelRidge(),
        make_pipeline(StandardScaler(), ReLUNetworkRegressor(max_iter=200, random_state=0)),
    ]
    for model in models:
        model.fit(regression.X, regression.y)
        (found,) = run(to_onnx(model, X[:1]), X)
        expected = model.predict(X.astype(float))
        assert np.abs(found.ravel() - expected).max() <= tolerance * regression.y.std()


@pytest.mark.parametrize("classes", ["words", "numbers", "booleans"])
def test_skl2onnx_knows_the_classes(multiclass, classes):
    X, y = multiclass
    y = {"words": y, "numbers": np.unique(y, return_inverse=True)[1] + 3, "booleans": y == "low"}[
        classes
    ]
    model = make_pipeline(StandardScaler(), BKerNNClassifier(**SHORT)).fit(X, y)
    graph = to_onnx(model, X[:1], options={id(model): {"zipmap": False}})
    label, probabilities = run(graph, X)
    np.testing.assert_allclose(probabilities, model.predict_proba(X), rtol=0, atol=1e-10)
    np.testing.assert_array_equal(label, model.predict(X))
    X = X.astype(np.float32)  # ZipMap has no other
    _, by_name = run(to_onnx(model, X[:1]), X)
    assert set(by_name[0]) == set(np.unique(y).tolist())


def test_skl2onnx_knows_classes_of_cross_validation(binary):
    rows, labels, data = binary
    model = BKerNNClassifierCV(max_iter=5, cv=2, n_regularizations=2, random_state=0)
    graph = to_onnx(model.fit(rows, labels), rows[:1], options={"zipmap": False})
    label, probabilities = run(graph, data.X_test)
    np.testing.assert_allclose(probabilities, model.predict_proba(data.X_test), rtol=0, atol=1e-10)
    np.testing.assert_array_equal(label, model.predict(data.X_test))


@pytest.mark.parametrize(
    "model",
    [
        BKerNNRegressor(**SHORT),
        BrownianKernelRidge(standardize=False),
        ReLUNetworkRegressor(max_iter=200, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_skl2onnx_knows_several_outputs(regression, model):
    X, Y = regression.X_test, np.column_stack([regression.y, -2 * regression.y])
    model = make_pipeline(StandardScaler(), model).fit(regression.X, Y)
    graph = to_onnx(model, X[:1])
    (shape,) = [one.type.tensor_type.shape for one in graph.graph.output]
    assert [one.dim_value for one in shape.dim][1:] == [2]
    (found,) = run(graph, X)
    np.testing.assert_allclose(found, model.predict(X), rtol=0, atol=1e-10)


@pytest.mark.parametrize("table", ["frame", "numbers"])
def test_skl2onnx_takes_no_categories(regression, table):
    X = regression.X.copy()
    X[:, 1] = X[:, 1] > 0
    told = {} if table == "frame" else {"categorical_features": [1]}
    if table == "frame":
        X = pd.DataFrame({"a": X[:, 0], "b": np.where(X[:, 1] > 0, "yes", "no")})
    model = BKerNNRegressor(**SHORT, **told).fit(X, regression.y)
    with pytest.raises(NotImplementedError, match=r"categories.*to_onnx"):
        to_onnx(model, X[:1])


@pytest.mark.parametrize("kind", [BKerNNRegressor, BrownianKernelRidge])
def test_whole_numbers_are_taken(regression, kind):
    X = np.round(10 * regression.X).astype(np.int64)
    model = (kind(**SHORT) if kind is BKerNNRegressor else kind()).fit(X, regression.y)
    (found,) = run(to_onnx(model, X[:1]), X)
    assert np.abs(found.ravel() - model.predict(X)).max() <= 1e-4 * regression.y.std()
    assert bkernn.onnx.register() is None  # twice does no harm
