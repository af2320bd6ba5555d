"""Which tests run through a change, and whether one of them fails once it is made.

A test that takes ten times as long as without the change, and ten seconds more, counts as failed.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor

from .change import Change, apply

CHUNK = 100  # C++ tests that run in one process


def patience(seconds: float) -> float:
    """Return how long to wait for what takes so many seconds without a change."""
    return 10 * seconds + 10


def passes(
    command: list[str], environment: dict[str, str], folder: pathlib.Path, limit: float
) -> bool:
    """Run a test, with everything that it starts, for so long at most."""
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@dataclasses.dataclass
class Test:
    """A test of C++, or a file of tests of Python or of the tool."""

    name: str
    seconds: float
    reached: set[int]  # changes of C++
    lines: dict[str, set[int]] = dataclasses.field(default_factory=dict)  # of Python


class Judge:
    """Runs tests in the folder of a build with changes."""

    def __init__(
        self, folder: pathlib.Path, test_files: list[str], say: Callable[[str], None]
    ) -> None:
        self.folder, self.say = folder, say
        self.program = folder / "build" / "release" / "tests" / "bkernn_tests"
        self.site = folder / "build" / "site"  # the package
        self.test_files = test_files
        self.workers = os.cpu_count() or 1
        self.cpp: list[Test] = []
        self.python: list[Test] = []

    # ---- What reaches what.

    def map_cpp(self) -> None:
        """Run every C++ test by itself."""
        listed = subprocess.run(
            [self.program, "--gtest_list_tests"], check=True, capture_output=True, text=True
        )
        names, suite = [], ""
        for line in listed.stdout.splitlines():
            word = line.split("#")[0].strip()
            if not line.startswith(" "):
                suite = word
            elif not word.startswith("DISABLED_"):
                names.append(suite + word)
        with ThreadPoolExecutor(self.workers) as pool:
            self.cpp = [test for test in pool.map(self._watch_cpp, names) if test is not None]
        self.cpp.sort(key=lambda test: test.seconds)
        self.say(f"{len(self.cpp)} C++ tests were watched")

    def _watch_cpp(self, name: str) -> Test | None:
        with tempfile.NamedTemporaryFile("r") as seen:
            begin = time.monotonic()
            command = [str(self.program), f"--gtest_filter={name}"]
            if not passes(command, {"BKERNN_REACHED": seen.name}, self.folder, 600):
                return None  # fails anyway, and can judge nothing
            return Test(name, time.monotonic() - begin, set(map(int, seen.read().split())))

    def map_python(self) -> None:
        """Run every file of other tests by itself."""
        with ThreadPoolExecutor(self.workers) as pool:
            tests = pool.map(self._watch_python, self.test_files)
            self.python = [test for test in tests if test is not None]
        self.python.sort(key=lambda test: test.seconds)
        self.say(f"{len(self.python)} of {len(self.test_files)} files of other tests were watched")

    def _watch_python(self, file: str) -> Test | None:
        with tempfile.TemporaryDirectory() as scratch:
            seen, data = pathlib.Path(scratch, "seen"), pathlib.Path(scratch, "coverage")
            seen.touch()
            begin = time.monotonic()
            coverage = [sys.executable, "-m", "coverage"]
            command = [*coverage, "run", f"--data-file={data}", f"--source={self.site}/bkernn"]
            environment = {**self._python_environment(), "BKERNN_REACHED": str(seen)}
            if not passes([*command, *self._pytest(file)[1:]], environment, self.folder, 1200):
                self.say(f"{file} fails without any change, and judges nothing")
                return None
            seconds = time.monotonic() - begin
            report = pathlib.Path(scratch, "report")
            subprocess.run(
                [*coverage, "json", f"--data-file={data}", "-o", report, "-q"], check=False
            )
            lines = {}
            if report.exists():
                for path, one in json.loads(report.read_text())["files"].items():
                    lines[path.partition("/bkernn/")[2]] = set(one["executed_lines"])
            return Test(file, seconds, set(map(int, seen.read_text().split())), lines)

    def _pytest(self, file: str) -> list[str]:
        return [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", file]

    def _python_environment(self) -> dict[str, str]:
        return {
            "PYTHONPATH": str(self.site),
            "BKERNN_BINARY": str(self.folder / "build" / "release" / "bkernn"),
        }

    # ---- Who notices.

    def judge_cpp(self, number: int) -> str | None:
        """Return the test that notices a change of C++, None if there is none."""
        environment = {"BKERNN_MUTANT": str(number)}
        near = [test for test in self.cpp if number in test.reached]
        for begin in range(0, len(near), CHUNK):
            some = near[begin : begin + CHUNK]
            names = ":".join(test.name for test in some)
            command = [str(self.program), f"--gtest_filter={names}", "--gtest_fail_fast"]
            limit = patience(sum(test.seconds for test in some))
            if not passes(command, environment, self.folder, limit):
                return f"one of {some[0].name} … {some[-1].name}"
        files = [test for test in self.python if number in test.reached]
        return self._notices(files, {**environment, **self._python_environment()})

    def judge_python(self, change: Change) -> str | None:
        """Return the file of tests that notices a change of Python; the package must be free."""
        file = change.file.partition("/bkernn/")[2]
        last = change.line + change.before.count("\n")
        lines = set(range(change.line, last + 1))
        near = [test for test in self.python if lines & test.lines.get(file, set())]
        path = self.site / "bkernn" / file
        original = path.read_bytes()
        try:
            path.write_bytes(apply(original, list(change.edits)))
            return self._notices(near, self._python_environment())
        finally:
            path.write_bytes(original)

    def _notices(self, tests: Iterable[Test], environment: dict[str, str]) -> str | None:
        for test in tests:
            limit = patience(test.seconds)
            if not passes(self._pytest(test.name), environment, self.folder, limit):
                return test.name
        return None
