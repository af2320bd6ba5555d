"""The paper's feature learning score, also where W has fewer directions than the truth."""

from __future__ import annotations

import numpy as np

from ..data.recipes import Array


def leading_directions(W: Array, k: int) -> Array:
    """Return the k leading left singular vectors of W (d, m), fewer if its rank is lower."""
    U, singular, _ = np.linalg.svd(W, full_matrices=False)
    rank = int(np.sum(singular > 1e-9 * max(singular[0], np.finfo(float).tiny)))
    return U[:, : min(k, rank)]


def feature_score(W: Array, P: Array) -> float:
    """Return how near the k leading directions of W are to the span of P (d, k).

    The paper takes k left singular vectors whatever the rank r of W is: the last k − r are then
    whatever a decomposition happens to return. Here they count with the mean over random vectors.
    """
    d, k = P.shape
    if k == d:
        return 1.0
    found = leading_directions(W, k)
    r = found.shape[1]
    basis, _ = np.linalg.qr(P)
    overlap = float(np.sum((basis.T @ found) ** 2))
    overlap += (k - r) * (k - overlap) / (d - r)
    # ‖π_P − π_P̂‖² = 2k − 2·overlap, divided by its largest value
    return 1 - (k - overlap) / min(k, d - k)
