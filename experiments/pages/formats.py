"""Write the table of docs/deploy.md, from `make bench-formats`.

``python -m experiments.pages.formats [--results docs/results]``. Everything between
``<!-- table: formats -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..common.markdown import filled, markdown
from ..common.results import Record

PAGE = Path("docs/deploy.md")


def per_second(size: float, seconds: float | None) -> str:
    """Return megabytes per second, or nothing where nothing is loaded."""
    return f"{1e-6 * size / seconds:,.0f}" if seconds and size else ""


def table(records: list[Record]) -> str:
    """Return one row per format."""
    rows = []
    for one in records:
        load, functions = one["load_seconds"], one.get("function_bytes", 0)
        speeds = [
            one["rows_per_second"],
            one["rows_per_second_two_threads"],
            one["rows_per_second_two_threads_by_the_clock"],
        ]
        rows.append(
            [
                *(one["format"], f"{one['bytes'] / 1e3:,.0f}"),
                f"{1e3 * load:.1f}" if load else "",
                *(per_second(one["bytes"], load), per_second(functions, load)),
                *(f"{speed / 1e6:.2f}" for speed in speeds),
                f"{one['error']:.1g}",
            ]
        )
    load = ["ms to load", "MB/s of the file", "MB/s of functions"]
    speed = ["million rows/s, one thread", "two threads", "by the clock"]
    return markdown(["format", "kB", *load, *speed, "error"], rows)


def tables(folder: Path) -> dict[str, str]:
    """Return the table of `make bench-formats`."""
    return {"formats": table(json.loads((folder / "formats.json").read_text()))}


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.formats")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    given = parser.parse_args()
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8"), tables(given.results)), "utf-8")


if __name__ == "__main__":
    main()
