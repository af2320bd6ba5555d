"""A network trained by gradient descent: features, but nothing that makes them few."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._input.validation import Array, integer, matrix, native, real, seed
from .baseline import Baseline


@dataclass(kw_only=True, eq=False, repr=False)
class ReLUNetworkRegressor(Baseline):
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
    n_jobs : int or None, default=-1
        Threads of `predict`. -1 is all cores, but in a worker of a search only its share
        of them. None is 1, or what `joblib.parallel_config` says.

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

    n_neurons: int = 50
    step_size: float = 0.01
    batch_size: int = 16
    max_iter: int = 2500
    standardize: bool = True
    random_state: Any = None
    n_jobs: int | None = -1

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

    def _predict(self, Z: Array, n_threads: int) -> Array:
        return _core.relu_network_predict(self.W_, self.biases_, self.output_weights_, Z, n_threads)

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
