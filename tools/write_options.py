#!/usr/bin/env python3
"""Writes what repeats the table of options (src/model/option_table.cpp), from the built package.

- docs/model.schema.json: the options, and the names of kernels, losses and penalties
- python/bkernn/_core.pyi: the members of FitOptions
- python/bkernn/_estimators: the parameters, of which the constructors are made

With --check nothing is written, and files that would change are an error.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bkernn import _core
from bkernn._input.options import PLAIN, default_of, type_of

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "bkernn"

# Options that only losses of regression have; the others belong to all estimators.
REGRESSION = {"huber_delta", "quantile", "quantile_width"}


# ---- The schema of model files.

DEFINITIONS = {
    "kernel": _core.kernel_names,
    "loss": _core.loss_names,
    "penalty": _core.penalty_names,
}
JSON_TYPES = {"flag": "boolean", "integer": "integer", "number": "number", "matrix": "object"}


def option_schema(option: _core.Option) -> dict[str, object]:
    """Return the schema of the values of one option."""
    schema: dict[str, object] = {"description": option.help}
    if option.name in DEFINITIONS:
        return {**schema, "$ref": f"#/$defs/{option.name}"}
    if option.kind == "text":
        return {**schema, "enum": option.choices}
    kind = JSON_TYPES[option.kind]
    may_be_missing = option.kind == "matrix" or getattr(_core.FitOptions(), option.name) is None
    schema["type"] = [kind, "null"] if may_be_missing else kind
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
        for option in _core.option_table()
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
    defaults = _core.FitOptions()
    members = "".join(
        f"    {option.name}: {STUB_TYPES[option.kind]}"
        f"{' | None' if getattr(defaults, option.name) is None else ''}\n"
        for option in _core.option_table()
    )
    return replaced(text, r'(class FitOptions:\n    """.*?"""\n\n)(.*?)(    def __init__)', members)


# ---- The parameters of the estimators, fields of dataclasses.


def fields(source: str, options: list[_core.Option]) -> str:
    """Return the source of a module with the options among the fields of its dataclass.

    They get type and default of the table; those that are missing are put behind the option that
    the table has before them. All other fields stay as they are.
    """
    lines = source.split("\n")
    place = None
    for option in options:
        line = f"    {option.name}: {type_of(option)} = {default_of(option)}"
        found = [k for k, old in enumerate(lines) if re.match(rf"    {option.name}: .* = ", old)]
        if found:
            place = found[0]
            lines[place] = line
        elif place is None:
            raise ValueError(f"{option.name}: no option before it has a field")
        else:
            place += 1
            lines.insert(place, line)
    return "\n".join(lines)


# ---- All of them.


def contents() -> Iterator[tuple[Path, str]]:
    """Yield what should be in each of the files."""
    schema = ROOT / "docs" / "model.schema.json"
    yield schema, schema_of_models(schema.read_text())
    stub_file = PACKAGE / "_core.pyi"
    yield stub_file, stub(stub_file.read_text())
    for module, regression in (("parameters", False), ("regressor", True)):
        path = PACKAGE / "_estimators" / f"{module}.py"
        options = [one for one in PLAIN if (one.name in REGRESSION) == regression]
        yield path, fields(path.read_text(), options)


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
