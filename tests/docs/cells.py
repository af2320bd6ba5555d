"""Figures of pages: the cells of their tables, and the sentences that tell them."""

import re

from building import ROOT


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


def figure_of(source):
    """Return what prose should say: a cell of a table, or what a function works out."""
    if callable(source):
        return source()
    page, name, row, column = source
    return cells(page, name)[row, column]


NUMBER = r"[−-]?\d+(?:[,.]\d+)*"
FIGURE = rf"({NUMBER}(?:(?: / | of ){NUMBER})*|[a-z]+)"  # 0.5, 0.9 / 0.8, 9 of 10, five


def pattern_of(sentence):
    """Return what finds a sentence in a page, each figure of it a group."""
    parts = [r"\s+".join(map(re.escape, part.split(" "))) for part in sentence.split("{}")]
    return re.compile(FIGURE.join(parts))
