"""How a program or a library is protected, by what readelf says of it."""

from __future__ import annotations

import pathlib
import re
import subprocess

PROTECTIONS = {
    "position independent": r"Type:\s+DYN",
    "addresses are read-only": r"GNU_RELRO(?s:.*)FLAGS.*NOW",
    "no code on the stack": r"GNU_STACK.* RW +0",
    "overruns of the stack are found": r"__stack_chk_fail",
    "overruns of buffers are found": r"__\w+_chk\b",
}


def said_of(path: pathlib.Path, *what: str) -> str:
    """Return what readelf says."""
    command = ["readelf", "-W", *what, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def missing_protections(path: pathlib.Path) -> list[str]:
    """Return what the file lacks, in words."""
    said = said_of(path, "-h", "-l", "-d", "--dyn-syms")
    return [name for name, pattern in PROTECTIONS.items() if not re.search(pattern, said)]


def needed_libraries(path: pathlib.Path) -> set[str]:
    """Return the names of the shared libraries, without their versions."""
    return set(re.findall(r"NEEDED.*\[(lib\w+[+\w]*?)[-.]", said_of(path, "-d")))


def newest_glibc(path: pathlib.Path) -> tuple[int, ...]:
    """Return the version of glibc that the file asks for."""
    found = re.findall(r"GLIBC_([\d.]+)", said_of(path, "--version-info"))
    return max(tuple(map(int, one.split("."))) for one in found)
