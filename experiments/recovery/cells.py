"""A line of the results: one method on one task and number of rows, all draws in lists."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..common.results import Record

KEY = ("rows", "d", "noise", "task", "method", "n")
ENOUGH = 0.9
_DIGITS = {"score": 4, "own": 4, "recall": 3, "angle": 1, "r2": 4, "seconds": 3}
_MEASURES = ("score", "own", "size", "recall", "angle", "r2", "failed", "seconds")


def cell_of(key: Record, k: int, records: list[Record]) -> Record:
    """Return the line of these draws; what none of them has is left out, as is what is twice."""
    cell = key | {"k": k}
    for name in _MEASURES:
        column = [record.get(name) for record in records]
        digits = _DIGITS.get(name)
        if digits is not None:
            column = [None if value is None else round(value, digits) for value in column]
        if any(value is not None for value in column):
            cell[name] = column
    if cell["own"] == cell["score"]:
        del cell["own"]
    return cell


def records_of(cells: Iterable[Record]) -> list[Record]:
    """Return one record for each draw, with None for what it does not have."""
    records = []
    for cell in cells:
        shared = {name: cell[name] for name in (*KEY, "k")}
        whole = {"own": cell["score"]} | cell
        for number in range(len(cell["score"])):
            one = {name: whole[name][number] if name in whole else None for name in _MEASURES}
            records.append(shared | {"draw": number} | one)
    return records


def is_enough(cell: Record) -> bool:
    """Return whether the mean score is 0.9, also by the number that the method says."""
    return all(np.mean(cell.get(name, cell["score"])) >= ENOUGH for name in ("score", "own"))
