"""Write the tables of single runs, which no script repeats, from what was written down of them.

``python -m experiments.pages.recorded [--results docs/results]``. docs/results/recorded.json has
the tables, each with its page and with the day and the revision of the note; the page says the day.
Everything between ``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from ..common.markdown import filled, markdown

FILE = "recorded.json"


def tables(folder: Path, page: str) -> dict[str, str]:
    """Return the recorded tables of a page by their names."""
    found: list[dict[str, Any]] = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return {
        one["name"]: markdown(one["header"], one["rows"])
        + f"\n\n*Noted on {one['day']}, and not measured since.*"
        for one in found
        if one["page"] == page
    }


def pages(folder: Path) -> list[str]:
    """Return the pages that have such tables."""
    found = json.loads((folder / FILE).read_text(encoding="utf-8"))
    return list(dict.fromkeys(one["page"] for one in found))


def main() -> None:
    """Fill the pages."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.recorded")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    folder: Path = parser.parse_args().results
    for page in pages(folder):
        text = Path(page).read_text(encoding="utf-8")
        Path(page).write_text(filled(text, tables(folder, page)), encoding="utf-8")


if __name__ == "__main__":
    main()
