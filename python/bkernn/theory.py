"""The paper's statistical analysis as functions: bounds, the complexity they bound, and λ."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from . import _core
from ._docs import documented_like
from ._input.validation import Array, integer, matrix, real, seed, text, threads

__all__ = [
    "dimension_dependent_bound",
    "dimension_independent_bound",
    "estimate_gaussian_complexity",
    "excess_risk_bound",
    "gaussian_complexity_bound",
    "regularization",
]


def dimension_dependent_bound(X: ArrayLike, *, sphere: str = "l2", sharp: bool = False) -> float:
    """Return theorem "dim": 8 √(d/n) √log(n + 1) √E‖X‖*, with averages over the rows of X.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows; center them first.
    sphere : {"l2", "l1"}, default="l2"
        The norm of the directions; ‖·‖* is its dual.
    sharp : bool, default=False
        Return the sharper line of the proof.

    Returns
    -------
    float
        The bound.

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn.theory import dimension_dependent_bound
    >>> X = np.random.default_rng(0).uniform(-1, 1, (1000, 5))
    >>> dimension_dependent_bound(X) > dimension_dependent_bound(X, sharp=True)
    True
    """
    return _core.dimension_dependent_bound(matrix(X), text("sphere", sphere), sharp)


@documented_like(dimension_dependent_bound)
def dimension_independent_bound(X: ArrayLike, *, sphere: str = "l2") -> float:
    """Return theorem "dim_indep": 6 n^(−1/6) (E max‖X_i‖*²)^¼, times (log 2d)^¼ for "l1".

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn.theory import dimension_independent_bound
    >>> X = np.random.default_rng(0).uniform(-1, 1, (1000, 5))
    >>> dimension_independent_bound(X) > dimension_independent_bound(X / 4)
    True
    """
    return _core.dimension_independent_bound(matrix(X), text("sphere", sphere))


@documented_like(dimension_dependent_bound)
def gaussian_complexity_bound(X: ArrayLike, *, sphere: str = "l2") -> float:
    """Return the smaller of the two bounds, as theorem "last" takes it.

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn.theory import dimension_independent_bound, gaussian_complexity_bound
    >>> X = np.random.default_rng(0).uniform(-1, 1, (1000, 5))
    >>> gaussian_complexity_bound(X) <= dimension_independent_bound(X)
    True
    """
    return min(
        dimension_dependent_bound(X, sphere=sphere), dimension_independent_bound(X, sphere=sphere)
    )


def estimate_gaussian_complexity(
    X: ArrayLike,
    *,
    sphere: str = "l2",
    draws: int = 20,
    restarts: int = 8,
    max_iter: int = 100,
    random_state: Any = 0,
    n_jobs: int | None = -1,
) -> tuple[float, float, Array]:
    """Estimate G_n = E sup_w √(εᵀK^(w)ε)/n itself, by drawing ε and maximizing over w.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows; center them first.
    sphere : {"l2", "l1"}, default="l2"
        The norm of the directions.
    draws : int, default=20
        Of ε.
    restarts : int, default=8
        Ascents for each draw, beside the deterministic one.
    max_iter : int, default=100
        Steps of each ascent.
    random_state : int, RandomState or None, default=0
        Of the draws and the starts.
    n_jobs : int or None, default=-1
        Threads. -1 is all cores, but in a worker of a search only its share of them. None is 1, or
        what `joblib.parallel_config` says.

    Returns
    -------
    value, standard_error : float
        Mean over the draws, and its standard error. Local maxima: it errs to the low side.
    suprema : ndarray of shape (draws,)
        What was found for each draw.

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn.theory import estimate_gaussian_complexity, gaussian_complexity_bound
    >>> X = np.random.default_rng(0).uniform(-1, 1, (200, 3))
    >>> value, error, _ = estimate_gaussian_complexity(X, draws=5)
    >>> 0 < value < gaussian_complexity_bound(X)
    True
    """
    return _core.estimate_gaussian_complexity(
        matrix(X),
        text("sphere", sphere),
        integer("draws", draws, least=1),
        integer("restarts", restarts),
        integer("max_iter", max_iter, least=1),
        seed(random_state),
        threads(n_jobs),
    )


def regularization(
    *, lipschitz: float, n: float, complexity: float, sigma: float, delta: float = 0.05
) -> float:
    """Return the λ of theorem "last": 12 L (1/√n + G_n) + (288 L σ/√n) √log(1/δ).

    Parameters
    ----------
    lipschitz : float
        L, the largest slope of the loss.
    n : float
        Number of rows.
    complexity : float
        G_n, or a bound on it.
    sigma : float
        σ: 1 + √‖X‖* is subgaussian with variance proxy σ².
    delta : float, default=0.05
        δ: the probability with which the bound may fail.

    Returns
    -------
    float
        Far larger than the λ that predicts best.

    Examples
    --------
    >>> from bkernn.theory import regularization
    >>> a = regularization(lipschitz=1, n=100, complexity=0.1, sigma=1)
    >>> b = regularization(lipschitz=1, n=10000, complexity=0.01, sigma=1)
    >>> round(a / b, 6)
    10.0
    """
    values = (lipschitz, n, complexity, sigma, delta)
    return _core.theory_lambda(*(real("argument", value) for value in values))


@documented_like(regularization)
def excess_risk_bound(
    *,
    lipschitz: float,
    n: float,
    complexity: float,
    sigma: float,
    penalty_of_best: float,
    delta: float = 0.05,
) -> float:
    """Return the bound of theorem "last" on R(f̂) − R(f*): 2 λ Ω(f*).

    Parameters
    ----------
    penalty_of_best : float
        Ω(f*).

    Returns
    -------
    float
        The bound.

    Examples
    --------
    >>> from bkernn.theory import excess_risk_bound, regularization
    >>> setting = {"lipschitz": 1, "n": 100, "complexity": 0.1, "sigma": 1}
    >>> round(excess_risk_bound(penalty_of_best=3, **setting) / regularization(**setting), 6)
    6.0
    """
    lam = regularization(lipschitz=lipschitz, n=n, complexity=complexity, sigma=sigma, delta=delta)
    return float(2 * lam * real("penalty_of_best", penalty_of_best))
