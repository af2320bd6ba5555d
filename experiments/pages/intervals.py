"""Write the tables of docs/intervals.md, from `make experiments-intervals`.

``python -m experiments.pages.intervals [--results results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ..common.markdown import filled, markdown
from ..common.results import Record, mean, read, select, values
from ..intervals.compare import COVERAGES, LARGE, LEVELS, SMALL

PAGE = Path("docs/intervals.md")
BASE = "BKerNN cross"


def names_of(records: list[Record], field: str) -> list[str]:
    """Return the values of a field, in the order in which they come."""
    return list(dict.fromkeys(record[field] for record in records if field in record))


def coverage_table(records: list[Record]) -> str:
    """Return mean coverages, widths beside those of cross, thirds and seconds, one row each."""
    rows = []
    here = select(records, coverage=0.9)
    base = {record["set"]: record["width"] for record in select(here, method=BASE)}
    here, records = ([r for r in some if r["set"] in base] for some in (here, records))
    for method in names_of(here, "method"):
        own = select(here, method=method)
        widths = np.log([record["width"] / base[record["set"]] for record in own])
        thirds = [
            " / ".join(
                f"{share:.2f}" for share in np.mean([r[f"thirds_{by}"] for r in own], axis=0)
            )
            for by in ("middle", "direction")
        ]
        covered = [f"{mean(records, 'covered', method=method, coverage=c):.3f}" for c in COVERAGES]
        seconds = f"{np.median(values(own, 'seconds')):.1f}"
        width = f"{np.exp(widths.mean()):.2f}"
        rows.append([method, str(len(own)), *covered, width, *thirds, seconds])
    header = ["", "sets", *map(str, COVERAGES), "width", "thirds of the prediction"]
    return markdown([*header, "thirds of the direction", "processor s"], rows)


def quantiles_table(records: list[Record]) -> str:
    """Return the share of rows below each quantile, one row per group."""
    rows = []
    found = select(records, method="quantiles")
    for group in names_of(found, "group"):
        own = select(found, group=group)
        shares = [f"{mean(own, 'below', level=level):.3f}" for level in LEVELS]
        rows.append([f"{group} ({len(select(own, level=0.5))} sets)", *shares])
    return markdown(["", *map(str, LEVELS)], rows)


def simulated_table(records: list[Record]) -> str:
    """Return the mean coverage over many draws."""
    found = select(records, study="coverage")
    asked = names_of(found, "coverage")
    rows = [
        [f"{method}, {n} rows"]
        + [f"{mean(found, 'covered', method=method, n=n, coverage=c):.3f}" for c in asked]
        for method in names_of(found, "method")
        for n in names_of(found, "n")
    ]
    return markdown(["asked", *map(str, asked)], rows)


def selection_table(records: list[Record]) -> str:
    """Return false selections beside their bound."""
    own = select(records, study="selection")
    row = [f"{mean(own, name):.2f}" for name in ("noise", "bound", "real")]
    header = ["draws", "noise variables above the threshold", "bound", "real ones, of 2"]
    return markdown(header, [[str(len(own)), *row]])


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("results"))
    folder: Path = parser.parse_args().results
    real = read(folder, "intervals")["records"]
    simulated = read(folder, "intervals_simulated")["records"]
    made = {"simulated": simulated_table(simulated), "selection": selection_table(simulated)}
    if select(real, method="quantiles"):
        made["quantiles"] = quantiles_table(real)
    for group, name in ((SMALL, "small"), (LARGE, "large")):
        some = select(real, group=group)
        if select(some, coverage=0.9):
            made[name] = coverage_table(some)
    PAGE.write_text(filled(PAGE.read_text(), made))


if __name__ == "__main__":
    main()
