"""Plots of what was learnt, in matplotlib, the way scikit-learn's displays work."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .._docs import documented_like
from .._input.validation import Array
from .html import feature_names
from .plotting import one_axes


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

    def __init__(self, *, importances: Array, names: list[str]) -> None:
        self.importances = importances
        self.names = names

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
        ax.barh([self.names[a] for a in order], 100 * self.importances[order], color="C0")
        ax.set_xlabel("share of the importance (%)")
        shown, total = len(order), len(self.importances)
        largest = f" (largest {shown} of {total})" if shown < total else ""
        ax.set_title(f"Importance of variables{largest}")
        self.ax_, self.figure_ = ax, figure
        return self


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

    def __init__(
        self, *, objective: Array, validation: Array | None = None, converged: bool = True
    ) -> None:
        self.objective = objective
        self.validation = validation
        self.converged = converged

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

    def __init__(
        self,
        *,
        regularizations: Array,
        mean: Array,
        standard_error: Array,
        chosen: float,
        scoring: str,
    ) -> None:
        self.regularizations = regularizations
        self.mean = mean
        self.standard_error = standard_error
        self.chosen = chosen
        self.scoring = scoring

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
        ax.axvline(self.chosen, color="C1", linestyle="--", label=f"chosen: {self.chosen:.3g}")
        ax.set_xscale("log")
        ax.set_xlabel("regularization λ (right: simpler model)")
        ax.set_ylabel(f"{names.get(self.scoring, self.scoring)} on rows left out")
        ax.set_title("Choice of λ by cross-validation")
        ax.legend(framealpha=0.8, edgecolor="none")
        self.ax_, self.figure_ = ax, figure
        return self
