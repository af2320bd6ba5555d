"""Tables with everything that real ones have, from few choices that shrink well."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from reliability.faults import FAULTS, spoiled


class Rows(NamedTuple):
    """A table and its target."""

    X: np.ndarray
    y: np.ndarray


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
    X = spoiled(rng.normal(size=(n, d)), draw(st.sampled_from(faults)), rng)
    y = np.abs(X[:, 0]) / (1 + np.abs(X[:, 0]).max()) + 0.1 * rng.normal(size=n)
    y = spoiled(y[:, None], draw(st.sampled_from(faults)), rng)[:, 0]
    X = X * 10.0 ** draw(st.integers(*scales))
    return Rows(X, y * 10.0 ** draw(st.integers(*scales)))
