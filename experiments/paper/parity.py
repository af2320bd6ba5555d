"""How far the run *as published* is from the published numbers, number by number."""

from __future__ import annotations

from typing import NamedTuple

from ..common.results import Record

#: Published rows of these sets belong to other draws of the data.
OTHER_DATA = ("Yolanda", "geographical_origin_of_music", "pah", "tecator")
_KEYS = {
    1: ("run", "kernel"),
    2: ("run", "swept", "value"),
    3: ("run", "structure", "penalty", "repetition"),
    5: ("method", "axis", "value", "repetition"),
    6: ("set", "method"),
}


class Parity(NamedTuple):
    """So many numbers, and the largest difference among them."""

    what: str
    count: int
    largest: float


def parity(records: list[Record], published: list[Record], experiment: int) -> list[Parity]:
    """Compare every published number with the one of this run."""
    key = _KEYS[experiment]
    ours = {tuple(r[name] for name in key): r for r in records}
    pairs = [(ours[k], p) for p in published if (k := tuple(p[name] for name in key)) in ours]
    if experiment == 1:
        return [
            _compare("λ", pairs, "regularization"),
            _compare("test MSE per iteration", pairs, "test_path"),
        ]
    if experiment == 2:
        return [_compare("train R²", pairs, "train_r2"), _compare("test R²", pairs, "test_r2")]
    if experiment == 3:
        return [_compare("R²", pairs, "r2")]
    kernel = [pair for pair in pairs if "published" in pair[1]["method"]]
    ridge = [pair for pair in pairs if pair[1]["method"] == "bkrr"]
    if experiment == 5:
        determined = [pair for pair in kernel if pair[0]["directions"] == 3]
        others = [pair for pair in kernel if pair[0]["directions"] < 3]
        return [
            _compare("BKerNN R²", kernel, "r2"),
            _compare("BKerNN feature score, W of rank 3 or more", determined, "feature"),
            _compare("BKerNN feature score, lower rank: not defined", others, "feature"),
            _compare("BKRR R²", ridge, "r2"),
        ]
    kernel, ridge = (
        [pair for pair in part if pair[1]["set"] not in OTHER_DATA] for part in (kernel, ridge)
    )
    return [_compare("BKerNN R²", kernel, "r2"), _compare("BKRR R²", ridge, "r2")]


def _compare(what: str, pairs: list[tuple[Record, Record]], name: str) -> Parity:
    known = [(own[name], other[name]) for own, other in pairs if other[name] is not None]
    if known and isinstance(known[0][0], list):
        known = [pair for own, other in known for pair in zip(own, other, strict=True)]
    return Parity(what, len(known), max((abs(a - b) for a, b in known), default=0.0))
