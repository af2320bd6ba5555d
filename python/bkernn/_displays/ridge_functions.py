"""What the model does along each learned direction, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._docs import documented_like
from .._input.validation import Array, integer
from .html import coordinate_names
from .plotting import COLOR, pyplot

_MOST_NAMES = 3
_MOST_MARKS = 200
_CENTRAL = (0.025, 0.975)  # shares of the rows to the left of what is drawn


class Walk(NamedTuple):
    """A walk through the center of the data along one direction, as far as most rows go."""

    name: str  # what the direction is made of
    along: Array  # of each w_j, its part along the direction
    particles: NDArray[np.intp]  # those that point there
    places: Array  # where rows lie, in the units of `transform`
    positions: Array  # on the way
    change: Array  # of f there, one column for each output


def walks(estimator: Any, k: int | None = None, X: ArrayLike | None = None) -> list[Walk]:
    """Return walks along the k leading directions of a fitted estimator.

    By default along those that were found, at most 6. `X` are rows to show; by default those of the
    fit.
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
    given = None if X is None else estimator.transform(X, count)
    at_center = model.predict(estimator.center_[np.newaxis], 1)
    found = []
    for a, direction in enumerate(directions.T):
        along = direction @ W
        mine = np.flatnonzero((owner == a) & (np.abs(along) > 0.5 * lengths))
        if given is not None:
            here = np.asarray(given)[:, a]
        else:  # the knots of the particle that points there best: projections of rows
            j = int(np.argmax(np.abs(along) / np.maximum(lengths, np.finfo(float).tiny)))
            here = model.function(j)[0] * np.sign(along[j]) / lengths[j]
        first, last = np.quantile(here, _CENTRAL)
        t = np.linspace(first, last, 400)
        rows = estimator.center_ + np.outer(t, direction) * estimator.scale_
        change = model.predict(rows, 1) - at_center
        found.append(Walk(_combination(direction, names), along, mine, here, t, change))
    return found


@dataclass(kw_only=True, eq=False, repr=False)
class RidgeFunctionsDisplay:
    """What the model does along each learned direction.

    One panel per direction: the thick line is how the prediction changes when a row moves from the
    center of the data along that direction alone, the thin ones are the functions of the particles
    that point there. Drawn is where the central 95 % of the rows lie; marks below show some of
    them.

    Parameters
    ----------
    positions : list of ndarray
        Where along each direction, in the units of `transform`.
    rows : list of ndarray
        Where the rows lie along each direction.
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
    rows: list[Array]
    profiles: list[Array]
    particles: list[list[tuple[Array, Array]]]
    titles: list[str]
    ylabel: str
    xlabel: str

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: ArrayLike | None = None,
        *,
        k: int | None = None,
        output: int = 0,
        axes: Any = None,
    ) -> RidgeFunctionsDisplay:
        """Plot a fitted estimator.

        Parameters
        ----------
        estimator : fitted BKerNN estimator
            What to show.
        X : array-like of shape (n_samples, n_features), optional
            Rows whose range is drawn; by default those of the fit, nearly.
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
        directions = walks(estimator, k, X)
        model = estimator._saved.model
        positions, places, profiles, particles, titles = [], [], [], [], []
        for walk in directions:
            t = walk.positions
            positions.append(t)
            places.append(walk.places)
            profiles.append(walk.change[:, output])
            particles.append(
                [
                    (t, model.evaluate(int(j), t * walk.along[j])[:, output] / model.n_particles)
                    for j in walk.particles
                ]
            )
            titles.append(f"Direction {len(positions)}: {walk.name}")
        link = {"classes": "log-odds", "counts": "log mean", "numbers": "prediction"}
        changed = link[_core.loss_targets(model.loss)]
        standardized = bool(np.any(estimator.scale_ != 1))
        display = cls(
            positions=positions,
            rows=places,
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
                self.positions[a], self.profiles[a], color=COLOR, linewidth=2, label="whole model"
            )
            ax.axhline(0, color="0.85", linewidth=0.8, zorder=0)
            self._mark_rows(a, ax)
            ax.set_title(self.titles[a], fontsize="medium")
            ax.set_xlabel(self.xlabel)
        low, high = (pick(ax.get_ylim()[end] for ax in axes) for pick, end in ((min, 0), (max, 1)))
        for ax in axes:
            ax.set_ylim(low, high)  # one scale: a direction that does little looks like it
        axes[0].set_ylabel(self.ylabel)
        axes[0].legend(framealpha=0.8, edgecolor="none", fontsize="small")
        self.axes_, self.figure_ = axes, figure
        return self

    def _mark_rows(self, a: int, ax: Any) -> None:
        """Draw a mark below the curve for some of the rows along direction `a`."""
        t, rows = self.positions[a], np.sort(self.rows[a])
        shown = rows[(rows >= t[0]) & (rows <= t[-1])]
        shown = shown[:: max(1, -(-len(shown) // _MOST_MARKS))]
        bottom = ax.get_xaxis_transform()
        ax.plot(shown, np.full(len(shown), 0.02), "|", color="0.4", ms=5, mew=0.5, transform=bottom)


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
