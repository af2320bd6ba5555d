"""Write the tables of docs/classification.md and its figure, from `make experiments-classes`.

``python -m experiments.pages.classes [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import math
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure
from scipy.stats import rankdata

from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.plotting import BLUE, OURS, panels
from ..common.results import Record, select

PAGE = Path("docs/classification.md")
FIGURE = Path("docs/images/reliability.png")
COLUMNS = 3  # of the figure, which a phone shows too
SHORT = {"LogisticRegression": "logistic", "RandomForest": "forest"}
SMALL, LARGE = 2000, 10_000  # rows for training


def names_of(records: list[Record], field: str) -> list[str]:
    """Return the values of a field, in the order in which they come; BKerNN before the others."""
    found = dict.fromkeys(record[field] for record in records)
    return sorted(found, key=lambda name: name != "BKerNN")


def ranks_table(records: list[Record]) -> str:
    """Return mean ranks (1 is best) and means, one row per method that was run on all sets."""
    sets = names_of(records, "set")
    methods = [
        m for m in names_of(records, "method") if len(select(records, method=m)) == len(sets)
    ]
    table = {
        field: np.array(
            [[select(records, set=s, method=m)[0][field] for m in methods] for s in sets]
        )
        for field in ("log_loss", "accuracy", "calibration_error", "fit_seconds")
    }
    by_loss = rankdata(table["log_loss"].round(6), axis=1).mean(axis=0)
    by_accuracy = rankdata(-table["accuracy"].round(6), axis=1).mean(axis=0)
    rows = [
        [
            methods[i],
            f"{by_loss[i]:.2f}",
            f"{by_accuracy[i]:.2f}",
            f"{table['log_loss'][:, i].mean():.3f}",
            f"{table['accuracy'][:, i].mean():.3f}",
            f"{table['calibration_error'][:, i].mean():.3f}",
            f"{np.median(table['fit_seconds'][:, i]):.2f}",
        ]
        for i in np.argsort(by_loss)
    ]
    header = ["method", "rank by log loss", "rank by accuracy", "log loss", "accuracy"]
    return markdown([*header, "calibration error", "processor s"], rows)


def sets_table(records: list[Record], field: str) -> str:
    """Return log loss or accuracy, one row per set."""
    methods = names_of(records, "method")
    rows = []
    for name in names_of(records, "set"):
        mine = {r["method"]: r for r in select(records, set=name)}
        one = next(iter(mine.values()))
        cells = [f"{mine[m][field]:.3f}" if m in mine else "–" for m in methods]
        rows.append([f"{name} ({one['n']:,} × {one['d']}, {one['classes']})", *cells])
    return markdown(["set (rows × variables, classes)", *(SHORT.get(m, m) for m in methods)], rows)


def _place(record: Record) -> tuple[bool, int, str, bool]:
    """Return what sorts fits: many classes before two, few rows before many, the default first."""
    return record["classes"] == 2, record["n"], record["set"], record["form"] != "default"


def cost_table(records: list[Record]) -> str:
    """Return what fits cost, one row for each; memory beyond that of Python and the rows."""
    rows = [
        [
            r["set"],
            f"{r['n']:,} × {r['d']}",
            str(r["classes"]),
            r["form"],
            f"{r['fit_seconds']:.1f}",
            str(r["megabytes"] - r["megabytes_before"]),
            str(r["iterations"]),
            "yes" if r["converged"] else "no",
            f"{r['log_loss']:.3f} ({r['accuracy']:.3f})",
        ]
        for r in sorted(records, key=_place)
    ]
    header = ["set", "rows", "classes", "fit", "processor s", "MB", "iterations", "converged"]
    return markdown([*header, "log loss (accuracy)"], rows)


def tables(records: list[Record], costs: list[Record]) -> dict[str, str]:
    """Return the tables of the page by their names."""
    made = {"cost": cost_table(costs)}
    for rows, word in ((SMALL, "small"), (LARGE, "large")):
        some = select(records, rows=rows)
        if some:
            made[f"ranks {word}"] = ranks_table(some)
            made[f"sets {word}"] = sets_table(some, "log_loss")
            made[f"accuracy {word}"] = sets_table(some, "accuracy")
    return made


def plot(records: list[Record]) -> Figure:
    """Draw reliability diagrams, one for each method: all sets together."""
    names = sorted({r["method"]: None for r in records}, key=lambda name: name != "BKerNN")
    rows = math.ceil(len(names) / COLUMNS)
    figure, axes = panels(rows, COLUMNS, width=1.9, height=2.1, sharex=True, sharey=True)
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, method in zip(axes.flat, names, strict=False):
        for one in select(records, method=method, rows=SMALL):
            bins = np.array([b for b in one["reliability"] if b[2] >= 20] or [[1, 1, 20]])
            ax.plot(
                bins[:, 0],
                bins[:, 1],
                ".-",
                color=OURS if method == "BKerNN" else BLUE,
                alpha=0.4,
                lw=1,
                ms=4,
            )
        ax.plot([0, 1], [0, 1], color="black", lw=0.8)
        errors = [r["calibration_error"] for r in select(records, method=method, rows=SMALL)]
        ax.set_title(f"{method}\nmean error {np.mean(errors):.3f}", fontsize=8)
    figure.supxlabel("confidence", fontsize=9)
    figure.supylabel("share that is right", fontsize=9)
    return figure


def main() -> None:
    """Fill the page and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    folder: Path = parser.parse_args().results
    records, costs = (read_lines(folder / f"{name}.jsonl") for name in ("classes", "classes_speed"))
    PAGE.write_text(filled(PAGE.read_text(), tables(records, costs)))
    plot(records).savefig(FIGURE, dpi=90)


if __name__ == "__main__":
    main()
