"""Intervals, several quantiles and stability, on the command line."""

import json

import numpy as np
import pytest
from cli_tool import ROOT

QUICK = ["--max-iter", 10, "--particles", 8, "--penalty", "feature", "--regularization", 0.02]


def table(text):
    head, *rows = text.splitlines()
    return head.split(","), np.array([[float(x) for x in row.split(",")] for row in rows])


@pytest.mark.parametrize("method", ["cross", "quantile", "fast"])
def test_intervals_go_from_fit_to_predict(fitted, tool, method):
    data, test = fitted.path("data.csv"), fitted.path("data.test.csv")
    tool.run("fit", data, "-t", "y", *QUICK, "--intervals", method, "-o", "m.cbor", "-q")
    names, values = table(tool.run("predict", "m.cbor", test, "--interval", 0.9).out)
    assert names == ["prediction", "lower", "upper"]
    y = table(test.read_text())
    y = y[1][:, y[0].index("y")]
    assert np.mean((values[:, 1] <= y) & (y <= values[:, 2])) > 0.8
    narrow = table(tool.run("predict", "m.cbor", test, "--interval", 0.5).out)[1]
    assert np.mean(narrow[:, 2] - narrow[:, 1]) < np.mean(values[:, 2] - values[:, 1])


def test_models_without_calibration_say_so(fitted, tool):
    for model in (fitted.path("model.json"), ROOT / "tests/cli/data/model-1.1.json"):
        found = tool.run("predict", model, fitted.path("data.csv"), "--interval", 0.9, code=2)
        assert "has no calibration" in found.err
    found = tool.run(
        "predict", fitted.path("model.json"), fitted.path("data.csv"), "--interval", 1, code=2
    )
    assert "--interval" in found.err


def test_several_quantiles_have_a_column_each(fitted, tool):
    data, test = fitted.path("data.csv"), fitted.path("data.test.csv")
    levels = ["--loss", "quantile", "--quantiles", "0.1,0.5,0.9"]
    tool.run("fit", data, "-t", "y", *QUICK, *levels, "-o", "m.json", "-q")
    names, values = table(tool.run("predict", "m.json", test).out)
    assert names == ["prediction_0.1", "prediction_0.5", "prediction_0.9"]
    assert np.all(np.diff(values, axis=1) >= 0)
    scores = json.loads(tool.run("score", "m.json", test, "--json").out)
    assert "interval_coverage" in json.dumps(scores)
    found = tool.run("fit", data, "-t", "y", *levels[:-1], "0.9,0.1", "-o", "n.json", code=2)
    assert "must increase" in found.err


def test_stability_tells_and_the_report_shows_it(fitted, tool):
    data = fitted.path("data.csv")
    found = tool.run("stability", data, "-t", "y", *QUICK, "--pairs", 2, "-o", "s.json")
    assert "selection frequency" in found.out
    assert "principal angles" in found.out
    assert "directions" in found.out.splitlines()[-3]
    tool.run("report", fitted.path("model.json"), "--stability", "s.json", "-o", "page.html", "-q")
    assert '"format":"bkernn-stability"' in tool.path("page.html").read_text()
    other = tool.run(
        "report", fitted.path("model.json"), "--stability", data, "-o", "page.html", code=1
    )
    assert "is not a stability study" in other.err
    refits = ["--pairs", 0, "--refits", 19, "--json"]
    study = json.loads(tool.run("stability", data, "-t", "y", *QUICK, *refits).out)
    assert study["curve"]["p_value"][0] == 1 / 20
    bad = tool.run("stability", data, "-t", "y", "--threshold", 0.2, code=2)
    assert "threshold" in bad.err


def test_stability_of_a_table_with_words_and_gaps(tool):
    rows = [f"{i % 7},{'abc'[i % 3]},{i % 7 + 5 * (i % 3 == 0)}" for i in range(60)]
    rows[5] = ",a,3"
    tool.path("words.csv").write_text("\n".join(["size,color,price", *rows, ""]))
    found = tool.run("stability", "words.csv", "-t", "price", *QUICK, "--pairs", 1, "-o", "s.json")
    assert "color=a" in found.out
    study = json.loads(tool.path("s.json").read_text())
    assert [one["name"] for one in study["variables"]] == ["size", "color"]
    assert len(study["coordinates"]) == len(study["directions"][0]["weights"]) == 5
    tool.run("fit", "words.csv", "-t", "price", *QUICK, "-o", "m.json", "-q")
    tool.run("report", "m.json", "--stability", "s.json", "-o", "page.html", "-q")
    assert '"format":"bkernn-stability"' in tool.path("page.html").read_text()
    tool.write("other.json", tool.path("s.json").read_text().replace('"color"', '"shade"'))
    other = tool.run("report", "m.json", "--stability", "other.json", "-o", "no.html", code=1)
    assert "other.json: is about other variables than the model" in other.err
    assert not tool.path("no.html").exists()
