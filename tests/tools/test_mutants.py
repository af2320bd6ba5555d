"""The judge of small changes, on a project of two functions and a C++ test program of a script."""

import dataclasses
import json
import math
import shutil
import sys
from pathlib import Path

import pytest

from reliability.mutants import find_python, judge
from reliability.mutants.change import Change, Edit, apply
from reliability.mutants.reasons import LIST, Reasons
from reliability.mutants.sample import Results, draw

ROOT = Path(__file__).parents[2]
# Speaks like GoogleTest. S.one runs through change 1, S.two through 2 and 3; it fails with 2, and
# with 3 it never ends. Nothing notices 1.
PROGRAM = f"""#!{sys.executable}
import os, sys, time
if "--gtest_list_tests" in sys.argv:
    print("S.\\n  one\\n  two  # comment\\n  DISABLED_three\\nBroken.\\n  four")
    sys.exit()
names = sys.argv[1].partition("=")[2].split(":")
mutant = os.environ.get("BKERNN_MUTANT")
for name in names:
    print("[ RUN      ]", name, flush=True)
    if name == "Broken.four" or (name == "S.two" and mutant == "2"):
        os.write(1, b"\\x93 is no UTF-8")
        sys.exit(1)
    if name == "S.two" and mutant == "3":
        time.sleep(1000)
    if "BKERNN_REACHED" in os.environ:
        with open(os.environ["BKERNN_REACHED"], "a") as file:
            file.write({{"S.one": "1 ", "S.two": "2 3 "}}[name])
"""
PACKAGE = """def twice(x):
    return x + x


def half(x):
    return x / 2


def forgotten(x):
    return x - 1
"""
TESTS = """import pytest
import bkernn


@pytest.fixture(scope="module")
def four():
    return bkernn.twice(2)


def test_sum(four):
    assert four == 4


def test_other():
    assert bkernn.half(4) == 2


def test_broken():
    assert not bkernn.forgotten(1)
    raise ValueError
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A judge that has watched all tests."""
    pytest.importorskip("coverage")
    monkeypatch.setattr(judge, "POLL", 0.1)
    program = tmp_path / "build/release/tests/bkernn_tests"
    package = tmp_path / "build/site/bkernn/__init__.py"
    for path, text in ((program, PROGRAM), (package, PACKAGE), (tmp_path / "test_it.py", TESTS)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    program.chmod(0o755)
    (tmp_path / "reliability").symlink_to(ROOT / "reliability")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    said = []
    one = judge.Judge(tmp_path, ["test_it.py"], math.inf, said.append)
    one.watch_cpp("these sources")
    one.watch_python("these sources")
    return one, said


def changes_of(project, monkeypatch):
    """Return the changes of the package by the line that they change."""
    folder = project.folder / "python/bkernn"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "__init__.py").write_text(PACKAGE)
    return {one.line: one for one in find_python.find(project.folder, "python/bkernn")}


def test_who_notices(project, monkeypatch):
    one, said = project
    assert sorted(test.name for test in one.cpp) == ["S.one", "S.two"]
    assert "Broken.four fails without any change, and judges nothing" in said
    assert one.by_cpp(1) is None
    assert one.by_cpp(2) == "S.two"
    monkeypatch.setattr(judge, "patience", lambda seconds: 1.0)
    assert one.by_cpp(3) == "S.two, too late"
    by_line = changes_of(one, monkeypatch)
    assert one.by_others(1, change(0, 1)) is None
    monkeypatch.undo()
    assert one.by_others(9, by_line[2]) == "test_it.py::test_sum"  # through what it shares
    assert one.by_others(9, by_line[6]) == "test_it.py::test_other"
    monkeypatch.setattr(judge, "patience", lambda seconds: 20.0)
    [edit] = by_line[6].edits
    for_ever = dataclasses.replace(edit, text="sum(iter(int, 1))")
    endless = dataclasses.replace(by_line[6], edits=(for_ever,))
    assert one.by_others(9, endless) == "test_it.py::test_other, too late"
    monkeypatch.undo()
    assert one.by_others(9, by_line[10]) is None  # its only test fails anyway
    assert (one.site / "bkernn/__init__.py").read_text() == PACKAGE


def test_no_time_counts_in_which_the_run_was_stopped(monkeypatch):
    now = 0.0
    monkeypatch.setattr(judge.time, "monotonic", lambda: now)
    late = judge.within(100)

    def late_after(seconds):
        nonlocal now
        now += seconds
        return late()

    assert not late_after(judge.POLL)
    assert not late_after(1e6)
    assert [late_after(judge.POLL) for _ in range(20)].count(True) == 3


def test_a_run_ends_when_its_time_is_up(project):
    one, _ = project
    one.end = 0
    with pytest.raises(judge.TimeIsUpError):
        one.by_cpp(1)


def test_what_was_watched_is_kept(project):
    one, _ = project
    one.program.write_text("#!/bin/false\n")
    one.watch_python("these sources")
    assert len(one.python) == 2
    one._passes = None  # nothing may run
    one.watch_python("these sources")


def change(begin, end, text="x"):
    return Change("a.cpp", 1, "constant", "", text, (Edit(begin, end, text),))


def test_draws_do_not_overlap():
    everything = [change(k, k + 3) for k in range(20)]
    drawn = draw(everything, 5, seed=1)
    assert len(drawn) == 5 and drawn == draw(everything, 5, seed=1) != draw(everything, 5, seed=2)
    assert not any(a.overlaps(b) for a in drawn for b in drawn if a is not b)
    assert apply(b"0123456789", [Edit(1, 2, "one"), Edit(5, 5, "!")]) == b"0one234!56789"


def test_results_go_on_where_they_ended(tmp_path):
    path, sample = tmp_path / "results.json", {"seed": 1, "sources": "these"}
    drawn = [change(3 * k, 3 * k + 1) for k in range(3)]
    first = Results(path, sample, drawn)
    first.add(2, "S.two")
    first.passes_cpp(1)
    first.add(1, None)
    again = Results(path, sample, drawn)
    assert again.judged() == {1, 2} and again.left() == {1}
    assert json.loads(path.read_text())["noticed"] == 1
    again.forget_survivors()
    assert again.judged() == again.done() == {2}
    assert Results(path, {**sample, "seed": 2}, drawn).judged() == set()


def test_survivors_that_change_nothing_have_their_reason(tmp_path):
    (tmp_path / "a.cpp").write_text("  return x >= 0;\n")
    known = {"file": "a.cpp", "line": "return x >= 0;", "before": "", "after": "x", "reason": "so"}
    (tmp_path / "list.json").write_text(json.dumps([known]))
    drawn = [change(3 * k, 3 * k + 1, "xy"[k]) for k in range(2)]
    reasons = Reasons(tmp_path, tmp_path / "list.json")
    results = Results(tmp_path / "results.json", {"seed": 1}, drawn, reasons.of)
    results.add(1, None)
    results.add(2, None)
    found = json.loads((tmp_path / "results.json").read_text())
    assert [one.get("reason") for one in found["changes"]] == ["so", None]
    assert (found["judged"], found["noticed"], found["change_nothing"]) == (2, 0, 1)
    (tmp_path / "a.cpp").write_text("  return x > 0;\n")  # the list spoke of another line
    results.add(1, None)
    assert results.found["change_nothing"] == 0


def test_the_list_of_reasons_speaks_of_lines_that_are_there():
    for one in json.loads(LIST.read_text()):
        lines = [line.strip() for line in (ROOT / one["file"]).read_text().splitlines()]
        assert one["line"] in lines and one["before"] in one["line"], one
        assert one["reason"]


def test_changes_of_sources_and_headers(tmp_path):
    pytest.importorskip("clang.cindex")
    if not shutil.which("clang-14"):
        pytest.skip("needs clang")
    from reliability.mutants.find_cpp import find

    header, source = tmp_path / "src/a.hpp", tmp_path / "src/a.cpp"
    header.parent.mkdir()
    header.write_text(
        "#pragma once\n"
        "struct Limits {\n  static constexpr double kMost = 2.5;\n};\n"
        "inline bool above(double a, double b) {\n  return a > b;\n}\n"
    )
    source.write_text(
        '#include "src/a.hpp"\nbool twice(double a) {\n  return above(a, 2.0);\n}\n'
        "double max(double a, double b);\ndouble most(double a) {\n  return max(a, 2.0);\n}\n"
    )
    command = {"file": str(source), "command": f"c++ -I{tmp_path} -c {source}"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([command]))
    found = find(tmp_path, tmp_path, ("src",))
    seen = [(one.file, one.line, one.kind) for one in found]
    assert ("src/a.hpp", 6, "comparison") in seen
    assert ("src/a.cpp", 3, "arguments") in seen
    assert ("src/a.cpp", 7, "arguments") not in seen  # the order does not matter
    assert sorted(set(seen)) == sorted(seen)
    [most] = [one for one in found if one.line == 3 and one.file == "src/a.hpp"]
    text = apply(header.read_bytes(), list(most.edits)).decode()
    assert "static inline const double kMost = ({on} ? 2 * 2.5 : 2.5);" in text
