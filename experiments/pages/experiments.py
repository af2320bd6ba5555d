"""Write the tables of docs/experiments.md and the figures it shows, from results that exist.

``python -m experiments.pages.experiments [--results results]``; the published numbers are found
through BKERNN_PAPER_RESULTS. Everything between ``<!-- table: name -->`` and ``<!-- end -->`` is
replaced.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from ..common.markdown import filled
from ..common.results import Results, read
from ..paper.published_numbers import paper_records, paper_results
from . import choice_tables, paper_tables

NAMES = [f"experiment_{i}" for i in range(1, 7)]
CHOICES = ["choosing", "dimension"]


def all_tables(results: Results, paper: Results) -> dict[str, str]:
    """Return every table by the name that the page uses, as far as there are results for it."""
    made = {}
    if all(name in results for name in NAMES):
        for name in ("parity", "summary", "kernels", "penalties", "growth", "real", "times"):
            made[name] = getattr(paper_tables, f"{name}_table")(results, paper)
        made |= {f"claims {i}": paper_tables.claims_table(results, paper, i) for i in range(1, 7)}
    for name in CHOICES:
        if name in results:
            made[name] = getattr(choice_tables, f"{name}_table")(results)
    return made


def main() -> None:
    """Fill the page and copy the figures."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.experiments")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--page", type=Path, default=Path("docs/experiments.md"))
    parser.add_argument("--images", type=Path, default=Path("docs/images/experiments"))
    arguments = parser.parse_args()
    published = paper_results()
    if published is None:
        parser.error("BKERNN_PAPER_RESULTS must name the file of the published numbers")
    names = [n for n in (*NAMES, *CHOICES) if (arguments.results / f"{n}.json").exists()]
    results = {name: read(arguments.results, name) for name in names}
    paper = {f"experiment_{i}": {"records": paper_records(published, i)} for i in range(1, 7)}
    page = arguments.page.read_text()
    arguments.page.write_text(filled(page, all_tables(results, paper)))
    arguments.images.mkdir(parents=True, exist_ok=True)
    for name in names:
        shutil.copy(arguments.results / f"{name}.png", arguments.images)
    print(f"wrote {arguments.page} and {len(names)} figures")


if __name__ == "__main__":
    main()
