"""Write the tables of docs/design.md, from the results that are kept.

``python -m experiments.pages.design [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..choices import law, ranks
from ..common.lines import read_lines
from ..common.markdown import filled, markdown
from ..common.results import Record, mean, select
from ..tables import levels
from ..tables.tails import FORMS, TARGETS

PAGE = Path("docs/design.md")
CLEAR = 0.003  # a difference of R²

WORDS = {
    "as it is": "default",
    "X by quartiles": "columns, by quartiles",
    "X by 5 %": "columns, by quantiles 5 and 95 %",
    "X beside": "a bent copy beside columns with tails",
    "y": "y, by quantiles 5 and 95 %",
}


def tails_table(records: list[Record]) -> str:
    """Return mean R² of each form on real and simulated sets, and where it gains and loses."""
    sets = list(dict.fromkeys(r["set"] for r in records))
    real = [name for name in sets if ", " not in name]
    scores = {
        (name, form): mean(records, "r2", set=name, form=form) for name in sets for form in FORMS
    }

    def of(form: str, some: list[str]) -> str:
        return f"{sum(scores[name, form] for name in some) / len(some):.3f}"

    rows = []
    for form in FORMS:
        gains = {name: scores[name, form] - scores[name, FORMS[0]] for name in real}
        better = sum(gain > CLEAR for gain in gains.values())
        worse = sum(gain < -CLEAR for gain in gains.values())
        worst = f"{min(gains.values()):.3f}".replace("-", "−")
        told = ["", ""] if form == FORMS[0] else [f"{better}, {worse}", worst]
        drawn = [of(form, [name for name in sets if name.endswith(f", {t}")]) for t in TARGETS]
        rows.append([WORDS[form], of(form, real), *told, *drawn])
    header = ["bent", f"{len(real)} real sets", "better, worse", "worst", "y of x", "y of asinh x"]
    return markdown(header, rows)


def levels_table(records: list[Record]) -> str:
    """Return R² with many levels in each form, the best in bold."""
    rows = []
    for name in dict.fromkeys(record["set"] for record in records):
        one = select(records, set=name)[0]
        found = [mean(records, "r2", set=name, form=form) for form in levels.FORMS]
        cells = [f"**{r2:.3f}**" if r2 == max(found) else f"{r2:.3f}" for r2 in found]
        rows.append([name, f"{one['n']:,}", str(one["levels"]), f"{one['rare']:.0%}", *cells])
    header = ["table", "rows", "levels", "rows of rare ones", "levels as they are"]
    return markdown([*header, *levels.FORMS[1:]], rows)


def ranks_table(records: list[Record]) -> str:
    """Return mean scores by values and by what the race makes of ranks, and gains and losses."""

    def told(kind: str, way: str) -> list[str]:
        here = {(r["set"], r["which"]): r for r in select(records, kind=kind, way=way)}
        base = {(r["set"], r["which"]): r for r in select(records, kind=kind, way="values")}
        gains = [here[key]["score"] - base[key]["score"] for key in base]
        score = sum(r["score"] for r in here.values()) / len(here)
        better, worse = sum(g > CLEAR for g in gains), sum(g < -CLEAR for g in gains)
        counts = "" if way == "values" else f"{better}, {worse}"
        return [f"{abs(score):.3f}", counts]

    rows = []
    for way in ranks.WAYS:
        accuracy = mean(records, "accuracy", kind="classes", way=way)
        seconds = mean(records, "fit_seconds", way=way)
        cells = [*told("column", way), *told("classes", way)]
        rows.append([way, *cells, f"{accuracy:.3f}", f"{seconds:.1f}"])
    columns, classes = (
        len(select(records, kind=kind, way="auto")) for kind in ("column", "classes")
    )
    header = ["numbers by", f"R², {columns} tables", "better, worse"]
    header += [f"log loss, {classes} tables", "better, worse", "accuracy", "processor s"]
    return markdown(header, rows)


def law_table(records: list[Record]) -> str:
    """Return R² by noise, rows and λ, and the best λ, in multiples of the rule's."""
    rows = []
    for noise in law.NOISES:
        for n in law.SIZES:
            here = select(records, noise=noise, n=n)
            r2 = [mean(here, "r2", multiple=multiple) for multiple in law.MULTIPLES]
            told = [f"{v:.3f}".replace("-", "−") for v in r2]
            cells = [f"**{one}**" if v == max(r2) else one for one, v in zip(told, r2, strict=True)]
            rule = mean(here, "regularization", multiple=1.0)
            rows.append([str(noise), f"{n:,}", *cells, f"{law.best(records, n, noise) / rule:.1f}"])
    header = ["σ", "rows", *(f"× {multiple:g}" for multiple in law.MULTIPLES), "best"]
    return markdown(header, rows)


def powers_table(records: list[Record]) -> str:
    """Return the powers of n and of σ in the best λ."""
    powers = [f"{power:.2f}".replace("-", "−") for power in law.law(records)]
    return markdown(["of", "power"], zip(["the rows", "σ"], powers, strict=True))


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of the page by their names."""
    laws = read_lines(folder / "law.jsonl")
    return {
        "ranks": ranks_table(read_lines(folder / "ranks.jsonl")),
        "tails": tails_table(read_lines(folder / "tails.jsonl")),
        "law": law_table(laws),
        "levels": levels_table(read_lines(folder / "levels.jsonl")),
        "powers": powers_table(laws),
    }


def main() -> None:
    """Fill the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    PAGE.write_text(filled(PAGE.read_text(), tables(parser.parse_args().results)))


if __name__ == "__main__":
    main()
