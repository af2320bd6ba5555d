#!/usr/bin/env python3
"""Draw the rooms and the way of a row through them into docs/design.md, from the source itself.

usage: draw_rooms.py [--check]    (--check: say whether the page is up to date, and write nothing)
"""

from __future__ import annotations

import sys
import textwrap

from rooms import BESIDE, ROOMS, ROOT, File, Tree

PAGE = ROOT / "docs" / "design.md"
BEGIN = "<!-- drawn by tools/draw_rooms.py: begin -->\n"
END = "<!-- drawn by tools/draw_rooms.py: end -->\n"
WIDTH = 100

# Where a row comes in.
ENTRIES = {"fit": ("fit", "fit"), "predict": ("model", "model")}


def room_table(tree: Tree) -> list[str]:
    """Return what each room holds, as a Markdown table."""
    lines = ["| | room | what lives there | files |", "|---|---|---|---|"]
    for number, room in enumerate([*ROOMS, *BESIDE], 1):
        count = sum(file.room == room.name for file in tree.files.values())
        lines.append(f"| {number} | {room.name} | {room.holds} | {count} |")
    return lines


def include_matrix(tree: Tree) -> list[str]:
    """Return how often the room of a row includes the room of a column."""
    names = [room.name for room in [*ROOMS, *BESIDE]]
    counts = {(a, b): 0 for a in names for b in names}
    for file, _, other in tree.edges():
        if file.room and other.room:
            counts[file.room, other.room] += 1
    shown = [name for name in names if any(counts[a, name] for a in names if a != name)]
    lines = [" " * 14 + "".join(f"{names.index(one) + 1:4}" for one in shown)]
    for i, name in enumerate(names):
        cells = []
        for one in shown:
            count, above = counts[name, one], names.index(one) > i
            cells.append(f"{count}!" if count and above else f"{count or ('' if above else '·')}")
        lines.append(f"{i + 1:2} {name:11}{''.join(f'{cell:>4}' for cell in cells)}".rstrip())
    return lines


def reached_from(tree: Tree, entry: tuple[str, str]) -> list[File]:
    """Return the files that an entry leads to.

    A header leads to its source, and to sources without a header of their own that implement
    something of it: those of its room that include it.
    """
    homeless = {
        key
        for key, files in tree.nodes.items()
        if not any(file.path.endswith(".hpp") for file in files)
    }
    ways: dict[tuple[str, str], set[tuple[str, str]]] = {key: set() for key in tree.nodes}
    for file, _, other in tree.edges():
        if not file.room or not other.room:
            continue
        start, end = (file.room, file.stem), (other.room, other.stem)
        ways[start].add(end)
        if start in homeless and file.room == other.room:
            ways[end].add(start)
    reached = [entry]
    for key in reached:
        reached += sorted(ways[key] - set(reached))
    return [file for key in reached for file in tree.nodes[key]]


def way_of_a_row(tree: Tree, name: str) -> list[str]:
    """Return the rooms and files that an entry leads to, from the top down, and the turns back."""
    files = reached_from(tree, ENTRIES[name])
    paths = {file.path for file in files}
    back = [(a, b) for a, _, b in tree.edges() if a.path in paths and tree.goes_up(a, b)]
    rooms = [room for room in reversed(ROOMS) if any(file.room == room.name for file in files)]
    turns = "no turn back" if not back else f"{len(back)} turn{'s' * (len(back) > 1)} back"
    lines = [f"{name}: {len(files)} files in {len(rooms)} rooms, {turns}"]
    for room in rooms:
        stems = sorted({file.stem for file in files if file.room == room.name})
        wrapped = textwrap.wrap(" ".join(stems), WIDTH - 14, break_on_hyphens=False)
        lines += [
            f"  {room.name if first else '':11} {text}"
            for first, text in zip([True, *[False] * len(wrapped)], wrapped, strict=False)
        ]
    lines += [f"  turns back: {a.path} → {b.path}" for a, b in back]
    return lines


def drawing(tree: Tree) -> str:
    """Return all that stands between the marks."""
    lines = [
        *room_table(tree),
        "",
        "How often the room of a row includes that of a column (`·`: never). What should not be",
        "stands to the right of the diagonal, and is marked by `!`.",
        "",
        "```text",
        *include_matrix(tree),
        "```",
        "",
        "The way of a row, from the top down: the files that a call may pass, by their includes.",
        "",
        "```text",
        *way_of_a_row(tree, "fit"),
        "",
        *way_of_a_row(tree, "predict"),
        "```",
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the page, or compare it."""
    page = PAGE.read_text(encoding="utf-8")
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE.relative_to(ROOT)} has no marks to draw between: {BEGIN}{END}")
    drawn = f"{before}{BEGIN}\n{drawing(Tree(ROOT))}\n{END}{after}"
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(drawn, encoding="utf-8")
    elif drawn != page:
        sys.exit(f"{PAGE.relative_to(ROOT)} does not show the source: run tools/draw_rooms.py")
    return 0


if __name__ == "__main__":
    sys.exit(main())
