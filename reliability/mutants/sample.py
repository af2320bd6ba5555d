"""Changes that are drawn, and the file of what was found about each."""

from __future__ import annotations

import dataclasses
import json
import pathlib
import random
import threading
import time
from collections.abc import Callable
from typing import Any

from .change import Change


def draw(all_changes: list[Change], count: int, seed: int) -> list[Change]:
    """Draw changes that do not overlap."""
    drawn: list[Change] = []
    for change in random.Random(seed).sample(all_changes, len(all_changes)):
        if len(drawn) == count:
            break
        if not any(change.overlaps(other) for other in drawn):
            drawn.append(change)
    return drawn


class Results:
    """The file of results: one sample, and what was judged of it.

    `reason` says why a change changes nothing, if that is known.
    """

    def __init__(
        self,
        path: pathlib.Path,
        sample: dict[str, Any],
        changes: list[Change],
        reason: Callable[[Change], str | None] = lambda change: None,
    ) -> None:
        self.path, self.changes, self.reason = path, changes, reason
        self.lock = threading.Lock()
        self.found: dict[str, Any] = {
            **sample,
            "minutes": 0.0,
            "not_compiled": [],
            "pass_cpp": [],
            "changes": [],
        }
        if path.exists():
            kept = json.loads(path.read_text())
            if all(kept.get(key) == value for key, value in sample.items()):
                self.found = kept
        self.begin = time.monotonic() - 60 * self.found["minutes"]

    def judged(self) -> set[int]:
        """Return the changes that were judged."""
        return {one["number"] for one in self.found["changes"]}

    def left(self) -> set[int]:
        """Return the changes that pass all C++ tests, for the other tests to judge."""
        return set(self.found["pass_cpp"])

    def not_compiled(self) -> set[int]:
        """Return the changes that the compiler does not take."""
        return set(self.found["not_compiled"])

    def done(self) -> set[int]:
        """Return the changes that the C++ tests need not see any more."""
        return self.judged() | self.left() | self.not_compiled()

    def passes_cpp(self, number: int) -> None:
        """Keep that no C++ test notices this change."""
        with self.lock:
            self.found["pass_cpp"] = sorted(self.left() | {number})
            self.write()

    def forget_survivors(self) -> None:
        """Let them be judged once more, by tests that may be new."""
        kept = [one for one in self.found["changes"] if one["noticed_by"] is not None]
        self.found.update(changes=kept, pass_cpp=[])

    def add(self, number: int, noticed_by: str | None) -> None:
        """Keep a judgement, in place of an older one."""
        change = dataclasses.asdict(self.changes[number - 1])
        del change["edits"]
        with self.lock:
            kept = [one for one in self.found["changes"] if one["number"] != number]
            kept.append({"number": number, **change, "noticed_by": noticed_by})
            self.found["changes"] = sorted(kept, key=lambda one: one["number"])
            self.write()

    def write(self) -> None:
        """Write the file."""
        judged = self.found["changes"]
        survivors = [one for one in judged if one["noticed_by"] is None]
        for one in survivors:
            one.pop("reason", None)
            if (reason := self.reason(self.changes[one["number"] - 1])) is not None:
                one["reason"] = reason
        self.found.update(
            judged=len(judged),
            noticed=len(judged) - len(survivors),
            change_nothing=sum("reason" in one for one in survivors),
        )
        self.found["minutes"] = round((time.monotonic() - self.begin) / 60, 1)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text(json.dumps(self.found, indent=1, ensure_ascii=False) + "\n")
