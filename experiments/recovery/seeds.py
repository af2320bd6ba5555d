"""Whether fits from different starting directions end in the same place.

``python -m experiments.recovery.seeds [--output results]`` writes ``recovery_seeds.json``: ten fits
of the same rows, with the λ and the penalty that the first of them has chosen.
"""

from __future__ import annotations

import argparse
import json
import warnings
from pathlib import Path

import numpy as np

from bkernn import BKerNNRegressor

from ..common.results import Record
from ..common.scores import leading_directions
from .compare import BASE
from .tasks import TASKS, draw

PROBLEMS = (("ratio", 200), ("staircase", 400), ("product", 800), ("mixed", 800), ("folded", 400))
DRAWS, SEEDS = 2, 10


def largest_angle(A: np.ndarray, B: np.ndarray) -> float:
    """Return the largest principal angle between two spaces, in degrees; 90 if sizes differ."""
    if A.shape != B.shape or A.shape[1] == 0:
        return 90.0
    cosine = np.linalg.svd(A.T @ B, compute_uv=False)[-1]
    return float(np.degrees(np.arccos(np.clip(cosine, 0, 1))))


def records_of(task: str, n: int, number: int, seeds: int) -> list[Record]:
    """Return objective and angle to the best space for each seed."""
    data, k = draw(task, BASE, number, n), TASKS[task].k
    first = BKerNNRegressor(random_state=0, n_jobs=1).fit(data.X, data.y)
    if not first.W_.any():
        return []
    options = {"regularization": first.regularization_, "penalty": first.penalty_}
    models = [
        BKerNNRegressor(random_state=s, n_jobs=1, **options).fit(data.X, data.y)
        for s in range(seeds)
    ]
    objectives = np.array([m.objective_path_[-1] for m in models])
    spaces = [leading_directions(m.W_, k) for m in models]
    best = int(np.argmin(objectives))
    shared = {"task": task, "n": n, "draw": number, "penalty": first.penalty_}
    return [
        shared
        | {
            "seed": s,
            "excess": float(objectives[s] / objectives[best] - 1),
            "angle": largest_angle(spaces[s], spaces[best]),
        }
        for s in range(seeds)
    ]


def main(arguments: list[str] | None = None) -> None:
    """Run all problems."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    given = parser.parse_args(arguments)
    problems = [("ratio", 60)] if given.quick else PROBLEMS
    draws, seeds = (1, 2) if given.quick else (DRAWS, SEEDS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        records = [r for t, n in problems for i in range(draws) for r in records_of(t, n, i, seeds)]
    given.output.mkdir(parents=True, exist_ok=True)
    file = given.output / "recovery_seeds.json"
    file.write_text(json.dumps(records) + "\n")
    print(f"{file}: {len(records)} fits")


if __name__ == "__main__":
    main()
