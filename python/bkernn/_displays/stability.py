"""How sure directions and variables are, and how many directions there are, as plots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._docs import documented_like
from .._input.validation import Array
from .plotting import COLOR, one_axes, pyplot


@dataclass(kw_only=True, eq=False, repr=False)
class StabilityDisplay:
    """Selection frequencies of the variables, principal angles, and weights with intervals.

    Parameters
    ----------
    stability : Stability
        What `bkernn.stability` returned.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import bkernn
    >>> data = bkernn.datasets.simulate("sine_features", n=150, d=4, k=1)
    >>> found = bkernn.stability(data.X, data.y, n_pairs=2)
    >>> len(bkernn.StabilityDisplay.from_stability(found).axes_)
    3
    """

    stability: Any

    @classmethod
    def from_stability(
        cls, stability: Any, *, direction: int = 0, max_features: int = 20, axes: Any = None
    ) -> StabilityDisplay:
        """Draw what a study of the stability found.

        Parameters
        ----------
        stability : Stability
            What `bkernn.stability` returned, with halves.
        direction : int, default=0
            Whose weights to draw.
        max_features : int, default=20
            How many variables at most.
        axes : three matplotlib axes, optional
            Where to draw.

        Returns
        -------
        StabilityDisplay
            With `axes_` and `figure_`.
        """
        if stability.halves == 0:
            raise ValueError("stability: has no halves; give n_pairs")
        return cls(stability=stability).plot(
            direction=direction, max_features=max_features, axes=axes
        )

    @documented_like(from_stability)
    def plot(
        self, *, direction: int = 0, max_features: int = 20, axes: Any = None
    ) -> StabilityDisplay:
        """Draw."""
        if axes is None:
            _, axes = pyplot().subplots(1, 3, figsize=(13, 4), layout="constrained")
        self.axes_ = np.ravel(axes)
        self.figure_ = self.axes_[0].figure
        self._selection(self.axes_[0], max_features)
        self._angles(self.axes_[1])
        self._weights(self.axes_[2], direction, max_features)
        return self

    def _selection(self, ax: Any, most: int) -> None:
        found = self.stability
        order = np.argsort(-found.selection, kind="stable")[:most][::-1]
        ax.barh([found.names[a] for a in order], 100 * found.selection[order], color=COLOR)
        ax.axvline(100 * found.threshold, color="0.5", linestyle="--", linewidth=1)
        ax.set_xlim(0, 100)
        ax.set_xlabel("selected in this share of the halves (%)")
        ax.set_title(f"Variables (right of the line: at most {found.bound:.2g} noise)")

    def _angles(self, ax: Any) -> None:
        angles = self.stability.angles
        ax.set_title("Principal angles to the halves")
        ax.set_ylabel("degrees")
        ax.set_ylim(0, 90)
        if angles.shape[1] > 0:
            ax.boxplot(angles, whis=(5, 95))
            ax.set_xlabel("angle")

    def _weights(self, ax: Any, direction: int, most: int) -> None:
        found = self.stability
        k = found.directions.shape[1]
        ax.set_title(f"Weights of direction {direction + 1}")
        ax.axvline(0, color="0.5", linewidth=1)
        if k == 0:
            return
        if not 0 <= direction < k:
            raise ValueError(f"direction = {direction}: must lie between 0 and {k - 1}")
        weights = found.directions[:, direction]
        order = np.argsort(-np.abs(weights), kind="stable")[:most][::-1]
        places = np.arange(len(order))
        ax.hlines(places, found.lower[order, direction], found.upper[order, direction], color=COLOR)
        ax.plot(weights[order], places, "o", color=COLOR)
        ax.set_yticks(places, [found.coordinate_names[a] for a in order])
        ax.set_xlabel("weight, with its interval over the halves")


@dataclass(kw_only=True, eq=False, repr=False)
class DimensionDisplay:
    """Held-out loss against the number of directions.

    Parameters
    ----------
    loss, standard_error : ndarray of shape (n + 1,)
        With 0, 1, …, n directions.
    p_value : ndarray of shape (n,)
        Of "one more direction helps".
    dimension : int
        Where no further direction helps.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> import bkernn
    >>> data = bkernn.datasets.simulate("sine_features", n=150, d=4, k=1)
    >>> found = bkernn.stability(data.X, data.y, n_pairs=0)
    >>> bkernn.DimensionDisplay.from_stability(found).ax_.get_xlabel()
    'directions'
    """

    loss: Array
    standard_error: Array
    p_value: Array
    dimension: int

    @classmethod
    def from_stability(cls, stability: Any, *, ax: Any = None) -> DimensionDisplay:
        """Draw the curve of a study of the stability.

        Parameters
        ----------
        stability : Stability
            What `bkernn.stability` returned.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        DimensionDisplay
            With `ax_` and `figure_`.
        """
        display = cls(
            loss=stability.loss,
            standard_error=stability.standard_error,
            p_value=stability.p_value,
            dimension=stability.dimension,
        )
        return display.plot(ax=ax)

    @documented_like(from_stability)
    def plot(self, *, ax: Any = None) -> DimensionDisplay:
        """Draw."""
        ax, figure = one_axes(ax)
        k = np.arange(len(self.loss))
        ax.errorbar(k, self.loss, yerr=self.standard_error, marker="o", capsize=3, color=COLOR)
        ax.axvline(self.dimension, color="0.5", linestyle="--", linewidth=1)
        for place, p in enumerate(self.p_value):
            ax.annotate(
                f"p = {p:.2g}",
                (place + 1, self.loss[place + 1]),
                xytext=(4, 8),
                textcoords="offset points",
                fontsize=8,
            )
        ax.set_xticks(k)
        ax.set_xlabel("directions")
        ax.set_ylabel("held-out loss")
        ax.set_title(f"How many directions: {self.dimension}")
        self.ax_, self.figure_ = ax, figure
        return self
