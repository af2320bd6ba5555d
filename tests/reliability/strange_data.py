"""Tables with everything that real ones have, from few choices that shrink well."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st


class Rows(NamedTuple):
    """A table and its target."""

    X: np.ndarray
    y: np.ndarray


def _spoiled(A: np.ndarray, fault: str, rng: np.random.Generator) -> np.ndarray:
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


FAULTS = ["none", "ties", "duplicates", "constant", "collinear", "outlier", "far"]


@st.composite
def rows(
    draw: st.DrawFn,
    faults: list[str] = FAULTS,
    scales: tuple[int, int] = (-12, 12),
    least: int = 2,
) -> Rows:
    """Draw n×d numbers and a target, each with faults of its own and of any size."""
    n, d = draw(st.integers(least, 40)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    X = _spoiled(rng.normal(size=(n, d)), draw(st.sampled_from(faults)), rng)
    y = np.abs(X[:, 0]) / (1 + np.abs(X[:, 0]).max()) + 0.1 * rng.normal(size=n)
    y = _spoiled(y[:, None], draw(st.sampled_from(faults)), rng)[:, 0]
    X = X * 10.0 ** draw(st.integers(*scales))
    return Rows(X, y * 10.0 ** draw(st.integers(*scales)))
