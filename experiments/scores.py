"""The paper's feature learning score, also where W has fewer directions than the truth."""

from __future__ import annotations

import numpy as np

from .recipes import Array


def feature_score(W: Array, P: Array) -> float:
    """Return how near the leading left singular vectors of W (d, m) are to the span of P (d, k).

    The paper takes k of them whatever the rank r of W is: the last k − r are then whatever a
    decomposition happens to return. Here their contribution is the mean over random vectors.
    """
    d, k = P.shape
    if k == d:
        return 1.0
    U, singular, _ = np.linalg.svd(W, full_matrices=False)
    r = min(k, int(np.sum(singular > 1e-9 * max(singular[0], np.finfo(float).tiny))))
    basis, _ = np.linalg.qr(P)
    overlap = float(np.sum((basis.T @ U[:, :r]) ** 2))
    overlap += (k - r) * (k - overlap) / (d - r)
    # ‖π_P − π_P̂‖² = 2k − 2·overlap, divided by its largest value
    return 1 - (k - overlap) / min(k, d - k)
