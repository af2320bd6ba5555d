"""What the model does along each learned direction, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._docs import documented_like
from .._input.validation import Array, integer
from .html import coordinate_names
from .plotting import pyplot

_MOST_NAMES = 3


@dataclass(kw_only=True, eq=False, repr=False)
class RidgeFunctionsDisplay:
    """What the model does along each learned direction.

    One panel per direction: the thick line is how the prediction changes when a row moves from the
    center of the data along that direction alone, the thin ones are the functions of the particles
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
    ylabel, xlabel : str
        What the profiles and the positions are.

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

    positions: list[Array]
    profiles: list[Array]
    particles: list[list[tuple[Array, Array]]]
    titles: list[str]
    ylabel: str
    xlabel: str

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
            With `axes_` and `figure_`.
        """
        check_is_fitted(estimator, "W_")
        count = min(estimator.n_active_features_, 6) if k is None else integer("k", k, least=1)
        if count == 0:
            raise ValueError("the model is constant: it has no directions to show")
        model = estimator._saved.model
        directions = (estimator._components(count) * estimator.scale_).T  # orthonormal
        W, names = model.W, coordinate_names(estimator)
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
            at_center = model.predict(estimator.center_[np.newaxis], 1)[0, output]
            positions.append(t)
            profiles.append(profile - at_center)
            particles.append(
                [
                    (t, model.evaluate(int(j), t * along[j])[:, output] / model.n_particles)
                    for j in mine
                ]
            )
            titles.append(f"Direction {a + 1}: {_combination(directions[:, a], names)}")
        link = {"classes": "log-odds", "counts": "log mean", "numbers": "prediction"}
        changed = link[_core.loss_targets(model.loss)]
        standardized = bool(np.any(estimator.scale_ != 1))
        display = cls(
            positions=positions,
            profiles=profiles,
            particles=particles,
            titles=titles,
            ylabel=f"change of the {changed}",
            xlabel="projection (standard deviations)"
            if standardized
            else "projection (units of X)",
        )
        return display.plot(axes=axes)

    @documented_like(from_estimator)
    def plot(self, *, axes: Any = None) -> RidgeFunctionsDisplay:
        """Draw."""
        count = len(self.positions)
        if axes is None:
            columns = min(count, 3)
            rows = -(-count // columns)
            figure, grid = pyplot().subplots(
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
                label = "its summands, the particles" if number == 0 else None
                ax.plot(t, values, color="0.65", linewidth=0.7, label=label)
            ax.plot(
                self.positions[a], self.profiles[a], color="C0", linewidth=2, label="whole model"
            )
            ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
            ax.set_title(self.titles[a], fontsize="medium")
            ax.set_xlabel(self.xlabel)
        low, high = (pick(ax.get_ylim()[end] for ax in axes) for pick, end in ((min, 0), (max, 1)))
        for ax in axes:
            ax.set_ylim(low, high)  # one scale: a direction that does little looks like it
        axes[0].set_ylabel(self.ylabel)
        axes[0].legend(framealpha=0.8, edgecolor="none", fontsize="small")
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
