#!/usr/bin/env python3
"""Put the R package together: r/ with the sources of the core and the headers that they include.

usage: r_package.py FOLDER

FOLDER becomes what `R CMD build` takes. The core is copied, one file per room is written that
includes the sources of the room (they compile as one, as cmake/rooms.cmake does it), and of other
people's headers those modules come along that the compiler reads, as a whole: which of their files
it reads depends on the processor.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from rooms import ROOMS, ROOT

# Baselines and simulated data of the paper, and models as C and ONNX: R has no functions for them.
LEFT_OUT = {"paper", "export"}
LIBRARIES = ("Eigen", "nlohmann")
# R compiles with -O2, which leaves loops over four particles as they are: fits take 1.4 times as
# long. (It changes no bits.)
UNROLLED = """\
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("peel-loops")
#endif"""
NOTICES = {  # by library: the Debian package and the name
    "eigen3": ("libeigen3-dev", "Eigen"),
    "nlohmann_json": ("nlohmann-json3-dev", "JSON for Modern C++"),
}


def version() -> str:
    """Return the version of the project."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    found = re.search(r"project\(bkernn VERSION ([0-9.]+)", text)
    assert found, "CMakeLists.txt: no version"
    return found[1]


def copy_tracked(folder: str, target: pathlib.Path) -> None:
    """Copy the files of a folder that are not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", folder]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        copy = target / pathlib.PurePath(name).relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, copy)


def write_rooms(sources: pathlib.Path) -> None:
    """Copy the rooms, and write a file that compiles each."""
    copy_tracked("include/bkernn", sources / "core/include/bkernn")
    for room in ROOMS:
        if room.name in LEFT_OUT:
            continue
        copied = sources / "core/src" / room.name
        copy_tracked(f"src/{room.name}", copied)
        files = sorted(path.name for path in copied.glob("*.cpp"))
        lines = [f'#include "core/src/{room.name}/{name}"' for name in files]
        if room.name == "loops":
            lines.insert(0, UNROLLED)
        if "version.cpp" in files:
            lines.insert(0, f'#define BKERNN_VERSION "{version()}"')
        (sources / f"room_{room.name}.cpp").write_text("\n".join(lines) + "\n")


def modules_read(sources: pathlib.Path) -> dict[pathlib.PurePath, pathlib.Path]:
    """Return what the compiler reads of other libraries, files and folders, and where it is."""
    r_headers = subprocess.run(
        ["R", "CMD", "config", "--cppflags"], capture_output=True, text=True, check=True
    ).stdout
    command = [
        *shlex.split(os.environ.get("CXX", "c++")),
        *("-std=c++20", "-M", "-I/usr/include/eigen3", "-Icore/include", "-Icore/src"),
        *shlex.split(r_headers),
        *sorted(path.name for path in sources.glob("*.cpp")),
    ]
    rules = subprocess.run(command, cwd=sources, capture_output=True, text=True, check=True).stdout
    modules = {}
    for word in rules.replace("\\\n", " ").split():
        path = pathlib.Path(os.path.normpath(word))
        if path.is_absolute() and set(LIBRARIES) & set(path.parts):
            start = next(i for i, part in enumerate(path.parts) if part in LIBRARIES)
            module = pathlib.Path(*path.parts[: start + 3])  # …/Eigen/src/Core
            modules[module.relative_to(pathlib.Path(*path.parts[:start]))] = module
    return modules


def copy_headers(package: pathlib.Path) -> None:
    """Copy those headers, and the terms under which they may be."""
    sources = package / "src"
    for name, module in modules_read(sources).items():
        copy = sources / "other" / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if module.is_dir() else shutil.copy)(module, copy)
    terms = [(ROOT / "LICENSE").read_text(encoding="utf-8")]
    for debian, name in NOTICES.values():
        notice = pathlib.Path("/usr/share/doc", debian, "copyright").read_text(encoding="utf-8")
        terms.append(f"{name} (src/other), as Debian tells its terms:\n\n{notice}")
    (package / "inst").mkdir(exist_ok=True)
    (package / "inst/COPYRIGHTS").write_text(("\n" + "-" * 80 + "\n\n").join(terms))


def main() -> None:
    """Write the folder."""
    package = pathlib.Path(sys.argv[1]).resolve()
    shutil.rmtree(package, ignore_errors=True)
    copy_tracked("r", package)
    description = package / "DESCRIPTION"
    description.write_text(description.read_text().replace("@VERSION@", version()))
    write_rooms(package / "src")
    copy_headers(package)


if __name__ == "__main__":
    main()
