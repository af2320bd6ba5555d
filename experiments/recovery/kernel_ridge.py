"""Kernel ridge regression with a Gaussian kernel, and the mean outer product of its gradients."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.spatial.distance import cdist, pdist

from ..data.recipes import Array

BANDWIDTHS = (0.5, 1.0, 2.0)  # times the median distance
RIDGES = tuple(10.0 ** np.arange(-6, 3))
_TUNING_ROWS = 800  # more would choose the same


class KernelRidge(NamedTuple):
    """f(x) = mean + Σ_i α_i exp(−‖x − x_i‖² / 2h²)."""

    X: Array
    alpha: Array
    mean: float
    bandwidth: float

    def predict(self, X: Array) -> Array:
        """Return f at these rows."""
        return self.mean + _gram(X, self.X, self.bandwidth) @ self.alpha

    def gradients(self) -> Array:
        """Return ∇f at the rows it has learned from, (n, d)."""
        weights = _gram(self.X, self.X, self.bandwidth) * self.alpha
        return (weights @ self.X - weights.sum(axis=1)[:, None] * self.X) / self.bandwidth**2


def _gram(A: Array, B: Array, bandwidth: float) -> Array:
    return np.exp(cdist(A, B, "sqeuclidean") / (-2 * bandwidth**2))


def _best_ridge(K: Array, y: Array) -> tuple[float, float]:
    """Return the least mean squared leave-one-out error and the ridge that has it."""
    values, vectors = eigh(K, driver="evd")
    rotated, squares = vectors.T @ y, vectors**2
    errors = []
    for ridge in RIDGES:
        inverse = 1 / (np.maximum(values, 0) + ridge)
        residuals = (vectors @ (inverse * rotated)) / (squares @ inverse)
        errors.append(float(np.mean(residuals**2)))
    best = int(np.argmin(errors))
    return errors[best], RIDGES[best]


def kernel_ridge(X: Array, y: Array) -> KernelRidge:
    """Return the fit whose bandwidth and ridge have the least leave-one-out error."""
    some = min(len(X), _TUNING_ROWS)
    median, mean = float(np.median(pdist(X[:some]))), float(np.mean(y))
    trials = [
        (*_best_ridge(_gram(X[:some], X[:some], h * median), y[:some] - mean), h * median)
        for h in BANDWIDTHS
    ]
    _, ridge, bandwidth = min(trials)
    K = _gram(X, X, bandwidth)
    K[np.diag_indices_from(K)] += ridge
    return KernelRidge(X, np.linalg.solve(K, y - mean), mean, bandwidth)
