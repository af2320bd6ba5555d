"""What the figures share: colors that tell methods apart, and panels."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator, StrMethodFormatter

matplotlib.use("agg")

import matplotlib.pyplot as plt

#: The palette of all pictures, safe for color-blind readers: BKerNN has the warm colors.
OURS, OURS_TOO, OURS_THIRD = "#d55e00", "#e69f00", "#8a2c00"
BLUE, SKY, GREEN, PINK, GREY, BLACK = (
    *("#0072b2", "#56b4e9", "#009e73"),
    *("#cc79a7", "#7f7f7f", "#000000"),
)
OTHERS = [BLUE, SKY, GREEN, GREY, PINK, BLACK]

#: One color per method, run, kernel and penalty.
COLORS = {
    "published": BLUE,
    "written": SKY,
    "library": OURS,
    "library_cv": OURS_THIRD,
    "bkrr": GREEN,
    "relu": GREY,
    "brownian": OURS,
    "exponential": BLUE,
    "gaussian": GREEN,
    "basic": GREY,
    "variable": SKY,
    "concave_variable": BLUE,
    "feature": OURS_TOO,
    "concave_feature": OURS,
    "auto": BLACK,
}


def panels(
    rows: int, columns: int, *, width: float, height: float, **options: object
) -> tuple[Figure, np.ndarray]:
    """Return a figure and its axes (rows, columns), each `width` × `height` inches."""
    plt.rcParams.update(
        {"axes.spines.top": False, "axes.spines.right": False, "axes.grid": True}
        | {"grid.alpha": 0.3, "font.size": 9, "legend.frameon": False}
    )
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(width * columns, height * rows),
        layout="constrained",
        squeeze=False,
        **options,
    )
    return figure, axes


def plain_numbers(axis: Axis) -> None:
    """Write the numbers of a logarithmic axis as 0.2, 0.5, 1."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_locator(NullLocator())


def words(name: str) -> str:
    """Return a name from the code as a reader sees it."""
    return name.replace("_", " ")
