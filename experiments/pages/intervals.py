"""Write the tables of docs/intervals.md and draw its figure, from `make experiments-intervals`.

``python -m experiments.pages.intervals [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterable
from itertools import chain
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.plotting import BLUE, OURS, panels, plain_numbers
from ..common.results import Record, select
from ..intervals.asked import AT, COVERAGES, LARGE, LEVELS, QUANTILES, SMALL
from ..intervals.cost import STABILITY
from ..intervals.simulated import BATCH as DRAWS
from ..intervals.simulated import COVERAGES as SIMULATED
from ..intervals.stability import TESTS

PAGE, FIGURE = Path("docs/intervals.md"), Path("docs/images/intervals.png")
BASE = "BKerNN cross"
FILES = (
    "intervals",
    "intervals_simulated",
    "intervals_sets",
    "intervals_cost",
    "stability",
)
WORDS = {SMALL: "small", LARGE: "large"}
PROBABILITIES = (0.05, 0.1, 0.2, 0.5)


def names_of(records: list[Record], *fields: str) -> list[tuple]:
    """Return the values of some fields, in the order in which they come."""
    return list(dict.fromkeys(tuple(record[field] for field in fields) for record in records))


def methods_of(records: list[Record]) -> list[str]:
    """Return the methods whose intervals were measured, in one order wherever a run was cut."""
    return sorted({record["method"] for record in records if "width" in record})


def shares(values: Iterable[float], digits: int = 3) -> list[str]:
    """Return numbers as cells."""
    return [f"{value:.{digits}f}" for value in values]


def means(records: list[Record], name: str) -> np.ndarray:
    """Return the mean of a list of numbers over the records."""
    return np.mean([record[name] for record in records], axis=0)


def real_table(records: list[Record]) -> str:
    """Return mean coverages, widths beside those of cross on the same sets, thirds and seconds.

    Below it is told on which sets a method was run, if not on all.
    """
    base = {record["set"]: record for record in select(records, method=BASE)}
    rows, partly = [], []
    for method in methods_of(records):
        own = [r for r in select(records, method=method) if r["set"] in base]
        there = [base[record["set"]] for record in own]
        ratios = [r["width"][AT] / b["width"][AT] for r, b in zip(own, there, strict=True)]
        thirds = [
            " / ".join(shares(means(own, f"thirds_{by}"), 2)) for by in ("prediction", "direction")
        ]
        width = f"{np.exp(np.log(ratios).mean()):.2f}"
        seconds = f"{np.median([r['seconds'] for r in own]):.1f}"
        cells = [*shares(means(own, "covered")), *shares([means(there, "covered")[AT]]), width]
        rows.append([method, str(len(own)), *cells, *thirds, seconds])
        if len(own) < len(base):
            partly.append(f"{method}: {', '.join(record['set'] for record in own)}.")
    header = ["", "sets", *map(str, COVERAGES), "cross there", "width", "thirds of the prediction"]
    made = markdown([*header, "thirds of the direction", "processor s"], rows)
    told = [textwrap.fill(f"- Sets of {one}", 100, subsequent_indent="  ") for one in partly]
    return "\n".join([made, "", *told]) if told else made


def simulated_table(records: list[Record]) -> str:
    """Return the mean coverage over many draws, of intervals and of sets."""
    rows = []
    for study, method, n in names_of(records, "study", "method", "n"):
        if study == "quantiles":
            continue
        own = select(records, study=study, method=method, n=n)
        name = "sets of classes" if study == "sets" else method
        size = " / ".join(shares(means(own, "size"), 2)) if study == "sets" else ""
        draws = str(DRAWS * len(own))
        rows.append([f"{name}, {n} rows", draws, *shares(means(own, "covered")), size])
    return markdown(["asked", "draws", *map(str, SIMULATED), "classes in a set"], rows)


def quantiles_table(real: list[Record], simulated: list[Record]) -> str:
    """Return the share of new rows below each quantile of one fit."""
    kinds = {"simulated": select(simulated, study="quantiles")}
    kinds["real"] = select(real, method=QUANTILES)
    rows = [
        [f"{kind}, {SMALL} rows", str(len(own)), *shares(means(own, "below"))]
        for kind, own in kinds.items()
    ]
    return markdown(["", "sets", *map(str, LEVELS)], rows)


def sets_table(records: list[Record]) -> str:
    """Return coverage and size of sets of classes, one row per set and their mean."""
    rows = [
        [r["set"], str(r["classes"]), f"{r['accuracy']:.3f}", *shares(r["covered"]), sizes(r)]
        for r in records
    ]
    rows.append(["mean", "", "", *shares(means(records, "covered")), ""])
    header = ["set", "classes", "accuracy", *map(str, COVERAGES), "classes in a set"]
    return markdown(header, rows)


def sizes(record: Record) -> str:
    """Return the mean sizes of sets as a cell."""
    return " / ".join(shares(record["size"], 2))


def together(records: list[Record], name: str) -> np.ndarray:
    """Return what the draws of several lines gave."""
    return np.array(list(chain(*(record[name] for record in records))))


def count_table(records: list[Record]) -> str:
    """Return how often a study counts the right number of directions."""
    rows = []
    for (data,) in names_of(records, "data"):
        found = together(select(records, data=data), "found")
        numbers, times = np.unique(found, return_counts=True)
        told = ", ".join(f"{k} in {t}" for k, t in zip(numbers, times, strict=True))
        rows.append([data, str(len(found)), told])
    return markdown(["data", "draws", "directions"], rows)


def null_table(records: list[Record]) -> str:
    """Return how often p-values of a direction that does not exist are small."""
    rows = []
    for study, data, fit in names_of(records, "study", "data", "fit"):
        p = together(select(records, study=study, data=data, fit=fit), "p")
        cells = shares((p <= a).mean() for a in PROBABILITIES)
        rows.append([f"{data}, {fit}", study, str(len(p)), *cells])
    return markdown(["data, fits", "test", "draws", *(f"p ≤ {a}" for a in PROBABILITIES)], rows)


def selection_table(records: list[Record]) -> str:
    """Return false selections beside their bound, and the variables that are found."""
    rows = []
    for (fit,) in names_of(records, "fit"):
        own = select(records, fit=fit)
        cells = [
            f"{together(own, name).mean():.2f}"
            for name in ("selected", "noise", "bound", "linear", "square")
        ]
        rows.append([fit, str(len(together(own, "noise"))), *cells])
    header = ["penalty", "draws", "selected by a half", "noise variables above the threshold"]
    return markdown([*header, "bound", "x₁ found", "x₂² found"], rows)


def cost_table(records: list[Record]) -> str:
    """Return processor seconds, memory and size of what intervals take, one row each."""
    rows = [
        [
            f"{r['what']}, {r['n']:,} rows",
            f"{r['seconds']:.1f}",
            f"{r['megabytes']:.0f}",
            f"{r['predict_seconds']:.2f}",
            f"{r['file_megabytes']:.2f}",
        ]
        for r in records
        if r["what"] != STABILITY
    ]
    header = ["`intervals`", "fit, processor s", "fit, MB", "10,000 intervals, processor s"]
    return markdown([*header, "file, MB"], rows)


def study_table(records: list[Record]) -> str:
    """Return what studies of stability take."""
    rows = [
        [f"{r['n']:,}", str(r["fits"]), f"{r['seconds']:.0f}", f"{r['megabytes']:.0f}"]
        for r in select(records, what=STABILITY)
    ]
    return markdown(["rows", "fits", "processor s", "MB"], rows)


def tables(results: dict[str, list[Record]]) -> dict[str, str]:
    """Return the tables of the page by their names."""
    real, simulated = results["intervals"], results["intervals_simulated"]
    studies = results["stability"]
    made = {word: real_table(select(real, rows=rows)) for rows, word in WORDS.items()}
    return made | {
        "simulated": simulated_table(simulated),
        "quantiles": quantiles_table(real, simulated),
        "sets": sets_table(results["intervals_sets"]),
        "count": count_table(select(studies, study="count")),
        "null": null_table([r for r in studies if r["study"] in TESTS]),
        "selection": selection_table(select(studies, study="selection")),
        "cost": cost_table(results["intervals_cost"]),
        "study": study_table(results["intervals_cost"]),
    }


def plot(records: list[Record]) -> Figure:
    """Coverage at 0.9, and width relative to that of cross: one dot per set."""
    figure, axes = panels(len(WORDS), 2, width=3.3, height=2.2)
    for row, group in enumerate(WORDS):
        here = select(records, rows=group)
        base = {r["set"]: r["width"][AT] for r in select(here, method=BASE)}
        methods = methods_of(here)[::-1]
        for place, method in enumerate(methods):
            own = [r for r in select(here, method=method) if r["set"] in base]
            covered = [r["covered"][AT] for r in own]
            width = [r["width"][AT] / base[r["set"]] for r in own]
            color = OURS if method.startswith("BKerNN") else BLUE
            for ax, values in zip(axes[row], (covered, width), strict=True):
                ax.plot(values, [place] * len(values), "o", ms=4, alpha=0.5, color=color)
        for ax in axes[row]:
            ax.set_yticks(range(len(methods)), methods, fontsize=8)
        axes[row][1].set_xscale("log")
        plain_numbers(axes[row][1].xaxis)
        axes[row][0].axvline(COVERAGES[AT], color="0.4", lw=1)
        axes[row][1].axvline(1, color="0.4", lw=1)
        axes[row][0].set_title(f"coverage at 0.9, {group:,} rows", fontsize=9)
        axes[row][1].set_title("width beside that of cross", fontsize=9)
    return figure


def kept(folder: Path) -> dict[str, list[Record]]:
    """Return the results by the names of their files."""
    return {name: read_lines(folder / f"{name}.jsonl") for name in FILES}


def main() -> None:
    """Fill the page and draw the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    results = kept(parser.parse_args().results)
    PAGE.write_text(filled(PAGE.read_text(), tables(results)))
    plot(results["intervals"]).savefig(FIGURE, dpi=90)


if __name__ == "__main__":
    main()
