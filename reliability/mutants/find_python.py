"""All changes that Python sources offer, of the same kinds as those of C++ (find_cpp.py)."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

from .change import Change, Edit

OPERATORS: dict[type[ast.AST], tuple[str, type[ast.AST]]] = {
    ast.Lt: ("comparison", ast.LtE),
    ast.LtE: ("comparison", ast.Lt),
    ast.Gt: ("comparison", ast.GtE),
    ast.GtE: ("comparison", ast.Gt),
    ast.Eq: ("comparison", ast.NotEq),
    ast.NotEq: ("comparison", ast.Eq),
    ast.Is: ("comparison", ast.IsNot),
    ast.IsNot: ("comparison", ast.Is),
    ast.In: ("comparison", ast.NotIn),
    ast.NotIn: ("comparison", ast.In),
    ast.Add: ("arithmetic", ast.Sub),
    ast.Sub: ("arithmetic", ast.Add),
    ast.Mult: ("arithmetic", ast.Div),
    ast.Div: ("arithmetic", ast.Mult),
    ast.And: ("logic", ast.Or),
    ast.Or: ("logic", ast.And),
}


class Finder(ast.NodeVisitor):
    """The changes of one file. Annotations are left alone: they do nothing."""

    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self.starts = [0]
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.changes: list[Change] = []

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        pass

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.visit(node.args)
        for one in node.body:
            self.visit(one)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            self._operator(node, node.ops[0], "ops")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._operator(node, node.op, "op")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._operator(node, node.op, "op")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, "constant", str(not node.value))
        elif isinstance(node.value, int | float):
            self._add(node, "constant", f"({node.value!r} + 1)")

    def visit_If(self, node: ast.If) -> None:
        self._add(node.test, "condition", f"not ({self._text(node.test)})")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._add(node.test, "condition", f"(not ({self._text(node.test)}))")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self._add(node, "statement", "pass")
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        names = ast.Name | ast.Attribute | ast.Subscript
        for a, b in zip(node.args, node.args[1:], strict=False):
            if isinstance(a, names) and isinstance(b, names):
                between = self.source[self._range(a)[1] : self._range(b)[0]].decode()
                after = self._text(b) + between + self._text(a)
                edit = Edit(self._range(a)[0], self._range(b)[1], after)
                self._append(a, "arguments", edit)
        self.generic_visit(node)

    def _operator(self, node: ast.expr, operator: ast.AST, field: str) -> None:
        if type(operator) not in OPERATORS:
            return
        kind, other = OPERATORS[type(operator)]
        changed = ast.parse(f"({self._text(node)})", mode="eval").body
        setattr(changed, field, [other()] if field == "ops" else other())
        self._add(node, kind, f"({ast.unparse(changed)})")

    def _range(self, node: ast.stmt | ast.expr) -> tuple[int, int]:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def _text(self, node: ast.stmt | ast.expr) -> str:
        begin, end = self._range(node)
        return self.source[begin:end].decode()

    def _add(self, node: ast.stmt | ast.expr, kind: str, after: str) -> None:
        self._append(node, kind, Edit(*self._range(node), after))

    def _append(self, node: ast.stmt | ast.expr, kind: str, edit: Edit) -> None:
        before = self.source[edit.begin : edit.end].decode()
        self.changes.append(Change(self.file, node.lineno, kind, before, edit.text, (edit,)))


def find(root: pathlib.Path, folder: str) -> Iterator[Change]:
    """Yield the changes of all files of the folder, in a fixed order."""
    for path in sorted((root / folder).rglob("*.py")):
        source = path.read_bytes()
        finder = Finder(str(path.relative_to(root)), source)
        finder.visit(ast.parse(source))
        yield from finder.changes
