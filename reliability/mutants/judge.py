"""Which tests run through a change, and whether one of them fails once it is made.

A test that takes ten times as long as without the change, and two minutes more, counts as failed,
and the judgement says so: "too late".
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from .change import Change, apply

TOO_LATE = ", too late"
CHUNK = 100  # C++ tests that run in one process
ENDLESS = 3600.0  # seconds in which tests end that nothing was changed for
POLL = 5.0  # seconds between two looks at the clock of the whole run


class TimeIsUpError(Exception):
    """The run was given so many minutes; what was judged is kept."""


def patience(seconds: float) -> float:
    """Return how long to wait for what takes so many seconds without a change.

    Alone it may take longer than among others, which leave it what they began.
    """
    return 10 * seconds + 120


@dataclasses.dataclass(frozen=True)
class Test:
    """A test, and what it runs through: itself, and what it shares with others."""

    name: str
    seconds: float
    seen: list[dict[str, Any]]

    def reaches(self, number: int) -> bool:
        """Return whether it runs through a change of C++."""
        return any(number in one["reached"] for one in self.seen)

    def reaches_lines(self, file: str, first: int, last: int) -> bool:
        """Return whether it runs through one of these lines of a file of the package."""
        lines = (line for one in self.seen for line in one.get("lines", {}).get(file, []))
        return any(first <= line <= last for line in lines)


class Clock:
    """Seconds of waiting. Those do not count in which this process was stopped."""

    def __init__(self) -> None:
        self.seconds, self.looked = 0.0, time.monotonic()

    def look(self) -> float:
        """Return how long it was waited. To be asked at least every POLL seconds."""
        now = time.monotonic()
        self.seconds += min(now - self.looked, 2 * POLL)
        self.looked = now
        return self.seconds


def within(seconds: float) -> Callable[[], bool]:
    """Return what says whether it was waited so many seconds since now."""
    clock = Clock()
    return lambda: clock.look() > seconds


def begun_last(said: pathlib.Path) -> str:
    """Return the last test of which a C++ program says in this file that it begins."""
    text = said.read_text(errors="replace")  # tests print bytes of every kind
    began: list[str] = re.findall(r"^\[ RUN +\] (\S+)", text, re.MULTILINE)
    return began[-1] if began else "start"


def written(path: pathlib.Path) -> str:
    """Return the test that pytest says it runs (watch.py)."""
    return path.read_text() if path.exists() else "import"


class Running:
    """Which of these tests runs, and whether it takes much longer than it should."""

    def __init__(self, tests: list[Test], test: Callable[[], str]) -> None:
        self.patience = {one.name: patience(one.seconds) for one in tests}
        self.test = test
        self.last, self.clock = "", Clock()

    def late(self) -> bool:
        """Return whether it does. To be asked again and again."""
        if (test := self.test()) != self.last:
            self.last, self.clock = test, Clock()
        return self.clock.look() > self.patience.get(test, patience(0))

    def noticed(self) -> str:
        """Return which test noticed something, now that the process has ended."""
        return self.test() + (TOO_LATE if self.late() else "")


class Judge:
    """Runs tests in the folder of a build with changes.

    What was watched is kept in `folder`/watched and serves again while the sources are the same.
    """

    def __init__(
        self, folder: pathlib.Path, test_files: list[str], end: float, say: Callable[[str], None]
    ) -> None:
        self.folder, self.end, self.say = folder, end, say
        self.program = folder / "build" / "release" / "tests" / "bkernn_tests"
        self.site = folder / "build" / "site"  # the package
        self.watched = folder / "watched"
        self.test_files = test_files
        self.workers = os.cpu_count() or 1
        self.cpp: list[Test] = []
        self.python: list[Test] = []

    # ---- What reaches what.

    def watch_cpp(self, sources: str) -> None:
        """Run every C++ test once. `sources` stands for all that is tested."""
        self.watched.mkdir(exist_ok=True)
        with ThreadPoolExecutor(self.workers) as pool:
            found = pool.map(lambda name: self._watch_cpp(name, sources), self._names())
            self.cpp = sorted((one for one in found if one), key=lambda one: one.seconds)
        self.say(f"{len(self.cpp)} C++ tests were watched")

    def watch_python(self, sources: str) -> None:
        """Run every other test once."""
        with ThreadPoolExecutor(self.workers) as pool:
            files = pool.map(lambda file: self._watch_python(file, sources), self.test_files)
            self.python = sorted((one for some in files for one in some), key=lambda t: t.seconds)
        self.say(f"{len(self.python)} other tests were watched")

    def _names(self) -> list[str]:
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
        return names

    def _watch_cpp(self, name: str, sources: str) -> Test | None:
        def run(scratch: pathlib.Path) -> dict[str, Any]:
            seen = scratch / "seen"
            begin = time.monotonic()
            command = [str(self.program), f"--gtest_filter={name}"]
            passed = self._passes(command, {"BKERNN_REACHED": str(seen)}, within(ENDLESS))
            reached = seen.read_text().split() if seen.exists() else []
            seconds = time.monotonic() - begin
            return {"passed": passed, "seconds": seconds, "reached": sorted(map(int, reached))}

        found = self._kept(f"{sources} {name} {self.program.stat().st_mtime_ns}", run)
        if not found["passed"]:
            self.say(f"{name} fails without any change, and judges nothing")
            return None
        return Test(name, found["seconds"], [found])

    def _watch_python(self, file: str, sources: str) -> list[Test]:
        def run(scratch: pathlib.Path) -> dict[str, Any]:
            environment = {**self._python_environment(self.site), "BKERNN_WATCH": str(scratch)}
            self._passes(self._pytest(file), environment, within(ENDLESS))
            watched = scratch / "watched.json"
            return json.loads(watched.read_text()) if watched.exists() else {}

        found = self._kept(f"{sources} {file} {(self.folder / file).read_text()}", run)
        for name in found.get("failed", [file]):
            self.say(f"{name} fails without any change, and judges nothing")
        tests = []
        for name, uses in found.get("tests", {}).items():
            used = [found["contexts"].get(one) for one in ("import", name, *uses)]
            seen = [one for one in used if one is not None]
            tests.append(Test(name, sum(one["seconds"] for one in seen), seen))
        return tests

    def _kept(self, what: str, run: Callable[[pathlib.Path], dict[str, Any]]) -> dict[str, Any]:
        path = self.watched / (hashlib.sha256(what.encode()).hexdigest()[:24] + ".json")
        if not path.exists():
            with tempfile.TemporaryDirectory() as scratch:
                found = run(pathlib.Path(scratch))
            path.write_text(json.dumps(found))
        kept: dict[str, Any] = json.loads(path.read_text())
        return kept

    # ---- Who notices.

    def by_cpp(self, number: int) -> str | None:
        """Return the C++ test that notices a change of C++, None if there is none."""
        near = [test for test in self.cpp if test.reaches(number)]
        for begin in range(0, len(near), CHUNK):
            noticed_by = self._cpp_notices(near[begin : begin + CHUNK], number)
            if noticed_by is not None:
                return noticed_by
        return None

    def near(self, number: int, change: Change) -> list[Test]:
        """Return the other tests that run through a change."""
        if not change.file.endswith(".py"):
            return [test for test in self.python if test.reaches(number)]
        file, last = change.file.partition("/bkernn/")[2], change.line + change.before.count("\n")
        return [one for one in self.python if one.reaches_lines(file, change.line, last)]

    def by_others(self, number: int, change: Change) -> str | None:
        """Return the other test that notices a change, None if there is none."""
        near = self.near(number, change)
        if not change.file.endswith(".py"):
            environment = {"BKERNN_MUTANT": str(number), **self._python_environment(self.site)}
            return self._python_notices(near, environment)
        with tempfile.TemporaryDirectory() as site:
            shutil.copytree(self.site, site, dirs_exist_ok=True)
            path = pathlib.Path(site, "bkernn", change.file.partition("/bkernn/")[2])
            path.write_bytes(apply(path.read_bytes(), list(change.edits)))
            return self._python_notices(near, self._python_environment(pathlib.Path(site)))

    def _cpp_notices(self, tests: list[Test], number: int) -> str | None:
        names = ":".join(test.name for test in tests)
        command = [str(self.program), f"--gtest_filter={names}", "--gtest_fail_fast"]
        with tempfile.NamedTemporaryFile() as file:
            said = pathlib.Path(file.name)
            running = Running(tests, lambda: begun_last(said))
            passes = self._passes(command, {"BKERNN_MUTANT": str(number)}, running.late, said)
            return None if passes else running.noticed()

    def _python_notices(self, tests: list[Test], environment: dict[str, str]) -> str | None:
        if not tests:
            return None
        files = list(dict.fromkeys(test.name.partition("::")[0] for test in tests))
        with tempfile.TemporaryDirectory() as scratch:
            order = pathlib.Path(scratch, "order.json")
            order.write_text(json.dumps([test.name for test in tests]))
            running = Running(tests, lambda: written(order.with_suffix(".running")))
            environment = {**environment, "BKERNN_ORDER": str(order)}
            passes = self._passes(self._pytest("-x", *files), environment, running.late)
            return None if passes else running.noticed()

    # ---- Processes.

    def _pytest(self, *arguments: str) -> list[str]:
        options = ["-q", "-p", "no:cacheprovider", "-p", "reliability.mutants.watch"]
        return [sys.executable, "-m", "pytest", *options, *arguments]

    def _python_environment(self, site: pathlib.Path) -> dict[str, str]:
        return {
            "PYTHONPATH": f"{site}:{self.folder}",
            "BKERNN_BINARY": str(self.folder / "build" / "release" / "bkernn"),
        }

    def _passes(
        self,
        command: list[str],
        environment: dict[str, str],
        late: Callable[[], bool],
        output: pathlib.Path = pathlib.Path(os.devnull),
    ) -> bool:
        """Run tests, with everything that they start, until they are late."""
        # A scratch folder of its own: the same test may run twice at once.
        if time.monotonic() >= self.end:
            raise TimeIsUpError
        with (
            tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch,
            output.open("wb") as to,
        ):
            process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, "TMPDIR": scratch, "TEST_TMPDIR": scratch, **environment},
                stdout=to,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            try:
                while time.monotonic() < self.end:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        return process.wait(POLL) == 0
                    if late():
                        return False
                raise TimeIsUpError
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()
