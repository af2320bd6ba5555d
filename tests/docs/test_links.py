"""Links of the pages that are read as they are, on the web or in an editor, lead somewhere."""

import re

import pytest
from building import ROOT

LINK = re.compile(r"\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)")
CODE = re.compile(r"^```.*?^```", re.M | re.S)
PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def anchors(path):
    """Return the anchors that a Markdown page's headings have on the web."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page):
    for name, anchor in LINK.findall(CODE.sub("", (ROOT / page).read_text())):
        target = ROOT / (name or page)
        assert target.exists(), name
        assert not anchor or anchor in anchors(target), f"{name}#{anchor}"
