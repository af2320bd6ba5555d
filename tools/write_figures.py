#!/usr/bin/env python3
"""Write the figures that prose tells into the pages: those of tests/docs/figures.py.

After the scripts of experiments/pages, which write the tables.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests/docs"))

from cells import figure_of, pattern_of
from figures import FIGURES


def written(text: str, sentence: str, figures: list[str]) -> str:
    """Return a page with the figures of one sentence of it."""
    found = pattern_of(sentence).search(text)
    if not found:
        sys.exit(f"no page says: {sentence}")
    for group in reversed(range(len(figures))):
        start, end = found.span(group + 1)
        text = text[:start] + figures[group] + text[end:]
    return text


def main() -> None:
    """Write all of them, and say which have changed."""
    for page, sentence, sources in FIGURES:
        file = ROOT / page
        before = file.read_text(encoding="utf-8")
        after = written(before, sentence, [figure_of(source) for source in sources])
        if re.sub(r"\s+", " ", after) != re.sub(r"\s+", " ", before):
            file.write_text(after, encoding="utf-8")
            print(f"{page}: {sentence}")


if __name__ == "__main__":
    main()
