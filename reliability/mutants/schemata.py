"""A copy of the project with all changes in it, each behind a switch."""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
from collections import defaultdict

from .change import Change, apply

SWITCH = pathlib.Path(__file__).with_name("switch.hpp")
CMAKE = "/usr/bin/cmake" if pathlib.Path("/usr/bin/cmake").exists() else "cmake"
MOST_BUILDS = 8
# It changes nothing there, but takes the switch along: the module shows no symbol of the library.
MODULE = "python/bindings/bindings.cpp"


class Schemata:
    """The copy, in `folder`, with these changes by number."""

    def __init__(
        self,
        root: pathlib.Path,
        folder: pathlib.Path,
        changes: dict[int, Change],
        not_compiled: set[int],
    ) -> None:
        self.root, self.folder, self.changes = root, folder, changes
        self.not_compiled = not_compiled
        self.build = folder / "build" / "release"

    def make(self, targets: list[str]) -> None:
        """Copy, change and compile; what the compiler does not take is left out."""
        self._copy()
        for _ in range(MOST_BUILDS):
            self._write()
            log = self._compile(targets)
            if log is None:
                return
            refused = self._refused(log)
            if not refused:
                raise RuntimeError("the build with changes failed:\n" + log[-4000:])
            self.not_compiled |= refused
        raise RuntimeError(f"the build with changes failed {MOST_BUILDS} times")

    def _copy(self) -> None:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=self.root, check=True, capture_output=True, text=True
        )
        changed = self._files()  # _write() makes these
        for file in listed.stdout.splitlines():
            to = self.folder / file
            if not (self.root / file).is_file() or (file in changed and to.exists()):
                continue
            to.parent.mkdir(parents=True, exist_ok=True)
            if not to.exists() or to.read_bytes() != (self.root / file).read_bytes():
                shutil.copy(self.root / file, to)  # as of now: what came of another text is old

    def _files(self) -> set[str]:
        return {MODULE, *(change.file for change in self.changes.values())}

    def _write(self) -> None:
        edits = defaultdict(list)
        for number, change in self.changes.items():
            if number not in self.not_compiled:
                on = f"::bkernn_mutants::on({number})"
                for edit in change.edits:
                    switched = edit.text.replace("{on}", on)
                    edits[change.file].append(type(edit)(edit.begin, edit.end, switched))
        for file in self._files():
            head = (
                f"#define BKERNN_CHANGES {max(self.changes)}\n"
                f'#include "{SWITCH}"\n'
                f'#line 1 "{self.folder / file}"\n'
            )
            text = head.encode() + apply((self.root / file).read_bytes(), edits[file])
            if (self.folder / file).read_bytes() != text:
                (self.folder / file).write_bytes(text)

    def _compile(self, targets: list[str]) -> str | None:
        environment = {
            **os.environ,
            "CCACHE_BASEDIR": str(self.folder),
            "CCACHE_NOHASHDIR": "1",
            "CMAKE_CXX_COMPILER_LAUNCHER": shutil.which("ccache") or "",
        }
        jobs = str(os.cpu_count())
        configure = [CMAKE, "--preset", "release"]
        build = [CMAKE, "--build", "--preset", "release", "-j", jobs, "--target", *targets]
        for command in (configure, [*build, "--", "-k"]):
            done = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, text=True
            )
            if done.returncode != 0:
                return done.stdout + done.stderr
        return None

    def _refused(self, log: str) -> set[int]:
        """Return the changes on lines that the compiler complains of."""
        lines = {
            (str(pathlib.Path(file)), int(line))
            for file, line in re.findall(r"^(\S+?):(\d+):\d+: error", log, re.MULTILINE)
        }
        refused = set()
        for number, change in self.changes.items():
            first = change.line
            last = first + change.before.count("\n")
            for file, line in lines:
                if file.endswith(change.file) and first - 1 <= line <= last + 1:
                    refused.add(number)
        return refused - self.not_compiled
