"""Results as lines of JSON, one for each fit: a run that was cut goes on where it ended."""

from __future__ import annotations

import argparse
import fcntl
import importlib
import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from joblib import Parallel, delayed

from .results import Record, select


def read_lines(file: Path) -> list[Record]:
    """Return what has been run; a line that was cut is left out."""
    found = []
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def append_line(file: Path, record: Record) -> None:
    """Write a record behind the others; several processes may do so."""
    with file.open("a") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(json.dumps(record) + "\n")


def write_lines(file: Path, records: list[Record]) -> None:
    """Write these records alone, which also removes a line that was cut."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


def run_missing(
    name: str,
    keys: Callable[[bool], Iterable[Record]],
    measure: Callable[..., Record],
    arguments: list[str] | None = None,
    *,
    alone: bool = False,
) -> None:
    """Run an experiment as a command: `measure` of each key that has no line yet, in their order.

    ``--again`` names methods whose lines are forgotten first: when the library changes, only its
    own are run again. With `alone` each has a new process, so that its memory can be measured.
    """
    parser = argparse.ArgumentParser(prog=f"python -m {measure.__module__}")
    parser.add_argument("--quick", action="store_true", help="a small part of it, for tests")
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    parser.add_argument("--jobs", type=int, default=2, help="fits at a time")
    parser.add_argument("--again", nargs="*", default=[], help="methods to run once more")
    given = parser.parse_args(arguments)
    file = given.output / f"{name}.jsonl"
    done = [record for record in read_lines(file) if record.get("method") not in given.again]
    write_lines(file, done)
    missing = [key for key in keys(given.quick) if not select(done, **key)]
    measure = importable(measure)

    def run(key: Record) -> None:
        append_line(file, key | (in_new_process(measure, key) if alone else measure(**key)))

    jobs = 1 if given.quick else given.jobs
    backend = "threading" if alone else None
    Parallel(jobs, backend=backend)(delayed(run)(key) for key in missing)
    print(f"{file}: {len(missing)} fits")


def importable(function: Callable[..., Record]) -> Callable[..., Record]:
    """Return a function of a module that runs as a command as other processes can find it."""
    name = sys.modules[function.__module__].__spec__.name
    return getattr(importlib.import_module(name), function.__name__)


def in_new_process(measure: Callable[..., Record], key: Record) -> Record:
    """Return what `measure` gives in a process that has done nothing before."""
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        return process.submit(measure, **key).result()
