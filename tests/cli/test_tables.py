"""Tables with words and gaps, through the tool and in Python alike."""

import numpy as np
import pandas as pd
import pytest
from cli_tool import BY_RULE

import bkernn
from bkernn import BKerNNRegressor

QUICK = [*BY_RULE, "--max-iter", "5", "--tol", "0", "-q"]
EXACT = [*QUICK, "--exact"]


def frame(n=200, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "size": rng.normal(50, 10, n).round(3),
            "color": rng.choice(["red", "green", "blue"], n),
            "new": rng.choice([True, False], n),
            "zip": rng.choice([10115, 20095, 80331], n),
        }
    )
    table["price"] = (
        table["size"] / 10 + 2.0 * (table["color"] == "red") + table["new"] + rng.normal(0, 0.1, n)
    ).round(6)
    table.loc[::7, "size"] = np.nan
    table.loc[1::11, "color"] = None
    return table


@pytest.fixture
def data(tool):
    table = frame()
    table.to_csv(tool.path("d.csv"), index=False)
    return table


def test_the_tool_and_python_learn_the_same(tool, data):
    tool.run("fit", "d.csv", "-t", "price", "--categorical", "zip", "-o", "m.json", *EXACT)
    tool.run("predict", "m.json", "d.csv", "-o", "p.csv", "-q")
    X, y = data.drop(columns="price"), data["price"]
    model = BKerNNRegressor(
        categorical_features=["zip"],
        regularization="rule",
        penalty="feature",
        max_iter=5,
        tol=0,
        random_state=0,
    ).fit(X, y)
    tools = pd.read_csv(tool.path("p.csv"))["prediction"].to_numpy()
    assert np.array_equal(model.predict(X), tools)
    assert np.array_equal(bkernn.load_model(tool.path("m.json")).predict(X), tools)
    model.save_model(tool.path("py.json"), compress=False)
    tool.run("predict", "py.json", "d.csv", "-o", "q.csv", "-q")
    assert tool.path("q.csv").read_text() == tool.path("p.csv").read_text()


def test_columns_in_another_order_and_one_more(tool, data):
    tool.run("fit", "d.csv", "-t", "price", "-o", "m.json", *QUICK)
    tool.run("predict", "m.json", "d.csv", "-o", "p.csv", "-q")
    other = data[["new", "price", "zip", "size", "color"]].assign(comment="none")
    other.to_csv(tool.path("e.csv"), index=False)
    tool.run("predict", "m.json", "e.csv", "-o", "q.csv", "-q")
    assert tool.path("q.csv").read_text() == tool.path("p.csv").read_text()
    other.drop(columns="color").to_csv(tool.path("e.csv"), index=False)
    assert 'no column "color"' in tool.run("predict", "m.json", "e.csv", code=1).err
    other.assign(size="large").to_csv(tool.path("e.csv"), index=False)
    wrong = tool.run("predict", "m.json", "e.csv", "-o", "r.csv", code=1).err
    assert "e.csv: line 2" in wrong and '"size"' in wrong and "not a number" in wrong
    assert not tool.path("r.csv").exists()


def test_unseen_levels_and_gaps_are_predicted(tool, data):
    tool.run("fit", "d.csv", "-t", "price", "-o", "m.json", *QUICK)
    tool.write("n.csv", "size,color,new,zip\n50,violet,true,\n,,,10115\n50,red,FALSE,1\n")
    predicted = tool.run("predict", "m.json", "n.csv").out.split()[1:]
    assert len(predicted) == 3 and np.all(np.isfinite([float(x) for x in predicted]))


def test_kinds_are_told_and_importances_are_by_column(tool, data):
    arguments = [a for a in QUICK if a != "-q"]
    told = tool.run("fit", "d.csv", "-t", "price", "-o", "m.json", *arguments)
    assert "4 variables (2 categories: color, new; gaps in size, color)" in told.err
    known = tool.json("inspect", "m.json")
    assert [v["name"] for v in known["variables"]] == ["size", "color", "new", "zip"]
    assert [v["kind"] for v in known["variables"]] == ["number", "category", "category", "number"]
    levels = {level["name"]: level["effect"][0] for level in known["variables"][1]["levels"]}
    assert set(levels) == {"blue", "green", "red", "(missing)"}
    assert levels["red"] > max(levels["blue"], levels["green"])
    assert len(known["directions"][0]) == len(known["coordinates"])
    assert "levels, by what they add" in tool.run("inspect", "m.json").out
    tool.run("report", "m.json", "d.csv", "-o", "r.html", "-q")
    assert "What the levels add" in tool.path("r.html").read_text()


def test_rows_without_a_target(tool, data):
    data.loc[[3, 5], "price"] = np.nan
    data.to_csv(tool.path("g.csv"), index=False)
    refused = tool.run("fit", "g.csv", "-t", "price", *QUICK, code=1).err
    assert "2 missing values: line 5" in refused and "line 7" in refused
    drop = "--drop-missing-target"
    assert refused.endswith(f"Remove these rows, or leave them out by {drop}\n")
    tool.run("fit", "g.csv", "-t", "price", drop, "-o", "a.json", *QUICK)
    data.drop(index=[3, 5]).to_csv(tool.path("h.csv"), index=False)
    tool.run("fit", "h.csv", "-t", "price", "-o", "b.json", *QUICK)
    assert tool.load("a.json")["model"] == tool.load("b.json")["model"]
    words = data.assign(price=np.where(data["price"] > 6, "dear", "cheap"))
    words.loc[[3, 5], "price"] = None
    words.to_csv(tool.path("w.csv"), index=False)
    assert "2 missing values" in tool.run("fit", "w.csv", "-t", "price", *QUICK, code=1).err
    tool.run("fit", "w.csv", "-t", "price", drop, "-o", "c.json", *QUICK)
    assert tool.load("c.json")["data"]["rows"] == len(data) - 2


def test_declared_kinds(tool, data):
    done = tool.run("fit", "d.csv", "-t", "price", "--numeric", "color", *QUICK, code=1)
    assert "d.csv: line 2" in done.err and '"color"' in done.err and "not a number" in done.err
    both = ["--numeric", "zip", "--categorical", "zip"]
    assert "exclude" in tool.run("fit", "d.csv", "-t", "price", *both, *QUICK, code=2).err
    for option in ("--categorical", "--numeric", "--ignore", "--features"):
        done = tool.run("fit", "d.csv", "-t", "price", option, "price", *QUICK, code=2)
        assert f"{option} price: is the target, or the weights" in done.err
    wrong = tool.run("fit", "d.csv", "-t", "price", "--categorical", "zipp", *QUICK, code=1).err
    assert 'did you mean "zip"' in wrong


def test_rows_set_aside_and_another_file_of_them(tool, data):
    some = ["--validation", "0.2", "--early-stopping"]
    tool.run("fit", "d.csv", "-t", "price", *some, "-o", "m.json", *QUICK)
    assert "validation" in tool.load("m.json")["scores"]
    frame(60, seed=1).to_csv(tool.path("v.csv"), index=False)
    tool.run("fit", "d.csv", "-t", "price", "--validation", "v.csv", "-o", "n.json", *QUICK)
    score = tool.load("n.json")["scores"]["validation"]["r2"]
    assert tool.json("score", "n.json", "v.csv")["scores"]["r2"] == pytest.approx(score)
