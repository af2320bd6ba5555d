"""Figures that are told in prose, against the tables that scripts wrote from results.

A row of FIGURES is a page, a sentence of it with {} in place of each figure, and for each figure
the cell of a table: page, name, row, column.
"""

import re

import pytest
from building import ROOT
from figures import FIGURES


def cells(page, name):
    """Return a table of a page, from rows and columns to cells.

    A row has the name in its first cell, with or without what stands there in parentheses, or
    where several have that the names in the first two.
    """
    text = (ROOT / page).read_text()
    found = re.search(rf"<!-- table: {name} -->\n(.*?)<!-- end -->", text, re.DOTALL)
    assert found, f"{page} has no table {name!r}"
    lines = [line for line in found[1].splitlines() if line.startswith("|")]
    header, _, *rows = [[figure(cell) for cell in line.split("|")[1:-1]] for line in lines]
    places = [(row, column) for row in rows for column in range(len(header))]
    return {
        (name, header[column]): row[column]
        for row, column in places
        for name in (row[0], row[0].split(" (")[0], ", ".join(row[:2]))
    }


def figure(cell):
    """Return what a cell says, without stars and without a name in parentheses: 0.749 (forest)."""
    return re.sub(r"^([\d.]+) \(\D+\)$", r"\1", cell.strip(" *"))


def said(page):
    """Return the words of a page without line breaks."""
    return " ".join((ROOT / page).read_text().split())


@pytest.mark.parametrize(("page", "sentence", "sources"), FIGURES)
def test_prose_agrees_with_tables(page, sentence, sources):
    figures = [cells(table, name)[row, column] for table, name, row, column in sources]
    assert sentence.format(*figures) in said(page)


def test_a_wrong_figure_is_found():
    assert cells("docs/guides/tables.md", "scores")["mean rank", "BKerNN"] in said(
        "docs/guides/tables.md"
    )
    assert "mean rank 0.1" not in said("README.md")
