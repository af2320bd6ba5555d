#!/usr/bin/env python3
"""No line is wider than 100 columns, in prose or in code: `python3 tools/check_prose.py`.

All tracked Markdown, C++, Python, R, CMake, make and shell files are read, and scripts and style of
the report. In Markdown, tables, code blocks and lines that are one link and nothing else may be
wider, because they cannot be broken.
Other files are not read: data, JSON, and the HTML skeleton of the report.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WIDTH = 100
CODE = [
    *("*.cpp", "*.hpp", "*.py", "*.pyi", "*.R", "*.Rd"),
    *("*CMakeLists.txt", "*.cmake", "*.cmake.in", "Makefile"),
    *("*.sh", ".ci/run"),
    *("report/page/*.js", "report/page/*.css"),
]
LINK_ALONE = re.compile(r"[\s>*-]*!?\[[^\]]*\]\([^)]*\)[\s.,;:]*")
FENCE = re.compile(r" *(```+|~~~+)")


def width(line: str) -> int:
    """Return the number of columns that a line takes."""
    return sum(not unicodedata.combining(letter) for letter in line.expandtabs(8))


def breakable(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines of Markdown that can be broken, with their numbers."""
    fence, above = "", ""
    for number, line in enumerate(lines, 1):
        mark = FENCE.match(line)
        indented = line.startswith("    ") and not above.strip()
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif not (indented or line.startswith("|") or LINK_ALONE.fullmatch(line)):
            yield number, line
        # The second line of an indented block of code is code like the first.
        above = "" if indented else line


def lines_to_check(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file that must not be too wide, with their numbers."""
    if matches(name, ["*.md"]):
        yield from breakable(text.splitlines())
    elif matches(name, CODE):
        yield from enumerate(text.splitlines(), 1)


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Return whether a path has one of the patterns."""
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def problems(name: str, text: str) -> list[str]:
    """Return one line for every line of a file that is too wide."""
    return [
        f"{name}:{number}: {width(line)} columns, at most {WIDTH}"
        for number, line in lines_to_check(name, text)
        if width(line) > WIDTH
    ]


def tracked() -> list[str]:
    """Return the paths of the files under version control that are checked."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    names = [name for name in listed.stdout.split("\0") if matches(name, ["*.md", *CODE])]
    return [name for name in names if (ROOT / name).is_file()]


def problems_of_tree() -> list[str]:
    """Return the problems of all files that are checked."""
    return [line for name in tracked() for line in problems(name, (ROOT / name).read_text())]


if __name__ == "__main__":
    found = problems_of_tree()
    print("\n".join(found) or f"no line is wider than {WIDTH} columns")
    sys.exit(bool(found))
