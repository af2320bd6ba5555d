"""What all of these experiments ask for, and numbers as they are kept."""

from __future__ import annotations

from collections.abc import Iterable

COVERAGES = (0.8, 0.9, 0.95)
AT = COVERAGES.index(0.9)  # of thirds, and of widths that are compared
LEVELS = [0.05, 0.5, 0.95]
QUANTILES = "quantiles of one fit"
SMALL, LARGE = 500, 4000  # rows for training
TESTED = 2000  # rows of a real set, at most


def rounded(values: Iterable[float]) -> list[float]:
    """Return numbers for a line."""
    return [round(float(value), 5) for value in values]
