"""Methods of sufficient dimension reduction: X is whitened, directions are those of X as given."""

from __future__ import annotations

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from statsmodels.regression.dimred import (
    PrincipalHessianDirections,
    SlicedAverageVarianceEstimation,
    SlicedInverseReg,
)

from ..data.recipes import Array

_STEPS = 100  # of distance covariance, from each start


def _whitened(X: Array) -> tuple[Array, Array]:
    """Return Z = (X − mean) L⁻ᵀ with covariance I, and L⁻ᵀ: directions of Z become L⁻ᵀB."""
    centered = X - X.mean(axis=0)
    inverse = solve_triangular(cholesky(np.cov(X.T), lower=True), np.eye(X.shape[1]), lower=True).T
    return centered @ inverse, inverse


def sliced_inverse_regression(X: Array, y: Array, k: int) -> Array:
    """Return SIR's directions; ten slices, or more rows in each."""
    found = SlicedInverseReg(y, X.copy()).fit(slice_n=max(len(X) // 10, 10))
    return np.asarray(found.params)[:, :k]


def sliced_average_variances(X: Array, y: Array, k: int) -> Array:
    """Return SAVE's directions; five slices, or more rows in each."""
    found = SlicedAverageVarianceEstimation(y, X.copy()).fit(slice_n=max(len(X) // 5, 20))
    return np.asarray(found.params)[:, :k]


def principal_hessian_directions(X: Array, y: Array, k: int) -> Array:
    """Return PHD's directions."""
    found = PrincipalHessianDirections(y, X.copy()).fit()
    leading = np.argsort(-np.abs(found.eigs))[:k]
    return np.asarray(found.params)[:, leading]


def _covariance(Z: Array, centered: Array, B: Array) -> tuple[float, Array]:
    """Return the squared distance covariance of ZB and y, and its gradient in B."""
    projected = Z @ B
    gaps = projected[:, None, :] - projected[None, :, :]
    distances = np.sqrt((gaps**2).sum(axis=2))
    ratio = centered / np.where(distances > 1e-12, distances, np.inf)
    gradient = 2 * (Z.T @ (ratio.sum(axis=1)[:, None] * projected - ratio @ projected))
    return float(np.sum(centered * distances)), gradient


def distance_covariance(X: Array, y: Array, k: int) -> Array:
    """Return the orthonormal directions of largest distance covariance with y, of four starts."""
    Z, inverse = _whitened(X)
    gaps = np.abs(y[:, None] - y[None, :])
    centered = gaps - gaps.mean(axis=0) - gaps.mean(axis=1)[:, None] + gaps.mean()
    starts = [f(Z, y, k) for f in (sliced_inverse_regression, sliced_average_variances)]
    starts += [principal_hessian_directions(Z, y, k)]
    starts += [np.random.default_rng(0).normal(size=(X.shape[1], k))]
    best, value = starts[0], -np.inf
    for start in starts:
        B = np.linalg.qr(start)[0]
        here, gradient = _covariance(Z, centered, B)
        step = 1.0 / np.linalg.norm(gradient)
        for _ in range(_STEPS):
            trial = np.linalg.qr(B + step * gradient)[0]
            there, slope = _covariance(Z, centered, trial)
            if there > here:
                gain, B, here, gradient, step = there - here, trial, there, slope, 2 * step
                if gain < 1e-7 * abs(here):
                    break
            else:
                step /= 4
                if step * np.linalg.norm(gradient) < 1e-6:
                    break
        if here > value:
            best, value = B, here
    return inverse @ best
