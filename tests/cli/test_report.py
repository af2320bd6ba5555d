"""The report in a real browser: it renders, nothing complains, and its numbers are the model's."""

import html.parser
import json
import pathlib
import re

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from cli_tool import BY_RULE
from model_oracle import numbers, predict

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    found = Browser(tmp_path_factory.mktemp("chromium"))
    yield found
    found.close()


class Page(html.parser.HTMLParser):
    """The rendered page: its cells with exact values, its text, how many figures were drawn."""

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


def look(browser, path, **how):
    """Open a page that must draw itself without a complaint, within the width of the window."""
    browser.open(path, **how)
    page = Page(browser.run("document.documentElement.outerHTML"))
    assert browser.complaints() == []
    assert "data-errors" not in page.root
    assert browser.run("document.documentElement.scrollWidth <= innerWidth")
    return page


def content(path):
    return json.loads(re.search(r'id="content">(.*?)</script>', path.read_text(), re.S).group(1))


@needs_browser
@pytest.mark.parametrize(
    "how", [{}, {"width": 390, "height": 800}, {"dark": True}, {"paper": True}], ids=str
)
def test_regression_report(fitted, tool, browser, how):
    done = fitted.run("report", "model.json", "data.test.csv", "-o", tool.path("r.html"))
    assert done.err == f"wrote {tool.path('r.html')}\n"
    page = look(browser, tool.path("r.html"), **how)
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
    for words in ["What matters", "Predicted against observed", "What if", "How the fit went"]:
        assert words in text


def square_file(tool, targets):
    """90 rows on a square, with a target for each."""
    lines = ["u,v,y"]
    for i in range(90):
        u, v = (i * 37 % 90) / 45 - 1, (i * 61 % 90) / 45 - 1
        lines.append(f"{u},{v},{targets(i, u, v)}")
    tool.write("d.csv", "\n".join(lines))


QUICK = ["--target", "y", "-o", "m.json", "-q", "--max-iter", 12, "--particles", 10]


CLASSES = [["no", "yes"], ["a", "</script><b>", "c"]]


def fit_classes(tool, classes):
    count = len(classes)
    square_file(tool, lambda i, u, v: classes[int((u + 1) / 2 * count * 0.999)])
    tool.run("fit", "d.csv", *QUICK, *BY_RULE)


@pytest.mark.parametrize("classes", CLASSES)
def test_classes_are_counted(tool, classes):
    fit_classes(tool, classes)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    told, count = content(tool.path("r.html")), len(classes)
    counts = told["confusion"]
    assert sum(map(sum, counts)) == 90
    right = sum(counts[k][k] for k in range(count))
    scores = tool.json("score", "m.json", "d.csv")["scores"]
    assert scores["accuracy"] == pytest.approx(right / 90)
    for c, view in enumerate(told["class_views"]["classes"]):
        came = sum(bin["accuracy"] * bin["rows"] for bin in view["calibration"])
        assert came == pytest.approx(sum(counts[c]))
    if count == 3:  # u alone tells the classes apart
        assert max(told["class_views"]["classes"][0]["moved"]) > 0.5


@needs_browser
@pytest.mark.parametrize("classes", CLASSES)
def test_reports_of_classes(tool, browser, classes):
    fit_classes(tool, classes)
    tool.run("report", "m.json", "-o", "r.html", "-q")
    assert "Class by class" in " ".join(look(browser, tool.path("r.html")).text)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    page, told = look(browser, tool.path("r.html")), content(tool.path("r.html"))
    assert ("Dots are rows" in " ".join(page.text)) == (len(classes) == 2)  # or curves alone
    counts = told["confusion"]
    assert all(float(number) in page.values for row in counts for number in row)
    for c, view in enumerate(told["class_views"]["classes"]):
        assert all(moved in page.values for moved in view["moved"])
        assert counts[c][c] / sum(counts[c]) in page.values  # how many of them were found
    browser.run(
        "[...document.querySelectorAll('select')].forEach(s => {"
        "s.selectedIndex = s.options.length - 1; s.dispatchEvent(new Event('change')); })"
    )
    browser.settle()
    assert browser.complaints() == []


@needs_browser
@pytest.mark.parametrize("kind", ["variables", "constant"])
def test_other_reports(tool, browser, kind):
    square_file(tool, lambda i, u, v: u * u if kind == "variables" else 1 if i % 2 else -1)
    variables = ["--penalty", "concave_variable", "--regularization", 0.003]
    constant = ["--regularization", 1000]
    tool.run("fit", "d.csv", *QUICK, *(variables if kind == "variables" else constant))
    for data in [["d.csv"], []]:
        tool.run("report", "m.json", *data, "-o", "r.html", "-q")
        look(browser, tool.path("r.html"))


@needs_browser
def test_positions_along_a_variable_have_its_units(tool, browser):
    """Whole hundreds and an offset: nothing of it is standardized."""
    square_file(tool, lambda i, u, v: u * u * v)
    lines = tool.path("d.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines[1:]]
    rows = [f"{1000 + 100 * float(u)},{v},{y}" for u, v, y in rows]
    tool.write("d.csv", "\n".join([lines[0], *rows]))
    variables = ["--penalty", "concave_variable", "--regularization", 0.0001]
    tool.run("fit", "d.csv", *QUICK, *variables)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    look(browser, tool.path("r.html"))
    place = "data.directions.findIndex(one => one.variable === 'u')"
    drawn = browser.run(f"extent(data.functions[{place}].positions)")
    along = browser.run(f"extent(data.functions[{place}].t)")
    assert drawn == pytest.approx([900, 1097.8], abs=0.1) and along == pytest.approx(drawn, abs=0.1)
    (found,) = browser.run("data.together.maps.map(map => [map.i, extent(map.s), extent(map.t)])")
    mine = found[1] if found[0] == browser.run(place) else found[2]
    assert 900 <= mine[0] < 910 and 1090 < mine[1] < 1098


@needs_browser
def test_a_logarithmic_axis_has_round_ticks(tool, browser):
    square_file(tool, lambda i, u, v: u)
    tool.run("fit", "d.csv", *QUICK, *BY_RULE)
    tool.run("report", "m.json", "-o", "r.html", "-q")
    look(browser, tool.path("r.html"))

    def ticks(low, high):
        found = browser.run(f"logTicks(Math.log10({low}), Math.log10({high}), 4)")
        return [pytest.approx(10**t) for t in found]

    assert ticks(0.02, 30) == [0.1, 1, 10]
    assert ticks(0.03, 0.6) == [0.05, 0.1, 0.2, 0.5]
    assert ticks(0.81, 0.87) == [0.82, 0.84, 0.86]


def test_a_product_has_a_map(tool):
    """Of two variables, moving a row along both leaves nothing of it: the map is the model."""
    square_file(tool, lambda i, u, v: u * v)
    variables = ["--penalty", "concave_variable", "--regularization", 0.0001]
    tool.run("fit", "d.csv", *QUICK, *variables)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    page, model = content(tool.path("r.html")), tool.load("m.json")["model"]
    (found,) = page["together"]["maps"]
    assert found["share"] > 0.9 and page["together"]["through"] == [1, 0]
    places = ["uv".index(page["directions"][k]["variable"]) for k in (found["i"], found["j"])]
    for a, s in enumerate(found["s"]):
        rows = np.empty((len(found["t"]), 2))
        rows[:, places[0]], rows[:, places[1]] = s, found["t"]
        rows = np.array(model["center"]) + np.array(model["scale"]) * rows
        assert np.allclose(found["values"][a], predict(tool.load("m.json"), rows)[:, 0], atol=1e-4)
    square_file(tool, lambda i, u, v: abs(u) + v * v)
    tool.run("fit", "d.csv", *QUICK, *variables)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    together = content(tool.path("r.html"))["together"]
    assert together == {"maps": [], "through": [None, None], "pairs": 1}


# ---- What if


def mixed_file(tool, target):
    rng = np.random.default_rng(5)
    lines = ["size,heat,kind,flag,y"]
    for i in range(150):
        size, heat = rng.normal(50, 20), rng.normal()
        kind, flag = ["red", "green", "blue"][i * 7 % 3], "on" if i % 5 < 2 else "off"
        effect = {"red": -1, "green": 0, "blue": 2}[kind] + (flag == "on") * heat
        cells = [f"{size:.3f}", "" if i % 11 == 3 else f"{heat:.4f}", "" if i % 13 == 5 else kind]
        lines.append(",".join([*cells, flag, str(target(size / 50 + effect + 0.1 * rng.normal()))]))
    tool.write("d.csv", "\n".join(lines) + "\n")


TARGETS = {
    "square": (lambda v: round(v, 4), ["--intervals", "cross"]),
    "poisson": (lambda v: int(np.exp(v / 2)), ["--loss", "poisson"]),
    "quantiles": (lambda v: round(v, 4), ["--loss", "quantile", "--quantiles", "0.1,0.5,0.9"]),
    "logistic": (lambda v: "high" if v > 1 else "low", ["--intervals", "cross"]),
    "multinomial": (lambda v: "abc"[int(np.clip(v, 0, 2.9))], ["--intervals", "cross"]),
    "quantile": (lambda v: round(v, 4), ["--intervals", "quantile"]),
    "fast": (lambda v: round(v, 4), ["--intervals", "fast"]),
    "exponential": (lambda v: round(v, 4), ["--kernel", "exponential"]),
    "gaussian": (lambda v: round(v, 4), ["--kernel", "gaussian"]),
}


@needs_browser
@pytest.mark.parametrize("kind", TARGETS)
def test_the_page_predicts_as_the_model_does(tool, browser, kind):
    target, options = TARGETS[kind]
    mixed_file(tool, target)
    tool.run("fit", "d.csv", *QUICK[:-1], 5, *BY_RULE, *options)  # small: nothing is rounded
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    look(browser, tool.path("r.html"))
    told = content(tool.path("r.html"))["what_if"]
    assert told["tolerance"] == 0
    rows = [one["number"] - 1 for one in told["rows"]]
    cells = [one["cells"] for one in told["rows"]]
    assert any(None in row for row in cells)  # gaps
    found = np.array(browser.run(f"{json.dumps(cells)}.map(row => bkernn.predict(row))"))
    sure = ["--interval", 0.8] if "--intervals" in options else []
    tool.run("predict", "m.json", "d.csv", *sure, "-o", "p.npy", "-q")
    known = np.load(tool.path("p.npy")).reshape(150, -1)[rows]
    assert np.abs(found - known[:, : found.shape[1]]).max() < 1e-12 * np.abs(known).max()
    if not sure:
        return
    what = "set" if kind in ("logistic", "multinomial") else "interval"
    bounds = np.array(browser.run(f"{json.dumps(cells)}.map(row => bkernn.{what}(row, 0.8))"))
    expected = known[:, found.shape[1] :]
    assert np.abs(bounds.reshape(expected.shape) - expected).max() < 1e-12 * np.abs(known).max()


@needs_browser
def test_a_large_model_is_rounded_within_what_the_page_says(tool, browser):
    tool.run("simulate", "--n", 3000, "--d", 3, "--seed", 2, "-o", "d.csv")
    options = ["--max-iter", 3, "--particles", 30, "--regularization", 0.0001, "--exact"]
    tool.run("fit", "d.csv", "-t", "y", "-o", "m.json", "-q", *options, "--penalty", "basic")
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    assert tool.path("r.html").stat().st_size < 3_000_000
    look(browser, tool.path("r.html"))
    told = content(tool.path("r.html"))["what_if"]
    assert 0 < told["tolerance"] < 0.02
    tool.run("predict", "m.json", "d.csv", "-o", "p.npy", "-q")
    known = np.load(tool.path("p.npy"))[[one["number"] - 1 for one in told["rows"]]]
    cells = [one["cells"] for one in told["rows"]]
    found = np.array(browser.run(f"{json.dumps(cells)}.map(row => bkernn.predict(row)[0])"))
    assert 0 < np.abs(found - known).max() <= told["tolerance"]


@needs_browser
def test_the_keyboard_reaches_and_moves_everything(tool, browser):
    mixed_file(tool, lambda v: round(v, 4))
    tool.run("fit", "d.csv", *QUICK, *BY_RULE)
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    look(browser, tool.path("r.html"))
    wanted = browser.run(
        "[...document.querySelectorAll('a, select, input, button, summary, [tabindex=\"0\"]')]"
        ".filter(e => e.checkVisibility() && !e.disabled).length"
    )
    browser.run(
        "window.reached = new Set(); document.addEventListener('focusin',"
        "event => reached.add(event.target)); document.body.focus(); true"
    )
    for _ in range(wanted + 5):
        browser.press("Tab")
    assert browser.run("reached.size") >= wanted
    answer = "document.querySelector('.answer b').textContent"
    before = browser.run(answer)
    browser.run("document.querySelector('input[type=range]').focus()")
    browser.press("End")
    assert browser.run(answer) != before
    shown = float(browser.run(answer).replace("−", "-"))
    row = browser.run("bkernn.row()")
    assert browser.run("document.querySelector('input[type=number]').valueAsNumber") in row
    assert shown == pytest.approx(browser.run(f"bkernn.predict({json.dumps(row)})[0]"), rel=1e-3)
    browser.run("document.querySelector('svg[tabindex]').focus()")
    browser.press("ArrowRight")
    assert "position" in browser.run("document.getElementById('tip').textContent")


@needs_browser
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(tool, browser, dark):
    axe = pytest.importorskip("axe_core_python", reason="axe-core-python is not installed")
    script = (pathlib.Path(axe.__file__).parent / "axe.min.js").read_text()
    mixed_file(tool, lambda v: "abc"[int(np.clip(v, 0, 2.9))])
    tool.run("fit", "d.csv", *QUICK, *BY_RULE, "--intervals", "cross")
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    look(browser, tool.path("r.html"), dark=dark)
    # Long tables and maps are alike from the fourth row on, and axe takes time for each cell.
    browser.run(
        "document.querySelectorAll('tr:nth-child(n+4), svg rect:nth-of-type(n+60)')"
        ".forEach(node => node.remove())"
    )
    browser.run("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    browser.run(script + "; true")
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"]}
    said = "[v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))]"
    found = browser.run(
        f"axe.run({json.dumps(rules)}).then(result => "
        f"({{violations: result.violations.map(v => {said}), passes: result.passes.length}}))"
    )
    assert found["violations"] == [] and found["passes"] > 10


def test_the_page_is_self_contained(fitted, tool):
    fitted.run("report", "model.json", "data.test.csv", "-o", tool.path("r.html"), "-q")
    text = tool.path("r.html").read_text()
    assert not re.search(r'(?:src|href)="(?!data:,|#)', text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    page = content(tool.path("r.html"))
    assert page["facts"]["rows"] == 300 and page["data"]["rows"] == 200
    assert numbers(fitted.path("data.test.csv"))[1].shape[0] == 200


def test_demo(tool):
    done = tool.run("demo", "-o", "demo", "-q")
    assert re.search(r"3 directions carry \d+% of the weight", done.out)
    assert float(re.search(r"feature learning score ([\d.]+)", done.out).group(1)) > 0.98
    found = re.search(r"R² = ([\d.]+)\. Knowing the true function would give ([\d.]+)", done.out)
    r2, limit = map(float, found.groups())
    assert limit - 0.03 < r2 < limit
    assert tool.path("demo/report.html").stat().st_size > 50_000
    assert tool.path("demo/model.json").stat().st_size < 300_000
    for line in re.findall(r"^ +bkernn (.*)$", done.out, re.M):
        tool.run(*line.split())
