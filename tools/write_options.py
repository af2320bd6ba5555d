#!/usr/bin/env python3
"""Writes what repeats the table of options (src/model/option_table.cpp), from the built package.

- docs/model.schema.json: the options, and the names of kernels, losses and penalties
- python/bkernn/_core.pyi: the members of FitOptions
- the parameters of the estimators, python/bkernn/_estimators/

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
from bkernn._input.options import PLAIN, TABLE, Option, default_of, type_of

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
JSON_TYPES = {
    "flag": "boolean",
    "integer": "integer",
    "number": "number",
    "numbers": "array",
    "matrix": "object",
}


def option_schema(option: Option) -> dict[str, object]:
    """Return the schema of the values of one option."""
    schema: dict[str, object] = {"description": option.help}
    if option.name in DEFINITIONS and option.choices == DEFINITIONS[option.name]():
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

STUB_TYPES = {
    "flag": "bool",
    "integer": "int",
    "number": "float",
    "numbers": "list[float]",
    "text": "str",
    "matrix": "Array",
}


def stub(text: str) -> str:
    """Return the stub with the members of FitOptions."""
    members = "".join(
        f"    {option.name}: {STUB_TYPES[option.kind]}"
        f"{' | None' if option.kind == 'number' and option.default is None else ''}\n"
        for option in TABLE
    )
    return replaced(text, r'(class FitOptions:\n    """.*?"""\n\n)(.*?)(    def __init__)', members)


# ---- The parameters of the estimators, which are fields of dataclasses.


def with_fields(source: str, name: str, options: list[Option]) -> str:
    """Return the source of a module with the options as fields of the class `name`.

    Fields that are there get type and default of the table; those that are missing are put behind
    the option that the table has before them. All other lines stay as they are.
    """
    body = next(
        node.body
        for node in ast.parse(source).body
        if isinstance(node, ast.ClassDef) and node.name == name
    )
    lines = source.splitlines()
    place = {
        node.target.id: node.lineno - 1
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    behind = min(place.values())
    added: dict[int, list[str]] = {}
    for option in options:
        field = f"    {option.name}: {type_of(option)} = {default_of(option)}"
        if option.name in place:
            behind = place[option.name]
            lines[behind] = field
        else:
            added.setdefault(behind, []).append(field)
    written = [text for i, line in enumerate(lines) for text in (line, *added.get(i, ()))]
    return "\n".join([*written, ""])


# ---- All of them.


def contents() -> Iterator[tuple[Path, str]]:
    """Yield what should be in each of the files."""
    schema = ROOT / "docs" / "model.schema.json"
    yield schema, schema_of_models(schema.read_text())
    stub_file = PACKAGE / "_core.pyi"
    yield stub_file, stub(stub_file.read_text())
    for file, name, options in (
        ("parameters.py", "Parameters", [o for o in PLAIN if o.name not in REGRESSION]),
        ("regressor.py", "BKerNNRegressor", [o for o in PLAIN if o.name in REGRESSION]),
    ):
        path = PACKAGE / "_estimators" / file
        yield path, with_fields(path.read_text(), name, options)


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
