"""Every target of the Makefile says what it does."""

import re

from building import ROOT, run


def test_help_lists_every_target():
    declared = re.findall(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    targets = {name for line in declared for name in line.split()} - {"$(EXPERIMENTS)"}
    # Under `make test`, the inner make would also say which directory it enters.
    output = run("make", "-s", "--no-print-directory", "help", cwd=ROOT)
    listed = [line.split() for line in output.splitlines()]
    assert {name for name, *_ in listed} == targets
    assert all(len(words) > 1 for words in listed)
