"""The methods, each at its defaults and with the loss of the task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from bkernn import BKerNNClassifier, BKerNNRegressor

METHODS = ("BKerNN", "LightGBM", "CatBoost", "HistGradientBoosting", "kernel ridge")

#: From rows to predictions (numbers, or probabilities) and the classes that they are of.
Predict = Callable[[pd.DataFrame], tuple[np.ndarray, Any]]


def fit_method(method: str, task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    """Fit one method to rows whose categories are of pandas' category dtype."""
    make = {
        "BKerNN": _bkernn,
        "LightGBM": _lightgbm,
        "CatBoost": _catboost,
        "HistGradientBoosting": _hist_gradient_boosting,
        "kernel ridge": _kernel_ridge,
    }[method]
    return make(task, X, y)


def _classifies(task: str) -> bool:
    return task in ("binary", "multiclass")


def _predict(
    model: Any, task: str, prepare: Callable[[pd.DataFrame], Any] | None = None
) -> Predict:
    def predict(X: pd.DataFrame) -> tuple[np.ndarray, Any]:
        rows = X if prepare is None else prepare(X)
        if _classifies(task):
            return model.predict_proba(rows), model.classes_
        return model.predict(rows), None

    return predict


def _bkernn(task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    model: Any = BKerNNClassifier(random_state=0, n_jobs=1)
    if not _classifies(task):
        loss = "poisson" if task == "count" else "square"
        model = BKerNNRegressor(loss=loss, random_state=0, n_jobs=1)
    return _predict(model.fit(X, y), task)


def _lightgbm(task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    import lightgbm

    model: Any = lightgbm.LGBMClassifier(n_jobs=1, verbose=-1)
    if not _classifies(task):
        objective = "poisson" if task == "count" else "regression"
        model = lightgbm.LGBMRegressor(objective=objective, n_jobs=1, verbose=-1)
    return _predict(model.fit(X, y), task)


def _catboost(task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    import catboost

    words = list(X.select_dtypes("category"))

    def prepare(rows: pd.DataFrame) -> pd.DataFrame:  # its categories are words without gaps
        rows = rows.copy()
        for word in words:
            rows[word] = rows[word].astype(object).fillna("missing").astype(str)
        return rows

    fixed = {"verbose": 0, "thread_count": 1, "allow_writing_files": False, "random_seed": 0}
    model: Any = catboost.CatBoostClassifier(cat_features=words, **fixed)
    if not _classifies(task):
        loss = "Poisson" if task == "count" else "RMSE"
        model = catboost.CatBoostRegressor(loss_function=loss, cat_features=words, **fixed)
    model.fit(prepare(X), y)
    if task != "count":
        return _predict(model, task, prepare)
    return lambda rows: (model.predict(prepare(rows), prediction_type="Exponent"), None)


def _hist_gradient_boosting(task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    model: Any = HistGradientBoostingClassifier(random_state=0)
    if not _classifies(task):
        loss = "poisson" if task == "count" else "squared_error"
        model = HistGradientBoostingRegressor(loss=loss, random_state=0)
    return _predict(model.fit(X, y), task)


def _kernel_ridge(task: str, X: pd.DataFrame, y: pd.Series) -> Predict:
    """Gaussian kernel on one-hot words and standardized numbers; classes as one-hot targets."""
    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), make_column_selector(dtype_include="category")),
        remainder=make_pipeline(SimpleImputer(), StandardScaler()),
        sparse_threshold=0,
    )
    model = make_pipeline(columns, KernelRidge(kernel="rbf"))
    if not _classifies(task):
        middle = float(y.mean())
        model.fit(X, y - middle)
        least = 0.01 * middle if task == "count" else -np.inf
        return lambda rows: (np.maximum(model.predict(rows) + middle, least), None)
    targets = pd.get_dummies(y).astype(float)
    shares = targets.mean().to_numpy()
    model.fit(X, targets.to_numpy() - shares)

    def predict(rows: pd.DataFrame) -> tuple[np.ndarray, Any]:
        found = np.clip(model.predict(rows) + shares, 0.01, 0.99)
        return found / found.sum(axis=1, keepdims=True), list(targets)

    return predict
