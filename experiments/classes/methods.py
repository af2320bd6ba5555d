"""Other classifiers, each with its defaults. One thread each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from lightgbm import LGBMClassifier
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from xgboost import XGBClassifier

from bkernn import BKerNNClassifier

from ..data.recipes import Array

try:
    from catboost import CatBoostClassifier
except ImportError:  # it is large
    CatBoostClassifier = None
try:
    from xrfm import xRFM
except ImportError:  # it needs torch, which is large
    xRFM = None  # noqa: N816
try:
    from pytabkit import RealMLP_TD_Classifier
except ImportError:  # as well
    RealMLP_TD_Classifier = None


class RecursiveFeatureMachine(ClassifierMixin, BaseEstimator):
    """xRFM, which wants rows to validate on: a fifth of them."""

    def fit(self, X: Array, y: Array) -> RecursiveFeatureMachine:
        """Fit four rows of five."""
        self.classes_ = np.unique(y)
        rows = X.astype(np.float32)
        X_fit, X_val, y_fit, y_val = train_test_split(rows, y, test_size=0.2, random_state=0)
        self.model_ = xRFM(n_threads=1, random_state=0, verbose=False)
        self.model_.fit(X_fit, y_fit, X_val, y_val)
        return self

    def predict_proba(self, X: Array) -> Array:
        """Return the probability of each class."""
        return np.asarray(self.model_.predict_proba(X.astype(np.float32)), dtype=float)


def methods() -> dict[str, Callable[[], Any]]:
    """Return the methods, those that are installed. Labels count from 0."""
    found: dict[str, Callable[[], Any]] = {
        "BKerNN": lambda: BKerNNClassifier(random_state=0, n_jobs=1),
        "LightGBM": lambda: LGBMClassifier(n_jobs=1, verbose=-1, random_state=0),
        "XGBoost": lambda: XGBClassifier(n_jobs=1, random_state=0),
        "RandomForest": lambda: RandomForestClassifier(n_jobs=1, random_state=0),
        "LogisticRegression": lambda: make_pipeline(
            StandardScaler(), LogisticRegression(max_iter=1000)
        ),
        "RBF-SVM": lambda: make_pipeline(StandardScaler(), SVC(probability=True, random_state=0)),
    }
    if CatBoostClassifier is not None:
        found["CatBoost"] = lambda: CatBoostClassifier(
            thread_count=1, verbose=False, random_seed=0, allow_writing_files=False
        )
    if xRFM is not None:
        found["xRFM"] = lambda: make_pipeline(StandardScaler(), RecursiveFeatureMachine())
    if RealMLP_TD_Classifier is not None:
        found["RealMLP"] = lambda: RealMLP_TD_Classifier(
            n_threads=1, random_state=0, device="cpu", verbosity=0
        )
    return found
