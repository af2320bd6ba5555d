"""Why a change that no test notices changes nothing: a list that people write.

An entry of `survivors.json` has the file, the line as it is written, what was changed there and
into what, and the reason. It holds as long as the line stays as it is.
"""

from __future__ import annotations

import json
import pathlib

from .change import Change

LIST = pathlib.Path(__file__).with_name("survivors.json")
KEYS = ("file", "line", "before", "after")


class Reasons:
    """The list, for the sources in `root`."""

    def __init__(self, root: pathlib.Path, path: pathlib.Path = LIST) -> None:
        self.root = root
        self.known = {
            tuple(one[key] for key in KEYS): one["reason"] for one in json.loads(path.read_text())
        }

    def of(self, change: Change) -> str | None:
        """Return the reason of one change, if there is one."""
        line = (self.root / change.file).read_text().splitlines()[change.line - 1].strip()
        return self.known.get((change.file, line, change.before, change.after))
