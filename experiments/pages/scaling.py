"""Write the tables of docs/scaling.md, from `make bench-dask`.

``python -m experiments.pages.scaling [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.results import Record

PAGE = Path("docs/scaling.md")
WHAT = ("waiting", "computing")
#: The cluster of the estimate: rows, machines, cores of each and the share of them that is used.
ROWS, MACHINES, CORES, USED = 10**9, 100, 16, 0.75
ROUNDS, PARTICLES, KNOTS, VARIABLES = 100, 50, 64, 20
NETWORK = 10e9 / 8  # bytes in a second
ROW_BYTES = 8 * VARIABLES + 4 * PARTICLES + 24  # its copy, its places on the functions, work space


def costs_table(records: list[Record]) -> str:
    """Return what the fits have cost, the latest of each size."""
    rows = []
    for size, r in {r["rows"]: r for r in records}.items():
        waiting, computing = (1e3 * r[f"seconds_{w}"] / r["rounds"] for w in WHAT)
        rows.append(
            [
                *(f"{size:,}", f"{r['seconds']:.1f}", str(r["rounds"])),
                *(f"{waiting:.0f}", f"{computing:.0f}"),
                f"{100 * r['seconds_waiting'] / r['seconds']:.1f} %",
                f"{r['bytes'] / 1e6:.0f}",
            ]
        )
    header = ["rows per worker", "seconds", "rounds", "waiting, ms per round"]
    more = ["computing, ms per round", "waiting, of the fit", "MB sent"]
    return markdown([*header, *more], rows)


def estimate_table(records: list[Record]) -> str:
    """Return what a large cluster would need, were each part to grow as it should."""
    r = max(records, key=lambda one: one["rows"])
    per_row = r["seconds_computing"] / r["rounds"] / r["rows"]
    message = r["seconds_waiting"] / r["rounds"] / r["workers"]
    product = 16 * PARTICLES * KNOTS / 2
    here = ROWS / MACHINES
    computing = here * per_row / CORES / USED
    rows = [
        ["computing, a round", f"{computing:.2f} s"],
        ["messages, a round", f"{MACHINES * message:.2f} s"],
        ["numbers of a product on the network", f"{1e3 * MACHINES * 2 * product / NETWORK:.0f} ms"],
        [f"{ROUNDS} rounds", f"{ROUNDS * (computing + MACHINES * message):.0f} s"],
        ["memory of a machine", f"{here * ROW_BYTES / 1e9:.1f} GB"],
    ]
    return markdown(["what", "how much"], rows)


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of the page by their names."""
    records = read_lines(folder / "dask.jsonl")
    return {"costs": costs_table(records), "estimate": estimate_table(records)}


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.scaling")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    given = parser.parse_args()
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables(given.results)), "utf-8")


if __name__ == "__main__":
    main()
