"""The table of docs/performance.md on cross-validation of many rows (choices/folds.py)."""

from __future__ import annotations

from pathlib import Path

from ..choices.folds import CLASSES, NUMBERS, WAYS
from ..common.lines import read_lines
from ..common.markdown import markdown
from ..common.results import Record, select


def cell(record: Record) -> str:
    """Return how well one way predicts, and what it costs."""
    score = f"{record['log_loss']:.4f}" if "log_loss" in record else f"{record['r2']:.4f}"
    return f"{score}, {record['seconds']:.1f}"


def table(folder: Path) -> str:
    """Return one row for each set."""
    records = read_lines(folder / "folds.jsonl")
    rows = []
    for name in (*NUMBERS, *CLASSES):
        found = {record["way"]: record for record in select(records, set=name)}
        if found:
            any_way = next(iter(found.values()))
            cells = [cell(found[way]) if way in found else "" for way in WAYS]
            judged = "log loss" if "log_loss" in any_way else "R²"
            rows.append([name, f"{any_way['n']:,} × {any_way['d']}", judged, *cells])
    return markdown(["", "rows", "", *WAYS], rows)
