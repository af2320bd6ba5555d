"""The objective after each iteration, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._docs import documented_like
from .._input.validation import Array
from .plotting import one_axes


@dataclass(kw_only=True, eq=False, repr=False)
class ConvergenceDisplay:
    """The objective after each iteration.

    Parameters
    ----------
    objective : ndarray
        G + λΩ after each iteration, then of the model that was returned.
    validation : ndarray or None
        Mean loss on held-out rows.
    converged : bool
        Whether the fit ended by itself.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from bkernn import BKerNNRegressor, ConvergenceDisplay
    >>> from bkernn.datasets import simulate
    >>> data = simulate("multi_index", n=100, d=4)
    >>> model = BKerNNRegressor(random_state=0, max_iter=5, tol=0).fit(data.X, data.y)
    >>> ConvergenceDisplay.from_estimator(model).ax_.get_xlabel()
    'iteration'
    """

    objective: Array
    validation: Array | None = None
    converged: bool = True

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> ConvergenceDisplay:
        """Plot a fitted estimator.

        Parameters
        ----------
        estimator : fitted BKerNN estimator
            What to show.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ConvergenceDisplay
            With `ax_` and `figure_`.
        """
        check_is_fitted(estimator, "W_")
        display = cls(
            objective=estimator.objective_path_,
            validation=estimator.validation_path_,
            converged=estimator.converged_,
        )
        return display.plot(ax=ax)

    @documented_like(from_estimator)
    def plot(self, *, ax: Any = None) -> ConvergenceDisplay:
        """Draw."""
        ax, figure = one_axes(ax)
        path = self.objective[:-1]
        iterations = np.arange(1, len(path) + 1)
        ax.plot(iterations, path, label="objective (training)")
        ax.axhline(self.objective[-1], color="0.6", linewidth=0.8, label="returned model")
        if self.validation is not None:
            ax.plot(iterations, self.validation, label="loss on held-out rows")
        if np.all(self.objective > 0):
            ax.set_yscale("log")
        ax.set_xlabel("iteration")
        ax.set_ylabel("objective")
        ax.set_title("Converged" if self.converged else "Stopped at max_iter, still decreasing")
        ax.legend(framealpha=0.8, edgecolor="none")
        self.ax_, self.figure_ = ax, figure
        return self
