"""What the figures share: colors that tell methods apart, and panels."""

from __future__ import annotations

import matplotlib
import numpy as np
from matplotlib.figure import Figure

matplotlib.use("agg")

import matplotlib.pyplot as plt

#: One color per method, run, kernel and penalty, safe for color-blind readers.
COLORS = {
    "published": "#0072b2",
    "written": "#56b4e9",
    "library": "#d55e00",
    "library_cv": "#8a2c00",
    "bkrr": "#009e73",
    "relu": "#7f7f7f",
    "brownian": "#d55e00",
    "exponential": "#0072b2",
    "gaussian": "#009e73",
    "basic": "#999999",
    "variable": "#56b4e9",
    "concave_variable": "#0072b2",
    "feature": "#e69f00",
    "concave_feature": "#d55e00",
    "auto": "#000000",
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


def words(name: str) -> str:
    """Return a name from the code as a reader sees it."""
    return name.replace("_", " ")
