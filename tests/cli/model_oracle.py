"""A second reading of docs/model.schema.json and of what its numbers mean, without the library."""

import csv
import re

import numpy as np


def predict(document, X):
    """f(x) of a Brownian model, straight from the document."""
    model = document["model"]
    Z = (X - np.array(model["center"])) / np.array(model["scale"])
    F = np.tile(np.array(model["intercept"]), (len(X), 1))
    W = np.array([particle["direction"] for particle in model["particles"]]).T
    for j, (knots, columns) in enumerate(functions(model, W)):
        for k, values in enumerate(columns):
            F[:, k] += np.interp(Z @ W[:, j], knots, values) / model["n_particles"]
    return F


def columns(numbers):
    return numbers.get("unit", 1.0) * np.array(numbers["values"], dtype=float).T


def functions(model, W):
    """Knots and values of each particle: given, or from the expansions."""
    if "expansions" not in model:
        for particle in model["particles"]:
            yield np.array(particle["knots"]), np.array(particle["values"])
        return
    first = 0
    for one in model["expansions"]:
        basis, rows, alpha = (columns(one[key]) for key in ("basis", "rows", "alpha"))
        for w in W.T[first : first + one["particles"]]:
            p = rows @ (basis.T @ w)
            order = np.argsort(p)
            t = p[order]
            rise = -np.cumsum(alpha[order], axis=0)[:-1] * np.diff(t)[:, None]
            h = np.vstack([np.zeros(alpha.shape[1]), np.cumsum(rise, axis=0)])
            yield t, [column - np.interp(0, t, column) for column in h.T]
        first += one["particles"]


def read_csv(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def numbers(path):
    names, rows = read_csv(path)
    return names, np.array(rows, dtype=float)


_KEYWORDS = """
$schema $id $defs title description type const enum minimum exclusiveMinimum maximum
exclusiveMaximum pattern items prefixItems minItems maxItems required properties
additionalProperties
"""
KNOWN = set(_KEYWORDS.split())
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}


def _has_type(value, name):
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def schema_errors(value, schema, root=None, where="document"):
    """The part of JSON Schema that the published schema uses."""
    root = root or schema
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        yield from schema_errors(value, root["$defs"][name], root, where)
        return
    assert set(schema) <= KNOWN, f"{where}: the schema uses {set(schema) - KNOWN}"
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(_has_type(value, name) for name in types):
        yield f"{where}: is no {types}"
        return
    if "const" in schema and value != schema["const"]:
        yield f"{where}: is not {schema['const']}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{where}: {value!r} is none of {schema['enum']}"
    if _has_type(value, "number") and value < schema.get("minimum", -np.inf):
        yield f"{where}: {value} is too small"
    if _has_type(value, "number") and value <= schema.get("exclusiveMinimum", -np.inf):
        yield f"{where}: {value} is too small"
    if _has_type(value, "number") and value > schema.get("maximum", np.inf):
        yield f"{where}: {value} is too large"
    if _has_type(value, "number") and value >= schema.get("exclusiveMaximum", np.inf):
        yield f"{where}: {value} is too large"
    if isinstance(value, str) and "pattern" in schema and not re.search(schema["pattern"], value):
        yield f"{where}: {value!r} does not match"
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", np.inf):
            yield f"{where}: has {len(value)} items"
        for item, item_schema in zip(value, schema.get("prefixItems", []), strict=False):
            yield from schema_errors(item, item_schema, root, where)
        for i, item in enumerate(value if "items" in schema else []):
            yield from schema_errors(item, schema["items"], root, f"{where}[{i}]")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                yield f"{where}.{key}: is missing"
        for key, item in value.items():
            if key in schema.get("properties", {}):
                yield from schema_errors(item, schema["properties"][key], root, f"{where}.{key}")
            elif isinstance(schema.get("additionalProperties"), dict):
                others = schema["additionalProperties"]
                yield from schema_errors(item, others, root, f"{where}.{key}")
