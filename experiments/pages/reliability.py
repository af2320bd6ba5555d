"""Write the tables of docs/reliability.md, from what `make mutants` and `make reliability` found.

``python -m experiments.pages.reliability [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..common.markdown import filled, markdown


def mutants_table(found: dict[str, Any]) -> str:
    """Return how many changes of each language the tests notice."""
    rows = []
    for name, endings in (("C++", (".cpp", ".hpp")), ("Python", ".py"), ("both", "")):
        judged = [one for one in found["changes"] if one["file"].endswith(endings)]
        survivors = [one for one in judged if one["noticed_by"] is None]
        same = sum("reason" in one for one in survivors)
        figures = (len(judged), len(judged) - len(survivors), same, len(survivors) - same)
        rows.append([name, *map(str, figures)])
    return markdown(["changes of", "judged", "noticed", "change nothing", "not noticed"], rows)


def survivors_table(found: dict[str, Any]) -> str:
    """Return the changes that no test notices, and why."""
    rows = []
    for one in found["changes"]:
        if one["noticed_by"] is None:
            before, after = (
                " ".join(one[key].split()).replace("|", "\\|") for key in ("before", "after")
            )
            change = f"`{before}` → `{after}`" if after else f"without `{before}`"
            rows.append([f"`{one['file']}` {one['line']}", change, one.get("reason", "–")])
    return markdown(["place", "change", "why nothing changes"], rows)


def symmetries_table(found: dict[str, Any]) -> str:
    """Return how far predictions move where only rounding changes, by λ."""
    rows = []
    for name, one in found.items():
        n = max(one["tables"], 1)
        shares = (
            f"{100 * one[key] / n:.1f} %" for key in ("same_bits", "above_little", "above_much")
        )
        rows.append([name, str(one["tables"]), *shares, f"{one['largest']:.0e}"])
    return markdown(["λ", "tables", "same bits", "above 10⁻⁴", "above 10⁻²", "largest"], rows)


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of the page from the results that are kept."""
    symmetries = json.loads((folder / "symmetries.json").read_text())
    made = {f"symmetries {name}": symmetries_table(found) for name, found in symmetries.items()}
    if (folder / "mutants.json").exists():
        mutants = json.loads((folder / "mutants.json").read_text())
        made |= {"mutants": mutants_table(mutants), "survivors": survivors_table(mutants)}
    return made


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.reliability")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    parser.add_argument("--page", type=Path, default=Path("docs/reliability.md"))
    arguments = parser.parse_args()
    arguments.page.write_text(filled(arguments.page.read_text(), tables(arguments.results)))
    print(f"wrote {arguments.page}")


if __name__ == "__main__":
    main()
