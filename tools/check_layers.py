#!/usr/bin/env python3
"""Each room includes only what it may (rooms.py has the list); threads and SIMD have one home.

usage: check_layers.py [ROOT]
"""

from __future__ import annotations

import pathlib
import re
import sys
from collections.abc import Iterator

from rooms import BESIDE, PUBLIC, ROOMS, ROOT, UMBRELLA, File, Tree

THREADS = re.compile(r"std::(thread|jthread|mutex|shared_mutex|condition_variable|async)\b")
THREADS_HOME = "src/base/parallel.cpp"
CLONES_HOME = "src/loops/"


def places(tree: Tree) -> Iterator[str]:
    """Yield files and headers that are in no room, and rooms and headers that are not there."""
    for path, file in tree.files.items():
        if file.room or path == UMBRELLA:
            continue
        if file.public:
            advice = "list it in tools/rooms.py, in the room of its implementation"
            yield f"{path}:1: is a header of no room: {advice}"
        else:
            folder = path.rpartition("/")[0]
            advice = "move it into a room, or list the folder in tools/rooms.py, where it belongs"
            yield f"{path}:1: {folder} is not a room: {advice}"
    for room in ROOMS:
        for header in room.headers:
            path = f"include/bkernn/{header}.hpp"
            if path not in tree.files:
                yield f"{path}:1: is listed in {room.name}, but not there: tools/rooms.py"


def order(tree: Tree) -> Iterator[str]:
    """Yield includes of what is not there, and from one room to another that are not allowed."""
    for file in tree.files.values():
        for include in file.includes:
            if include.quoted and not include.target:
                advice = "correct the path; headers of other libraries stand in <>"
                yield f'{file.path}:{include.line}: "{include.text}" is not there: {advice}'
    outside = {room.name: room for room in BESIDE}
    for file, include, other in tree.edges():
        here = f"{file.path}:{include.line}: includes {include.text}"
        if file.path == UMBRELLA or file.public:
            if not other.public:
                yield f"{here}, which is not public: users have include/bkernn alone"
            elif file.path != UMBRELLA and other.path == UMBRELLA:
                yield f"{here}, which includes it in turn: include the header that is needed"
        elif file.room in outside:
            may = outside[file.room].may or ()
            if other.room not in may and not (other.public and PUBLIC in may):
                what = f"of {other.room}" if other.room in outside else "which is not public"
                yield f"{here}, {what}: {file.room} may include {', '.join(may)}"
        elif file.room and (other.path == UMBRELLA or other.room in outside):
            yield f"{here}: src/ includes its own rooms, and public headers one by one"
        if tree.goes_up(file, other):
            advice = f"move what {file.room} needs of it down, or {file.path} up"
            yield f"{here} of the room {other.room}, which comes after {file.room}: {advice}"


def cycles(tree: Tree) -> Iterator[str]:
    """Yield circles of files of one room; a header and its source count as one.

    Public headers stand for themselves: their sources may use helpers that use their types.
    """
    ways: dict[str, dict[str, str]] = {}
    for file, include, other in tree.edges():
        start, end = node(file), node(other)
        if file.room and file.room == other.room and start != end:
            ways.setdefault(start, {}).setdefault(end, f"{file.path}:{include.line}")
    seen: set[str] = set()
    for start in ways:
        if start in seen or not (path := circle(start, ways)):
            continue
        seen.update(path)
        names = " → ".join(pathlib.PurePath(one).name for one in path)
        advice = "move what both need into a file of its own"
        yield f"{ways[path[0]][path[1]]}: includes in a circle, {names}: {advice}"


def node(file: File) -> str:
    """Return the path without its ending: what header and source have in common."""
    return file.path.rpartition(".")[0]


def circle(start: str, ways: dict[str, dict[str, str]]) -> list[str] | None:
    """Return the shortest way from a node back to itself."""
    paths = [[start]]
    reached = set()
    for path in paths:
        for one in ways.get(path[-1], ()):
            if one == start:
                return [*path, start]
            if one not in reached:
                reached.add(one)
                paths.append([*path, one])
    return None


def first_line(file: File, pattern: str | re.Pattern) -> int:
    """Return the number of the first line of code that has it, or 0."""
    return next((i for i, line in enumerate(file.code, 1) if re.search(pattern, line)), 0)


def homes(tree: Tree) -> Iterator[str]:
    """Yield threads and target_clones outside the one file that may have them."""
    clones = []
    for file in tree.files.values():
        if file.path != THREADS_HOME and (line := first_line(file, THREADS)):
            advice = "use parallel_for and what else base/parallel.hpp has"
            yield f"{file.path}:{line}: threads belong into {THREADS_HOME} alone: {advice}"
        if line := first_line(file, "target_clones"):
            clones.append((file.path.startswith(CLONES_HOME), f"{file.path}:{line}"))
    clones.sort(reverse=True)
    allowed = 1 if clones and clones[0][0] else 0
    for _, place in clones[allowed:]:
        advice = "move the loop there"
        yield f"{place}: target_clones belongs in one file of {CLONES_HOME} alone: {advice}"


def problems(tree: Tree) -> list[str]:
    """Return what is wrong, one line each: file, line, what, and what to do."""
    return [*places(tree), *order(tree), *cycles(tree), *homes(tree)]


def main() -> int:
    """Check the tree below the root."""
    found = problems(Tree(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    print("\n".join(found) or "layers are in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
