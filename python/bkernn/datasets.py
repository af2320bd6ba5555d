"""Simulated data in which y depends on a few hidden directions of X."""

from __future__ import annotations

from dataclasses import dataclass

from . import _core
from ._input.validation import Array, integer, real, seed, text

__all__ = ["Simulated", "simulate", "simulation_kinds"]


@dataclass(frozen=True)
class Simulated:
    """A simulated data set: rows to learn from, rows to test on, and the truth.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows.
    y : ndarray of shape (n,)
        Their targets.
    signal : ndarray of shape (n,)
        The targets without noise; for classes and counts E[y | x].
    X_test, y_test, signal_test : ndarray
        The same of n_test other rows.
    P : ndarray of shape (d, k)
        The hidden directions, orthonormal.
    """

    X: Array
    y: Array
    signal: Array
    X_test: Array
    y_test: Array
    signal_test: Array
    P: Array


def simulation_kinds() -> list[str]:
    """Return the names that `simulate` knows.

    Returns
    -------
    list of str
        "multi_index" is the default.

    Examples
    --------
    >>> from bkernn.datasets import simulation_kinds
    >>> "multi_index" in simulation_kinds()
    True
    """
    return list(_core.simulation_kinds())


def simulate(
    kind: str = "multi_index",
    *,
    n: int = 500,
    n_test: int = 0,
    d: int = 10,
    k: int | None = None,
    noise: float = 0.1,
    random_state: object = 0,
) -> Simulated:
    """Draw a data set of the paper's experiments, or one of a few more.

    Parameters
    ----------
    kind : str
        One of `simulation_kinds()`.
    n, n_test : int
        Rows to learn from and rows to test on.
    d : int
        Variables; X is uniform on [−1, 1]^d.
    k : int, optional
        Hidden directions; by default that of the experiment.
    noise : float
        Standard deviation of the noise; not used where y is a class or a count.
    random_state : int, RandomState or None
        The same int gives the data that `bkernn simulate --seed` gives.

    Returns
    -------
    Simulated
        Rows, targets and the truth.

    Examples
    --------
    >>> from bkernn.datasets import simulate
    >>> data = simulate("multi_index", n=100, d=8)
    >>> data.X.shape, data.y.shape, data.P.shape
    ((100, 8), (100,), (8, 3))
    """
    return Simulated(
        **_core.simulate(
            text("kind", kind),
            integer("n", n),
            integer("n_test", n_test),
            integer("d", d),
            0 if k is None else integer("k", k, least=1),
            real("noise", noise),
            seed(random_state),
        )
    )
