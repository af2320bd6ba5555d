"""Rows that count: none of weight 0; in exact fits, identical ones are merged into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import Array, weights


@dataclass(frozen=True)
class Rows:
    """The distinct rows of a fit, and where each given row went."""

    X: Array
    y: Any
    weights: Array | None
    folds: NDArray[np.intp] | None
    index: NDArray[np.intp]  #: for each given row its place in X, −1 if it was dropped
    share: Array  #: of the weight there that the given row has

    def spread(self, alpha: Array) -> Array:
        """Return dual variables of the given rows, from those of the distinct ones."""
        out = np.zeros((len(self.index), alpha.shape[1]))
        kept = self.index >= 0
        out[kept] = alpha[self.index[kept]] * self.share[kept, np.newaxis]
        return out


def positive_rows(
    X: Array, y: Any, sample_weight: ArrayLike | None
) -> tuple[Array, Any, Array | None, Any]:
    """Drop the rows of weight 0: they count as not given. Return what is left, and which rows."""
    vector = weights(sample_weight, len(X))
    if vector is None or np.all(vector == 1):
        return X, y, None, np.arange(len(X))
    if np.all(vector > 0):
        return X, y, vector, np.arange(len(X))
    kept = np.flatnonzero(vector > 0)
    if len(kept) < 2:
        raise ValueError(f"sample_weight: {len(kept)} sample with a positive weight; 2 are needed")
    return X[kept], y[kept], vector[kept], kept


def distinct_rows(
    X: Array,
    y: Any,
    sample_weight: ArrayLike | None,
    folds: NDArray[np.intp] | None,
    knots: int | None,
) -> Rows:
    """Return the rows that differ in X, y or fold, with the sums of their weights.

    Weights are counts, so that this changes nothing but rounding errors; and with weights or
    repeated rows it puts rows into an order of their own, so that repeated rows give the same bits
    as weights. Rows that are all different and have no weights stay as they are, in their order;
    so do all rows of a fit on knots, which then is that of the same rows on a cluster (there a
    weight of 2 and two rows come to the same only up to rounding).
    """
    n_given = len(X)
    X, y, vector, kept = positive_rows(X, y, sample_weight)
    folds = None if folds is None else folds[kept]
    index = np.full(n_given, -1, dtype=np.intp)
    share = np.zeros(n_given)
    index[kept], share[kept] = np.arange(len(X)), 1.0
    unchanged = Rows(X, y, vector, folds, index, share)
    if knots is not None:
        return unchanged
    if vector is None and any(len(np.unique(column)) == len(X) for column in X.T[:8]):
        return unchanged
    targets = y if y.ndim == 2 else np.unique(y, return_inverse=True)[1].reshape(-1, 1)
    parts = [X, targets] if folds is None else [X, targets, folds[:, np.newaxis]]
    _, first, place = np.unique(
        np.column_stack(parts), axis=0, return_index=True, return_inverse=True
    )
    if len(first) < 2 or (vector is None and len(first) == len(X)):
        return unchanged
    place = place.ravel()
    counts = np.ones(len(X)) if vector is None else vector
    total = np.bincount(place, weights=counts).astype(np.float64)
    index[kept], share[kept] = place, counts / total[place]
    return Rows(X[first], y[first], total, None if folds is None else folds[first], index, share)
