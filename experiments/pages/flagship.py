"""The tables of docs/performance.md about draws whose truth is known (choices/flagship.py)."""

from __future__ import annotations

from pathlib import Path
from statistics import mean, median

from ..choices.flagship import SIZES
from ..common.lines import read_lines
from ..common.markdown import markdown
from ..common.results import Record, select

Records = list[Record]
TRUE = 3  # directions


def draws_table(records: Records) -> str:
    """Return what default fits find and cost, one row for each number of rows."""
    rows = []
    for n in SIZES:
        draws = select(records, study="flagship", n=n)
        if draws:
            ratios = [r["seconds"] / r["seconds_at_the_choice"] for r in draws]
            rows.append(
                [
                    *(f"{n:,}", f"{sum(r['directions'] == TRUE for r in draws)} of {len(draws)}"),
                    f"{min(r['score'] for r in draws):.4f}",
                    f"{mean(r['r2'] for r in draws):.4f}",
                    f"{sum(r['converged'] for r in draws)}",
                    f"{median(r['seconds'] for r in draws):.1f}",
                    f"{median(ratios):.1f} ({min(ratios):.1f} to {max(ratios):.1f})",
                ]
            )
    header = ["rows", "three directions", "least score", "mean R²", "converged"]
    return markdown([*header, "processor seconds", "of those at the choice"], rows)


def noise_table(records: Records) -> str:
    """Return what is answered where y is pure noise."""
    r2 = [r["r2"] for r in select(records, study="noise")]
    constant = sum(r["directions"] == 0 for r in select(records, study="noise"))
    row = [str(len(r2)), f"{mean(r2):.4f}", f"{min(r2):.3f}", str(constant)]
    signed = [cell.replace("-", "−") for cell in row]
    return markdown(["draws", "mean R²", "least R²", "constant models"], [signed])


def particles_table(records: Records) -> str:
    """Return what particles cost."""
    found = sorted(select(records, study="particles"), key=lambda r: r["m"])
    rows = [
        [
            *(str(r["m"]), f"{r['seconds']:.2f}", f"{1e3 * r['seconds'] / r['m']:.1f}"),
            f"{1e6 * r['seconds'] / r['m'] / r['products']:.1f}",
        ]
        for r in found
    ]
    header = ["m", "processor seconds", "milliseconds per particle"]
    return markdown([*header, "microseconds per particle and product"], rows)


def folds_table(records: Records) -> str:
    """Return what cross-validation finds and costs, beside the default."""
    rows = []
    for record in select(records, study="cross-validation"):
        for name, label in (("default", "default"), ("folds", "cross-validated")):
            one = record[name]
            times = one["seconds"] / record["default"]["seconds"]
            rows.append(
                [
                    *(label, f"{one['seconds']:.1f}", f"{times:.1f}"),
                    *(str(one["directions"]), f"{one['r2']:.4f}"),
                ]
            )
    return markdown(["", "processor seconds", "times the default", "directions", "R²"], rows)


def tables(folder: Path) -> dict[str, str]:
    """Return the tables by their names."""
    records = read_lines(folder / "flagship.jsonl")
    return {
        "draws": draws_table(records),
        "noise": noise_table(records),
        "particles": particles_table(records),
        "folds": folds_table(records),
    }
