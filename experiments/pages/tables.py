"""Write the tables of docs/guides/tables.md, from `make experiments-tables`.

``python -m experiments.pages.tables [--results docs/results]``. Everything between
``<!-- table: name -->`` and ``<!-- end -->`` is replaced.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ..common.markdown import filled, markdown
from ..common.results import Record, read, select
from ..tables.compare import SCORES, loss_of, mean_ranks
from ..tables.methods import METHODS

PAGE = Path("docs/guides/tables.md")


def scores_table(records: list[Record]) -> str:
    """Return the score of each method on each table, the best in bold, and mean ranks."""
    rows = []
    for name in dict.fromkeys(record["table"] for record in records):
        mine = {record["method"]: record for record in select(records, table=name)}
        one = mine[METHODS[0]]
        best = min(mine, key=lambda method: loss_of(mine[method]))
        cells = [f"{mine[method]['score']:.3f}" for method in METHODS]
        cells[METHODS.index(best)] = f"**{cells[METHODS.index(best)]}**"
        what = f"{name} ({one['n']:,} × {one['d']}, {one['categories']})"
        rows.append([what, SCORES[one["task"]], *cells])
    ranks = mean_ranks(records)
    rows.append(["mean rank", "", *(f"{ranks[method]:.1f}" for method in METHODS)])
    return markdown(["table (rows × columns, categories)", "score", *METHODS], rows)


def seconds_table(records: list[Record]) -> str:
    """Return the processor seconds of each method on each table, and of all tables together."""
    used = {(record["table"], record["method"]): record["processor_seconds"] for record in records}
    names = list(dict.fromkeys(record["table"] for record in records))
    rows = [[name, *(f"{used[name, method]:.2f}" for method in METHODS)] for name in names]
    total = [sum(used[name, method] for name in names) for method in METHODS]
    return markdown(["table", *METHODS], [*rows, ["all", *(f"{one:.1f}" for one in total)]])


def behind(records: list[Record]) -> list[tuple[str, float]]:
    """Return the tables on which the first method is more than 2 % behind the best of the others.

    Of R², the part of it; of a loss, the part of that.
    """
    found = []
    for name in dict.fromkeys(record["table"] for record in records):
        mine = {record["method"]: record for record in select(records, table=name)}
        own = mine.pop(METHODS[0])
        best = min(mine.values(), key=loss_of)
        gap = abs(own["score"] - best["score"]) / abs(best["score"])
        if loss_of(own) > loss_of(best) and gap > 0.02:
            found.append((name, gap))
    return found


def tables(folder: Path) -> dict[str, str]:
    """Return the tables of the page by their names."""
    records = read(folder, "tables")["records"]
    return {
        "scores": scores_table(records),
        "seconds": seconds_table(records),
    }


def main() -> None:
    """Fill the page, and say which tables need a paragraph."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    folder: Path = parser.parse_args().results
    PAGE.write_text(filled(PAGE.read_text(), tables(folder)))
    for name, gap in behind(read(folder, "tables")["records"]):
        print(f"{name}: {gap:.1%} behind the best; the page should say why")


if __name__ == "__main__":
    main()
