#!/usr/bin/env python3
"""Draws docs/images/report.png: two figures of the report that README's example makes.

The example itself is run, so that the picture cannot show another model. Needs Chromium and the
built package: `build/venv/bin/python tools/draw_report.py`.
"""

from __future__ import annotations

import base64
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests" / "cli"))

from browser import Browser  # noqa: E402

SHOWN = ["Direction 1", "Along direction 1"]
WIDTH = 840

# Two figures of the page side by side, and nothing else.
ALONE = """(titles => {
  const main = document.createElement("div");
  main.style = "display:grid;grid-template-columns:1fr 1fr;gap:12px;padding:12px;width:100%";
  for (const title of titles) {
    const found = [...document.querySelectorAll("figure")]
      .find(one => one.querySelector("h3").firstChild.textContent.trim() === title);
    found.querySelector("details")?.remove();
    main.append(found);
  }
  document.body.replaceChildren(main);
  document.body.style = "margin:0;padding:0;max-width:none";
  dispatchEvent(new Event("resize"));
  return main.getBoundingClientRect().height;
})"""


def main() -> None:
    """Run the example and take the picture."""
    example = re.search(r"^```python\n(.*?)^```", (ROOT / "README.md").read_text(), re.M | re.S)
    names: dict[str, str] = {}
    exec(example[1], names)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(names["page"])
        browser = Browser(Path(folder) / "profile")
        browser.open(page, width=WIDTH)
        browser.run(f"{ALONE}({SHOWN})")
        browser.settle()
        height = browser.run("document.body.firstChild.getBoundingClientRect().height")
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 2}
        picture = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        browser.close()
    (ROOT / "docs/images/report.png").write_bytes(base64.b64decode(picture["data"]))


if __name__ == "__main__":
    main()
