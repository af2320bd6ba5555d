"""Docstrings that say only what differs: the other entries are those of something like it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any, TypeVar

Documented = TypeVar("Documented", bound=Callable[..., Any])

_PARAMETERS = ("Parameters", "Other Parameters")
_TITLES = (
    "", "Parameters", "Attributes", "Returns", "Other Parameters", "See Also", "Examples",
)  # fmt: skip


def documented_like(*sources: Callable[..., Any] | str) -> Callable[[Documented], Documented]:
    """Complete the docstring of a class or function by entries of `sources`, or of theirs.

    An entry of its own comes before that of the first source, and so on. Parameters are those of
    the signature; under "Parameters" they have its order, under "Other Parameters", where an entry
    stays if a source has it there, that of the source. Attributes are all that any of them has.
    """

    def complete(target: Documented) -> Documented:
        if target.__doc__ is None:  # python -OO
            return target
        sections = _sections(target)
        for source in sources:
            theirs = _sections(source)
            known = {name for title in _PARAMETERS for name in _entries(sections.get(title, ""))}
            for title in (*_PARAMETERS, "Attributes"):
                own = _entries(sections.get(title, ""))
                new = _entries(theirs.get(title, ""))
                if title in _PARAMETERS:
                    new = {name: text for name, text in new.items() if name not in known}
                sections[title] = "\n".join({**new, **own}.values())
            sections.setdefault("Returns", theirs.get("Returns", ""))
        signature = list(inspect.signature(target).parameters)
        for title in _PARAMETERS:
            entries = _entries(sections.get(title, ""))
            names = signature if title == "Parameters" else list(entries)
            kept = [name for name in names if name in entries and name in signature]
            sections[title] = "\n".join(entries[name] for name in kept)
        target.__doc__ = "\n".join(
            f"{title}\n{'-' * len(title)}\n{sections[title]}\n" if title else f"{sections['']}\n"
            for title in _TITLES
            if sections.get(title)
        )
        return target

    return complete


def _sections(target: Callable[..., Any] | str) -> dict[str, str]:
    """Return the bodies of the sections by title; what stands before them has the title ""."""
    text = inspect.cleandoc(target if isinstance(target, str) else target.__doc__ or "")
    parts = re.split(r"^(\w[\w ]*)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(["", *parts[1::2]], (part.strip("\n") for part in parts[::2]), strict=True))


def _entries(body: str) -> dict[str, str]:
    """Return the entries of a section, each with its description, by their (first) name."""
    entries = re.split(r"\n(?=\S)", body) if body else []
    return {re.split(" : |, ", entry)[0]: entry for entry in entries}
