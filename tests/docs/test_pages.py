"""What README and documentation show is run, and gives what they show.

A ```console block is a list of commands ($) with their output, a ```python block may be followed by
a ```text block with its output. Numbers may differ by 2 %: other compilers round otherwise. A line
[...] stands for any lines.
"""

import os
import re
import subprocess
import sys
from itertools import zip_longest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("guides/*.md")),
    ROOT / "docs/tutorial.md",
]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def blocks(page, language):
    """Return the blocks of a language, each with the ```text block that follows it at once."""
    found = list(BLOCK.finditer(page.read_text()))
    for block, after in zip_longest(found, found[1:]):
        if block[1] == language:
            between = page.read_text()[block.end() : after.start()] if after else "end"
            output = after[2] if after and after[1] == "text" and not between.strip() else ""
            yield block[2], output


def pages_with(language):
    return [pytest.param(p, id=p.stem) for p in PAGES if any(blocks(p, language))]


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
    path = os.environ.get("BKERNN_BINARY")
    if not path:
        pytest.skip("BKERNN_BINARY names no command-line tool")
    return Path(path).resolve()


@pytest.mark.parametrize("page", pages_with("console"))
def test_commands(page, tool, tmp_path):
    path = f"{tool.parent}{os.pathsep}{os.environ['PATH']}"
    for block, _ in blocks(page, "console"):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            run = subprocess.run(
                command,
                shell=True,
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            assert run.returncode == 0, f"{command}\n{run.stdout}"
            assert_shows(shown, run.stdout)


@pytest.mark.parametrize("page", pages_with("python"))
def test_python(page, tmp_path):
    for code, shown in blocks(page, "python"):
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        assert_shows(shown, run.stdout)


@pytest.fixture(scope="module")
def installed(tool, tmp_path_factory):
    """The library of the tool's build, installed."""
    if not (tool.parent / "CMakeCache.txt").exists():
        pytest.skip("the tool does not lie in its build directory")
    prefix = tmp_path_factory.mktemp("prefix")
    cmake("--install", tool.parent, "--prefix", prefix)
    return prefix


def cmake(*arguments):
    run = subprocess.run(["cmake", *arguments], capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.parametrize("page", pages_with("cpp"))
def test_cpp(page, installed, tool, tmp_path):
    (tmp_path / "CMakeLists.txt").write_text((ROOT / "tests/install/CMakeLists.txt").read_text())
    build = tmp_path / "build"
    for code, shown in blocks(page, "cpp"):
        (tmp_path / "main.cpp").write_text(code)
        cmake("-S", tmp_path, "-B", build, f"-DCMAKE_PREFIX_PATH={installed}")
        cmake("--build", build)
        model = tmp_path / "model.json"  # for the programs that take one
        table = tmp_path / "table.csv"
        subprocess.run([tool, "simulate", "--n", "50", "--d", "3", "-q", "-o", table], check=True)
        fit = [tool, "fit", table, "--target", "y", "--max-iter", "5", "-q", "-o", model]
        subprocess.run(fit, check=True)
        run = subprocess.run([build / "consumer", model], capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        if shown:
            assert_shows(shown, run.stdout)


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
