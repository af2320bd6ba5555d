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


# One test, because tests of one program may run in two places, and each would build it.
def test_terms_that_are_added_have_the_properties(tmp_path):
    program = build_with(PATCHES, ROOT / "tests/contributing", tmp_path) / "additions"
    for tests in ADDED:
        shown = run(program, f"--gtest_filter=*{tests}")
        assert passed(shown) >= 5, shown
    assert passed(run(program, f"--gtest_filter=*{REFUSED}")) == 1


def test_three_additions_are_shown():
    assert len(PATCHES) == len(ADDED)


@pytest.mark.parametrize("patch", [*PATCHES, *DIFF.findall(STEP_RULE), *DIFF.findall(OPTION)])
def test_no_addition_touches_more_than_three_source_files(patch):
    changed = re.findall(r"^\+\+\+ b/(.*)", patch, re.M)
    assert 1 <= sum(not path.startswith("tests/") for path in changed) <= 3


def build_with(patches, project, tree):
    """Build the tests of a project over a copy of the sources with these additions."""
    library = build_directory() / "libbkernn.a"
    for part in ("include", "src", "tests/cpp"):
        shutil.copytree(ROOT / part, tree / part)
    for patch in patches:
        run("git", "apply", "-", cwd=tree, input=patch)
    return build(project, tree, TREE=tree, LIBRARY=library)


def passed(shown):
    return int(re.search(r"\[  PASSED  \] (\d+) tests?", shown)[1])


def test_an_option_is_checked(tmp_path):
    folder = build_with(DIFF.findall(OPTION), ROOT / "tests/contributing/option", tmp_path)
    shown = run(folder / "option")
    assert passed(shown) >= 8, shown


def test_a_step_rule_optimizes(tmp_path):
    folder = build_with(DIFF.findall(STEP_RULE), ROOT / "tests/contributing/step_rule", tmp_path)
    shown = run(folder / "step_rule", "--gtest_filter=*Optimizer*/backtracking")
    assert passed(shown) >= 5, shown
