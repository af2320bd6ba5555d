"""Draw changes, make them one at a time, and say which ones no test notices.

Usage: python -m reliability.mutants.run [--seed S] [--count N] [--minutes M] [--again]

Each judgement is kept at once in results/mutants.json: a run that was ended goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import pathlib
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from . import find_cpp, find_python
from .change import Change
from .judge import Judge, TimeIsUpError
from .reasons import Reasons
from .sample import Results, draw
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
    results = Results(ROOT / arguments.output, sample, drawn, Reasons(ROOT).of)

    cpp = {number: one for number, one in enumerate(drawn, 1) if not one.file.endswith(".py")}
    schemata = Schemata(ROOT, FOLDER, cpp, results.not_compiled())
    schemata.make(TARGETS)
    results.found["not_compiled"] = sorted(schemata.not_compiled)
    results.write()
    say(f"built; {len(schemata.not_compiled)} changes do not compile")
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
        tell(number, judge.by_others(number, drawn[number - 1]))

    def seconds(number: int) -> float:
        return sum(test.seconds for test in judge.near(number, drawn[number - 1]))

    if arguments.again:
        results.forget_survivors()
    others = set(range(1, len(drawn) + 1)) - set(cpp)
    try:
        judge.watch_cpp(now)
        with ThreadPoolExecutor(judge.workers) as pool:
            list(pool.map(by_cpp, sorted(set(cpp) - results.done())))
        say(f"{len(results.left())} changes pass all C++ tests")
        install_package(FOLDER, f"{sample} {sorted(schemata.not_compiled)}")
        judge.watch_python(now)
        with ThreadPoolExecutor(judge.workers) as pool:
            left = (others | results.left()) - results.judged()
            list(pool.map(by_others, sorted(left, key=seconds)))  # most of them soon
    except TimeIsUpError:
        say("time is up")
    results.write()
    say(
        "{noticed} of {judged} judged were noticed, {change_nothing} change nothing".format(
            **results.found
        )
    )


if __name__ == "__main__":
    main()
