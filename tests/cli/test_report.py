"""The report in a real browser: it renders, nothing complains, and its numbers are the model's."""

import html.parser
import json
import re
import shutil
import subprocess

import pytest

NAMES = ["chromium", "chromium-browser", "google-chrome"]
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


class Page(html.parser.HTMLParser):
    """The rendered page: its cells with exact values, its headings, how many figures were drawn."""

    def __init__(self, text):
        super().__init__()
        self.values, self.drawn, self.root, self.text, self._skip = [], 0, {}, [], False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self._skip = tag in ("script", "style")
        if tag == "html":
            self.root = attributes
        if "data-value" in attributes:
            self.values.append(float(attributes["data-value"]))
        self.drawn += tag == "svg" and attributes.get("role") == "img"

    def handle_data(self, data):
        if not self._skip:
            self.text.append(data)


def browse(path, tmp_path, *options):
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr"]
    command += ["--virtual-time-budget=3000", f"--user-data-dir={tmp_path / 'profile'}", *options]
    command += ["--dump-dom", path.as_uri()]
    done = subprocess.run(command, capture_output=True, timeout=120)
    console = [line for line in done.stderr.decode().splitlines() if ":CONSOLE" in line]
    page = Page(done.stdout.decode())
    assert console == []
    assert page.root.get("data-ready") == "yes" and "data-errors" not in page.root
    return page


def content(path):
    return json.loads(re.search(r'id="content">(.*?)</script>', path.read_text(), re.S).group(1))


@needs_browser
@pytest.mark.parametrize(
    "option",
    [
        "--window-size=1200,900",
        "--window-size=390,800",
        "--blink-settings=preferredColorScheme=0",  # dark
    ],
)
def test_regression_report(fitted, tool, option):
    fitted.run("report", "model.json", "data.test.csv", "-o", tool.path("r.html"), "-q")
    page = browse(tool.path("r.html"), tool.path("."), option)
    known = fitted.json("inspect", "model.json")
    scores = fitted.json("score", "model.json", "data.test.csv")["scores"]
    values = [*known["singular_values"], *(v["importance"] for v in known["variables"])]
    values += [*scores.values(), *known["scores"]["train"].values()]
    values += [known["regularization"], known["training"]["objective"]]
    assert set(values) <= set(page.values)
    for direction in known["directions"][: known["dimension"]]:
        assert all(weight in page.values for weight in direction)
    assert page.drawn >= 8
    text = " ".join(page.text)
    for words in ["What matters", "Predicted against observed", "How the fit went"]:
        assert words in text


@needs_browser
@pytest.mark.parametrize("kind", ["two", "three", "variables", "constant"])
def test_other_reports(tool, kind):
    classes = {"two": ["no", "yes"], "three": ["a", "</script><b>", "c"]}.get(kind)
    lines = ["u,v,y"]
    for i in range(90):
        u, v = (i * 37 % 90) / 45 - 1, (i * 61 % 90) / 45 - 1
        y = {"variables": u * u, "constant": 1 if i % 2 else -1}.get(kind, 0)
        if classes:
            y = classes[int((u + 1) / 2 * len(classes) * 0.999)]
        lines.append(f"{u},{v},{y}")
    tool.write("d.csv", "\n".join(lines))
    variables, constant = ["--penalty", "concave_variable"], ["--regularization", 1000]
    extra = {"variables": variables, "constant": constant}.get(kind, [])
    tool.run("fit", "d.csv", "--target", "y", "-o", "m.json", "-q", "--max-iter", 30, *extra)
    for data in [["d.csv"], []]:
        tool.run("report", "m.json", *data, "-o", "r.html", "-q")
        page = browse(tool.path("r.html"), tool.path("."))
        if classes and data:
            counts = content(tool.path("r.html"))["confusion"]
            assert sum(map(sum, counts)) == 90
            right = sum(counts[k][k] for k in range(len(classes)))
            scores = tool.json("score", "m.json", "d.csv")["scores"]
            assert scores["accuracy"] == pytest.approx(right / 90)
            assert all(float(count) in page.values for row in counts for count in row)


def test_the_page_is_self_contained(fitted, tool):
    fitted.run("report", "model.json", "data.test.csv", "-o", tool.path("r.html"), "-q")
    text = tool.path("r.html").read_text()
    assert not re.search(r'(?:src|href)="(?!data:,)', text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    page = content(tool.path("r.html"))
    assert page["facts"]["rows"] == 300 and page["data"]["rows"] == 200


def test_demo(tool):
    done = tool.run("demo", "-o", "demo", "-q")
    assert re.search(r"3 directions carry \d+% of the weight", done.out)
    assert float(re.search(r"feature learning score ([\d.]+)", done.out).group(1)) > 0.98
    found = re.search(r"R² = ([\d.]+)\. Knowing the true function would give ([\d.]+)", done.out)
    r2, limit = map(float, found.groups())
    assert limit - 0.03 < r2 < limit
    assert tool.path("demo/report.html").stat().st_size > 50_000
    for line in re.findall(r"^ +bkernn (.*)$", done.out, re.M):
        tool.run(*line.split())
