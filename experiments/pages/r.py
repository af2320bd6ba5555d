"""Write the table of docs/guides/r.md, from `make bench-r`.

``python -m experiments.pages.r [--results docs/results]``. Everything between
``<!-- table: memory -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..common.markdown import filled, markdown

PAGE = Path("docs/guides/r.md")
ROWS = {
    "matrix": "a matrix",
    "frame": "a data frame",
    "factors": "a data frame with a factor and gaps",
}


def tables(folder: Path) -> dict[str, str]:
    """Return the table of `make bench-r`."""
    kept = map(json.loads, (folder / "r_memory.jsonl").read_text().splitlines())
    rows = [
        [ROWS[one["kind"]], *(f"{one[name]:.0f}" for name in ("numbers", "before", "peak"))]
        for one in kept
    ]
    return {"memory": markdown(["rows as", "numbers", "R before the fit", "R at most"], rows)}


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.r")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    given = parser.parse_args()
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables(given.results)), "utf-8")


if __name__ == "__main__":
    main()
