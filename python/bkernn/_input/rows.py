"""Rows that count: none of weight 0."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .validation import Array, weights


@dataclass(frozen=True)
class Rows:
    """The rows of a fit, and which of the given ones they are."""

    X: Array
    y: Any
    weights: Array | None
    folds: NDArray[np.intp] | None
    kept: NDArray[np.intp]  #: their numbers among the given rows
    n_given: int

    def share_out(self, alpha: Array) -> Array:
        """Return dual variables of the given rows: 0 where they do not count."""
        out = np.zeros((self.n_given, alpha.shape[1]))
        out[self.kept] = alpha
        return out


def counted_rows(
    X: Array, y: Any, sample_weight: ArrayLike | None, folds: NDArray[np.intp] | None
) -> Rows:
    """Return the rows of positive weight; the core merges those that are equal."""
    rows, targets, counts, kept = positive_rows(X, y, sample_weight)
    return Rows(rows, targets, counts, None if folds is None else folds[kept], kept, len(X))


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
