"""matplotlib, if it is there."""

from __future__ import annotations

from typing import Any

#: The method's own in all pictures; seen on white and on black, and by everybody.
COLOR = "#d55e00"


def pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Plots need matplotlib: pip install bkernn[plot]") from error
    return plt


def one_axes(ax: Any) -> tuple[Any, Any]:
    if ax is None:
        _, ax = pyplot().subplots()
    return ax, ax.figure
