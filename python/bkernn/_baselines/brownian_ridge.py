"""Kernel ridge regression: what BKerNN would be if it learned no features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .. import _core
from .._input.rows import positive_rows
from .._input.validation import Array, real, threads
from .baseline import Baseline


@dataclass(kw_only=True, eq=False, repr=False)
class BrownianKernelRidge(Baseline):
    """Kernel ridge regression with the Brownian kernel (‖x‖ + ‖x'‖ − ‖x − x'‖)/2.

    What BKerNN would be if it learned no features: every direction counts the same. Dense: memory
    grows with the square of the number of rows.

    Parameters
    ----------
    regularization : "auto" or float, default="auto"
        λ of (1/2n) Σ (y_i − f(x_i))² + (λ/2) αᵀKα. "auto" is max‖x − x̄‖ / n, the choice of the
        paper's experiments.
    standardize : bool, default=True
        Scale the columns of X to unit variance (y too, which changes nothing but rounding).
    n_jobs : int or None, default=-1
        Threads. -1 is all cores, but in a worker of a search only its share of them. None is 1, or
        what `joblib.parallel_config` says.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        α, in the units of y.
    intercept_ : float or ndarray of shape (n_outputs,)
        The constant that belongs to the kernel −‖x − x'‖/2.
    X_fit_ : ndarray of shape (n_samples, n_features)
        The rows, centered and scaled as in the fit: prediction needs them.
    regularization_ : float
        The λ that was used.
    n_features_in_ : int
        Variables seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are strings.

    Examples
    --------
    >>> from bkernn import BrownianKernelRidge
    >>> from bkernn.datasets import simulate
    >>> data = simulate("multi_index", n=200, d=4)
    >>> BrownianKernelRidge().fit(data.X, data.y).score(data.X, data.y) > 0.5
    True
    """

    regularization: str | float = "auto"
    standardize: bool = True
    n_jobs: int | None = -1

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> BrownianKernelRidge:
        """Fit.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: 2 equals a repeated row, 0 one that is not there.

        Returns
        -------
        BrownianKernelRidge
            Itself.
        """
        rows, targets = self._validated(X, y)
        n_samples = len(rows)
        rows, targets, counts, kept = positive_rows(rows, targets, sample_weight)
        Z, T = self._measure(rows, targets, counts)
        if isinstance(self.regularization, str):
            if self.regularization != "auto":
                raise ValueError(f"regularization = {self.regularization!r}: must be 'auto' or > 0")
            mean = np.average(Z, axis=0, weights=counts)
            largest = float(np.linalg.norm(Z - mean, axis=1).max())
            total = float(len(Z) if counts is None else counts.sum())
            self.regularization_ = (largest if largest > 0 else 1.0) / total
        else:
            self.regularization_ = real("regularization", self.regularization)
        alpha, intercept = _core.brownian_ridge_fit(
            Z, T, self.regularization_, counts, threads(self.n_jobs)
        )
        self.X_fit_ = Z
        self._alpha, self._intercept = alpha, intercept
        dual = np.zeros((n_samples, T.shape[1]))
        dual[kept] = alpha * self._y_scale
        constant = intercept * self._y_scale + self._y_center
        self.dual_coef_ = dual[:, 0] if self._flat else dual
        self.intercept_ = float(constant[0]) if self._flat else constant
        return self

    def _predict(self, Z: Array, n_threads: int) -> Array:
        return _core.brownian_ridge_predict(self.X_fit_, self._alpha, self._intercept, Z, n_threads)
