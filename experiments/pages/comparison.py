"""Write the tables of docs/comparison.md and its figure, from `make experiments-peers`.

``python -m experiments.pages.comparison [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import median

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.plotting import OURS as COLOR
from ..common.plotting import panels
from ..common.results import Record, mean, select, values
from ..peers import LARGER, SMALL
from ..peers.ranks import Ranking, rank
from ..peers.thousand import METHODS

PAGE = Path("docs/comparison.md")
FIGURE = Path("docs/images/peers.png")
OURS = "BKerNN"


def complete(records: list[Record]) -> list[Record]:
    """Return the records of the sets on which every method was run."""
    methods = {r["method"] for r in records}
    sets = dict.fromkeys(r["set"] for r in records)
    whole = {s for s in sets if {r["method"] for r in select(records, set=s)} == methods}
    return [r for r in records if r["set"] in whole]


def ranks_table(records: list[Record]) -> str:
    """Return ranks (1 is best), R² and processor seconds, one row per method."""
    ranks = rank(records).mean_ranks
    rows = []
    for method in sorted(ranks, key=ranks.__getitem__):
        r2, fit, predict = (
            median(values(records, name, method=method))
            for name in ("r2", "fit_seconds", "predict_seconds")
        )
        rows.append(
            [
                *(method, f"{ranks[method]:.2f}", f"{mean(records, 'r2', method=method):.3f}"),
                *(f"{r2:.3f}", f"{fit:.2f}", f"{1e3 * predict:.1f}"),
            ]
        )
    return markdown(["method", "mean rank", "mean R²", "median R²", "fit, s", "predict, ms"], rows)


def sets_table(records: list[Record]) -> str:
    """Return R² of BKerNN beside the best and the median of the others, one row per set."""
    rows = []
    for name in dict.fromkeys(r["set"] for r in records):
        own = select(records, set=name, method=OURS)[0]
        others = {r["method"]: r["r2"] for r in select(records, set=name) if r["method"] != OURS}
        best = max(others, key=others.__getitem__)
        rows.append(
            [
                *(name, f"{own['n']:,} × {own['d']}", f"{own['r2']:.3f}"),
                *(f"{others[best]:.3f} ({best})", f"{median(others.values()):.3f}"),
            ]
        )
    header = ["set", "rows × variables", OURS, "best of the others", "median of the others"]
    return markdown(header, rows)


def thousand_table(records: list[Record]) -> str:
    """Return R² of a thousand rows, one row per set, their mean, and the seconds."""
    of = {(r["set"], r["method"]): r for r in complete(records)}
    rows = []
    for name in dict.fromkeys(name for name, _ in of):
        r2 = [of[name, method]["r2"] for method in METHODS]
        first = of[name, METHODS[0]]
        best = f"{max(r2):.3f}"
        cells = [f"**{one}**" if one == best else one for one in (f"{v:.3f}" for v in r2)]
        rows.append([name, f"{first['n']:,} × {first['d']}", *cells])
    whole = list(of.values())
    means = [f"{mean(whole, 'r2', method=m):.4f}" for m in METHODS]
    seconds = [f"{median(values(whole, 'fit_seconds', method=m)):.2f}" for m in METHODS]
    rows += [["mean R²", "", *means], ["median seconds of a fit", "", *seconds]]
    return markdown(["set", "rows × variables", *METHODS], rows)


def groups(records: list[Record]) -> dict[str, list[Record]]:
    """Return what the page has a table for: its name, and the records."""
    found = {}
    for group, word in ((SMALL, "small"), (LARGER, "larger")):
        for setting in ("default", "tuned"):
            some = complete(select(records, group=group, setting=setting))
            if some:
                found[f"{word} {setting}"] = some
    return found


def tables(records: list[Record]) -> dict[str, str]:
    """Return the tables of the page by their names."""
    found = groups(records)
    made = {name: ranks_table(some) for name, some in found.items()}
    return made | {
        f"sets {name.split()[0]}": sets_table(some)
        for name, some in found.items()
        if name.endswith("default")
    }


def figure(records: list[Record]) -> Figure:
    """Draw mean ranks; methods joined by a bar do not differ significantly."""
    found = groups(records)
    drawn, axes = panels(len(found), 1, width=6.4, height=2.5)
    for ax, (name, some) in zip(axes[:, 0], found.items(), strict=True):
        ranking = rank(some)
        draw_ranking(ax, ranking)
        word, setting = name.split()
        ax.set_title(f"{ranking.n_sets} {word} sets, {setting}", fontsize=9)
    return drawn


def draw_ranking(ax: Axes, ranking: Ranking) -> None:
    """Draw mean ranks on a line, best on the left, with bars over what is not distinguishable."""
    ordered = sorted(ranking.mean_ranks.items(), key=lambda item: item[1])
    count, bars = len(ordered), len(ranking.groups)
    ax.set_axis_off()
    ax.set_xlim(1 - 2.6, count + 2.6)
    ax.plot([1, count], [0, 0], color="black", lw=1)
    for place in range(1, count + 1):
        ax.plot([place, place], [0, 0.2], color="black", lw=1)
        ax.text(place, 0.3, str(place), ha="center", fontsize=8)
    for place, (method, value) in enumerate(ordered):
        left = place < (count + 1) // 2
        y = -0.6 - 0.4 * bars - 0.7 * (place if left else count - 1 - place)
        edge = 1 - 0.2 if left else count + 0.2
        look = {"color": COLOR if method == OURS else "black"}
        ax.plot([value, value, edge], [0, y, y], lw=1.1, **look)
        side = "right" if left else "left"
        shift = -0.1 if left else 0.1
        label = f"{method} {value:.2f}"
        ax.text(edge + shift, y, label, ha=side, va="center", fontsize=8, **look)
    for level, (first, last) in enumerate(ranking.groups):
        y = -0.35 - 0.4 * level
        ax.plot([first - 0.05, last + 0.05], [y, y], color="0.35", lw=3.5, solid_capstyle="butt")


def main() -> None:
    """Fill the page and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    results = parser.parse_args().results
    records = read_lines(results / "peers.jsonl")
    made = tables(records) | {"thousand": thousand_table(read_lines(results / "thousand.jsonl"))}
    PAGE.write_text(filled(PAGE.read_text(), made))
    figure(records).savefig(FIGURE, dpi=110)


if __name__ == "__main__":
    main()
