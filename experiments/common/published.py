"""The estimator behind the published numbers: its last step in W is not followed by a solve."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from bkernn import BKerNNRegressor

from ..data.recipes import Array

_KERNELS = {
    "brownian": lambda gap: -gap / 2,
    "exponential": lambda gap: np.exp(-gap / 2),
    "gaussian": lambda gap: np.exp(-(gap**2) / 2),
}


def kernel_matrix(kernel: str, A: Array, B: Array) -> Array:
    """Return (1/m) Σ_j k(a_ij, b_i'j) for projections A (p, m) and B (n, m)."""
    total = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        total += _KERNELS[kernel](np.abs(a[:, np.newaxis] - b))
    return total / A.shape[1]


class PublishedBKerNN(BKerNNRegressor):
    """BKerNNRegressor that predicts with the last W, but with α and c of the W before it.

    For the square loss and without `standardize`.
    """

    def fit(self, X: ArrayLike, y: ArrayLike) -> PublishedBKerNN:
        """Fit all iterations but the last for α, then all of them for W."""
        rows, targets = np.asarray(X, dtype=float), np.asarray(y, dtype=float)
        last = self.max_iter
        before = BKerNNRegressor(**{**self.get_params(), "max_iter": last - 1}).fit(rows, targets)
        projections = rows @ before.W_
        fitted = kernel_matrix(self.kernel, projections, projections) @ before.dual_coef_
        super().fit(rows, targets)
        self._behind = before.dual_coef_, float(np.mean(targets - fitted))
        self._rows_fitted = rows
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Predict y."""
        check_is_fitted(self, "W_")
        alpha, constant = self._behind
        rows = np.asarray(X, dtype=float)
        K = kernel_matrix(self.kernel, rows @ self.W_, self._rows_fitted @ self.W_)
        return K @ alpha + constant
