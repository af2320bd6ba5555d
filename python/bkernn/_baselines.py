"""The two methods that the paper compares with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._rows import positive_rows
from ._validation import Array, flag, integer, matrix, native, real, seed, threads


class _Baseline(RegressorMixin, BaseEstimator):
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

    def _rows(self, X: ArrayLike) -> Array:
        check_is_fitted(self)
        rows = native(validate_data(self, X, dtype=np.float64, reset=False))
        return (rows - self.center_) / self.scale_

    def _in_units(self, F: Array) -> Array:
        prediction = F * self._y_scale + self._y_center
        return prediction[:, 0] if self._flat else prediction


def _moments(A: Array, sample_weight: Array | None) -> tuple[Array, Array]:
    mean = np.average(A, axis=0, weights=sample_weight)
    deviation = np.sqrt(np.average((A - mean) ** 2, axis=0, weights=sample_weight))
    constant = deviation <= 1e-13 * np.abs(A).max(axis=0)
    return mean, np.where(constant, 1.0, deviation)


class BrownianKernelRidge(_Baseline):
    """Kernel ridge regression with the Brownian kernel (‖x‖ + ‖x'‖ − ‖x − x'‖)/2.

    What BKerNN would be if it learnt no features: every direction counts the same. Dense: memory
    grows with the square of the number of rows.

    Parameters
    ----------
    regularization : "auto" or float, default="auto"
        λ of (1/2n) Σ (y_i − f(x_i))² + (λ/2) αᵀKα. "auto" is max‖x − x̄‖ / n, the choice of the
        paper's experiments.
    standardize : bool, default=True
        Scale the columns of X to unit variance (y too, which changes nothing but rounding).
    n_jobs : int, optional
        Native threads; None means all cores, but inside a joblib worker only its share.

    Attributes
    ----------
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        α, in the units of y.
    intercept_ : float or ndarray of shape (n_outputs,)
        The constant that belongs to the kernel −‖x − x'‖/2.
    X_fit_ : ndarray of shape (n_samples, n_features)
        The rows, centred and scaled as in the fit: prediction needs them.
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

    def __init__(
        self,
        *,
        regularization: str | float = "auto",
        standardize: bool = True,
        n_jobs: int | None = None,
    ) -> None:
        self.regularization = regularization
        self.standardize = standardize
        self.n_jobs = n_jobs

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

    def predict(self, X: ArrayLike) -> Array:
        """Predict y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        Z = self._rows(X)
        return self._in_units(
            _core.brownian_ridge_predict(
                self.X_fit_, self._alpha, self._intercept, Z, threads(self.n_jobs)
            )
        )


class ReLUNetworkRegressor(_Baseline):
    """A network with one hidden layer of ReLU neurons, trained by stochastic gradient descent.

    It learns features, but nothing makes them few.

    Parameters
    ----------
    n_neurons : int, default=50
        Hidden neurons.
    step_size : float, default=0.01
        Step of the gradient descent, kept constant.
    batch_size : int, default=16
        Rows in each step.
    max_iter : int, default=2500
        Steps, not passes over the rows.
    standardize : bool, default=True
        Scale the columns of X, and y, to mean 0 and variance 1; the network has no output bias.
    random_state : int, RandomState or None, default=None
        Of the weights at the start and of the order of the rows.
    n_jobs : int, optional
        Native threads of `predict`; None means all cores, but inside a joblib worker its share.

    Attributes
    ----------
    W_ : ndarray of shape (n_features, n_neurons)
        The hidden directions, for (X - center_) / scale_.
    biases_ : ndarray of shape (n_neurons,)
        Of the neurons.
    output_weights_ : ndarray of shape (n_neurons, n_outputs)
        Of the outputs, y measured in its own units.
    n_iter_ : int
        Steps.
    n_features_in_ : int
        Variables seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are strings.

    Examples
    --------
    >>> from bkernn import ReLUNetworkRegressor
    >>> from bkernn.datasets import simulate
    >>> data = simulate("multi_index", n=200, d=4)
    >>> ReLUNetworkRegressor(random_state=0).fit(data.X, data.y).score(data.X, data.y) > 0.5
    True
    """

    def __init__(
        self,
        *,
        n_neurons: int = 50,
        step_size: float = 0.01,
        batch_size: int = 16,
        max_iter: int = 2500,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neurons = n_neurons
        self.step_size = step_size
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: ArrayLike, y: ArrayLike) -> ReLUNetworkRegressor:
        """Train the network.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets.

        Returns
        -------
        ReLUNetworkRegressor
            Itself.
        """
        rows, targets = self._validated(X, y)
        Z, T = self._measure(rows, targets, None)
        steps = integer("max_iter", self.max_iter)
        self.W_, self.biases_, self.output_weights_ = _core.relu_network_fit(
            Z,
            T,
            integer("n_neurons", self.n_neurons, least=1),
            real("step_size", self.step_size),
            integer("batch_size", self.batch_size, least=1),
            steps,
            seed(self.random_state),
        )
        self.n_iter_ = steps
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Predict y.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
        """
        Z = self._rows(X)
        return self._in_units(
            _core.relu_network_predict(
                self.W_, self.biases_, self.output_weights_, Z, threads(self.n_jobs)
            )
        )

    def feature_learning_score(self, P: ArrayLike) -> float:
        """Return how near the hidden directions are to the true subspace: 1 if equal, 0 at worst.

        Parameters
        ----------
        P : array-like of shape (n_features, k)
            A basis of the true subspace, for X as given.

        Returns
        -------
        float
            NaN if `W_` does not determine k directions.
        """
        check_is_fitted(self)
        scaled = native(matrix(P) * self.scale_[:, np.newaxis])
        score = _core.particles_learning_score(self.W_, False, scaled)
        return float("nan") if score is None else score
