"""What README and documentation show is run, and gives what they show.

A ```console block is a list of commands ($) with their output; a command may go on after a
backslash. A ```python block may be followed by a ```text block with its output. Numbers may differ
by 2 %: other compilers round otherwise. A line [...] stands for any lines.
"""

import os
import re
import shutil
import subprocess
import sys
from itertools import zip_longest

import pytest
from building import ROOT, build, build_directory, run, tool_path

PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("guides/*.md")),
    *(
        ROOT / f"docs/{page}.md"
        for page in ("classification", "comparison", "deploy", "intervals", "recovery", "tutorial")
    ),
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
DATA = "BKERNN_DATA_DIR"  # blocks that name it show a table of that folder
NOISY = ("shap",)  # the warnings of blocks that import it are theirs
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def blocks(page, language):
    """Return the blocks of a language, each with the ```text block that follows it at once."""
    found = list(BLOCK.finditer(page.read_text()))
    for block, after in zip_longest(found, found[1:]):
        if block[1] == language:
            between = page.read_text()[block.end() : after.start()] if after else "end"
            output = after[2] if after and after[1] == "text" and not between.strip() else ""
            yield block[2], output


def pages_with(language, real=False):
    """Return the pages that have such blocks, of real tables or others, as parameters."""
    return [pytest.param(p, id=p.stem) for p in PAGES if any(sorted_out(p, language, real))]


def sorted_out(page, language, real):
    """Return the blocks that show tables of BKERNN_DATA_DIR, or those that do not."""
    return [one for one in blocks(page, language) if (DATA in one[0]) == real]


@pytest.fixture
def data():
    if not os.environ.get(DATA):
        pytest.skip(f"{DATA} names no folder with the real tables that this page shows")


def same(shown, got):
    """Whether the lines are equal, up to spaces, the length of bars, and 2 % of the numbers."""
    words = [NUMBER.sub("#", line.replace("█", "")).split() for line in (shown, got)]
    numbers = [[float(x) for x in NUMBER.findall(line)] for line in (shown, got)]
    return words[0] == words[1] and numbers[1] == pytest.approx(numbers[0], rel=0.02)


def assert_shows(shown, got):
    """Assert that `got` is what is shown, where [...] may stand for any lines."""
    lines = iter(got.rstrip().splitlines())
    skipping = False
    for expected in shown.rstrip().splitlines():
        if expected == "[...]":
            skipping = True
            continue
        line = next((line for line in lines if not skipping or same(expected, line)), None)
        assert line is not None, f"not in the output: {expected!r}\n{got}"
        assert same(expected, line), f"shown {expected!r}, got {line!r}"
        skipping = False
    assert skipping or next(lines, None) is None, f"more than what is shown:\n{got}"


@pytest.fixture(scope="module")
def tool():
    return tool_path()


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands(page, tool, tmp_path):
    run_commands(sorted_out(page, "console", real=False), tool, tmp_path)


@pytest.mark.parametrize("page", pages_with("console", real=True))
def test_commands_on_real_tables(page, data, tool, tmp_path):
    run_commands(sorted_out(page, "console", real=True), tool, tmp_path)


def run_commands(shown_blocks, tool, tmp_path):
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    for block, _ in shown_blocks:
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.replace("\\\n", " ").partition("\n")
            done = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            assert done.returncode == 0, f"{command}\n{done.stdout}"
            assert_shows(shown, done.stdout)


@pytest.mark.parametrize("page", pages_with("python"))
def test_python(page, tmp_path):
    run_python(sorted_out(page, "python", real=False), tmp_path)


@pytest.mark.parametrize("page", pages_with("python", real=True))
def test_python_on_real_tables(page, data, tmp_path):
    run_python(sorted_out(page, "python", real=True), tmp_path)


def run_python(shown_blocks, tmp_path):
    for code, shown in shown_blocks:
        warnings = "ignore" if any(f"\nimport {name}\n" in code for name in NOISY) else "error"
        assert_shows(shown, run(sys.executable, "-W", warnings, "-c", code, cwd=tmp_path))


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The library of the tool's build, installed."""
    folder = tmp_path_factory.mktemp("cpp")
    run("cmake", "--install", build_directory(), "--prefix", folder / "prefix")
    return folder


@pytest.mark.parametrize("page", pages_with("cpp"))
def test_cpp(page, installed, tool, tmp_path):
    model, table = tmp_path / "model.json", tmp_path / "table.csv"  # for the programs that take one
    run(tool, "simulate", "--n", "50", "--d", "3", "-q", "-o", table)
    run(tool, "fit", table, "--target", "y", "--max-iter", "5", "-q", "-o", model)
    project = installed / page.stem
    project.mkdir()
    shutil.copy(ROOT / "tests/install/CMakeLists.txt", project)
    for code, shown in blocks(page, "cpp"):
        (project / "main.cpp").write_text(code)
        build(project, project, CMAKE_PREFIX_PATH=installed / "prefix")
        got = run(project / "build/consumer", model)
        if shown:
            assert_shows(shown, got)


@pytest.mark.parametrize(
    ("shown", "got", "right"),
    [
        ("r2 0.987\n", "r2   0.988\n", True),
        ("r2 0.9\n", "r2 0.8\n", False),
        ("a\n[...]\nb\n", "a\nx\ny\nb\n", True),
        ("a\n[...]\nb\n", "a\nx\n", False),
        ("a\n", "a\nb\n", False),
    ],
)
def test_the_comparison_itself(shown, got, right):
    if right:
        assert_shows(shown, got)
    else:
        with pytest.raises(AssertionError):
            assert_shows(shown, got)
