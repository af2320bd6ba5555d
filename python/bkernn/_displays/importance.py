"""How much each variable matters, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._docs import documented_like
from .._input.validation import Array
from .html import feature_names
from .plotting import COLOR, one_axes


@dataclass(kw_only=True, eq=False, repr=False)
class ImportanceDisplay:
    """How much each variable matters.

    Parameters
    ----------
    importances : ndarray of shape (n_features,)
        Shares that sum to 1.
    names : list of str
        Of the variables.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from bkernn import BKerNNRegressor, ImportanceDisplay
    >>> from bkernn.datasets import simulate
    >>> data = simulate("sine_variables", n=150, d=6, k=2)
    >>> model = BKerNNRegressor(penalty="variable", random_state=0).fit(data.X, data.y)
    >>> ImportanceDisplay.from_estimator(model).ax_.get_xlabel()
    'share of the importance (%)'
    """

    importances: Array
    names: list[str]

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, max_features: int = 20, ax: Any = None
    ) -> ImportanceDisplay:
        """Plot the most important variables of a fitted estimator.

        Parameters
        ----------
        estimator : fitted BKerNN estimator
            What to show.
        max_features : int, default=20
            How many variables at most.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ImportanceDisplay
            With `ax_` and `figure_`.
        """
        check_is_fitted(estimator, "W_")
        display = cls(importances=estimator.feature_importances_, names=feature_names(estimator))
        return display.plot(max_features=max_features, ax=ax)

    @documented_like(from_estimator)
    def plot(self, *, max_features: int = 20, ax: Any = None) -> ImportanceDisplay:
        """Draw."""
        ax, figure = one_axes(ax)
        order = np.argsort(-self.importances, kind="stable")[:max_features][::-1]
        ax.barh([self.names[a] for a in order], 100 * self.importances[order], color=COLOR)
        ax.set_xlabel("share of the importance (%)")
        shown, total = len(order), len(self.importances)
        largest = f" (largest {shown} of {total})" if shown < total else ""
        ax.set_title(f"Importance of variables{largest}")
        self.ax_, self.figure_ = ax, figure
        return self
