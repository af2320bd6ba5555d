"""Tables in Markdown, and pages whose tables are replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BLOCK = re.compile(r"(<!-- table: ([a-z0-9 ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def markdown(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table."""
    lines = [list(header), ["---"] * len(list(header)), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def filled(page: str, made: dict[str, str]) -> str:
    """Return the page with its tables replaced."""
    return _BLOCK.sub(lambda m: f"{m[1]}\n{made[m[2]]}\n\n{m[3]}" if m[2] in made else m[0], page)
