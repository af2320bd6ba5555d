#!/usr/bin/env python3
"""Writes what repeats the table of options (src/model/option_table.cpp), from the built package.

- docs/model.schema.json: the options, and the names of kernels, losses and penalties
- python/bkernn/_core.pyi: the members of FitOptions
- the constructors of the estimators, which scikit-learn wants to be written out

With --check nothing is written, and files that would change are an error.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bkernn import _core
from bkernn._options import PLAIN, TABLE, Option, default_of, type_of

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "bkernn"

# Options that make no sense in an estimator: what only losses of regression have; what
# cross-validation decides itself.
REGRESSION = {"huber_delta", "quantile", "quantile_width"}
ONE_FIT = {"early_stopping", "n_iter_no_change"}
LEFT_OUT: dict[str, set[str]] = {
    "BKerNNRegressor": set(),
    "BKerNNClassifier": REGRESSION,
    "BKerNNRegressorCV": ONE_FIT,
    "BKerNNClassifierCV": REGRESSION | ONE_FIT,
}


# ---- The schema of model files.

DEFINITIONS = {
    "kernel": _core.kernel_names,
    "loss": _core.loss_names,
    "penalty": _core.penalty_names,
}
JSON_TYPES = {"flag": "boolean", "integer": "integer", "number": "number", "matrix": "object"}


def option_schema(option: Option) -> dict[str, object]:
    """Return the schema of the values of one option."""
    schema: dict[str, object] = {"description": option.help}
    if option.name in DEFINITIONS:
        return {**schema, "$ref": f"#/$defs/{option.name}"}
    if option.kind == "text":
        return {**schema, "enum": option.choices}
    kind = JSON_TYPES[option.kind]
    schema["type"] = [kind, "null"] if option.default is None else kind
    if option.kind in ("integer", "number"):
        for bound, excluded, keyword in (
            (option.least, option.least_excluded, "minimum"),
            (option.most, option.most_excluded, "maximum"),
        ):
            if math.isfinite(bound):
                word = f"exclusive{keyword.capitalize()}" if excluded else keyword
                schema[word] = int(bound) if bound.is_integer() and bound < 2**53 else bound
    return schema


def schema_of_models(text: str) -> str:
    """Return the schema with the options, and the names in its definitions, of the core."""
    rows = [
        f"        {json.dumps(option.name)}: {json.dumps(option_schema(option))}"
        for option in TABLE
    ]
    text = replaced(
        text, r'("options": \{.*?"properties": \{\n)(.*?)(\n      \}\n)', ",\n".join(rows)
    )
    for name, names in DEFINITIONS.items():
        text = replaced(text, rf'(\n    "{name}": \{{"enum": )(\[.*?\])(\}})', json.dumps(names()))
    return text


def replaced(text: str, pattern: str, new: str) -> str:
    """Return the text with the second group of the pattern, which must be there once, replaced."""
    text, count = re.subn(pattern, lambda found: found[1] + new + found[3], text, flags=re.S)
    if count != 1:
        raise ValueError(f"{pattern} was found {count} times")
    return text


# ---- The stub of the extension module.

STUB_TYPES = {"flag": "bool", "integer": "int", "number": "float", "text": "str", "matrix": "Array"}


def stub(text: str) -> str:
    """Return the stub with the members of FitOptions."""
    members = "".join(
        f"    {option.name}: {STUB_TYPES[option.kind]}"
        f"{' | None' if option.kind == 'number' and option.default is None else ''}\n"
        for option in TABLE
    )
    return replaced(text, r'(class FitOptions:\n    """.*?"""\n\n)(.*?)(    def __init__)', members)


# ---- The constructors of the estimators.


def constructor(source: str, options: list[Option], left_out: set[str]) -> str:
    """Return the source of a module with the constructor of its estimator written anew.

    Parameters that are options get type and default of the table; those that are missing are put
    behind the option that the table has before them. All other parameters stay as they are.
    """
    init = next(
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == "__init__"
    )
    written = {
        argument.arg: f"{argument.arg}: {shown(argument.annotation)} = {shown(default)}"
        for argument, default in zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True)
    }
    order = list(written)
    place = order.index("n_particles")
    for option in options:
        if option.name in left_out:
            continue
        if option.name not in order:
            order.insert(place + 1, option.name)
        place = order.index(option.name)
        written[option.name] = f"{option.name}: {type_of(option)} = {default_of(option)}"
    lines = [
        "    def __init__(",
        "        self,",
        "        *,",
        *(f"        {written[name]}," for name in order),
        "    ) -> None:",
        *(f"        self.{name} = {name}" for name in order),
    ]
    before = source.splitlines()
    assert init.end_lineno is not None
    return "\n".join([*before[: init.lineno - 1], *lines, *before[init.end_lineno :], ""])


def shown(node: ast.AST | None) -> str:
    """Return an expression as ruff formats it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return f'"{node.value}"'
    return "" if node is None else ast.unparse(node)


def estimators() -> Iterator[tuple[Path, str]]:
    """Yield the files in which the estimators are, and their names."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for name in LEFT_OUT:
            if re.search(rf"^class {name}\(", path.read_text(), re.M):
                yield path, name


# ---- All of them.


def contents() -> Iterator[tuple[Path, str]]:
    """Yield what should be in each of the files."""
    schema = ROOT / "docs" / "model.schema.json"
    yield schema, schema_of_models(schema.read_text())
    stub_file = PACKAGE / "_core.pyi"
    yield stub_file, stub(stub_file.read_text())
    found = list(estimators())
    if {name for _, name in found} != set(LEFT_OUT):
        raise ValueError(f"estimators that were found: {[name for _, name in found]}")
    for path, name in found:
        yield path, constructor(path.read_text(), PLAIN, LEFT_OUT[name])


def main() -> int:
    """Write the files, or say which differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    stale = [(path, text) for path, text in contents() if path.read_text() != text]
    for path, text in stale:
        print(path.relative_to(ROOT), "is not what the table says" if check else "was written")
        if not check:
            path.write_text(text)
    return bool(stale and check)


if __name__ == "__main__":
    sys.exit(main())
