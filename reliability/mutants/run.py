"""Draw changes, make them one at a time, and say which ones no test notices.

Usage: python -m reliability.mutants.run [--seed S] [--count N] [--only PREFIX]
"""

from __future__ import annotations

import argparse
import json
import pathlib
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from . import find_cpp, find_python
from .change import Change
from .judge import Judge
from .schemata import Schemata

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutants"
CPP = ("src", "tables", "report")
PYTHON = "python/bkernn"
TARGETS = ["bkernn_tests", "bkernn_tool"]


def say(text: str) -> None:
    """Print with the time of day."""
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


def draw(all_changes: list[Change], count: int, seed: int) -> list[Change]:
    """Draw changes that do not overlap."""
    drawn: list[Change] = []
    for change in random.Random(seed).sample(all_changes, len(all_changes)):
        if len(drawn) == count:
            break
        if not any(change.overlaps(other) for other in drawn):
            drawn.append(change)
    return drawn


def install_package(folder: pathlib.Path) -> None:
    """Build the package of the copy, and unpack it beside it."""

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    run("make", "wheel", f"VENV={ROOT / 'build' / 'venv'}")
    [wheel] = (folder / "build" / "dist").glob("bkernn-*.whl")
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--upgrade")
    run(*pip, "--target", str(folder / "build" / "site"), str(wheel))


def describe(change: Change, noticed_by: str | None) -> dict[str, object]:
    """Return a line of the results."""
    return {
        "file": change.file,
        "line": change.line,
        "kind": change.kind,
        "before": change.before,
        "after": change.after,
        "noticed_by": noticed_by,
    }


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="only files whose path begins so")
    parser.add_argument("--output", default="results/mutants.json")
    arguments = parser.parse_args()
    begin = time.monotonic()

    found = [*find_cpp.find(ROOT, ROOT / "build" / "release", CPP), *find_python.find(ROOT, PYTHON)]
    found = [change for change in found if change.file.startswith(arguments.only)]
    drawn = draw(found, arguments.count, arguments.seed)
    cpp = [change for change in drawn if change.file.endswith(".cpp")]
    python = [change for change in drawn if change.file.endswith(".py")]
    say(f"{len(found)} changes are possible; {len(cpp)} of C++ and {len(python)} of Python drawn")

    schemata = Schemata(ROOT, FOLDER, cpp)
    schemata.make(TARGETS)
    say(f"built; {len(schemata.not_compiled)} changes do not compile")
    install_package(FOLDER)
    files = [
        str(path.relative_to(ROOT))
        for folder in ("tests/cli", "tests/python")
        for path in sorted((ROOT / folder).glob("test_*.py"))
    ]
    judge = Judge(FOLDER, files, say)
    judge.map_cpp()
    judge.map_python()

    results = []

    def one(number: int) -> None:
        if number in schemata.not_compiled:
            return
        noticed_by = judge.judge_cpp(number)
        results.append(describe(cpp[number - 1], noticed_by))
        change = cpp[number - 1]
        say(f"{'noticed' if noticed_by else 'SURVIVED'} {change.file}:{change.line} {change.kind}")

    with ThreadPoolExecutor(judge.workers) as pool:
        list(pool.map(one, range(1, len(cpp) + 1)))
    for change in python:
        noticed_by = judge.judge_python(change)
        results.append(describe(change, noticed_by))
        say(f"{'noticed' if noticed_by else 'SURVIVED'} {change.file}:{change.line} {change.kind}")

    noticed = sum(one["noticed_by"] is not None for one in results)
    minutes = (time.monotonic() - begin) / 60
    say(f"{noticed} of {len(results)} noticed, {minutes:.0f} minutes")
    output = ROOT / arguments.output
    output.parent.mkdir(exist_ok=True)
    output.write_text(
        json.dumps(
            {
                "seed": arguments.seed,
                "possible": len(found),
                "judged": len(results),
                "noticed": noticed,
                "minutes": round(minutes, 1),
                "survivors": [one for one in results if one["noticed_by"] is None],
                "noticed_changes": [one for one in results if one["noticed_by"] is not None],
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
