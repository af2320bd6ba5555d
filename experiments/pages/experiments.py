"""Write the tables of docs/experiments.md and the figures it shows, from results that exist.

``python -m experiments.pages.experiments [--results docs/results]``; the published numbers are
found through BKERNN_PAPER_RESULTS. Everything between ``<!-- table: name -->`` and
``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from ..common.markdown import filled
from ..common.results import Results, read
from ..paper.experiment_6 import PENALTIES
from ..paper.published_numbers import paper_records, paper_results
from . import choice_tables, paper_tables

NAMES = [f"experiment_{i}" for i in range(1, 7)]
CHOICES = ["choosing", "dimension"]
SEARCH = "grid_search"  # which has no figure
MODULES = dict.fromkeys(NAMES, "paper") | dict.fromkeys(CHOICES, "choices")


def all_tables(results: Results, paper: Results) -> dict[str, str]:
    """Return every table by the name that the page uses, as far as there are results for it."""
    made = {}
    if all(name in results for name in NAMES):
        for name in ("parity", "summary", "kernels", "penalties", "growth", "times"):
            made[name] = getattr(paper_tables, f"{name}_table")(results, paper)
        for penalty in PENALTIES:
            name = f"real {penalty.removeprefix('concave_')}"
            made[name] = paper_tables.real_table(results, paper, penalty)
        made |= {f"claims {i}": paper_tables.claims_table(results, paper, i) for i in range(1, 7)}
    for name in CHOICES:
        if name in results:
            made[name] = getattr(choice_tables, f"{name}_table")(results)
    if SEARCH in results:
        made["search"] = choice_tables.search_table(results)
    return made


def kept(folder: Path) -> Results:
    """Return the results in a folder by their names."""
    names = [name for name in (*MODULES, SEARCH) if (folder / f"{name}.json").exists()]
    return {name: read(folder, name) for name in names}


def published() -> Results | None:
    """Return the published numbers in the same form, None if they are not there."""
    numbers = paper_results()
    if numbers is None:
        return None
    return {f"experiment_{i}": {"records": paper_records(numbers, i)} for i in range(1, 7)}


def draw(results: Results, folder: Path) -> None:
    """Draw the figure of each experiment."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind in MODULES.items():
        if name not in results:
            continue
        module = importlib.import_module(f"..{kind}.{name}", __package__)
        module.plot(results[name]["records"]).savefig(folder / f"{name}.png", dpi=90)


def main() -> None:
    """Fill the page and draw the figures."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.experiments")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    parser.add_argument("--page", type=Path, default=Path("docs/experiments.md"))
    parser.add_argument("--images", type=Path, default=Path("docs/images/experiments"))
    arguments = parser.parse_args()
    paper = published()
    if paper is None:
        parser.error("BKERNN_PAPER_RESULTS must name the file of the published numbers")
    results = kept(arguments.results)
    page = arguments.page.read_text()
    arguments.page.write_text(filled(page, all_tables(results, paper)))
    draw(results, arguments.images)
    print(f"wrote {arguments.page} and {len(results)} figures")


if __name__ == "__main__":
    main()
