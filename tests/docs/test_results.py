"""Tables of pages are those that scripts write from the results that are kept."""

import importlib
import json

import pytest
from building import ROOT

pytest.importorskip("scipy")
pytest.importorskip("joblib")

KEPT = ROOT / "docs/results"


def of_experiments(page):
    paper = page.published()
    if paper is None:
        pytest.skip("BKERNN_PAPER_RESULTS does not name the published numbers")
    return page.all_tables(page.kept(KEPT), paper)


def lines(name):
    return [json.loads(line) for line in (KEPT / name).read_text().splitlines()]


def records(name):
    return json.loads((KEPT / name).read_text())["records"]


PAGES = {
    "performance": ("docs/performance.md", lambda page: page.tables(KEPT)),
    "experiments": ("docs/experiments.md", of_experiments),
    "formats": ("docs/deploy.md", lambda page: page.tables(KEPT)),
    "tables": ("docs/guides/tables.md", lambda page: page.tables(KEPT)),
    "design": ("docs/design.md", lambda page: page.tables(KEPT)),
    "classes": (
        "docs/classification.md",
        lambda page: page.tables(lines("classes.jsonl"), lines("classes_speed.jsonl")),
    ),
    "recovery": ("docs/recovery.md", lambda page: page.tables(*page.read(KEPT))),
    "intervals": ("docs/intervals.md", lambda page: page.tables(page.kept(KEPT))),
    "scaling": ("docs/scaling.md", lambda page: page.tables(KEPT)),
    "r": ("docs/guides/r.md", lambda page: page.tables(KEPT)),
    "comparison": (
        "docs/comparison.md",
        lambda page: (
            page.tables(lines("peers.jsonl"))
            | {"thousand": page.thousand_table(lines("thousand.jsonl"))}
        ),
    ),
    "reliability": ("docs/reliability.md", lambda page: page.tables(KEPT)),
}


@pytest.mark.parametrize("name", PAGES)
def test_the_page_is_what_the_script_writes(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    try:
        page = importlib.import_module(f"experiments.pages.{name}")
    except ImportError as missing:
        pytest.skip(f"{missing.name} is not installed")
    path, tables = PAGES[name]
    text = (ROOT / path).read_text()
    from experiments.common.markdown import filled

    made = tables(page)
    assert made
    assert all(f"<!-- table: {one} -->" in text for one in made)
    assert filled(text, made) == text


def test_what_was_noted_once_is_told_so():
    from experiments.common.markdown import filled
    from experiments.pages import recorded

    for page in recorded.pages(KEPT):
        made = recorded.tables(KEPT, page)
        text = (ROOT / page).read_text()
        assert all(f"<!-- table: {one} -->" in text for one in made)
        assert filled(text, made) == text
