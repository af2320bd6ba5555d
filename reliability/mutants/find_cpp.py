"""All changes that C++ sources offer, found in the syntax tree of clang.

comparison   a < b → a <= b, a == b → a != b, …
arithmetic   a + b → a - b, a * b → a / b, a += b → a -= b, …
logic        a && b → a || b and back
constant     n → n + 1, x → 2x
condition    if (c) → if (!c), and of ?:
statement    a call or an assignment is left out
arguments    two neighbors of the same type change places
"""

from __future__ import annotations

import functools
import itertools
import json
import pathlib
import shlex
import subprocess
from collections.abc import Iterator

from clang import cindex
from clang.cindex import CursorKind, TypeKind

from .change import Change, Edit

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {
    "+": "-",
    "-": "+",
    "*": "/",
    "/": "*",
    "+=": "-=",
    "-=": "+=",
    "*=": "/=",
    "/=": "*=",
}
LOGIC = {"&&": "||", "||": "&&"}
KINDS = {
    **dict.fromkeys(COMPARISONS, "comparison"),
    **dict.fromkeys(ARITHMETIC, "arithmetic"),
    **dict.fromkeys(LOGIC, "logic"),
}
OPERATORS = COMPARISONS | ARITHMETIC | LOGIC
NUMBERS = {
    TypeKind.BOOL,
    TypeKind.INT,
    TypeKind.UINT,
    TypeKind.LONG,
    TypeKind.ULONG,
    TypeKind.FLOAT,
    TypeKind.DOUBLE,
}
# What is known while compiling cannot depend on a switch.
FIXED = {CursorKind.STATIC_ASSERT, CursorKind.ENUM_DECL, CursorKind.CASE_STMT}
SYMMETRIC = {"min", "max"}
CLASSES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
STATEMENTS = {
    CursorKind.CALL_EXPR,
    CursorKind.BINARY_OPERATOR,
    CursorKind.COMPOUND_ASSIGNMENT_OPERATOR,
    CursorKind.UNARY_OPERATOR,
}


def is_number(cursor: cindex.Cursor) -> bool:
    """Return whether the type is one of the language, not Eigen's or another class."""
    return cursor.type.get_canonical().kind in NUMBERS


class Finder:
    """The changes of the files that one translation unit is made of."""

    def __init__(self, root: pathlib.Path, unit: cindex.TranslationUnit, wanted: set[str]) -> None:
        self.root, self.unit, self.wanted = root, unit, wanted
        # As long as the translation unit: a hundred of them at once take gigabytes.
        self._relative = functools.cache(self._relative_path)
        self._source = functools.cache(self._read)

    def changes(self) -> Iterator[Change]:
        """Yield them in the order of the tree."""
        for cursor in self.unit.cursor.get_children():
            if self._file(cursor) in self.wanted:
                yield from self._walk(cursor)

    def _file(self, cursor: cindex.Cursor) -> str:
        where = cursor.location.file
        return "" if where is None else self._relative(where.name)

    def _relative_path(self, name: str) -> str:
        path = pathlib.Path(name)
        return str(path.relative_to(self.root)) if path.is_relative_to(self.root) else ""

    def _read(self, file: str) -> bytes:
        return (self.root / file).read_bytes()

    def _text(self, file: str, begin: int, end: int) -> str:
        return self._source(file)[begin:end].decode()

    def _walk(self, cursor: cindex.Cursor) -> Iterator[Change]:
        file = self._file(cursor)
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if file not in self.wanted or cursor.kind in FIXED:
            return
        text = self._text(file, begin, end)
        if cursor.kind.is_declaration() and "constexpr" in text.split("{")[0].split("=")[0]:
            yield from self._known_constant(cursor, file, begin, text)
            return
        yield from self._here(cursor, file, begin, end, text)
        for child in cursor.get_children():
            yield from self._walk(child)

    def _known_constant(
        self, cursor: cindex.Cursor, file: str, begin: int, text: str
    ) -> Iterator[Change]:
        """Let a constant of the compiler become one of the program."""
        of_class = cursor.semantic_parent.kind in CLASSES
        for child in cursor.get_children():
            if child.kind in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL):
                [change] = self._here(
                    child,
                    file,
                    child.extent.start.offset,
                    child.extent.end.offset,
                    self._text(file, child.extent.start.offset, child.extent.end.offset),
                )
                at = begin + len(text[: text.index("constexpr")].encode())
                known = "inline const" if of_class else "const"
                edit = Edit(at, at + len("constexpr"), known)
                yield Change(
                    file, change.line, "constant", text, change.after, (edit, *change.edits)
                )

    def _here(
        self, cursor: cindex.Cursor, file: str, begin: int, end: int, text: str
    ) -> Iterator[Change]:
        line = cursor.extent.start.line
        children = list(cursor.get_children())

        def change(kind: str, after: str, *edits: Edit) -> Change:
            return Change(file, line, kind, text, after, edits)

        if cursor.kind in (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR):
            if len(children) == 2 and all(map(is_number, children)) and "{" not in text:
                left, right = children[0].extent.end.offset, children[1].extent.start.offset
                operator = self._text(file, left, right).strip()
                if operator in OPERATORS:
                    after = (
                        self._text(file, begin, left)
                        + f" {OPERATORS[operator]} "
                        + self._text(file, right, end)
                    )
                    edit = Edit(begin, end, f"({{on}} ? ({after}) : ({text}))")
                    yield change(KINDS[operator], after, edit)
        elif cursor.kind == CursorKind.INTEGER_LITERAL:
            yield change("constant", f"{text} + 1", Edit(begin, end, f"({text} + {{on}})"))
        elif cursor.kind == CursorKind.FLOATING_LITERAL:
            after = "1.0" if float(text.replace("'", "").rstrip("fF")) == 0 else f"2 * {text}"
            yield change("constant", after, Edit(begin, end, f"({{on}} ? {after} : {text})"))
        elif cursor.kind in (CursorKind.IF_STMT, CursorKind.CONDITIONAL_OPERATOR):
            condition = children[0] if children else None
            if condition is not None and condition.kind.is_expression():
                first, last = condition.extent.start.offset, condition.extent.end.offset
                what = self._text(file, first, last)
                if "{" not in what and last > first:
                    edit = Edit(first, last, f"(static_cast<bool>({what}) != {{on}})")
                    yield Change(file, line, "condition", what, f"!({what})", (edit,))
        elif cursor.kind == CursorKind.CALL_EXPR:
            yield from self._swaps(cursor, file, line, text)
        if cursor.kind == CursorKind.COMPOUND_STMT:
            for child in children:
                yield from self._left_out(child, file)

    def _swaps(self, cursor: cindex.Cursor, file: str, line: int, text: str) -> Iterator[Change]:
        if cursor.spelling in SYMMETRIC:
            return
        arguments = [one for one in cursor.get_arguments() if one is not None]
        for a, b in itertools.pairwise(arguments):
            places = [(one.extent.start.offset, one.extent.end.offset) for one in (a, b)]
            texts = [self._text(file, *place) for place in places]
            same = a.type.get_canonical() == b.type.get_canonical()
            if not same or not is_number(a) or not all(texts) or texts[0] == texts[1]:
                continue
            if any("{" in one for one in texts) or places[0][1] > places[1][0]:
                continue
            edits = tuple(
                Edit(*place, f"({{on}} ? {other} : {one})")
                for place, one, other in zip(places, texts, texts[::-1], strict=True)
            )
            yield Change(file, line, "arguments", text, f"{texts[1]}, {texts[0]}", edits)

    def _left_out(self, cursor: cindex.Cursor, file: str) -> Iterator[Change]:
        begin, end = cursor.extent.start.offset, cursor.extent.end.offset
        if cursor.kind not in STATEMENTS or self._file(cursor) != file:
            return
        text = self._text(file, begin, end)
        if self._text(file, end, end + 1) != ";" or not text:
            return
        edit = Edit(begin, begin, "if (!{on}) ")
        yield Change(file, cursor.extent.start.line, "statement", text, "", (edit,))


def find(root: pathlib.Path, build: pathlib.Path, folders: tuple[str, ...]) -> list[Change]:
    """Return the changes of all sources and headers in these folders, each once, in order."""
    sources, headers = (
        {str(path.relative_to(root)) for one in folders for path in (root / one).rglob(ending)}
        for ending in ("*.cpp", "*.hpp")
    )
    resources = subprocess.run(
        ["clang-14", "-print-resource-dir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    found: dict[tuple[str, int, int, str], Change] = {}
    index = cindex.Index.create()
    for command in json.loads((build / "compile_commands.json").read_text()):
        parts = shlex.split(command["command"])
        flags = [
            part for part in parts if part.startswith(("-I", "-D", "-std", "-isystem", "/usr/inc"))
        ]
        text = pathlib.Path(command["file"]).read_text() + command["file"]
        if not any(f"/{file}" in text for file in sources):  # alone, or in one with its room
            continue
        unit = index.parse(command["file"], [*flags, "-isystem", f"{resources}/include"])
        for change in Finder(root, unit, sources | headers).changes():
            found.setdefault((change.file, change.begin, change.end, change.kind), change)
        # A header is the same wherever it is included.
        included = (pathlib.Path(one.include.name).resolve() for one in unit.get_includes())
        headers -= {str(one.relative_to(root)) for one in included if one.is_relative_to(root)}
    return [found[key] for key in sorted(found)]
