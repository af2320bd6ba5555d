"""A line of the results: one method on one task and number of rows, all draws in lists."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..common.results import Record

KEY = ("rows", "d", "noise", "task", "method", "n")
ENOUGH = 0.9
_DIGITS = {"score": 4, "own": 4, "recall": 3, "angle": 1, "r2": 4, "seconds": 3}


def cell_of(key: Record, k: int, records: list[Record]) -> Record:
    """Return the line of these draws; what none of them has is left out, as is what is twice."""
    cell = key | {"k": k}
    for name in ("score", "own", "size", "recall", "angle", "r2", "failed", "seconds"):
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
    """Return one record for each draw."""
    records = []
    for cell in cells:
        columns = {"own": cell["score"]} | {
            name: value for name, value in cell.items() if isinstance(value, list)
        }
        for number in range(len(cell["score"])):
            measures = {name: column[number] for name, column in columns.items()}
            shared = {name: cell[name] for name in (*KEY, "k")}
            records.append(shared | {"draw": number} | measures)
    return records


def is_enough(cell: Record) -> bool:
    """Return whether the mean score is 0.9, also by the number that the method says."""
    return all(np.mean(cell.get(name, cell["score"])) >= ENOUGH for name in ("score", "own"))
