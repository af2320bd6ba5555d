"""Draws how a product with the kernel matrix becomes one pass over sorted projections."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

# Seven projections of one particle, and dual variables that sum to 0.
PROJECTIONS = np.array([-2.1, -1.5, -0.9, 0.1, 0.6, 1.5, 2.2])
DUAL = np.array([0.6, -0.9, 0.7, 0.5, -1.1, 0.9, -0.7])


def write(folder: Path) -> None:
    """Write sorted_sums.svg into the folder."""
    folder.mkdir(exist_ok=True)
    sums = np.cumsum(DUAL)
    function = np.concatenate([[0], -np.cumsum(sums[:-1] * np.diff(PROJECTIONS))])
    settings = {"svg.hashsalt": "bkernn", "svg.fonttype": "path", "font.size": 10}
    with plt.rc_context(settings):
        figure, axes = plt.subplots(3, 1, sharex=True, figsize=(7.2, 6.4), layout="constrained")
        _draw_dual(axes[0])
        _draw_sums(axes[1], sums)
        _draw_function(axes[2], sums, function)
        for ax in axes:
            ax.axhline(0, color="0.6", linewidth=0.8)
            ax.margins(y=0.25)
            ax.spines[["top", "right"]].set_visible(False)
        figure.savefig(folder / "sorted_sums.svg", metadata={"Date": None})
        plt.close(figure)


def _draw_dual(ax: plt.Axes) -> None:
    ax.vlines(PROJECTIONS, 0, DUAL, color="#0072b2", linewidth=2)
    ax.plot(PROJECTIONS, DUAL, "o", color="#0072b2")
    for k, (p, v) in enumerate(zip(PROJECTIONS, DUAL, strict=True), start=1):
        ax.annotate(
            f"$v_{{({k})}}$",
            (p, v),
            (0, 8 if v > 0 else -17),
            textcoords="offset points",
            ha="center",
        )
    ax.set_title("1. Sort the projections; the numbers v go with them", loc="left")


def _draw_sums(ax: plt.Axes, sums: np.ndarray) -> None:
    ax.stairs(sums[:-1], PROJECTIONS, baseline=0, fill=True, color="#d55e00", alpha=0.35)
    ax.stairs(sums[:-1], PROJECTIONS, baseline=None, color="#d55e00", linewidth=2)
    middle = (PROJECTIONS[1:] + PROJECTIONS[:-1]) / 2
    for k, (p, c) in enumerate(zip(middle, sums, strict=False), start=1):
        ax.annotate(
            f"$C_{k}$", (p, c), (0, 4 if c > 0 else -14), textcoords="offset points", ha="center"
        )
    ax.set_title("2. Add them up from the left: one running sum per gap", loc="left")


def _draw_function(ax: plt.Axes, sums: np.ndarray, function: np.ndarray) -> None:
    fine = np.linspace(PROJECTIONS[0], PROJECTIONS[-1], 400)
    kernel = -np.abs(fine[:, None] - PROJECTIONS) / 2
    naive = kernel @ DUAL
    ax.plot(fine, naive - naive[0], color="0.75", linewidth=6, label="all n terms at each point")
    ax.plot(PROJECTIONS, function, "o-", color="#009e73", label="the running sums")
    k = int(np.argmax(np.abs(sums[:-1])))
    middle = (PROJECTIONS[k : k + 2].mean(), function[k : k + 2].mean())
    look = {"textcoords": "offset points", "color": "#009e73"}
    ax.annotate(f"slope $-C_{k + 1}$", middle, (12, 12), **look)
    ax.set_title("3. Walk along the gaps: h falls by sum × gap", loc="left")
    ax.set_xlabel("projection p = wᵀx")
    ax.legend(frameon=False, loc="lower left")
