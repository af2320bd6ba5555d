"""How good a fit is: the scores of the paper and a few more.

Every function takes vectors, or matrices with one column per output, and `sample_weight`, which
counts rows: weight 2 equals a repeated row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._docs import documented_like
from ._input.validation import Array, matrix, native, weights

__all__ = [
    "accuracy",
    "dimension_score",
    "estimated_dimension",
    "expected_calibration_error",
    "feature_learning_score",
    "interval_coverage",
    "log_loss",
    "mean_squared_error",
    "pinball_loss",
    "quantile_coverage",
    "r2_score",
]


def r2_score(y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
    """Return R², the share of the variance of y that is predicted: 1 at best.

    Parameters
    ----------
    y_true : array-like of shape (n_samples,) or (n_samples, n_outputs)
        What came.
    y_pred : array-like of the same shape
        What was predicted.
    sample_weight : array-like of shape (n_samples,), optional
        How often each row counts.

    Returns
    -------
    float
        The mean over rows (by weight) and outputs.

    Examples
    --------
    >>> from bkernn.metrics import r2_score
    >>> r2_score([1.0, 2.0, 3.0], [1.0, 2.0, 4.0])
    0.5
    """
    Y = matrix(y_true)
    return _core.r2_score(Y, matrix(y_pred), weights(sample_weight, len(Y)))


@documented_like(r2_score)
def mean_squared_error(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean of (y − f)².

    Examples
    --------
    >>> from bkernn.metrics import mean_squared_error
    >>> mean_squared_error([1.0, 2.0], [1.0, 4.0])
    2.0
    """
    Y = matrix(y_true)
    return _core.mean_squared_error(Y, matrix(y_pred), weights(sample_weight, len(Y)))


@documented_like(r2_score)
def pinball_loss(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    quantile: float = 0.5,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the mean of τ r₊ + (1 − τ) r₋, r = y − f: smallest at the true τ-quantile.

    Parameters
    ----------
    quantile : float, default=0.5
        τ.

    Examples
    --------
    >>> from bkernn.metrics import pinball_loss
    >>> pinball_loss([1.0, 3.0], [2.0, 2.0], quantile=0.75)
    0.5
    """
    Y = matrix(y_true)
    return _core.pinball_loss(Y, matrix(y_pred), quantile, weights(sample_weight, len(Y)))


@documented_like(r2_score)
def quantile_coverage(
    y_true: ArrayLike, y_pred: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Return the share of y ≤ f: near τ if f is an honest τ-quantile.

    Examples
    --------
    >>> from bkernn.metrics import quantile_coverage
    >>> quantile_coverage([1.0, 2.0, 3.0, 4.0], [3.0, 3.0, 3.0, 3.0])
    0.75
    """
    Y = matrix(y_true)
    return _core.quantile_coverage(Y, matrix(y_pred), weights(sample_weight, len(Y)))


@documented_like(r2_score)
def interval_coverage(
    y_true: ArrayLike,
    lower: ArrayLike,
    upper: ArrayLike,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the share of lower ≤ y ≤ upper.

    Parameters
    ----------
    lower, upper : array-like of the shape of y_true
        Ends of the intervals.

    Examples
    --------
    >>> from bkernn.metrics import interval_coverage
    >>> interval_coverage([1.0, 2.0], [0.0, 0.0], [1.5, 1.5])
    0.5
    """
    Y = matrix(y_true)
    return _core.interval_coverage(Y, matrix(lower), matrix(upper), weights(sample_weight, len(Y)))


def _targets(y: ArrayLike, probabilities: Array) -> Array:
    """One column per column of the probabilities, from indices of classes or such columns."""
    array = np.asarray(y)
    if array.ndim == 2 or probabilities.shape[1] == 1:
        return matrix(array)
    indices = array.astype(np.intp)
    if np.any(indices != array) or np.any(indices < 0) or np.any(indices >= probabilities.shape[1]):
        raise ValueError("y_true: must be one-hot rows or indices of columns of the probabilities")
    return np.eye(probabilities.shape[1])[indices]


def log_loss(
    y_true: ArrayLike, probabilities: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Return the mean of −log p, p the probability given to the class that came.

    Parameters
    ----------
    y_true : array
        Indices of classes, or one-hot rows; 0 and 1 if there is one column of probabilities.
    probabilities : array of shape (n_samples, n_classes) or (n_samples,)
        As `predict_proba` gives them, or the probability of class 1.
    sample_weight : array of shape (n_samples,), optional
        How often each row counts.

    Returns
    -------
    float
        At least 0; log(n_classes) if all are equally probable.

    Examples
    --------
    >>> from bkernn.metrics import log_loss
    >>> round(log_loss([0, 1], [[0.5, 0.5], [0.5, 0.5]]), 4)
    0.6931
    """
    P = matrix(probabilities)
    return _core.log_loss(P, _targets(y_true, P), weights(sample_weight, len(P)))


@documented_like(log_loss)
def accuracy(
    y_true: ArrayLike, probabilities: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    """Return the share of rows whose most probable class came.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> from bkernn.metrics import accuracy
    >>> accuracy([0, 1], [[0.9, 0.1], [0.6, 0.4]])
    0.5
    """
    P = matrix(probabilities)
    return _core.accuracy(P, _targets(y_true, P), weights(sample_weight, len(P)))


@documented_like(log_loss)
def expected_calibration_error(
    y_true: ArrayLike,
    probabilities: ArrayLike,
    *,
    bins: int = 10,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the mean gap between confidence and accuracy over `bins` levels of confidence.

    Parameters
    ----------
    bins : int, default=10
        Number of levels.

    Returns
    -------
    float
        Between 0 and 1; 0 if the probabilities mean what they say.

    Examples
    --------
    >>> from bkernn.metrics import expected_calibration_error
    >>> round(expected_calibration_error([0, 0], [[0.8, 0.2], [0.8, 0.2]]), 3)
    0.2
    """
    P = matrix(probabilities)
    return _core.expected_calibration_error(
        P, _targets(y_true, P), bins, weights(sample_weight, len(P))
    )


def feature_learning_score(P_hat: ArrayLike, P: ArrayLike) -> float:
    """Return how near the span of P̂ is to that of P.

    Parameters
    ----------
    P_hat, P : array-like of shape (n_features, k)
        Bases; they need not be orthonormal.

    Returns
    -------
    float
        1 if the spans are equal, 0 at worst.

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn.metrics import feature_learning_score
    >>> feature_learning_score(np.eye(3)[:, :1], np.eye(3)[:, :1])
    1.0
    """
    return _core.feature_learning_score(matrix(P_hat), matrix(P))


def estimated_dimension(importances: ArrayLike) -> int:
    """Return how many importances exceed the share that each had if all were equal.

    Parameters
    ----------
    importances : array-like of shape (n_features,)
        Norms of the rows of W, or its singular values.

    Returns
    -------
    int
        How many.

    Examples
    --------
    >>> from bkernn.metrics import estimated_dimension
    >>> estimated_dimension([3.0, 2.0, 0.1, 0.0])
    2
    """
    return _core.estimated_dimension(native(importances))


@documented_like(estimated_dimension)
def dimension_score(importances: ArrayLike) -> float:
    """Return the share of the total that the entries counted by `estimated_dimension` carry.

    Returns
    -------
    float
        Between 0 and 1.

    Examples
    --------
    >>> from bkernn.metrics import dimension_score
    >>> dimension_score([3.0, 1.0, 0.0, 0.0])
    0.75
    """
    return _core.dimension_score(native(importances))
