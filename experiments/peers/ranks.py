"""Mean ranks of methods over data sets, and which of them differ (Friedman, Nemenyi)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.stats import rankdata, studentized_range

from ..common.results import Record


class Ranking(NamedTuple):
    """Mean ranks (1 is best) and groups (first, last mean rank) that are not distinguishable."""

    mean_ranks: dict[str, float]
    critical_difference: float
    groups: list[tuple[float, float]]
    n_sets: int


def rank(records: list[Record]) -> Ranking:
    """Rank the methods by R² on each set."""
    methods = list(dict.fromkeys(r["method"] for r in records))
    sets = list(dict.fromkeys(r["set"] for r in records))
    score = {(r["set"], r["method"]): r["r2"] for r in records}
    table = np.array([[-score[s, m] for m in methods] for s in sets])
    mean_ranks = rankdata(table, axis=1).mean(axis=0)
    k = len(methods)
    q = studentized_range.ppf(0.95, k, np.inf) / math.sqrt(2)
    difference = float(q * math.sqrt(k * (k + 1) / (6 * len(sets))))
    return Ranking(
        dict(zip(methods, mean_ranks.tolist(), strict=True)),
        difference,
        _groups(sorted(mean_ranks.tolist()), difference),
        len(sets),
    )


def _groups(ranks: list[float], difference: float) -> list[tuple[float, float]]:
    """Return the longest runs of sorted ranks that span less than the critical difference."""
    groups: list[tuple[float, float]] = []
    for first in ranks:
        last = max(r for r in ranks if r - first < difference)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups
