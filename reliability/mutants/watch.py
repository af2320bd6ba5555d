"""Plugin of pytest: what each test runs through, or only some of the tests in a certain order.

$BKERNN_WATCH  folder for what is seen: the changes of C++ and the lines of Python that each test
               and each shared fixture runs through, and their seconds
$BKERNN_ORDER  file with the tests to run, the first one first. Beside it stands which one runs:
               ORDER.running
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import pathlib
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

ALL = "import"  # what runs outside of any test


class Watch:
    """Attributes what runs to the test or the shared fixture of that moment."""

    def __init__(self, folder: pathlib.Path) -> None:
        import coverage

        self.folder = folder
        self.coverage = coverage.Coverage(data_file=None, source_pkgs=["bkernn"])
        self.coverage.start()
        self.contexts: list[str] = []
        self.seconds: dict[str, float] = {}
        self.uses: dict[str, list[str]] = {}
        self.failed: set[str] = set()
        self.now = ALL
        self._turn_to(ALL)

    def _turn_to(self, context: str) -> None:
        module = sys.modules.get("bkernn._core")
        if module is not None and module.__file__ is not None:
            ctypes.CDLL(module.__file__).bkernn_tell_reached()
        if context not in self.contexts:
            self.contexts.append(context)
        # The processes that a test starts write there too, when they end.
        os.environ["BKERNN_REACHED"] = str(self.folder / f"{self.contexts.index(context)}.reached")
        self.coverage.switch_context(context)
        self.now = context

    @contextlib.contextmanager
    def _during(self, context: str) -> Iterator[None]:
        before, begin = self.now, time.monotonic()
        self._turn_to(context)
        try:
            yield
        finally:
            self.seconds[context] = self.seconds.get(context, 0) + time.monotonic() - begin
            self._turn_to(before)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self.uses[item.nodeid] = [f"fixture {one}" for one in getattr(item, "fixturenames", [])]
        with self._during(item.nodeid):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[Any]:
        if fixturedef.scope == "function":
            return (yield)
        with self._during(f"fixture {fixturedef.argname}"):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_unconfigure(self) -> None:
        self._turn_to(ALL)
        self.coverage.stop()
        data = self.coverage.get_data()
        lines: dict[str, dict[str, list[int]]] = {one: {} for one in self.contexts}
        for path in data.measured_files():
            file = path.rpartition("/bkernn/")[2]
            for line, contexts in data.contexts_by_lineno(path).items():
                for one in contexts:
                    lines.setdefault(one, {}).setdefault(file, []).append(line)
        found = {
            one: {
                "seconds": self.seconds.get(one, 0.0),
                "reached": self._reached(k),
                "lines": lines[one],
            }
            for k, one in enumerate(self.contexts)
        }
        tests = {one: uses for one, uses in self.uses.items() if one not in self.failed}
        text = json.dumps({"contexts": found, "tests": tests, "failed": sorted(self.failed)})
        (self.folder / "watched.json").write_text(text)

    def _reached(self, k: int) -> list[int]:
        path = self.folder / f"{k}.reached"
        return sorted(set(map(int, path.read_text().split()))) if path.exists() else []


class Order:
    """Runs the tests of a list."""

    def __init__(self, path: pathlib.Path) -> None:
        self.names: list[str] = json.loads(path.read_text())
        self.running = path.with_suffix(".running")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {name: k for k, name in enumerate(self.names)}
        items[:] = [one for one in items if one.nodeid in place]
        items.sort(key=lambda one: place[one.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> None:
        self.running.write_text(item.nodeid)


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Begin to watch, or to order, before anything imports the package."""
    if "BKERNN_WATCH" in os.environ:
        early_config.pluginmanager.register(Watch(pathlib.Path(os.environ["BKERNN_WATCH"])))
    if "BKERNN_ORDER" in os.environ:
        early_config.pluginmanager.register(Order(pathlib.Path(os.environ["BKERNN_ORDER"])))
