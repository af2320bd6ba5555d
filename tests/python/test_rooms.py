"""The rooms of the Python code: a module imports its own room and those before it in the list."""

import ast
import pathlib

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]

# From the bottom up. A room is a folder, or a module beside the folders.
ROOMS = {
    "python/bkernn": [
        "_core",
        "_docs",
        "_old_modules",
        "_input",
        "datasets",
        "metrics",
        "theory",
        "_displays",
        "_baselines",
        "_estimators",
        "_stability",
        "_dask",
        "_onnx",
        "dask",
        "onnx",
        "__init__",
    ],
    "experiments": [
        "__init__",
        "data",
        "common",
        "paper",
        "choices",
        "peers",
        "classes",
        "tables",
        "intervals",
        "recovery",
        "bench",
        "pages",
    ],
}


def modules(package):
    """Return the files of a package by the dotted names of their modules."""
    files = sorted([*package.rglob("*.py"), *package.rglob("*.pyi")])
    names = (path.relative_to(package.parent).with_suffix("").parts for path in files)
    return {".".join(name): path for name, path in zip(names, files, strict=True)}


def imports(name, path, known):
    """Yield the modules of the same package that a module imports, wherever in its file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            sources = [alias.name.split(".") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = name.split(".")[: -node.level] if node.level else []
            base += node.module.split(".") if node.module else []
            sources = [[*base, alias.name] for alias in node.names]
        else:
            continue
        for source in sources:
            while source:  # a name in a module, a module, or a package
                found = [".".join(parts) for parts in (source, [*source, "__init__"])]
                found = [one for one in found if one in known]
                if found:
                    yield found[0]
                    break
                source = source[:-1]


def cycle(graph):
    """Return a list of modules of which each imports the next and the last the first, or None."""
    done = set()

    def visit(name, path):
        if name in path:
            return path[path.index(name) :]
        if name in done:
            return None
        found = [visit(other, [*path, name]) for other in graph[name]]
        done.add(name)
        return next((one for one in found if one), None)

    return next((found for name in graph if (found := visit(name, []))), None)


def problems(package, rooms):
    """Yield what is wrong, as sentences."""
    files = modules(package)
    graph = {name: set(imports(name, path, files)) - {name} for name, path in files.items()}
    level = {room: place for place, room in enumerate(rooms)}
    room = {name: name.split(".")[1] for name in files}
    for unknown in sorted(set(room.values()) - set(rooms)):
        yield f"{unknown} is not in the list of rooms"
    for name, others in graph.items():
        for other in sorted(others):
            if level.get(room[other], -1) > level.get(room[name], len(rooms)):
                yield f"{name} imports {other}, which stands above it"
    if found := cycle(graph):
        yield f"a cycle: {' → '.join([*found, found[0]])}"


@pytest.mark.parametrize("package", ROOMS)
def test_rooms_are_in_order(package):
    assert list(problems(PROJECT / package, ROOMS[package])) == []


@pytest.mark.parametrize("package", ROOMS)
def test_every_room_exists(package):
    rooms = {name.split(".")[1] for name in modules(PROJECT / package)}
    assert set(ROOMS[package]) == rooms


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        ({"attic/a.py": ""}, "attic is not in the list of rooms"),
        ({"low/a.py": "from ..high import b"}, "house.low.a imports house.high.b, which"),
        ({"low/a.py": "def f():\n    import house.high.b"}, "house.low.a imports house.high.b"),
        ({"low/a.py": "from .. import name"}, "house.low.a imports house.__init__, which"),
        (
            {"low/a.py": "from .c import x", "low/c.py": "from . import a"},
            "a cycle: house.low.a → house.low.c → house.low.a",
        ),
        ({"high/b.py": "import house.low.a", "low/a.py": "import os.path"}, None),
        ({"__init__.py": "from .high import b", "high/b.py": "from ..low.a import f"}, None),
    ],
)
def test_what_is_wrong_is_said(tmp_path, files, wrong):
    for name in ("__init__.py", "low/__init__.py", "low/a.py", "high/__init__.py", "high/b.py"):
        files = {name: "", **files}
    for name, text in files.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text)
    found = list(problems(tmp_path / "house", ["low", "high", "__init__"]))
    assert found == [] if wrong is None else len(found) == 1 and found[0].startswith(wrong)
