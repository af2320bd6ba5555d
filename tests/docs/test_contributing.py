"""The additions that CONTRIBUTING.md shows are made, and the property tests run over them."""

import re
import shutil

import pytest
from building import ROOT, build, build_directory, run

TERMS, _, OPTION = (ROOT / "CONTRIBUTING.md").read_text().partition("## Add an option\n")
DIFF = re.compile(r"^```diff\n(.*?)^```", re.M | re.S)
PATCHES = DIFF.findall(TERMS)
ADDED = ["PenaltyTest.*/concave_basic", "LossTest.*/log_cosh", "KernelTest.*/matern"]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """The property tests, with everything added that CONTRIBUTING.md adds."""
    library = build_directory() / "libbkernn.a"
    tree = tmp_path_factory.mktemp("tree")
    for part in ("include", "src", "tests/cpp"):
        shutil.copytree(ROOT / part, tree / part)
    for patch in PATCHES:
        run("git", "apply", "-", cwd=tree, input=patch)
    return build(ROOT / "tests/contributing", tree, TREE=tree, LIBRARY=library) / "additions"


def test_three_additions_are_shown():
    assert len(PATCHES) == len(ADDED)


@pytest.mark.parametrize("tests", ADDED)
def test_what_is_added_has_the_properties(program, tests):
    shown = run(program, f"--gtest_filter=*{tests}")
    assert int(re.search(r"\[  PASSED  \] (\d+) tests?", shown)[1]) >= 5, shown


def test_an_option_is_three_source_files_and_is_checked(tmp_path):
    (patch,) = DIFF.findall(OPTION)
    changed = re.findall(r"^\+\+\+ b/(.*)", patch, re.M)
    assert len([path for path in changed if not path.startswith("tests/")]) == 3
    for part in ("include", "src", "tests/cpp"):
        shutil.copytree(ROOT / part, tmp_path / part)
    run("git", "apply", "-", cwd=tmp_path, input=patch)
    library = build_directory() / "libbkernn.a"
    project = ROOT / "tests/contributing/option"
    program = build(project, tmp_path, TREE=tmp_path, LIBRARY=library) / "option"
    shown = run(program)
    assert int(re.search(r"\[  PASSED  \] (\d+) tests?", shown)[1]) >= 8, shown
