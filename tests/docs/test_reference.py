"""The reference pages can be made: every header has its place among the chapters."""

import sys

from building import ROOT

sys.path.append(str(ROOT / "docs"))
from reference_pages import cpp_headers, options


def test_every_header_has_a_chapter():
    page = cpp_headers(ROOT / "include/bkernn")
    for header in (ROOT / "include/bkernn").glob("*.hpp"):
        assert f"### {header.name}\n" in page


def test_every_option_is_listed():
    assert "| `n_particles` |" in options()
