"""Write the tables and the figure of docs/recovery.md, from `make bench-recovery`.

``python -m experiments.pages.recovery [--results docs/results]``, once all has been run. Everything
between ``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.plotting import OTHERS, OURS, OURS_TOO, panels, words
from ..common.results import Record, mean, select, values
from ..recovery.cells import ENOUGH, records_of

PAGE = Path("docs/recovery.md")
FIGURE = Path("docs/images/recovery.png")
OWN, LEADING = "BKerNN, its own number", "BKerNN, leading k"
BASE = {"rows": "gaussian", "d": 20, "noise": 0.1}
SHOWN_ROWS = 400  # every method was run up to here
SHORT = {
    "distance covariance": "dCov",
    "projection pursuit": "ppr",
    "recursive feature machine": "RFM",
    "gradient outer product": "GOP",
    "random forest": "forest",
}
GIVEN = "BKerNN, k given"
NARROW = "\u202f"  # a space at which no line ends
FOR_VARIABLES = ("lasso", "random forest")
#: R² of MAVE + MARS by the number of rows, for |sin z₁ + sin z₂ + sin z₃|, d = 10.
PUBLISHED = {50: 0.31, 75: 0.84, 100: 0.85, 175: 0.86}
NEAR = {"excess": 0.01, "angle": 5}  # of the best objective, and of its space


def in_order(records: list[Record], field: str, first: str | None = None) -> list:
    """Return the values of a field as they come, `first` before the others."""
    found = list(dict.fromkeys(record[field] for record in records))
    return sorted(found, key=lambda one: one != first) if first else found


class Needed:
    """How many rows a method needs for a mean score of 0.9, between sizes by log n."""

    def __init__(self, records: list[Record], field: str) -> None:
        """Read one method on one task."""
        sizes = sorted({r["n"] for r in records})
        curve = [(n, mean(records, field, n=n)) for n in sizes]
        self.most = sizes[-1]
        self.rows, self.at_most = float("inf"), False
        before = None
        for n, score in curve:
            if score >= ENOUGH:
                self.at_most = before is None
                self.rows = n if before is None else between(before, (n, score))
                break
            before = (n, score)

    def __str__(self) -> str:
        if not np.isfinite(self.rows):
            return f">{NARROW}{self.most:,}"
        return (f"≤{NARROW}" if self.at_most else "") + f"{round(self.rows):,}"


def between(below: tuple[int, float], above: tuple[int, float]) -> float:
    """Return where the line between two points of a curve, over log n, is at 0.9."""
    share = (ENOUGH - below[1]) / (above[1] - below[1])
    return float(np.exp((1 - share) * np.log(below[0]) + share * np.log(above[0])))


def needed(base: list[Record]) -> dict[str, dict[str, Needed]]:
    """Return rows needed by task and method; BKerNN twice."""
    table: dict[str, dict[str, Needed]] = {}
    for task in in_order(base, "task"):
        row = {}
        for method in in_order(select(base, task=task), "method", "BKerNN"):
            some = select(base, task=task, method=method)
            if method == "BKerNN":
                row[OWN], row[LEADING] = Needed(some, "own"), Needed(some, "score")
            elif method != GIVEN:
                row[method] = Needed(some, "own" if method == "lasso" else "score")
        table[task] = row
    return table


def methods_of(base: list[Record]) -> list[str]:
    """Return the other methods."""
    return [m for m in in_order(base, "method") if m not in ("BKerNN", GIVEN)]


def needed_table(base: list[Record]) -> str:
    """Return rows needed, one line per task, the least number in bold."""
    table, others = needed(base), methods_of(base)
    lines = []
    for task, row in table.items():
        least = min(one.rows for one in row.values())
        cells = []
        for method in (OWN, LEADING, *others):
            one = row.get(method)
            bold = one is not None and np.isfinite(one.rows) and one.rows <= least
            cells.append("" if one is None else f"**{one}**" if bold else str(one))
        lines.append([task, *cells])
    header = ["task", "BKerNN, own k̂", "BKerNN, k leading", *(SHORT.get(m, m) for m in others)]
    return markdown(header, lines)


def won_table(base: list[Record]) -> str:
    """Return how often BKerNN needs no more rows than the best other method."""
    table, lines = needed(base), []
    for name, label in ((LEADING, "k leading directions"), (OWN, "as many as it says")):
        won, lost, nobody = [], [], []
        for task, row in table.items():
            best = min((m for m in row if m not in (OWN, LEADING)), key=lambda m: row[m].rows)
            if not np.isfinite(min(row[name].rows, row[best].rows)):
                nobody.append(task)
            elif row[name].rows <= row[best].rows:
                won.append(task)
            else:
                lost.append(f"{task} ({SHORT.get(best, best)})")
        counts = f"{len(won)} of {len(table)}"
        lines.append([label, counts, ", ".join(lost), ", ".join(nobody)])
    header = ["BKerNN judged by", "no more rows than the best other", "others ahead", "nobody"]
    return markdown(header, lines)


def score_table(base: list[Record], n: int) -> str:
    """Return the mean score at one size."""
    others = methods_of(base)
    lines = []
    for task in in_order(base, "task"):
        cells = []
        for method in ("BKerNN", *others):
            found = values(base, "score", task=task, method=method, n=n)
            cells.append(f"{np.mean(found):.2f}" if found else "")
        lines.append([task, *cells])
    return markdown(["task", "BKerNN", *(SHORT.get(m, m) for m in others)], lines)


def number_table(base: list[Record]) -> str:
    """Return by size how often the number of directions that BKerNN finds is the true one."""
    own = select(base, method="BKerNN")
    sizes = sorted({r["n"] for r in own})
    lines = []
    for task in in_order(own, "task"):
        cells = []
        for n in sizes:
            some = [r for r in select(own, task=task, n=n) if r.get("size") is not None]
            right = sum(r["size"] == r["k"] for r in some)
            middle = np.median([r["size"] for r in some]) if some else 0
            cells.append(f"{right}/{len(some)} ({middle:.0f})" if some else "")
        lines.append([task, str(select(own, task=task)[0]["k"]), *cells])
    return markdown(["task", "k", *(f"n = {n:,}" for n in sizes)], lines)


def costs_table(base: list[Record], n: int) -> str:
    """Return means over all tasks at one size: R², angle, processor seconds."""
    lines = []
    for method in in_order(base, "method", "BKerNN"):
        some = select(base, method=method, n=n)
        if method in FOR_VARIABLES:
            continue
        lines.append(
            [
                SHORT.get(method, method),
                f"{mean(some, 'angle'):.0f}°",
                f"{mean(some, 'r2'):.3f}",
                f"{np.median(values(some, 'seconds')):.2f}",
            ]
        )
    return markdown(["method", "largest angle", "R² on new rows", "processor s (median)"], lines)


def variables_table(base: list[Record]) -> str:
    """Return precision and recall of the variables that are named."""
    lines = []
    for task in ("signs", "friedman"):
        for method in in_order(select(base, task=task), "method", "BKerNN"):
            if method == GIVEN:
                continue
            cells = []
            for n in (50, 100, 200, 400):
                some = select(base, task=task, method=method, n=n)
                some = [r for r in some if r.get("recall") is not None]
                recall = [r["recall"] for r in some]
                right = [r["recall"] * r["k"] / max(r.get("size") or r["k"], 1) for r in some]
                cells.append(f"{np.mean(right):.2f} / {np.mean(recall):.2f}" if some else "")
            lines.append([task, SHORT.get(method, method), *cells])
    return markdown(["task", "method", "50 rows", "100", "200", "400"], lines)


def varied_table(records: list[Record], n: int) -> str:
    """Return mean scores over the tasks of the variations, a line for each setting."""
    varied = select(records, rows="uniform")
    tasks, methods = in_order(varied, "task"), in_order(varied, "method", "BKerNN")
    lines = []
    everywhere = select(records, n=n, task=tasks[0])
    settings = dict.fromkeys((r["rows"], r["d"], r["noise"]) for r in everywhere)
    for rows, d, noise in settings:
        here = select(records, rows=rows, d=d, noise=noise, n=n)
        cells = [
            f"{np.mean([mean(here, 'score', method=method, task=task) for task in tasks]):.2f}"
            for method in methods
        ]
        lines.append([f"{rows}, d = {d}, noise {100 * noise:.0f} %", *cells])
    return markdown(["setting", *(SHORT.get(m, m) for m in methods)], lines)


def hypercube_table(records: list[Record]) -> str:
    """Return how many of three variables among 200 are the leading ones, and how many are named."""
    some = select(records, d=200)
    sizes, lines = sorted({r["n"] for r in some}), []
    for method in in_order(some, "method", "BKerNN"):
        cells = []
        for n in sizes:
            here = select(some, method=method, n=n)
            named = [r["size"] for r in here if r["size"] is not None]
            count = f" ({np.median(named):.0f})" if named else ""
            cells.append(f"{mean(here, 'recall' if named else 'score'):.2f}{count}")
        lines.append([SHORT.get(method, method), *cells])
    return markdown(["method", *(f"n = {n}" for n in sizes)], lines)


def published_table(records: list[Record]) -> str:
    """Return R² on new rows with noise beside that of MAVE followed by MARS."""
    some = [r for r in select(records, task="folded", d=10, method="BKerNN") if r["n"] in PUBLISHED]
    lines = [["MAVE + MARS, published", *(f"{r2:.2f}" for r2 in PUBLISHED.values())]]
    for noise in sorted({r["noise"] for r in some}):
        cells = [f"{(1 - noise) * mean(some, 'r2', noise=noise, n=n):.2f}" for n in PUBLISHED]
        lines.append([f"BKerNN, noise {100 * noise:.0f} % of the variance", *cells])
    return markdown(["", *(f"n = {n}" for n in PUBLISHED)], lines)


def rates_table(base: list[Record]) -> str:
    """Return 1 − R² by the number of rows and the slope of a line through the logarithms."""
    sizes, lines = (200, 400, 800, 1600), []
    for task in in_order(base, "task"):
        some = select(base, task=task, method="BKerNN")
        found = {n: [1 - r2 for r2 in values(some, "r2", n=n)] for n in sizes}
        errors = {n: float(np.mean(those)) for n, those in found.items() if those}
        if len(errors) < len(sizes):
            continue
        slope = np.polyfit(np.log(list(errors)), np.log(list(errors.values())), 1)[0]
        lines.append([task, *(f"{errors[n]:.4f}" for n in sizes), f"{slope:.2f}"])
    return markdown(["task", *(f"n = {n:,}" for n in sizes), "exponent"], lines)


def run_table(records: list[Record]) -> str:
    """Return how much was run for this page."""
    lines = []
    for n in sorted({r["n"] for r in records}):
        some = select(records, n=n)
        draws = 1 + max(r["draw"] for r in some)
        minutes = sum(r["seconds"] for r in some) / 60
        failed = sum(r.get("failed") is not None for r in some)
        lines.append([f"{n:,}", f"{len(some):,}", str(draws), str(failed), f"{minutes:.1f}"])
    return markdown(["rows", "fits", "draws", "failed", "processor minutes"], lines)


def seeds_table(problems: list[Record]) -> str:
    """Return how many of the seeds end near the best objective and near the best space."""
    lines = []
    for one in problems:
        counts = [sum(x <= most for x in one[name]) for name, most in NEAR.items()]
        lines.append(
            [one["task"], f"{one['n']:,}", str(one["draw"]), words(one["penalty"])]
            + [f"{count} of {len(one['angle'])}" for count in counts]
        )
    return markdown(["task", "rows", "draw", "penalty", "within 1 %", "within 5°"], lines)


def read(folder: Path) -> tuple[list[Record], list[Record]]:
    """Return the fits of `make bench-recovery`: those of all methods, and those of the seeds."""
    return records_of(read_lines(folder / "recovery.jsonl")), read_lines(folder / "seeds.jsonl")


def unfinished(cells: list[Record]) -> int:
    """Return how many methods and tasks of `make bench-recovery` have more to run."""
    from ..recovery.compare import chains  # which needs all that the methods need

    return sum(chain.next_size(cells) is not None for chain in chains(quick=False))


def tables(records: list[Record], seeds: list[Record]) -> dict[str, str]:
    """Return the tables of the page by their names."""
    base = select(records, **BASE)
    return {
        "rows needed": needed_table(base),
        "won": won_table(base),
        "scores": score_table(base, SHOWN_ROWS),
        "numbers": number_table(base),
        "costs": costs_table(base, SHOWN_ROWS),
        "variables": variables_table(base),
        "variations": varied_table(records, SHOWN_ROWS),
        "hypercube": hypercube_table(records),
        "published": published_table(records),
        "rates": rates_table(base),
        "seeds": seeds_table(seeds),
        "run": run_table(records),
    }


def figure(base: list[Record]) -> Figure:
    """Draw rows needed: one row per task, in it one lane per method.

    What was not enough stands at the right, where each method has a place of its own.
    """
    table = needed(base)
    drawn, axes = panels(1, 1, width=6.4, height=7.2)
    ax, most = axes[0, 0], max(one.most for row in table.values() for one in row.values())
    styles = {OWN: ("D", OURS), LEADING: ("o", OURS_TOO)}
    for i, method in enumerate(methods_of(base)):
        styles[method] = ("v^<>spPX*h"[i % 10], OTHERS[i % len(OTHERS)])
    for lane, (method, (marker, color)) in enumerate(styles.items()):
        aside = most * 1.8 * 1.22**lane
        middle = (lane + 0.5) / len(styles) - 0.5
        places = [(row[method].rows, y) for y, row in enumerate(table.values()) if method in row]
        found = [(rows, y + 0.84 * middle) for rows, y in places if np.isfinite(rows)]
        missed = [(aside, y) for rows, y in places if not np.isfinite(rows)]
        look = {"color": color, "marker": marker, "ls": "", "ms": 6}
        ax.plot([x for x, _ in found], [y for _, y in found], **look, label=named(method))
        ax.plot([x for x, _ in missed], [y for _, y in missed], **look, alpha=0.75)
    for edge in range(len(table) - 1):
        ax.axhline(edge + 0.5, color="0.8", lw=0.8)
    ax.grid(visible=False, axis="y")
    ax.axvline(most * 1.4, color="0.5", lw=1)
    ax.set_xscale("log")
    ax.set_xticks([100, 1_000, 10_000], ["100", "1,000", "10,000"])
    ax.minorticks_off()
    ax.set_yticks(range(len(table)), list(table))
    ax.tick_params(axis="y", length=0)
    ax.set_ylim(len(table) - 0.5, -0.5)
    ax.set_title("not found", loc="right", fontsize=9)
    ax.set_xlabel("rows needed for a score of 0.9")
    handles = ax.get_legend_handles_labels()
    drawn.legend(*handles, loc="outside lower center", ncols=4, fontsize=8)
    return drawn


def named(method: str) -> str:
    """Return the name of a method in the picture."""
    return {OWN: "BKerNN, own k̂", LEADING: "BKerNN, k leading"}.get(method) or SHORT.get(
        method, method
    )


def main(arguments: list[str] | None = None) -> None:
    """Fill the page and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    folder: Path = parser.parse_args(arguments).results
    missing = unfinished(read_lines(folder / "recovery.jsonl"))
    if missing:
        print(f"{PAGE} is left as it is: {missing} methods and tasks are not through")
        return
    records, seeds = read(folder)
    PAGE.write_text(filled(PAGE.read_text(), tables(records, seeds)))
    figure(select(records, **BASE)).savefig(FIGURE, dpi=110)


if __name__ == "__main__":
    main()
