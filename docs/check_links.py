"""Checks the built site: links inside it lead somewhere, and nothing is fetched from elsewhere."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Page(HTMLParser):
    """The anchors of a page, its links, and what it loads when it is shown."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag names, links to or loads."""
        has = dict(attrs)
        self.anchors |= {value for key in ("id", "name") if (value := has.get(key))}
        if tag == "a" and (link := has.get("href")):
            self.links.append(link)
        loads = "src" if tag in ("img", "script", "iframe") else "href" if tag == "link" else ""
        if loads and (link := has.get(loads)):
            self.loaded.append(link)


def anchors(pages: dict[Path, Page], target: Path) -> set[str]:
    """Return those of a page; a file of another kind has none."""
    return pages[target].anchors if target in pages else set()


def problems(site: Path) -> list[str]:
    """Return one line for every link that leads nowhere."""
    pages = {path: Page(path.read_text()) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            name = path.relative_to(site)
            if parts.scheme or parts.netloc:
                if link in page.loaded and parts.scheme != "data":
                    found.append(f"{name}: loads {link}")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{name}: no file {link}")
            elif parts.fragment and unquote(parts.fragment) not in anchors(pages, target):
                found.append(f"{name}: no anchor {link}")
    return found


if __name__ == "__main__":
    broken = problems(Path(sys.argv[1]).resolve())
    print("\n".join(broken) or "All links inside the site lead somewhere.")
    sys.exit(bool(broken))
