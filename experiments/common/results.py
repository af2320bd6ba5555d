"""Raw results as JSON: written by the experiments, read by tables and claims.

The results of an experiment are a list of records (flat dictionaries): one per fit.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from joblib import Parallel, delayed, parallel_config
from joblib.externals.loky import get_reusable_executor
from matplotlib.figure import Figure

import bkernn

Record = dict[str, Any]
Results = dict[str, Record]  # what experiments wrote, by their names


def in_parallel(function: Callable[..., Any], arguments: Iterable[tuple]) -> list[Any]:
    """Return function(*a) for each tuple of arguments; `run_and_write` says how many at a time."""
    return Parallel()(delayed(function)(*a) for a in arguments)


def select(records: Iterable[Record], **fields: Any) -> list[Record]:
    """Return the records with these values."""
    return [r for r in records if all(r.get(name) == value for name, value in fields.items())]


def values(records: Iterable[Record], name: str, **fields: Any) -> list[float]:
    """Return one value of each record that has these fields; what is not a number is left out."""
    found = (record[name] for record in select(records, **fields))
    return [float(value) for value in found if value is not None and math.isfinite(value)]


def mean(records: Iterable[Record], name: str, **fields: Any) -> float:
    """Return the mean of `values`."""
    found = values(records, name, **fields)
    if not found:
        raise ValueError(f"no {name} with {fields}")
    return math.fsum(found) / len(found)


def read(folder: Path, name: str) -> Record:
    """Return what `run_and_write` wrote."""
    return json.loads((folder / f"{name}.json").read_text())


def _finite(value: Any) -> Any:
    """Return `value` with null for what JSON has no number for."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def processor_seconds() -> float:
    """Return what this process and its workers have used, which other work does not change."""
    get_reusable_executor().shutdown(wait=True)  # only workers that have ended are counted
    used = os.times()
    return round(used.user + used.system + used.children_user + used.children_system, 1)


def run_and_write(
    name: str, run: Callable[[bool], list[Record]], plot: Callable[[list[Record]], Figure]
) -> None:
    """Run an experiment as a command: write its results and its figure."""
    command = sys.modules[run.__module__].__spec__.name
    parser = argparse.ArgumentParser(prog=f"python -m {command}", description=run.__doc__)
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--plot-only", action="store_true", help="draw results that exist")
    arguments = parser.parse_args()
    folder: Path = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    if not arguments.plot_only:
        start = time.perf_counter()
        with parallel_config(n_jobs=1 if arguments.quick else min(2, os.cpu_count() or 1)):
            records = run(arguments.quick)
        document = {
            "name": name,
            "quick": arguments.quick,
            "seconds": round(time.perf_counter() - start, 1),
            "processor_seconds": processor_seconds(),
            "version": bkernn.__version__,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "records": _finite(records),
        }
        (folder / f"{name}.json").write_text(json.dumps(document, allow_nan=False) + "\n")
        print(f"{name}: {len(records)} records in {document['seconds']} s")
    figure = plot(read(folder, name)["records"])
    figure.savefig(folder / f"{name}.png", dpi=90)
    print(f"wrote {folder / name}.json and .png")
