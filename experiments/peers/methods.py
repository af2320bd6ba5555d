"""Other regressors, each with its defaults and with a small grid to tune. One thread each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, KFold, train_test_split
from sklearn.neural_network import MLPRegressor

from ..common.runs import library_model
from ..data.recipes import Array

try:
    from xrfm import xRFM
except ImportError:  # it needs torch, which is large
    xRFM = None  # noqa: N816


class RecursiveFeatureMachine(RegressorMixin, BaseEstimator):
    """xRFM, which wants rows to validate on: a fifth of them."""

    def __init__(
        self, *, kernel: str = "l2_high_dim", bandwidth: float = 10.0, reg: float = 1e-3
    ) -> None:
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.reg = reg

    def fit(self, X: ArrayLike, y: ArrayLike) -> RecursiveFeatureMachine:
        """Fit four rows of five."""
        rows, targets = np.asarray(X, dtype=np.float32), np.asarray(y, dtype=np.float32)
        parts = train_test_split(rows, targets, test_size=0.2, random_state=0)
        self.model_ = xRFM(n_threads=1, random_state=0, verbose=False)
        self.model_.rfm_params["model"] |= {"kernel": self.kernel, "bandwidth": self.bandwidth}
        self.model_.rfm_params["fit"]["reg"] = self.reg
        X_fit, X_val, y_fit, y_val = parts
        self.model_.fit(X_fit, y_fit, X_val, y_val)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Predict y."""
        return np.ravel(self.model_.predict(np.asarray(X, dtype=np.float32))).astype(float)


class Peer(NamedTuple):
    """An estimator with its defaults, and the values to tune."""

    estimator: RegressorMixin
    grid: dict[str, list[Any]]


def peers(d: int) -> dict[str, Peer]:
    """Return the methods for standardized data of d variables."""
    from catboost import CatBoostRegressor  # here: who only reads results needs none of them
    from lightgbm import LGBMRegressor
    from xgboost import XGBRegressor

    methods = {
        "LightGBM": Peer(
            LGBMRegressor(n_jobs=1, verbose=-1, random_state=0),
            {"learning_rate": [0.05, 0.1], "num_leaves": [7, 31], "min_child_samples": [5, 20]},
        ),
        "XGBoost": Peer(
            XGBRegressor(n_jobs=1, random_state=0),
            {"learning_rate": [0.05, 0.3], "max_depth": [3, 6], "min_child_weight": [1, 5]},
        ),
        "CatBoost": Peer(
            CatBoostRegressor(
                thread_count=1, verbose=False, random_seed=0, allow_writing_files=False
            ),
            {"learning_rate": [0.03, 0.1], "depth": [4, 6]},
        ),
        "HistGradientBoosting": Peer(
            HistGradientBoostingRegressor(random_state=0),
            {"learning_rate": [0.05, 0.1], "max_leaf_nodes": [7, 31]},
        ),
        "RandomForest": Peer(
            RandomForestRegressor(n_jobs=1, random_state=0),
            {"max_features": [1 / 3, 1.0], "min_samples_leaf": [1, 4]},
        ),
        "MLP": Peer(
            MLPRegressor(random_state=0),
            {"alpha": [1e-4, 1e-2, 1.0]},
        ),
        "KernelRidge": Peer(
            KernelRidge(kernel="rbf"),
            {
                "kernel": ["rbf", "laplacian"],
                "gamma": [0.03 / d, 0.1 / d, 0.3 / d, 1 / d],
                "alpha": [0.01, 0.1, 1.0],
            },
        ),
    }
    if xRFM is not None:
        methods["xRFM"] = Peer(
            RecursiveFeatureMachine(),
            {"kernel": ["l2_high_dim", "l1"], "bandwidth": [3.0, 10.0, 30.0]},
        )
    return methods


def method_names() -> list[str]:
    """Return BKerNN and its peers."""
    return ["BKerNN", *peers(1)]


def fit_method(method: str, tuned: bool, X: Array, y: Array, tuning_rows: int) -> RegressorMixin:
    """Return the fitted method; what is tuned is tuned on at most so many of the first rows."""
    some = slice(0, tuning_rows)
    if method == "BKerNN":
        return _fit_bkernn(X, y, some) if tuned else library_model().fit(X, y)
    estimator, grid = peers(X.shape[1])[method]
    if not tuned:
        return clone(estimator).fit(X, y)
    folds = KFold(3, shuffle=True, random_state=0)
    search = GridSearchCV(estimator, grid, cv=folds, scoring="neg_mean_squared_error", refit=False)
    return clone(estimator).set_params(**search.fit(X[some], y[some]).best_params_).fit(X, y)


def _fit_bkernn(X: Array, y: Array, some: slice) -> RegressorMixin:
    """Choose λ and the penalty by the library's own cross-validation."""
    search = library_model("library_cv").fit(X[some], y[some])
    if len(X[some]) == len(X):
        return search
    chosen = dict(search.best_params_)
    chosen["regularization"] *= (len(X[some]) / len(X)) ** 0.4  # how the best λ falls with n
    return library_model(**chosen).fit(X, y)
