"""Plots of what was learnt, in matplotlib, the way scikit-learn's displays work."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._html import feature_names
from ._validation import Array, integer

_MOST_NAMES = 3


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Plots need matplotlib: pip install bkernn[plot]") from error
    return plt


def _one_axes(ax: Any) -> tuple[Any, Any]:
    if ax is None:
        _, ax = _pyplot().subplots()
    return ax, ax.figure


class RidgeFunctionsDisplay:
    """What the model does along each learnt direction.

    One panel per direction: the thick line is how the prediction changes when a row moves from the
    centre of the data along that direction alone, the thin ones are the functions of the particles
    that point there.

    Parameters
    ----------
    positions : list of ndarray
        Where along each direction, in the units of `transform`.
    profiles : list of ndarray
        Change of the prediction there; of the log-odds for classes, of the log mean for counts.
    particles : list of list of (ndarray, ndarray)
        Positions and values of the particles' functions.
    titles : list of str
        What each direction is made of.
    ylabel : str
        What the profiles are.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from bkernn import BKerNNRegressor, RidgeFunctionsDisplay
    >>> from bkernn.datasets import simulate
    >>> data = simulate("multi_index", n=150, d=4)
    >>> model = BKerNNRegressor(random_state=0, tol=0.01).fit(data.X, data.y)
    >>> display = RidgeFunctionsDisplay.from_estimator(model)
    >>> len(display.axes_) == model.n_active_features_
    True
    """

    def __init__(
        self,
        *,
        positions: list[Array],
        profiles: list[Array],
        particles: list[list[tuple[Array, Array]]],
        titles: list[str],
        ylabel: str,
        xlabel: str,
    ) -> None:
        self.positions = positions
        self.profiles = profiles
        self.particles = particles
        self.titles = titles
        self.ylabel = ylabel
        self.xlabel = xlabel

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, k: int | None = None, output: int = 0, axes: Any = None
    ) -> RidgeFunctionsDisplay:
        """Plot a fitted estimator.

        Parameters
        ----------
        estimator : fitted BKerNN estimator
            What to show.
        k : int, optional
            How many directions; by default `n_active_features_`, at most 6.
        output : int, default=0
            Which output, or class.
        axes : sequence of matplotlib axes, optional
            Where to draw, one for each direction.

        Returns
        -------
        RidgeFunctionsDisplay
        """
        check_is_fitted(estimator, "W_")
        count = min(estimator.n_active_features_, 6) if k is None else integer("k", k, least=1)
        if count == 0:
            raise ValueError("the model is constant: it has no directions to show")
        model = estimator._saved.model
        directions = (estimator._components(count) * estimator.scale_).T  # orthonormal
        W, names = model.W, feature_names(estimator)
        lengths = np.linalg.norm(W, axis=0)
        owner = np.argmax(np.abs(directions.T @ W), axis=0)
        positions, profiles, particles, titles = [], [], [], []
        for a in range(count):
            along = directions[:, a] @ W
            mine = np.flatnonzero((owner == a) & (np.abs(along) > 0.5 * lengths))
            ends = [model.function(int(j))[0][[0, -1]] / along[j] for j in mine]
            low = min((float(e.min()) for e in ends), default=-2.0)
            high = max((float(e.max()) for e in ends), default=2.0)
            t = np.linspace(low, high, 400)
            rows = estimator.center_ + np.outer(t, directions[:, a]) * estimator.scale_
            profile = model.predict(rows, 1)[:, output]
            at_centre = model.predict(estimator.center_[np.newaxis], 1)[0, output]
            positions.append(t)
            profiles.append(profile - at_centre)
            particles.append(
                [
                    (t, model.evaluate(int(j), t * along[j])[:, output] / model.n_particles)
                    for j in mine
                ]
            )
            titles.append(f"Direction {a + 1}: {_combination(directions[:, a], names)}")
        link = {"logistic": "log-odds", "multinomial": "log-odds", "poisson": "log mean"}
        changed = link.get(model.loss, "prediction")
        standardized = bool(np.any(estimator.scale_ != 1))
        display = cls(
            positions=positions,
            profiles=profiles,
            particles=particles,
            titles=titles,
            ylabel=f"change of the {changed}",
            xlabel="projection (standard deviations)" if standardized else "projection (units of X)",
        )
        return display.plot(axes=axes)

    def plot(self, *, axes: Any = None) -> RidgeFunctionsDisplay:
        """Draw, on `axes` if given; sets `axes_` and `figure_`."""
        count = len(self.positions)
        if axes is None:
            columns = min(count, 3)
            rows = -(-count // columns)
            figure, grid = _pyplot().subplots(
                rows,
                columns,
                figsize=(4.2 * columns, 3.4 * rows),
                squeeze=False,
                sharey=True,
                layout="constrained",
            )
            axes = grid.ravel()
            for empty in axes[count:]:
                empty.set_visible(False)
            axes = axes[:count]
        else:
            axes = np.atleast_1d(np.asarray(axes, dtype=object)).ravel()
            if len(axes) != count:
                raise ValueError(f"axes: {count} are needed, {len(axes)} were given")
            figure = axes[0].figure
        for a, ax in enumerate(axes):
            for number, (t, values) in enumerate(self.particles[a]):
                label = "single particles" if number == 0 else None
                ax.plot(t, values, color="0.65", linewidth=0.7, label=label)
            ax.plot(
                self.positions[a], self.profiles[a], color="C0", linewidth=2, label="whole model"
            )
            ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
            ax.set_title(self.titles[a], fontsize="medium")
            ax.set_xlabel(self.xlabel)
        axes[0].set_ylabel(self.ylabel)
        axes[0].legend(frameon=False, fontsize="small")
        self.axes_, self.figure_ = axes, figure
        return self


def _combination(direction: Array, names: list[str]) -> str:
    """Return the largest terms of a direction, such as "0.92 age − 0.37 dose + …"."""
    order = np.argsort(-np.abs(direction), kind="stable")
    order = order[np.abs(direction[order]) > 0.05]
    if len(order) == 1:
        return names[order[0]]
    terms = "".join(
        f" {'−' if direction[a] < 0 else '+'} {abs(direction[a]):.2f} {names[a]}"
        for a in order[:_MOST_NAMES]
    )
    more = " + …" if len(order) > _MOST_NAMES else ""
    return terms.removeprefix(" + ").strip() + more


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
        """
        check_is_fitted(estimator, "W_")
        display = cls(importances=estimator.feature_importances_, names=feature_names(estimator))
        return display.plot(max_features=max_features, ax=ax)

    def plot(self, *, max_features: int = 20, ax: Any = None) -> ImportanceDisplay:
        """Draw, on `ax` if given; sets `ax_` and `figure_`."""
        ax, figure = _one_axes(ax)
        order = np.argsort(-self.importances, kind="stable")[:max_features][::-1]
        ax.barh([self.names[a] for a in order], 100 * self.importances[order], color="C0")
        ax.set_xlabel("share of the importance (%)")
        left_out = len(self.importances) - len(order)
        ax.set_title("Importance of variables" + (f" ({left_out} more)" if left_out else ""))
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
        """
        check_is_fitted(estimator, "W_")
        display = cls(
            objective=estimator.objective_path_,
            validation=estimator.validation_path_,
            converged=estimator.converged_,
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Any = None) -> ConvergenceDisplay:
        """Draw, on `ax` if given; sets `ax_` and `figure_`."""
        ax, figure = _one_axes(ax)
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
        ax.legend(frameon=False)
        self.ax_, self.figure_ = ax, figure
        return self
