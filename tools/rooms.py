"""The rooms of the source, from the bottom up, and which file includes which.

One list for those who ask: check_layers.py (is everybody where they belong?) and draw_rooms.py (the
drawing in docs/design.md).
"""

from __future__ import annotations

import dataclasses
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]


@dataclasses.dataclass(frozen=True)
class Room:
    """A folder of src/ with the public headers that it implements, or a folder beside src/."""

    name: str
    holds: str
    headers: tuple[str, ...] = ()  # in include/bkernn
    folder: str = ""  # src/<name> unless it says otherwise
    may: tuple[str, ...] | None = None  # rooms to include; None: itself and those before it


# A file may include its own room and the rooms before it in this list.
ROOMS = [
    Room(
        "base",
        "types, errors, threads, random numbers, files: nothing of the domain",
        ("error", "threads", "types", "version"),
    ),
    Room(
        "loops",
        "scans, projections, sorting, passes over knots: plain loops on numbers",
        ("segment_finder", "sorted_particle"),
    ),
    Room("columns", "tables with words and gaps, as numbers", ("columns",)),
    Room("terms", "kernels, losses, penalties", ("kernel", "loss", "penalty")),
    Room(
        "model",
        "what goes into a fit and comes out of it: options, model, report, metrics",
        ("fit_result", "intervals", "metrics", "model", "option_table", "options", "report"),
    ),
    Room("knots", "functions on a few knots: their tables, normal matrix, preconditioner"),
    Room("operators", "products with K and particle gradients: sorted, on knots, dense"),
    Room("inner", "α and c for fixed directions: conjugate gradients or Cholesky"),
    Room(
        "rows",
        "rows prepared for a fit, here or in several places",
        ("distinct_rows", "fit_input", "folds", "row_shard", "row_split"),
    ),
    Room("theory", "the theorems of the paper as functions", ("theory",)),
    Room("objective", "G(W) and its gradient"),
    Room("outer", "the steps in W, and the stages from few rows to all", ("observer",)),
    Room("problem", "options that have met their rows: what a fit consists of"),
    Room("choice", "λ and the penalty: given, by a rule, or by held-out rows"),
    Room("training", "one fit from beginning to end, of rows that lie anywhere"),
    Room("calibration", "how far predictions may be off, from rows that were left out"),
    Room("fit", "the ways in: rows here, rows in several places", ("distributed", "fit")),
    Room(
        "resampling",
        "many fits on parts of the rows: cross-validation, stability",
        ("cross_validate", "stability"),
    ),
    Room("io", "documents: model files and checkpoints", ("io",)),
    Room("export", "models as C source and as ONNX graphs", ("export",)),
    Room(
        "paper", "what the paper compares with, and its simulated data", ("baselines", "simulate")
    ),
]

PUBLIC = "public"  # any header of include/bkernn

# Beside the library. Those that may include PUBLIC see nothing else of src/ but the rooms named.
BESIDE = [
    Room("tables", "CSV and NumPy files", folder="tables", may=(PUBLIC, "base", "tables")),
    Room(
        "report",
        "scores, summary and page of a model",
        folder="report",
        may=(PUBLIC, "base", "tables", "report"),
    ),
    Room("cli", "the command line", folder="cli", may=(PUBLIC, "tables", "report", "cli")),
    Room(
        "bindings",
        "the Python module",
        folder="python/bindings",
        may=(PUBLIC, "tables", "report", "bindings"),
    ),
    Room("r", "the R package", folder="r/src", may=(PUBLIC, "r")),
    Room(
        "benchmarks",
        "measurements",
        folder="benchmarks",
        may=(PUBLIC, "tables", "benchmarks", *(room.name for room in ROOMS)),
    ),
]

# All public headers at once, for users: no file of src/ includes it.
UMBRELLA = "include/bkernn/bkernn.hpp"

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')


@dataclasses.dataclass(frozen=True)
class Include:
    """One line of a file: what it asks for, and which file of the project that is, if any."""

    line: int
    text: str
    quoted: bool
    target: str | None


@dataclasses.dataclass(frozen=True)
class File:
    """A header or source; `stem` is its name within the room, shared by header and source."""

    path: str
    room: str | None
    stem: str
    includes: tuple[Include, ...]
    code: tuple[str, ...]  # lines, without comments that end them

    @property
    def public(self) -> bool:
        """Whether it is a header of include/bkernn."""
        return self.path.startswith("include/bkernn/")


def level(room: str) -> int:
    """Return the place of a room of src/ in the list."""
    return [one.name for one in ROOMS].index(room)


def room_of(path: str) -> str | None:
    """Return the room of a file, by its path from the root."""
    parts = path.split("/")
    if path.startswith("include/bkernn/"):
        stem = pathlib.PurePath(path).stem
        return next((room.name for room in ROOMS if stem in room.headers), None)
    if parts[0] == "src":
        known = len(parts) > 2 and any(parts[1] == room.name for room in ROOMS)
        return parts[1] if known else None
    return next((room.name for room in BESIDE if path.startswith(room.folder + "/")), None)


class Tree:
    """All files of the rooms below a root."""

    def __init__(self, root: pathlib.Path):
        self.root = root
        folders = ["src", "include/bkernn", *(room.folder for room in BESIDE)]
        found = [path for one in folders for path in (root / one).rglob("*.[ch]pp")]
        self.paths = {path.relative_to(root).as_posix() for path in found}
        self.files = {path: self._read(path) for path in sorted(self.paths)}

    def _read(self, path: str) -> File:
        text = (self.root / path).read_text(encoding="utf-8").splitlines()
        code = tuple(line.split("//")[0] for line in text)
        includes = []
        for number, line in enumerate(text, start=1):
            if found := INCLUDE.match(line):
                target = self._find(path, found[2])
                includes.append(Include(number, found[2], found[1] == '"', target))
        stem = path.rpartition(".")[0]
        room = room_of(path)
        if room and (path.startswith("include/") or stem.startswith("src/")):
            stem = stem.removeprefix("include/bkernn/").removeprefix(f"src/{room}/")
        return File(path, room, stem, tuple(includes), code)

    def _find(self, path: str, text: str) -> str | None:
        beside = path.rpartition("/")[0]
        places = (f"{beside}/{text}", f"src/{text}", f"include/{text}", text)
        return next((one for one in places if one in self.paths), None)

    def edges(self):
        """Yield (file, include, file included) for all includes of files of the project."""
        for file in self.files.values():
            for include in file.includes:
                if include.target:
                    yield file, include, self.files[include.target]

    def goes_up(self, file: File, other: File) -> bool:
        """Return whether an include goes from a room of src/ to one after it in the list."""
        rooms = [room.name for room in ROOMS]
        if file.room not in rooms or other.room not in rooms:
            return False
        return level(other.room) > level(file.room)

    @functools.cached_property
    def nodes(self) -> dict[tuple[str, str], list[File]]:
        """The files by (room, stem): a header and its source are one."""
        nodes: dict[tuple[str, str], list[File]] = {}
        for file in self.files.values():
            if file.room:
                nodes.setdefault((file.room, file.stem), []).append(file)
        return nodes
