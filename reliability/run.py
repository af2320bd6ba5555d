"""Everything at full length: `make reliability` writes results/reliability.json and a table."""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from . import damage, kills, load, memory, storage, symmetries
from .tool import BrokenPromiseError, NotTriedError


def _trials(arguments: argparse.Namespace) -> dict[str, Callable[[pathlib.Path], Any]]:
    most, some = math.ceil(arguments.variants * 0.9), math.ceil(arguments.variants / 20)
    return {
        "damaged models": lambda folder: damage.damaged_models(folder, most),
        "damaged checkpoints": lambda folder: damage.damaged_checkpoints(folder, some),
        "damaged tables": lambda folder: damage.damaged_tables(folder, some),
        "cut arrays": lambda folder: damage.cut_arrays(folder, some),
        "kills": lambda folder: kills.killed_fits(folder, arguments.kills),
        "full disk": lambda folder: storage.full_disk(folder, 12),
        "full file system": lambda folder: {"writes_refused": storage.small_file_system(folder)},
        "read-only": lambda folder: {"writes_refused": storage.read_only(folder)},
        "little memory": lambda folder: memory.little_memory(folder, 6000),
        "forked children": lambda _: {"children": load.forked(8)},
        "symmetries": lambda _: symmetries.trial(arguments.tables),
        "load": lambda _: load.crowd(8, 8, arguments.load_seconds),
    }


def main() -> int:
    """Run the trials; the exit code is 1 if a promise was broken."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--variants", type=int, default=10_000)
    parser.add_argument("--load-seconds", type=float, default=600)
    parser.add_argument("--tables", type=int, default=1500)
    parser.add_argument("--only", nargs="*", help="names of trials")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("results"))
    arguments = parser.parse_args()
    arguments.output.mkdir(exist_ok=True)
    path = arguments.output / "reliability.json"
    results = json.loads(path.read_text()) if path.exists() else {}
    broken, untried = False, []
    for name, trial in _trials(arguments).items():
        if arguments.only and name not in arguments.only:
            continue
        start = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder).chmod(0o755)
            try:
                found = dict(trial(pathlib.Path(folder)))
            except BrokenPromiseError as error:
                found, broken = {"broken": str(error)}, True
            except NotTriedError as error:
                found = {"not tried": str(error)}
                untried.append(name)
        results[name] = {**found, "took_seconds": round(time.monotonic() - start, 1)}
        figures = ", ".join(f"{key} {value}" for key, value in results[name].items())
        print(f"{name:22}{figures}", flush=True)
        path.write_text(json.dumps(results, indent=1) + "\n")
    if untried:
        print(f"not tried, so neither kept nor broken: {', '.join(untried)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
