"""What is wrong with tables: faults that real ones have."""

from __future__ import annotations

from typing import Any

import numpy as np

FAULTS = ["none", "ties", "duplicates", "constant", "collinear", "outlier", "far"]
# Without outliers and far-away columns, which cost digits that comparisons look at.
TAME = FAULTS[:5]


def spoiled(A: Any, fault: str, rng: np.random.Generator) -> Any:
    """Return n×d numbers with this fault."""
    n, d = A.shape
    if fault == "ties":
        return np.round(A)
    if fault == "duplicates":
        return A[rng.integers(0, max(n // 3, 1), n)]
    if fault == "constant":
        A[:, rng.integers(d)] = 3.0
    if fault == "collinear" and d > 1:
        A[:, -1] = A[:, :-1] @ rng.normal(size=d - 1)
    if fault == "outlier":
        A[rng.integers(n), rng.integers(d)] = 1e6
    if fault == "far":
        A += 1e4
    return A
