"""The additions that CONTRIBUTING.md shows are made, and the property tests run over them."""

import re
import shutil

import pytest
from building import ROOT, build, build_directory, run

TERMS, STEP_RULE, OPTION = re.split(
    "^## Add (?:a step rule|an option)\n", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.M
)
DIFF = re.compile(r"^```diff\n(.*?)^```", re.M | re.S)
PATCHES = DIFF.findall(TERMS)
ADDED = ["PenaltyTest.*/concave_basic", "LossTest.*/log_cosh", "KernelTest.*/matern"]
REFUSED = "ExportTest.*/matern"  # C and ONNX have no formula for it


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
    assert passed(shown) >= 5, shown


def test_a_kernel_without_a_formula_is_not_exported(program):
    assert passed(run(program, f"--gtest_filter=*{REFUSED}")) == 1


def build_addition(name, text, tree):
    """Make the one addition of a section, which changes three source files, and build its tests."""
    (patch,) = DIFF.findall(text)
    changed = re.findall(r"^\+\+\+ b/(.*)", patch, re.M)
    assert len([path for path in changed if not path.startswith("tests/")]) == 3
    for part in ("include", "src", "tests/cpp"):
        shutil.copytree(ROOT / part, tree / part)
    run("git", "apply", "-", cwd=tree, input=patch)
    library = build_directory() / "libbkernn.a"
    return build(ROOT / "tests/contributing" / name, tree, TREE=tree, LIBRARY=library) / name


def passed(shown):
    return int(re.search(r"\[  PASSED  \] (\d+) tests?", shown)[1])


def test_an_option_is_three_source_files_and_is_checked(tmp_path):
    shown = run(build_addition("option", OPTION, tmp_path))
    assert passed(shown) >= 8, shown


def test_a_step_rule_is_three_source_files_and_optimizes(tmp_path):
    program = build_addition("step_rule", STEP_RULE, tmp_path)
    shown = run(program, "--gtest_filter=*Optimizer*/backtracking")
    assert passed(shown) >= 5, shown
