"""Write the tables of docs/performance.md and its figure, from results that are kept.

``python -m experiments.pages.performance [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from ..bench.peers import METHODS, MILLION, REAL_SETS, against_rows, growth
from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.plotting import OTHERS, OURS_THIRD, OURS_TOO, panels, plain_numbers
from ..common.plotting import OURS as ORANGE
from ..common.results import Record, select
from . import flagship, folds

Records = list[Record]


OURS = [method for method in METHODS if method.startswith("BKerNN")]
MEASURE = "LightGBM"  # that ours are compared with
COLORS = dict(zip(METHODS, (ORANGE, OURS_TOO, OURS_THIRD, *OTHERS), strict=True))
MARKERS = dict(zip(METHODS, "oPs^vDX*<", strict=True))
DRAWN = {
    "seconds": "seconds to fit",
    "peak_gigabytes": "peak memory, GB",
    "r2": "1 − R² on new rows",
}


def by_size(records: Records, column: str, form: str) -> str:
    """Return one row per method and one column per number of simulated rows."""
    mine = {(r["method"], r["n"]): r.get(column) for r in select(records, data="simulated")}
    sizes = sorted({n for _, n in mine})
    rows = []
    for method in METHODS:
        found = [mine.get((method, n)) for n in sizes]
        if any(found):
            rows.append([method, *("" if v is None else format(v, form) for v in found)])
    return markdown(["rows", *(f"{n:,}" for n in sizes)], rows)


def ratio_table(records: Records) -> str:
    """Return how many times as long as LightGBM ours take, on the clock and of the processors."""
    simulated = select(records, data="simulated")
    sizes = sorted({r["n"] for r in simulated})
    rows = []
    for name, column in (("seconds", "seconds"), ("processor seconds", "processor_seconds")):
        of = {(r["method"], r["n"]): r.get(column) for r in simulated}
        for method in OURS:
            pairs = [(of.get((method, n)), of.get((MEASURE, n))) for n in sizes]
            cells = [f"{a / b:.2f}" if a and b else "" for a, b in pairs]
            if any(cells):
                rows.append([method, name, *cells])
    return markdown(["rows", "", *(f"{n:,}" for n in sizes)], rows)


def real_cell(record: Record) -> str:
    """Return what one fit of real data has cost and brought."""
    seconds = f"{record['seconds']:.1f}, {record['processor_seconds']:.1f}"
    return f"{record['r2']:.3f}, {seconds}"


def real_table(records: Records) -> str:
    """Return R², seconds and processor seconds on the real sets, one row per method."""
    mine = {(r["method"], r["data"]): r for r in records}
    sets = [s for s in REAL_SETS if any(data == s for _, data in mine)]
    rows = []
    for method in METHODS:
        found = [mine.get((method, s)) for s in sets]
        if any(found):
            rows.append([method, *(real_cell(r) if r else "" for r in found)])
    sizes = {r["data"]: f"{r['data']} ({r['n']:,} × {r['d']})" for r in records}
    return markdown(["R², seconds, processor seconds", *(sizes[s] for s in sets)], rows)


def million_table(records: Records) -> str:
    """Return what was measured with the largest number of simulated rows."""
    largest = max(r["n"] for r in select(records, data="simulated"))
    rows = []
    for method in MILLION:
        for r in select(records, method=method, data="simulated", n=largest):
            score, residual = r.get("feature_learning_score"), r.get("inner_residual")
            rows.append(
                [
                    *(method, f"{r['seconds']:.0f}", f"{r['processor_seconds']:.0f}"),
                    *(f"{r['peak_gigabytes']:.2f}", f"{r['r2']:.4f}"),
                    *(f"{score:.4f}" if score else "", f"{residual:.0e}" if residual else ""),
                ]
            )
    header = ["method", "seconds", "processor seconds", "peak GB", "test R²"]
    return markdown([*header, "feature score", "residual of α"], rows)


def figure(records: Records) -> Figure:
    """Draw seconds, memory and 1 − R² against the number of rows, one line per method.

    Methods stand a little beside one another, so that none hides another; ours are solid.
    """
    drawn, axes = panels(len(DRAWN), 1, width=6.4, height=2.9)
    for ax, (column, title) in zip(axes[:, 0], DRAWN.items(), strict=True):
        for place, method in enumerate(METHODS):
            found = against_rows(records, method, column)
            values = [(n, 1 - value if column == "r2" else value) for n, value in found]
            beside = 1.07 ** (place - len(METHODS) / 2)
            look = {"lw": 2, "ms": 7} if method in OURS else {"lw": 1, "ms": 6, "ls": "--"}
            fill = COLORS[method] if method in OURS else "white"
            ax.plot(
                [n * beside for n, _ in values],
                [value for _, value in values],
                color=COLORS[method],
                marker=MARKERS[method],
                markerfacecolor=fill,
                label=method,
                **look,
            )
        ax.set(xscale="log", yscale="log", title=title)
        plain_numbers(ax.yaxis)
        ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes[-1, 0].set_xlabel("rows to learn from")
    handles = axes[0, 0].get_legend_handles_labels()
    drawn.legend(*handles, loc="outside lower center", ncols=3, fontsize=9)
    return drawn


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of the page by their names."""
    records = read_lines(folder / "bench_peers.jsonl")
    exponents = [[method, f"{exponent:.2f}"] for method, exponent in growth(records).items()]
    return flagship.tables(folder) | {
        "folds of sets": folds.table(folder),
        "million": million_table(records),
        "seconds": by_size(records, "seconds", ".2f"),
        "processor": by_size(records, "processor_seconds", ".2f"),
        "ratios": ratio_table(records),
        "accuracy": by_size(records, "r2", ".4f"),
        "score": by_size(records, "feature_learning_score", ".4f"),
        "directions": by_size(records, "directions", "d"),
        "memory": by_size(records, "peak_gigabytes", ".2f"),
        "growth": markdown(["method", "exponent"], exponents),
        "real": real_table(records),
    }


def main() -> None:
    """Fill the page and draw the figure."""
    parser = argparse.ArgumentParser(prog="python -m experiments.pages.performance")
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    parser.add_argument("--page", type=Path, default=Path("docs/performance.md"))
    parser.add_argument("--images", type=Path, default=Path("docs/images/performance"))
    arguments = parser.parse_args()
    made = tables(arguments.results)
    arguments.page.write_text(filled(arguments.page.read_text(), made))
    arguments.images.mkdir(parents=True, exist_ok=True)
    records = read_lines(arguments.results / "bench_peers.jsonl")
    figure(records).savefig(arguments.images / "bench_peers.png", dpi=110)
    print(f"wrote {arguments.page}")


if __name__ == "__main__":
    main()
