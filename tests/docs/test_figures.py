"""Figures that are told in prose, against the tables and results that they come from.

An entry of FIGURES is a page, a sentence of it with {} in place of each figure, and where each
comes from.
"""

import re
import sys

import pytest
from building import ROOT
from cells import figure_of, pattern_of, said
from figures import FIGURES
from settings import NO_RESULTS

sys.path.append(str(ROOT / "tools"))
from write_figures import written


@pytest.mark.parametrize(("page", "sentence", "sources"), FIGURES)
def test_prose_agrees_with_results(page, sentence, sources):
    figures = [figure_of(source) for source in sources]
    assert sentence.format(*figures) in said(page), "tools/write_figures.py writes it"


#: What looks like a measurement: a number with a point, or one with a unit.
MEASURED = re.compile(
    r"[−-]?\b\d[\d,]*\.\d+"
    r"|\b\d[\d,]*(?= (?:%|s|ms|ns|µs|kB|MB|GB|seconds|minutes|processor|times|products|of \d+)\b)"
    r"|\b\d[\d,]* %"
)
PAGES = ["README.md", "docs/*.md", "docs/guides/*.md"]
NOT_PROSE = [
    r"<!-- (?:table|drawn)\b.*?-->.*?<!-- .*?end -->",  # what scripts write
    r"^(`{3,})\w*\n.*?^\1$",  # what is run
    r"(?<=\n\n)(?:    [^\n]*\n+)+",  # commands and formulas
    r"`[^`]*`",
    r"\]\([^)]*\)",
]


def unchecked(page):
    """Return the lines of a page with figures that neither a script writes nor a test checks."""
    text = (ROOT / page).read_text()
    for phrase in NO_RESULTS.get(page, []):
        assert phrase in said(page), f"{page} no longer says this: take it out of settings.py"
    told = [*(sentence for of, sentence, _ in FIGURES if of == page), *NO_RESULTS.get(page, [])]
    patterns = [pattern_of(sentence) for sentence in told]
    patterns += [re.compile(one, re.DOTALL | re.MULTILINE) for one in NOT_PROSE]
    for pattern in patterns:
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = enumerate(text.split("\n"), 1)
    return [f"{page}:{i}: {line.strip()}" for i, line in lines if MEASURED.search(line)]


@pytest.mark.parametrize(
    "page", [str(p.relative_to(ROOT)) for one in PAGES for p in sorted(ROOT.glob(one))]
)
def test_every_figure_is_checked(page):
    assert unchecked(page) == [], "neither in figures.py nor in settings.py"


@pytest.mark.parametrize(
    ("text", "sentence", "figures", "after"),
    [
        ("R² is 0.5, here.", "R² is {}, here.", ["0.6"], "R² is 0.6, here."),
        ("on 9 of 10\ntasks", "on {} tasks", ["8 of 10"], "on 8 of 10\ntasks"),
        ("covers 0.9 / 0.8.", "covers {}.", ["0.91 / 0.85"], "covers 0.91 / 0.85."),
        ("it is second, 3.4 (2.5)", "it is {}, {} ({})", ["best", "1", "−2"], "it is best, 1 (−2)"),
    ],
)
def test_figures_are_written_into_prose(text, sentence, figures, after):
    assert written(text, sentence, figures) == after


def test_a_sentence_that_no_page_says_is_told():
    with pytest.raises(SystemExit, match=r"no page says: a {}"):
        written("b 1", "a {}", ["2"])
