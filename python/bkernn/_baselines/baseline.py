"""What the two methods that the paper compares with share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .._input.validation import Array, flag, matrix, native, threads


class Baseline(RegressorMixin, BaseEstimator, ABC):
    """Several outputs, and X and y measured in their own units while fitting."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    def _validated(self, X: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
        rows, targets = validate_data(
            self, X, y, dtype=np.float64, multi_output=True, y_numeric=True, ensure_min_samples=2
        )
        self._flat = targets.ndim == 1
        return native(rows), matrix(targets)

    def _measure(self, X: Array, Y: Array, sample_weight: Array | None) -> tuple[Array, Array]:
        """Set the units, and return X and Y in them."""
        d, q = X.shape[1], Y.shape[1]
        self.center_, self.scale_ = np.zeros(d), np.ones(d)
        self._y_center, self._y_scale = np.zeros(q), np.ones(q)
        if flag("standardize", self.standardize):
            self.center_, self.scale_ = _moments(X, sample_weight)
            self._y_center, self._y_scale = _moments(Y, sample_weight)
        return (X - self.center_) / self.scale_, (Y - self._y_center) / self._y_scale

    def predict(self, X: ArrayLike) -> Array:
        """Predict y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            In the units of y.
        """
        check_is_fitted(self)
        rows = native(validate_data(self, X, dtype=np.float64, reset=False))
        Z = (rows - self.center_) / self.scale_
        prediction = self._predict(Z, threads(self.n_jobs)) * self._y_scale + self._y_center
        return prediction[:, 0] if self._flat else prediction

    @abstractmethod
    def _predict(self, Z: Array, n_threads: int) -> Array:
        """Return predictions (n, q) in the units of `_measure`."""


def _moments(A: Array, sample_weight: Array | None) -> tuple[Array, Array]:
    mean = np.average(A, axis=0, weights=sample_weight)
    deviation = np.sqrt(np.average((A - mean) ** 2, axis=0, weights=sample_weight))
    constant = deviation <= 1e-13 * np.abs(A).max(axis=0)
    return mean, np.where(constant, 1.0, deviation)
