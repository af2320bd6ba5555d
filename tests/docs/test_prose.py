"""What tools/check_prose.py takes for too wide, and that nothing of the project is."""

import shutil
import sys

import pytest
from building import ROOT

sys.path.append(str(ROOT / "tools"))
from check_prose import problems, problems_of_tree

WIDE = "word " * 25


@pytest.mark.parametrize(
    ("name", "text", "bad"),
    [
        ("page.md", WIDE, [1]),
        ("page.md", f"fine\n{WIDE}\n", [2]),
        ("page.md", f"| {WIDE} |\n", []),
        ("page.md", f"```console\n{WIDE}\n```\n{WIDE}\n", [4]),
        ("page.md", f"````md\n```\n{WIDE}\n````\n{WIDE}\n", [5]),
        ("page.md", f"text\n\n    {WIDE}\n    {WIDE}\n", []),
        ("page.md", f"- item\n    {WIDE}\n", [2]),
        ("page.md", f"![a picture](images/{'a' * 100}.png)\n", []),
        ("page.md", f"before ![a picture](images/{'a' * 100}.png)\n", [1]),
        ("src/a.cpp", f"// {WIDE}\n", [1]),
        ("src/a.cpp", "// " + "λ" * 97, []),
        ("src/a.cpp", "// " + "λ" * 98, [1]),
        ("sub/CMakeLists.txt", f"# {WIDE}\n", [1]),
        ("Makefile", "\t" + "a" * 92, []),
        ("Makefile", "\t" + "a" * 93, [1]),
        ("data.csv", WIDE, []),
    ],
)
def test_lines_that_are_too_wide(name, text, bad):
    assert [int(line.split(":")[1]) for line in problems(name, text)] == bad


@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="needs git")
def test_nothing_of_the_project_is_too_wide():
    assert problems_of_tree() == []
