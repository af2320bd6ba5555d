"""Tables with words and gaps: data frames of all kinds, arrays of objects, declared categories."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from by_rule import BY_RULE
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import bkernn
from bkernn import BKerNNClassifier, BKerNNRegressor, BKerNNRegressorCV


def table(n=120, seed=0):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n),
            "color": rng.choice(["red", "green", "blue"], n),
            "new": rng.choice([True, False], n),
            "floor": rng.integers(0, 4, n),
        }
    )
    y = X["size"].abs() + 2.0 * (X["color"] == "red") + X["new"]
    X.loc[::7, "size"] = np.nan
    X.loc[1::11, "color"] = None
    return X, y


def quick(kind=BKerNNRegressor, **parameters):
    return kind(**{**BY_RULE, "max_iter": 4, "tol": 0, "random_state": 0, **parameters})


X, Y = table()
MODEL = quick().fit(X, Y)
FRAMES = {
    "categories": lambda X: X.astype({"color": "category", "new": "category"}),
    "other order of levels": lambda X: X.assign(
        color=pd.Categorical(X["color"], ["red", "blue", "never", "green"])
    ),
    "nullable": lambda X: X.convert_dtypes(),
    "objects": lambda X: X.astype(object),
    "array": lambda X: X.to_numpy(dtype=object),
    "lists": lambda X: X.to_numpy(dtype=object).tolist(),
    "polars": pl.from_pandas,
    "polars categories": lambda X: pl.from_pandas(X).with_columns(
        pl.col("color").cast(pl.Categorical)
    ),
    "arrow": pa.Table.from_pandas,
    "arrow dictionary": lambda X: pa.Table.from_pandas(X.astype({"color": "category"})),
}


@pytest.mark.filterwarnings("ignore:X .* feature names")
@pytest.mark.parametrize("form", FRAMES)
def test_whatever_holds_the_table_the_bits_are_the_same(form):
    given = FRAMES[form](X)
    assert np.array_equal(quick().fit(given, Y).predict(given), MODEL.predict(X))
    assert np.array_equal(MODEL.predict(given), MODEL.predict(X))


def test_what_was_learned_is_by_column():
    assert MODEL.n_features_in_ == 4
    assert MODEL.feature_names_in_.tolist() == ["size", "color", "new", "floor"]
    assert MODEL.feature_importances_.shape == (4,)
    assert MODEL.feature_importances_.sum() == pytest.approx(1)
    names = MODEL.coordinate_names()
    assert names[:3] == ["size", "size missing", "color=blue"] and len(names) == len(MODEL.W_)
    effects = MODEL.level_effects("color")
    assert list(effects) == ["blue", "green", "red", "(missing)"]
    assert effects["red"] > max(effects["blue"], effects["green"])
    assert effects == MODEL.level_effects(1)
    assert MODEL.level_effects("new")["True"] > MODEL.level_effects("new")["False"]
    with pytest.raises(ValueError, match="a number"):
        MODEL.level_effects("size")
    assert MODEL.transform(X).shape == (len(X), MODEL.n_active_features_)
    assert np.all(np.isfinite(MODEL.transform(X)))
    assert "What the levels add" in MODEL.to_html(X, Y)
    assert "color" in MODEL._repr_html_inner()


def test_files_and_pickles(tmp_path):
    for extension in ("json", "ubj", "cbor"):
        MODEL.save_model(tmp_path / f"m.{extension}", compress=False)
        again = bkernn.load_model(tmp_path / f"m.{extension}")
        assert np.array_equal(again.predict(X), MODEL.predict(X))
        assert again.n_features_in_ == 4
        assert again.coordinate_names() == MODEL.coordinate_names()
    assert np.array_equal(pickle.loads(pickle.dumps(MODEL)).predict(X), MODEL.predict(X))


def test_declared_categories():
    by_name = quick(categorical_features=["floor"]).fit(X, Y)
    assert "floor=2" in by_name.coordinate_names()
    for same in ([3], np.array([False, False, False, True])):
        model = quick(categorical_features=same).fit(X, Y)
        assert np.array_equal(model.predict(X), by_name.predict(X))
    plain = X[["size", "floor"]].to_numpy()
    model = quick(categorical_features=[1]).fit(plain, Y)
    assert np.all(np.isfinite(model.predict(plain)))
    assert clone(model).categorical_features == [1]
    for wrong, message in [
        (["flor"], "flor"),
        ([4], "between 0 and 3"),
        ([True], "mask"),
        ("floor", "must be"),
    ]:
        with pytest.raises(ValueError, match=message):
            quick(categorical_features=wrong).fit(X, Y)


def test_gaps_and_levels_that_are_new():
    rows = X.head(3).copy()
    rows["color"] = ["violet", None, "red"]
    rows["floor"] = np.nan
    assert np.all(np.isfinite(MODEL.predict(rows)))
    numbers = np.random.default_rng(0).normal(size=(50, 2))
    model = quick().fit(numbers, numbers[:, 0])
    gap, mean = numbers[:3].copy(), numbers[:3].copy()
    gap[1, 0], mean[1, 0] = np.nan, model.center_[0]
    assert np.array_equal(model.predict(gap), model.predict(mean))
    always = X.assign(nothing=np.nan)
    assert quick().fit(always, Y).feature_importances_[-1] == 0


def test_numbers_without_gaps_are_as_they_were():
    rows = np.random.default_rng(0).normal(size=(50, 3))
    model = quick().fit(rows, rows[:, 0])
    framed = quick().fit(pd.DataFrame(rows, columns=list("abc")), rows[:, 0])
    assert np.array_equal(model.W_, framed.W_)
    assert '"kind"' not in model._saved.to_json()


def test_weights_are_counts():
    counts = 1.0 + (np.arange(len(X)) % 3 == 0)
    twice = np.repeat(np.arange(len(X)), counts.astype(int))
    weighed = quick().fit(X, Y, sample_weight=counts)
    repeated = quick().fit(X.iloc[twice], Y.iloc[twice])
    assert np.array_equal(weighed.predict(X), repeated.predict(X))


def test_a_column_is_kept_or_dropped_as_one():
    rng = np.random.default_rng(1)
    noisy = X.assign(noise=rng.choice(list("pqrst"), len(X)))
    model = quick(penalty="concave_variable", max_iter=100, tol=1e-4).fit(noisy, Y)
    rows = [a for a, name in enumerate(model.coordinate_names()) if name.startswith("noise")]
    zero = np.all(model.W_[rows] == 0, axis=1)
    assert zero.all() or not zero.any()
    assert model.feature_importances_[1] > model.feature_importances_[4]


def test_classes_and_cross_validation():
    labels = np.where(Y.median() < Y, "dear", "cheap")
    classifier = quick(BKerNNClassifier).fit(X, labels)
    assert classifier.score(X, labels) > 0.7
    cv = BKerNNRegressorCV(cv=2, n_regularizations=2, max_iter=3, tol=0, penalty="feature")
    assert cv.set_params(random_state=0).fit(X, Y).score(X, Y) > 0.3


@pytest.mark.filterwarnings("ignore:X .* feature names")
def test_what_is_refused():
    last = len(X) - 1
    with pytest.raises(ValueError, match='column "size" = words: training had numbers'):
        MODEL.predict(X.assign(size="large"))
    with pytest.raises(ValueError, match="now missing"):
        MODEL.predict(X.drop(columns="new"))
    with pytest.raises(ValueError, match="unseen at fit time:\n- comment"):
        MODEL.predict(X.assign(comment="none"))
    with pytest.raises(ValueError, match=r"has 5 features, but .* is expecting 4"):
        MODEL.predict(X.assign(comment="none").to_numpy(dtype=object))
    with pytest.raises(ValueError, match="feature names"):
        MODEL.predict(X[["color", "size", "new", "floor"]])
    with pytest.raises(ValueError, match=f"numbers and words, the first of them 'x' in row {last}"):
        quick().fit(X.assign(size=[*[1.0] * last, "x"]), Y)
    for word in (b"gr\xfcn", "gr\udcfcn"):
        with pytest.raises(ValueError, match=r"column 'color' holds .*: levels must be UTF-8"):
            quick().fit(X.assign(color=pd.Series([word] * len(X), dtype=object)), Y)
    with pytest.raises(ValueError, match="column 'color' occurs twice"):
        quick().fit(X.set_axis(["size", "color", "color", "floor"], axis=1), Y)
    with pytest.raises(TypeError, match="datetime"):
        quick().fit(X.assign(size=pd.Timestamp("2020-01-01")), Y)
    with pytest.raises(ValueError, match="finite"):
        quick().fit(X.assign(size=np.inf), Y)
    numbers = quick().fit(X[["floor"]], Y)
    with pytest.raises(ValueError, match="training had numbers"):
        numbers.predict(X[["floor"]].astype(str))


@pytest.mark.parametrize(
    ("kind", "gaps"),
    [
        (BKerNNRegressor, Y.where(~X.index.isin([3, 8]))),
        (BKerNNRegressor, pd.Series(Y).where(~X.index.isin([3, 8])).convert_dtypes()),
        (BKerNNRegressor, np.c_[Y, Y.where(~X.index.isin([3, 8]))]),
        (BKerNNClassifier, [None if i in (3, 8) else "ab"[i % 2] for i in range(len(X))]),
        (BKerNNClassifier, pd.Series(["a", "b"] * 60).where(~X.index.isin([3, 8]))),
    ],
)
def test_gaps_in_y_are_refused_with_their_rows(kind, gaps):
    with pytest.raises(ValueError, match="y contains NaN, or None: rows 3, 8; leave these rows"):
        quick(kind).fit(X, gaps)


def test_categories_of_anything_are_named_as_they_are_written():
    bins = pd.cut(X["size"], [-9, -1, 0, 1, 9])
    named = quick().fit(X.assign(size=bins), Y)
    assert named.coordinate_names()[1:3] == ["size=(-9, -1]", "size=(0, 1]"]
    written = X.assign(size=bins.map(str, na_action="ignore"))
    assert np.array_equal(named.predict(X.assign(size=bins)), named.predict(written))
    days = pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02"] * 60))
    assert "new=2020-01-02 00:00:00" in quick().fit(X.assign(new=days), Y).coordinate_names()


def test_sparse_columns_beside_words():
    sparse = X.assign(floor=X["floor"].astype(pd.SparseDtype("int64", 0)))
    assert np.array_equal(quick().fit(sparse, Y).predict(sparse), MODEL.predict(X))


def test_a_lazy_frame_is_refused():
    with pytest.raises(TypeError, match=r"X: a LazyFrame of Polars: give the rows.*collect\(\)"):
        quick().fit(pl.from_pandas(X).lazy(), Y)


def test_other_encoders_work_too():
    one_hot = make_column_transformer(
        (OneHotEncoder(), ["color", "new"]), (SimpleImputer(), ["size", "floor"])
    )
    assert make_pipeline(one_hot, quick()).fit(X, Y).score(X, Y) > 0.5
    skrub = pytest.importorskip("skrub")
    make = getattr(skrub, "tabular_pipeline", None) or skrub.tabular_learner
    assert make(quick()).fit(X, Y).score(X, Y) > 0.5
