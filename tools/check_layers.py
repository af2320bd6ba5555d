#!/usr/bin/env python3
"""Each part may include only the parts before it; threads and SIMD live in one file each."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# From the bottom up. A header may include its own layer and those before it.
LAYERS = [
    ["types", "error", "names", "check_values", "parallel", "rng", "atomic_file"],
    ["hash", "fixed_point"],
    ["kernel", "loss", "penalty", "metrics", "loops"],
    ["model", "simulate", "baselines", "report", "options", "observer"],
    ["knot_tables", "knot_system", "conjugate_gradients"],
    ["coarse_preconditioner", "knot_preconditioner", "shard"],
    ["kernel_operator", "sorted_operator", "knot_operator", "dense_operator"],
    ["inner_solver"],
    ["objective"],
    ["optimizer"],
    ["fit", "prepared_data", "io"],
    ["dual_objective", "knot_objective", "stages"],
    ["choices", "fit_rows"],
    ["theory", "cross_validate", "distributed"],
    ["bkernn"],
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
PUBLIC_ONLY = ["cli", "python", "benchmarks"]


def includes(path):
    """Return the names of the project's headers that a file includes."""
    return re.findall(r'^#include "(?:bkernn/)?([\w/]+)\.hpp"', path.read_text(), re.M)


def problems():
    """Yield what is wrong, as sentences."""
    for path in sorted([*ROOT.glob("include/bkernn/*.hpp"), *ROOT.glob("src/*.hpp")]):
        name = path.stem
        level = LEVEL.get(name, max(LEVEL.values()))
        for other in includes(path):
            if other in LEVEL and LEVEL[other] > level:
                yield f"{path.relative_to(ROOT)} includes {other}.hpp, which stands above it"
    once = {
        "std::thread|std::mutex|std::condition_variable": "src/parallel.cpp",
        "target_clones": "src/loops.cpp",
    }
    for pattern, home in once.items():
        for path in sorted([*ROOT.glob("src/*.[ch]pp"), *ROOT.glob("include/bkernn/*.hpp")]):
            where = str(path.relative_to(ROOT))
            if where != home and re.search(pattern, path.read_text()):
                yield f"{where} uses {pattern}, which belongs into {home} alone"


if __name__ == "__main__":
    found = list(problems())
    print("\n".join(found) or "layers are in order")
    sys.exit(bool(found))
