"""Draw changes, make them one at a time, and say which ones no test notices.

Usage: python -m reliability.mutants.run [--seed S] [--count N] [--minutes M] [--again]

Each judgement is kept at once in results/mutants.json: a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import math
import pathlib
import pickle
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import find_cpp, find_python
from .change import Change
from .judge import Judge, TimeIsUpError
from .schemata import Schemata

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build" / "mutants"
CPP = ("src", "tables", "report")
PYTHON = "python/bkernn"
TARGETS = ["bkernn_tests", "bkernn_tool"]
TESTS = (
    "tests/cli/test_*.py",
    "tests/python/test_*.py",
    "tests/reliability/test_properties.py",
)


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


def sources() -> str:
    """Return a number for all that is built and changed."""
    listed = subprocess.run(
        ["git", "ls-files", *CPP, "cli", "include", "python"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    files = [ROOT / one for one in listed.stdout.splitlines()]
    return hashlib.sha256(b"".join(one.read_bytes() for one in files if one.is_file())).hexdigest()


def find(now: str) -> list[Change]:
    """Return all changes of these sources, in a fixed order; those of C++ take minutes to find."""
    path = FOLDER / f"found-{now[:24]}.pickle"
    if not path.exists():
        cpp = find_cpp.find(ROOT, ROOT / "build" / "release", CPP)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(pickle.dumps([*cpp, *find_python.find(ROOT, PYTHON)]))
    found: list[Change] = pickle.loads(path.read_bytes())
    return found


def install_package(folder: pathlib.Path, what: str) -> None:
    """Build the package of the copy and unpack it beside it, unless that was done."""
    made = folder / "build" / "site.txt"
    if made.exists() and made.read_text() == what:
        return

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    run("make", "wheel", f"VENV={ROOT / 'build' / 'venv'}")
    [wheel] = (folder / "build" / "dist").glob("bkernn-*.whl")
    pip = (sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--upgrade")
    run(*pip, "--target", str(folder / "build" / "site"), str(wheel))
    made.write_text(what)


class Results:
    """The file of results: one sample, and what was judged of it."""

    def __init__(self, path: pathlib.Path, sample: dict[str, Any], changes: list[Change]) -> None:
        self.path, self.changes = path, changes
        self.lock = threading.Lock()
        self.found: dict[str, Any] = {
            **sample,
            "minutes": 0.0,
            "not_compiled": [],
            "pass_cpp": [],
            "changes": [],
        }
        if path.exists():
            kept = json.loads(path.read_text())
            if all(kept.get(key) == value for key, value in sample.items()):
                self.found = kept
        self.begin = time.monotonic() - 60 * self.found["minutes"]

    def judged(self) -> set[int]:
        """Return the changes that were judged."""
        return {one["number"] for one in self.found["changes"]}

    def left(self) -> set[int]:
        """Return the changes that pass all C++ tests, for the other tests to judge."""
        return set(self.found["pass_cpp"])

    def not_compiled(self) -> set[int]:
        """Return the changes that the compiler does not take."""
        return set(self.found["not_compiled"])

    def done(self) -> set[int]:
        """Return the changes that the C++ tests need not see any more."""
        return self.judged() | self.left() | self.not_compiled()

    def passes_cpp(self, number: int) -> None:
        """Keep that no C++ test notices this change."""
        with self.lock:
            self.found["pass_cpp"] = sorted(self.left() | {number})
            self.write()

    def forget_survivors(self) -> None:
        """Let them be judged once more, by tests that may be new."""
        kept = [one for one in self.found["changes"] if one["noticed_by"] is not None]
        self.found.update(changes=kept, pass_cpp=[])

    def add(self, number: int, noticed_by: str | None) -> None:
        """Keep a judgement, in place of an older one."""
        change = dataclasses.asdict(self.changes[number - 1])
        del change["edits"]
        with self.lock:
            kept = [one for one in self.found["changes"] if one["number"] != number]
            kept.append({"number": number, **change, "noticed_by": noticed_by})
            self.found["changes"] = sorted(kept, key=lambda one: one["number"])
            self.write()

    def write(self) -> None:
        """Write the file."""
        noticed = [one for one in self.found["changes"] if one["noticed_by"] is not None]
        self.found.update(judged=len(self.found["changes"]), noticed=len(noticed))
        self.found["minutes"] = round((time.monotonic() - self.begin) / 60, 1)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(self.found, indent=1, ensure_ascii=False) + "\n")


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="only files whose path begins so")
    parser.add_argument("--minutes", type=float, default=math.inf, help="then stop; run again")
    parser.add_argument("--again", action="store_true", help="judge what survived once more")
    parser.add_argument("--output", default="results/mutants.json")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes

    now = sources()
    found = [change for change in find(now) if change.file.startswith(arguments.only)]
    drawn = draw(found, arguments.count, arguments.seed)
    say(f"{len(found)} changes are possible, {len(drawn)} were drawn")
    sample = {
        "sources": now,
        "seed": arguments.seed,
        "possible": len(found),
        "drawn": len(drawn),
    }
    results = Results(ROOT / arguments.output, sample, drawn)

    cpp = {number: one for number, one in enumerate(drawn, 1) if one.file.endswith(".cpp")}
    schemata = Schemata(ROOT, FOLDER, cpp, results.not_compiled())
    schemata.make(TARGETS)
    results.found["not_compiled"] = sorted(schemata.not_compiled)
    results.write()
    say(f"built; {len(schemata.not_compiled)} changes do not compile")
    install_package(FOLDER, f"{sample} {sorted(schemata.not_compiled)}")
    files = [str(path.relative_to(ROOT)) for one in TESTS for path in sorted(ROOT.glob(one))]
    judge = Judge(FOLDER, files, end, say)

    def tell(number: int, noticed_by: str | None) -> None:
        results.add(number, noticed_by)
        change = drawn[number - 1]
        say(f"{noticed_by or 'SURVIVED'}: {change.file}:{change.line} {change.kind}")

    def by_cpp(number: int) -> None:
        if (noticed_by := judge.by_cpp(number)) is not None:
            tell(number, noticed_by)
        else:
            results.passes_cpp(number)

    def by_others(number: int) -> None:
        change = drawn[number - 1]
        package = change.file.endswith(".py")
        tell(number, judge.of_package(change) if package else judge.by_others(number))

    if arguments.again:
        results.forget_survivors()
    others = set(range(1, len(drawn) + 1)) - set(cpp)
    try:
        judge.watch_cpp(now)
        with ThreadPoolExecutor(judge.workers) as pool:
            list(pool.map(by_cpp, sorted(set(cpp) - results.done())))
        say(f"{len(results.left())} changes pass all C++ tests")
        judge.watch_python(now)
        with ThreadPoolExecutor(judge.workers) as pool:
            list(pool.map(by_others, sorted((others | results.left()) - results.judged())))
    except TimeIsUpError:
        say("time is up")
    results.write()
    say(f"{results.found['noticed']} of {results.found['judged']} judged were noticed")


if __name__ == "__main__":
    main()
