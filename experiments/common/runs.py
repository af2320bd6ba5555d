"""The runs of BKerNN that every experiment compares.

- *published*: Algorithm 1 with what the published numbers were made with: a line search that gives
  up after 8 halvings, a convex feature penalty that is √m times weaker than in the text, and
  predictions with α one step behind W.
- *written*: Algorithm 1 and the lemmas to the letter.
- *library*: the defaults of this library, which choose λ by a rule.
- *library_cv*: the same, λ chosen by cross-validation.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, KFold

from bkernn import BKerNNRegressor, BKerNNRegressorCV, _core

from ..data.recipes import Array, initial_particles
from .published import PublishedBKerNN

PAPER_RUNS = ("published", "written")
LIBRARY_RUNS = ("library", "library_cv")
RUNS = (*PAPER_RUNS, *LIBRARY_RUNS)
LABELS = {
    "published": "as published",
    "written": "as written",
    "library": "library",
    "library_cv": "library, λ cross-validated",
}

_UNLIMITED = 1000  # halvings; 500/2¹⁰⁰⁰ is still a number


def paper_model(
    run: str,
    n_features: int,
    *,
    penalty: str,
    n_particles: int,
    max_iter: int,
    regularization: float = 1.0,
    step_size: float = 500.0,
    kernel: str = "brownian",
) -> BKerNNRegressor:
    """Return Algorithm 1 from the published W₀: exactly `max_iter` iterations."""
    published = run == "published"
    weaker = published and penalty == "feature"
    estimator = PublishedBKerNN if published else BKerNNRegressor
    return estimator(
        penalty=penalty,
        n_particles=n_particles,
        regularization=regularization,
        kernel=kernel,
        optimizer="paper",
        inner_solver="cholesky" if published else "auto",
        step_size=step_size,
        max_halvings=8 if published else _UNLIMITED,
        penalty_weight=1 / math.sqrt(n_particles) if weaker else 1.0,
        max_iter=max_iter,
        tol=0.0,
        init=initial_particles(n_features, n_particles),
        standardize=False,
        n_jobs=1,
    )


def library_model(run: str = "library", **changes: Any) -> BKerNNRegressor:
    """Return the estimator of a library run with its defaults but for `changes`."""
    estimator = BKerNNRegressorCV if run == "library_cv" else BKerNNRegressor
    return estimator(random_state=0, n_jobs=1, **changes)


def timed_fit(model: Any, X: Array, y: Array) -> float:
    """Fit, and return the seconds it took. A fit that stops at its last iteration is expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        start = time.perf_counter()
        model.fit(X, y)
        return time.perf_counter() - start


def paper_cross_validation(
    model: BKerNNRegressor, X: Array, y: Array, regularizations: Sequence[float], n_jobs: int = 1
) -> float:
    """Return the λ with the least mean squared error over 5 contiguous folds."""
    search = GridSearchCV(
        model,
        {"regularization": list(regularizations)},
        scoring="neg_mean_squared_error",
        cv=KFold(5),
        refit=False,
        n_jobs=n_jobs,
    )
    return float(search.fit(X, y).best_params_["regularization"])


def error_path(
    model: BKerNNRegressor, X: Array, y: Array, X_watched: Array, y_watched: Array
) -> list[float]:
    """Return the mean squared error on the watched rows after each iteration of a fit."""
    options = model._options("square", X.shape[1])
    result = _core.fit(X, y[:, None], options, None, X_watched, y_watched[:, None])
    unit = float(np.var(y)) if model.standardize else 1.0
    return [2 * unit * float(loss) for loss in result.report.validation_losses]
