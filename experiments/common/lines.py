"""Results as lines of JSON, one for each fit: a run that was cut goes on where it ended."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

from .results import Record


def read_lines(file: Path) -> list[Record]:
    """Return what has been run; a line that was cut is left out."""
    found = []
    for line in file.read_text().splitlines() if file.exists() else []:
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def append_line(file: Path, record: Record) -> None:
    """Write a record behind the others; several processes may do so."""
    with file.open("a") as out:
        fcntl.flock(out, fcntl.LOCK_EX)
        out.write(json.dumps(record) + "\n")


def write_lines(file: Path, records: list[Record]) -> None:
    """Write these records alone, which also removes a line that was cut."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
