"""Whether fits from different starting directions end in the same place.

``python -m experiments.recovery.seeds [--output docs/results] [--again]`` appends a line to
``seeds.jsonl`` for each draw: ten fits of the same rows, with the λ and the penalty that the first
of them has chosen. Lines that are there are left out, unless they are to be run again.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

from bkernn import BKerNNRegressor

from ..common.lines import append_line, read_lines, write_lines
from ..common.results import Record, select
from ..common.scores import leading_directions
from .compare import BASE
from .tasks import TASKS, draw

PROBLEMS = (("ratio", 200), ("staircase", 400), ("product", 800), ("mixed", 800), ("folded", 400))
DRAWS, SEEDS = 3, 10


def largest_angle(A: np.ndarray, B: np.ndarray) -> float:
    """Return the largest principal angle between two spaces, in degrees; 90 if sizes differ."""
    if A.shape != B.shape or A.shape[1] == 0:
        return 90.0
    cosine = np.linalg.svd(A.T @ B, compute_uv=False)[-1]
    return float(np.degrees(np.arccos(np.clip(cosine, 0, 1))))


def record(key: Record, seeds: int) -> Record:
    """Return the excess objective of each seed, and the angle of its space to the best one."""
    data, k = draw(key["task"], BASE, key["draw"], key["n"]), TASKS[key["task"]].k
    first = BKerNNRegressor(random_state=0, n_jobs=1).fit(data.X, data.y)
    options = {"regularization": first.regularization_, "penalty": first.penalty_}
    models = [
        BKerNNRegressor(random_state=s, n_jobs=1, **options).fit(data.X, data.y)
        for s in range(seeds)
    ]
    objectives = np.array([m.objective_path_[-1] for m in models])
    spaces = [leading_directions(m.W_, k) for m in models]
    best = int(np.argmin(objectives))
    excess = objectives / objectives[best] - 1
    return key | {
        "penalty": first.penalty_,
        "excess": [round(float(one), 5) for one in excess],
        "angle": [round(largest_angle(space, spaces[best]), 2) for space in spaces],
    }


def main(arguments: list[str] | None = None) -> None:
    """Run what has not been run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--again", action="store_true", help="forget what has been run")
    given = parser.parse_args(arguments)
    problems, draws, seeds = ([("ratio", 60)], 1, 2) if given.quick else (PROBLEMS, DRAWS, SEEDS)
    file = given.output / "seeds.jsonl"
    done = [] if given.again else read_lines(file)
    write_lines(file, done)
    keys = [{"task": t, "n": n, "draw": i} for t, n in problems for i in range(draws)]
    for key in (key for key in keys if not select(done, **key)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            append_line(file, record(key, seeds))
    print(f"{file}: {len(read_lines(file))} lines")


if __name__ == "__main__":
    main()
