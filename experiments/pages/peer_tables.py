"""The tables of docs/experiments.md on other methods."""

from __future__ import annotations

from statistics import median

from ..common.results import Results, mean, select, values
from ..data.real import MAIN
from ..peers.ranks import rank
from .markdown import markdown


def peers_table(results: Results, group: str) -> str:
    """Return means over the sets of a group: R², rank, seconds."""
    records = select(results["peers"]["records"], group=group)
    averaged = records if group == "larger" else [r for r in records if r["set"] in MAIN]
    rows = []
    for setting in dict.fromkeys(r["setting"] for r in records):
        ranks = rank(select(records, setting=setting)).mean_ranks
        for method in sorted(ranks, key=ranks.__getitem__):
            fields = {"setting": setting, "method": method}
            r2, fit, predict = (
                median(values(records, name, **fields))
                for name in ("r2", "fit_seconds", "predict_seconds")
            )
            mean_r2 = f"{mean(averaged, 'r2', **fields):.3f}"
            numbers = [f"{ranks[method]:.2f}", mean_r2, f"{r2:.3f}", f"{fit:.2f}"]
            rows.append([setting, method, *numbers, f"{1e3 * predict:.1f}"])
    header = "mean R²" if group == "larger" else f"mean R² of the {len(MAIN)}"
    first = f"{len({r['set'] for r in records})} sets"
    return markdown(
        [first, "method", "mean rank", header, "median R²", "fit, s", "predict, ms"], rows
    )
