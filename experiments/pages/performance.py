"""Write the tables of docs/performance.md and its figure, from the results of `make bench-peers`.

``python -m experiments.pages.performance [--results results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from ..bench.peers import METHODS, REAL_SETS
from ..common.markdown import filled, markdown
from ..common.results import select

Records = list[dict[str, Any]]


def by_size(records: Records, column: str, form: str) -> str:
    """Return one row per method and one column per number of simulated rows."""
    mine = {(r["method"], r["n"]): r for r in select(records, data="simulated")}
    sizes = sorted({n for _, n in mine})
    rows = []
    for method in METHODS:
        cells = [
            format(mine[method, n][column], form) if (method, n) in mine else "" for n in sizes
        ]
        if any(cells):
            rows.append([method, *cells])
    return markdown(["rows", *(f"{n:,}" for n in sizes)], rows)


def real_table(records: Records) -> str:
    """Return R² and seconds on the real sets, one row per method."""
    mine = {(r["method"], r["data"]): r for r in records}
    sets = [s for s in REAL_SETS if any(data == s for _, data in mine)]
    rows = []
    for method in METHODS:
        found = [mine.get((method, s)) for s in sets]
        if any(found):
            cells = [f"{r['r2']:.3f}, {r['seconds']:.1f} s" if r else "" for r in found]
            rows.append([method, *cells])
    sizes = {r["data"]: f"{r['data']} ({r['n']:,} × {r['d']})" for r in records}
    return markdown(["R², seconds", *(sizes[s] for s in sets)], rows)


def million_table(records: Records) -> str:
    """Return what was measured with the largest number of simulated rows."""
    largest = max(r["n"] for r in select(records, data="simulated"))
    rows = []
    for r in select(records, data="simulated", n=largest):
        score, residual = r.get("feature_learning_score"), r.get("inner_residual")
        rows.append(
            [
                *(r["method"], f"{r['processor_seconds']:.0f}", f"{r['peak_gigabytes']:.2f}"),
                *(f"{r['r2']:.4f}", f"{score:.4f}" if score else ""),
                f"{residual:.0e}" if residual else "",
            ]
        )
    header = ["method", "processor seconds", "peak GB", "test R²", "feature score", "residual of α"]
    return markdown(header, rows)


def million(folder: Path) -> dict[str, str]:
    """Return the table of `make bench-million`."""
    return {"million": million_table(json.loads((folder / "million.json").read_text())["records"])}


def main() -> None:
    """Fill the page and copy the figure."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.performance")
    parser.add_argument("--results", type=Path, default=Path("results"))
    parser.add_argument("--page", type=Path, default=Path("docs/performance.md"))
    parser.add_argument("--images", type=Path, default=Path("docs/images/performance"))
    parser.add_argument("--million", type=Path, help="only that table, from this folder")
    arguments = parser.parse_args()
    if arguments.million:
        arguments.page.write_text(filled(arguments.page.read_text(), million(arguments.million)))
        return
    document = json.loads((arguments.results / "bench_peers.json").read_text())
    records = document["records"]
    growth = [[method, f"{exponent:.2f}"] for method, exponent in document["growth"].items()]
    made = {
        "seconds": by_size(records, "seconds", ".2f"),
        "accuracy": by_size(records, "r2", ".4f"),
        "memory": by_size(records, "peak_gigabytes", ".2f"),
        "growth": markdown(["method", "exponent"], growth),
        "real": real_table(records),
    }
    arguments.page.write_text(filled(arguments.page.read_text(), made))
    arguments.images.mkdir(parents=True, exist_ok=True)
    shutil.copy(arguments.results / "bench_peers.png", arguments.images)
    print(f"wrote {arguments.page}")


if __name__ == "__main__":
    main()
