"""A change to one place of a source file."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Edit:
    """Bytes begin … end of a file become `text`."""

    begin: int
    end: int
    text: str


@dataclasses.dataclass(frozen=True)
class Change:
    """What is done where. `edits` hold {on}, the condition under which the change is made."""

    file: str  # relative to the project
    line: int
    kind: str
    before: str
    after: str
    edits: tuple[Edit, ...]

    @property
    def begin(self) -> int:
        """Return the first byte that changes."""
        return min(edit.begin for edit in self.edits)

    @property
    def end(self) -> int:
        """Return the byte after the last one that changes."""
        return max(edit.end for edit in self.edits)

    def overlaps(self, other: Change) -> bool:
        """Return whether both cannot be made at once."""
        return self.file == other.file and self.begin < other.end and other.begin < self.end


def apply(source: bytes, edits: list[Edit]) -> bytes:
    """Make edits that do not overlap."""
    for edit in sorted(edits, key=lambda edit: -edit.begin):
        source = source[: edit.begin] + edit.text.encode() + source[edit.end :]
    return source
