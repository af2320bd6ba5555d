"""The rules of tools/check_layers.py, each broken once in a small tree, and the drawing."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parents[2] / "tools"
OTHERS = ["tables/table.hpp", "report/text.hpp", "cli/run.cpp", "python/bindings/bindings.hpp"]


def load(name):
    spec = importlib.util.spec_from_file_location(name, TOOLS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


rooms = load("rooms")
layers = load("check_layers")
draw = load("draw_rooms")


def check(tree, files):
    """Return what is wrong with a tree in order that these files are added to."""
    listed = [f"include/bkernn/{name}.hpp" for room in rooms.ROOMS for name in room.headers]
    sources = [f"src/{room.name}/some_{room.name}.hpp" for room in rooms.ROOMS]
    for path in [*listed, *sources, *OTHERS, *files]:
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(files.get(path, ""))
    return layers.problems(rooms.Tree(tree))


def include(*names):
    return "// A comment.\n" + "".join(f'#include "{name}"\n' for name in names)


IN_ORDER = {
    "src/base/parallel.cpp": include("bkernn/threads.hpp") + "std::mutex mutex;\n",
    "src/loops/loops.cpp": '__attribute__((target_clones("default")))\n',
    "src/loops/sort.cpp": "// target_clones and std::thread are words here.\n",
    "src/fit/fit.cpp": include("fit/helper.hpp", "base/some_base.hpp", "bkernn/options.hpp"),
    "src/fit/helper.hpp": include("bkernn/fit.hpp") + "#include <vector>\n",
    "include/bkernn/fit.hpp": include("bkernn/model.hpp"),
    "include/bkernn/bkernn.hpp": include("bkernn/fit.hpp", "bkernn/simulate.hpp"),
    "tables/csv/cell.cpp": include("tables/table.hpp", "base/some_base.hpp", "bkernn/error.hpp"),
    "report/page.cpp": include("report/text.hpp", "tables/table.hpp", "bkernn/io.hpp"),
    "cli/fit.cpp": include("report/text.hpp", "tables/table.hpp", "bkernn/bkernn.hpp"),
    "python/bindings/bind.cpp": include("bindings.hpp", "bkernn/bkernn.hpp", "report/text.hpp"),
    "benchmarks/bench.cpp": include("operators/some_operators.hpp", "tables/table.hpp"),
}

BROKEN = {
    "a room that comes later": (
        {"src/loops/loops.cpp": include("base/some_base.hpp", "terms/some_terms.hpp")},
        "src/loops/loops.cpp:3: includes terms/some_terms.hpp of the room terms, "
        "which comes after loops: move what loops needs",
    ),
    "a public header of a room that comes later": (
        {"include/bkernn/model.hpp": "#include <bkernn/fit.hpp>\n"},
        "include/bkernn/model.hpp:1: includes bkernn/fit.hpp of the room fit",
    ),
    "an unknown folder": (
        {"src/utils/strings.hpp": ""},
        "src/utils/strings.hpp:1: src/utils is not a room: move it into a room",
    ),
    "a file in no folder": ({"src/fit.cpp": ""}, "src/fit.cpp:1: src is not a room"),
    "a header of no room": (
        {"include/bkernn/extra.hpp": ""},
        "include/bkernn/extra.hpp:1: is a header of no room: list it in tools/rooms.py",
    ),
    "a public header that needs a private one": (
        {"include/bkernn/fit.hpp": include("fit/some_fit.hpp")},
        "include/bkernn/fit.hpp:2: includes fit/some_fit.hpp, which is not public",
    ),
    "a circle of two": (
        {
            "src/knots/a.cpp": include("knots/b.hpp"),
            "src/knots/a.hpp": "",
            "src/knots/b.hpp": include("knots/a.hpp"),
        },
        "src/knots/a.cpp:2: includes in a circle, a → b → a: move what both need",
    ),
    "a circle of three": (
        {
            "tables/a.hpp": include("tables/csv/b.hpp"),
            "tables/csv/b.cpp": include("tables/csv/c.hpp"),
            "tables/csv/b.hpp": "",
            "tables/csv/c.hpp": include("tables/a.hpp"),
        },
        "tables/a.hpp:2: includes in a circle, a → b → c → a",
    ),
    "internals in the tool": (
        {"cli/run.cpp": include("bkernn/fit.hpp", "base/some_base.hpp")},
        "cli/run.cpp:3: includes base/some_base.hpp, which is not public: cli may include public,",
    ),
    "internals in the bindings": (
        {"python/bindings/bind.cpp": include("fit/some_fit.hpp")},
        "python/bindings/bind.cpp:2: includes fit/some_fit.hpp, which is not public: bindings may",
    ),
    "the tool in the bindings": (
        {"python/bindings/bind.cpp": include("cli/a.hpp"), "cli/a.hpp": ""},
        "python/bindings/bind.cpp:2: includes cli/a.hpp, of cli: bindings may include",
    ),
    "internals in the tables": (
        {"tables/csv/cell.cpp": include("io/some_io.hpp")},
        "tables/csv/cell.cpp:2: includes io/some_io.hpp, which is not public: tables may",
    ),
    "the report in the tables": (
        {"tables/csv/cell.cpp": include("report/text.hpp")},
        "tables/csv/cell.cpp:2: includes report/text.hpp, of report: tables may",
    ),
    "the tool in the library": (
        {"src/io/a.cpp": include("tables/table.hpp")},
        "src/io/a.cpp:2: includes tables/table.hpp: src/ includes its own rooms",
    ),
    "everything in the library": (
        {"src/io/a.cpp": include("bkernn/bkernn.hpp"), "include/bkernn/bkernn.hpp": ""},
        "src/io/a.cpp:2: includes bkernn/bkernn.hpp: src/ includes its own rooms",
    ),
    "a file that is not there": (
        {"src/io/a.cpp": include("io/gone.hpp")},
        'src/io/a.cpp:2: "io/gone.hpp" is not there: correct the path',
    ),
    "threads": (
        {"tables/csv/cell.cpp": "\nstd::mutex mutex;\n"},
        "tables/csv/cell.cpp:2: threads belong into src/base/parallel.cpp alone: use parallel_for",
    ),
    "clones elsewhere": (
        {"src/knots/a.cpp": '__attribute__((target_clones("default")))\n'},
        "src/knots/a.cpp:1: target_clones belongs in one file of src/loops/ alone",
    ),
    "clones in two files": (
        {"src/loops/sort.cpp": "target_clones\n", "src/loops/loops.cpp": "target_clones\n"},
        ":1: target_clones belongs in one file of src/loops/ alone",
    ),
}


def test_a_tree_in_order(tmp_path):
    assert check(tmp_path, IN_ORDER) == []


@pytest.mark.parametrize("files", [{}, {"src/fit.cpp": ""}])
def test_what_the_program_says(tmp_path, files):
    said = "\n".join(check(tmp_path, files)) or "layers are in order"
    command = [sys.executable, TOOLS / "check_layers.py", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (f"{said}\n", 1 if files else 0)


@pytest.mark.parametrize("rule", BROKEN)
def test_what_is_broken_is_said(tmp_path, rule):
    files, message = BROKEN[rule]
    [said] = check(tmp_path, files)
    assert message in said


def test_a_listed_header_that_is_gone(tmp_path):
    check(tmp_path, {})
    (tmp_path / "include/bkernn/loss.hpp").unlink()
    [said] = layers.problems(rooms.Tree(tmp_path))
    assert said == "include/bkernn/loss.hpp:1: is listed in terms, but not there: tools/rooms.py"


def test_the_drawing_shows_the_source():
    command = [sys.executable, TOOLS / "draw_rooms.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_drawing_counts_turns_back(tmp_path):
    files = {
        "src/fit/fit.cpp": include("bkernn/fit.hpp", "rows/rows.hpp"),
        "src/rows/rows.hpp": include("bkernn/fit.hpp"),
        "src/rows/shard.cpp": include("rows/rows.hpp"),
        "src/model/model.cpp": include("base/some_base.hpp"),
    }
    check(tmp_path, files)
    tree = rooms.Tree(tmp_path)
    assert draw.way_of_a_row(tree, "fit") == [
        "fit: 4 files in 2 rooms, 1 turn back",
        "  fit         fit",
        "  rows        rows shard",
        "  turns back: src/rows/rows.hpp → include/bkernn/fit.hpp",
    ]
    assert draw.way_of_a_row(tree, "predict")[0] == "predict: 3 files in 2 rooms, no turn back"
    assert ["rows", "·", "1", "1!"] in [line.split()[1:] for line in draw.include_matrix(tree)]
    assert all(len(line) <= 100 for line in draw.drawing(tree).splitlines())


BY_NAME = re.compile(r'(?:kernel|loss|penalty)(?:_name|_|\(\))?\s*[!=]==?\s*"(?!auto")')


def test_the_terms_are_asked_for_their_traits_and_not_for_their_names():
    root = TOOLS.parent
    sources = [
        path
        for folder in ("src", "tables", "report", "cli", "python", "r")
        for path in (root / folder).rglob("*.[chjpR]*")
        if not path.is_relative_to(root / "src/terms")
    ]
    found = [
        f"{path.relative_to(root)}:{number}: {line.strip()}"
        for path in sources
        if path.suffix in {".cpp", ".hpp", ".py", ".js", ".R"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if BY_NAME.search(line)
    ]
    assert len(sources) > 300
    assert found == []
