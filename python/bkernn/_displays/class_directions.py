"""Which learned directions separate which classes, as a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from .._docs import documented_like
from .._input.validation import Array
from .plotting import one_axes
from .ridge_functions import walks


@dataclass(kw_only=True, eq=False, repr=False)
class ClassDirectionsDisplay:
    """Which learned directions separate which classes.

    One row per class, one column per direction: by how much the log-odds of the class, against the
    average class, change on a walk through the center of the data along that direction alone, as
    far as 95 % of the rows go.

    Parameters
    ----------
    sizes : ndarray of shape (n_classes, n_directions)
        The largest minus the smallest log-odds on the way.
    classes : list of str
        The classes.
    directions : list of str
        What each direction is made of.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("agg")
    >>> from bkernn import BKerNNClassifier, ClassDirectionsDisplay
    >>> from bkernn.datasets import simulate
    >>> data = simulate("logistic", n=400, d=6)
    >>> model = BKerNNClassifier(random_state=0).fit(data.X, data.y)
    >>> ClassDirectionsDisplay.from_estimator(model, k=2).sizes.shape
    (2, 2)
    """

    sizes: Array
    classes: list[str]
    directions: list[str]

    @classmethod
    def from_estimator(
        cls, estimator: Any, *, k: int | None = None, ax: Any = None
    ) -> ClassDirectionsDisplay:
        """Plot a fitted classifier.

        Parameters
        ----------
        estimator : fitted BKerNN classifier
            What to show.
        k : int, optional
            How many directions; by default `n_active_features_`, at most 6.
        ax : matplotlib axes, optional
            Where to draw.

        Returns
        -------
        ClassDirectionsDisplay
            With `ax_` and `figure_`.
        """
        if not is_classifier(estimator):
            raise TypeError(f"estimator: {type(estimator).__name__} has no classes")
        found = walks(estimator, k)
        sizes = [np.ptp(_against_average(walk.change), axis=0) for walk in found]
        display = cls(
            sizes=np.column_stack(sizes),
            classes=[str(c) for c in estimator.classes_],
            directions=[walk.name for walk in found],
        )
        return display.plot(ax=ax)

    @documented_like(from_estimator)
    def plot(self, *, ax: Any = None) -> ClassDirectionsDisplay:
        """Draw."""
        ax, figure = one_axes(ax)
        image = ax.imshow(self.sizes, aspect="auto", cmap="Oranges", vmin=0)
        names = [f"{a + 1}: {name}" for a, name in enumerate(self.directions)]
        ax.set_xticks(range(len(names)), names, rotation=20, ha="right")
        ax.set_yticks(range(len(self.classes)), self.classes)
        ax.set_xlabel("direction")
        ax.set_ylabel("class")
        figure.colorbar(image, ax=ax, label="change of the log-odds")
        ax.set_title("Which directions separate which classes")
        self.ax_, self.figure_ = ax, figure
        return self


def _against_average(F: Array) -> Array:
    """Return the log-odds of each class against the average one."""
    both = np.column_stack([-F[:, 0], F[:, 0]]) / 2 if F.shape[1] == 1 else F
    return both - both.mean(axis=1, keepdims=True)
