"""The tables of docs/experiments.md on choosing λ and on the dimension found."""

from __future__ import annotations

from ..choices.choosing import WAYS
from ..choices.dimension import KINDS, told
from ..common.markdown import markdown
from ..common.plotting import words
from ..common.results import Record, Results, mean, select, values


def _cell(records: list[Record]) -> str:
    return f"{records[0]['r2']:.3f}"


def choosing_table(results: Results) -> str:
    """Return R² per set for each way to choose λ, their means and the mean processor seconds."""
    records = results["choosing"]["records"]
    rows = [
        [name, *(_cell(select(records, set=name, way=way)) for way in WAYS)]
        for name in dict.fromkeys(r["set"] for r in records)
    ]
    means = [f"**{mean(records, 'r2', way=way):.3f}**" for way in WAYS]
    seconds = [f"{mean(records, 'seconds', way=way):.2f}" for way in WAYS]
    rows += [["**mean R²**", *means], ["mean processor seconds", *seconds]]
    return markdown(["set", *WAYS], rows)


def search_table(results: Results) -> str:
    """Return what two ways to cross-validate the same λ take, and how much more the first."""
    records = results["grid_search"]["records"]
    columns = {"seconds": ".1f", "processor_seconds": ".1f", "r2": ".4f"}
    rows = [[f"`{r['method']}`", *(format(r[c], f) for c, f in columns.items())] for r in records]
    first, second = records
    ratios = [f"{first[name] / second[name]:.0f}" for name in ("seconds", "processor_seconds")]
    header = ["", "seconds", "processor seconds", "R² on new rows"]
    return markdown(header, [*rows, ["ratio", *ratios, ""]])


def dimension_table(results: Results) -> str:
    """Return how often the dimension found is the true one, and the mean of what was found."""
    records = results["dimension"]["records"]
    penalties = list(dict.fromkeys(p for kind in KINDS.values() for p in kind.penalties))
    rows = []
    for kind, (_, k, wanted, *_) in KINDS.items():
        cells = []
        for penalty in penalties:
            found = values(records, "found", kind=kind, penalty=penalty)
            right = sum(value == k for value in found)
            text = f"{right} of {len(found)} (mean {sum(found) / len(found):.1f})" if found else ""
            cells.append(text if penalty in wanted else "–")
        rows.append([told(kind), str(k), *cells])
    return markdown(["data", "true", *map(words, penalties)], rows)
