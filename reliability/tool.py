"""The command-line tool in one folder, with limits on what it may use."""

from __future__ import annotations

import json
import os
import pathlib
import resource
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from . import PATIENCE

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = pathlib.Path(os.environ.get("BKERNN_BINARY", ROOT / "build" / "release" / "bkernn"))
NOBODY = 65534


class BrokenPromiseError(AssertionError):
    """A promise that was not kept."""


class NotTriedError(Exception):
    """A promise that cannot be put to the test here."""


def check(holds: bool, what: object) -> None:
    """Raise `BrokenPromiseError` unless the promise holds."""
    if not holds:
        raise BrokenPromiseError(str(what))


def ended(process: subprocess.Popen[bytes], patience: float = PATIENCE) -> tuple[int, str, str]:
    """Return exit code, standard output and standard error; a process that hangs is killed."""
    try:
        out, err = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise BrokenPromiseError(f"hangs: {process.args!r}") from None
    return process.returncode, out.decode(), err.decode()


class Tool:
    """Runs the binary in one folder."""

    def __init__(self, folder: pathlib.Path, binary: pathlib.Path = BINARY) -> None:
        self.folder, self.binary = folder, binary

    def path(self, name: str) -> pathlib.Path:
        """Return where a file of the folder is."""
        return self.folder / name

    def start(
        self, *arguments: object, limit: Callable[[], None] | None = None
    ) -> subprocess.Popen[bytes]:
        """Start the tool; `limit` is called in the new process first."""
        return subprocess.Popen(
            [str(self.binary), *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            preexec_fn=limit,
        )

    def run(
        self, *arguments: object, limit: Callable[[], None] | None = None
    ) -> tuple[int, str, str]:
        """Return exit code (negative: a signal), standard output and standard error."""
        return ended(self.start(*arguments, limit=limit))

    def do(self, *arguments: object) -> str:
        """Run what must succeed."""
        code, out, err = self.run(*arguments)
        check(code == 0, f"{arguments}: exit code {code}: {err}")
        return out

    def temporary_files(self) -> list[str]:
        """Return what an unfinished write would have left behind."""
        return sorted(one.name for one in self.folder.iterdir() if ".tmp-" in one.name)


def at_most_memory(size: int) -> Callable[[], None]:
    """Limit the address space of a new process."""
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))


def at_most_file(size: int) -> Callable[[], None]:
    """Limit the size of files: writing more fails as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def as_nobody() -> None:
    """Give up the rights of root, to whom nothing is read-only."""
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)


def timeless(path: pathlib.Path) -> Any:
    """Return a model document without what differs from run to run: times and their checksum."""
    document = json.loads(path.read_text())
    del document["checksum"], document["training"]["seconds"]
    for record in document["training"]["iterations"]:
        del record["seconds"]
    return document


def steps(least: int, most: int, count: int) -> Iterator[int]:
    """Yield `count` sizes from `least` to `most`, with the same factor between neighbors."""
    for i in range(count):
        yield round(least * (most / least) ** (i / max(count - 1, 1)))
