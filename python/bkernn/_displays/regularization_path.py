"""Scores of cross-validation along the path of λ, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sklearn.utils.validation import check_is_fitted

from .._docs import documented_like
from .._input.validation import Array
from .plotting import COLOR, one_axes


@dataclass(kw_only=True, eq=False, repr=False)
class RegularizationPathDisplay:
    """Scores of cross-validation along the path of λ.

    Parameters
    ----------
    regularizations : ndarray of shape (n_points,)
        λ.
    mean, standard_error : ndarray of shape (n_points,)
        Of the scores of the rows left out.
    chosen : float
        The λ that was taken.
    scoring : str
        What the scores are.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from bkernn import BKerNNRegressorCV, RegularizationPathDisplay
    >>> from bkernn.datasets import simulate
    >>> data = simulate("wave", n=80, d=1)
    >>> model = BKerNNRegressorCV(cv=3, random_state=0, n_particles=5).fit(data.X, data.y)
    >>> RegularizationPathDisplay.from_estimator(model).ax_.get_xscale()
    'log'
    """

    regularizations: Array
    mean: Array
    standard_error: Array
    chosen: float
    scoring: str

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> RegularizationPathDisplay:
        """Plot a fitted BKerNNRegressorCV or BKerNNClassifierCV.

        Parameters
        ----------
        estimator : fitted estimator
            What to show.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        RegularizationPathDisplay
            With `ax_` and `figure_`.
        """
        check_is_fitted(estimator, "cv_mean_")
        display = cls(
            regularizations=estimator.regularizations_,
            mean=estimator.cv_mean_,
            standard_error=estimator.cv_standard_error_,
            chosen=estimator.regularization_,
            scoring=estimator.scoring,
        )
        return display.plot(ax=ax)

    @documented_like(from_estimator)
    def plot(self, *, ax: Any = None) -> RegularizationPathDisplay:
        """Draw."""
        ax, figure = one_axes(ax)
        names = {
            "r2": "R²",
            "mse": "mean squared error",
            "log_loss": "log loss",
            "loss": "mean loss",
        }
        ax.errorbar(
            self.regularizations,
            self.mean,
            yerr=self.standard_error,
            marker="o",
            markersize=4,
            capsize=2,
            label="mean over folds ± standard error",
        )
        ax.axvline(self.chosen, color=COLOR, linestyle="--", label=f"chosen: {self.chosen:.3g}")
        ax.set_xscale("log")
        ax.set_xlabel("regularization λ (right: simpler model)")
        ax.set_ylabel(f"{names.get(self.scoring, self.scoring)} on rows left out")
        ax.set_title("Choice of λ by cross-validation")
        ax.legend(framealpha=0.8, edgecolor="none")
        self.ax_, self.figure_ = ax, figure
        return self
