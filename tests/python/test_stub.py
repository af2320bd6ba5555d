"""The stub of the extension module against the module itself."""

import ast
import pathlib
import re

import pytest

import bkernn
from bkernn import _core

STUB = ast.parse(pathlib.Path(bkernn.__file__).with_name("_core.pyi").read_text())


def in_stub(body):
    """Return {name: parameters} of functions and properties, and {name: members} of classes."""
    found = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            given = [a.arg for a in node.args.args if a.arg != "self"]
            optional = given[len(given) - len(node.args.defaults) :] if node.args.defaults else []
            found.setdefault(node.name, [a + "=" * (a in optional) for a in given])
        elif isinstance(node, ast.ClassDef):
            found[node.name] = in_stub(node.body)
        elif isinstance(node, ast.AnnAssign):
            found[node.target.id] = []
    return {name: value for name, value in found.items() if not name.startswith("_")}


def at_runtime(owner):
    found = {}
    for name, thing in vars(owner).items():
        if isinstance(thing, type):
            found[name] = at_runtime(thing)
        elif hasattr(thing, "__nb_signature__"):
            found[name] = parameters(thing.__nb_signature__[0][0])
        elif isinstance(thing, property):
            found[name] = []
    return {name: value for name, value in found.items() if not name.startswith("_")}


def parameters(signature):
    """Return the names in a signature of nanobind, those with a default followed by "="."""
    while "[" in signature:
        signature = re.sub(r"\[[^\[\]]*\]", "", signature)
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    terms = [term for term in inside.split(", ") if term not in ("", "/", "self")]
    return [re.match(r"\w+", term)[0] + "=" * (" = " in term) for term in terms]


@pytest.mark.parametrize("name", sorted(at_runtime(_core)))
def test_stub_says_what_there_is(name):
    assert in_stub(STUB.body)[name] == at_runtime(_core)[name]


def test_stub_has_nothing_else():
    assert set(in_stub(STUB.body)) == set(at_runtime(_core))
