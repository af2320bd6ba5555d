"""Figures in prose that no table has: each is worked out from the results that are kept."""

import json
import re
import statistics
from functools import cache

from building import ROOT
from cells import cells

WORDS = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PLACES = ["best", "second", "third", "fourth", "fifth"]


@cache
def kept(name):
    """Return the records of a file of docs/results."""
    text = (ROOT / "docs/results" / name).read_text()
    if name.endswith(".jsonl"):
        return [json.loads(line) for line in text.splitlines()]
    found = json.loads(text)
    return found["records"] if isinstance(found, dict) else found


def some(name, **fields):
    return [r for r in kept(name) if all(r.get(key) == value for key, value in fields.items())]


def one(name, **fields):
    (found,) = some(name, **fields)
    return found


def rank(values, mine, lower_is_better=True):
    """Return the rank of one value among all, ties in the middle."""
    sign = 1 if lower_is_better else -1
    before = sum(sign * round(v, 6) < sign * round(mine, 6) for v in values)
    same = sum(round(v, 6) == round(mine, 6) for v in values)
    return before + (same + 1) / 2


def place_in(page, table, column):
    """The place of BKerNN in a column of a table, the least first."""

    def figure():
        column_of = {
            row: float(value)
            for (row, name), value in cells(page, table).items()
            if name == column and ", " not in row
        }
        return PLACES[sorted(column_of, key=column_of.get).index("BKerNN")]

    return figure


# Classification


def classes_of(method):
    return {r["set"]: r for r in some("classes.jsonl", rows=2000, method=method)}


def place_by(field):
    """The place of the default among the methods that were run on all sets, by mean rank."""

    def figure():
        methods = {r["method"] for r in some("classes.jsonl", rows=2000)}
        tables = {m: classes_of(m) for m in methods}
        whole = {m: t for m, t in tables.items() if len(t) == max(map(len, tables.values()))}
        means = {
            m: statistics.mean(
                rank([w[s][field] for w in whole.values()], t[s][field], field != "accuracy")
                for s in t
            )
            for m, t in whole.items()
        }
        return PLACES[sorted(means, key=means.get).index("BKerNN")]

    return figure


def accuracy_of(method):
    return lambda: f"{one('classes.jsonl', rows=2000, set='digits', method=method)['accuracy']:.3f}"


def folds_of_classes():
    """Pairs of fits of two classes, by default and cross-validated."""
    pairs = []
    for r in some("classes_speed.jsonl", form="cross-validated", classes=2):
        default = one("classes_speed.jsonl", form="default", set=r["set"], rows=r["rows"])
        pairs.append((default, r))
    return pairs


def folds_take(which):
    def figure():
        return str(round(which(r["fit_seconds"] / d["fit_seconds"] for d, r in folds_of_classes())))

    return figure


def folds_gain():
    return WORDS[sum(r["log_loss"] < d["log_loss"] for d, r in folds_of_classes())]


def folds_sets():
    return WORDS[len(folds_of_classes())]


# Recovery


def with_100_rows(task):
    plain = {"rows": "gaussian", "d": 20, "noise": 0.1}
    return one("recovery.jsonl", task=task, method="BKerNN", n=100, **plain)


def constants():
    return WORDS[sum(size == 0 for size in with_100_rows("cubic")["size"])]


def few_named():
    return WORDS[sum(size in (3, 4) for size in with_100_rows("friedman")["size"])]


def minutes_of_recovery():
    seconds = sum(sum(r["seconds"]) for r in kept("recovery.jsonl"))
    return f"{round(seconds / 60 / 5) * 5}"


def loss_left(directions):
    """Per cent of the held-out loss that the example of the page has left."""

    def figure():
        shown = (ROOT / "docs/recovery.md").read_text()
        left = re.search(r"loss left, %: \[([^]]*)]", shown)[1].split(", ")
        return left[directions]

    return figure


# The paper's experiments


def larger_regularization():
    of = {
        run: one("experiment_1.json", run=run, kernel="brownian")["regularization"]
        for run in ("published", "written")
    }
    return str(round(of["written"] / of["published"]))


def particles_r2(number):
    def figure():
        fit = one("experiment_2.json", run="library", swept="n_particles", value=number)
        return f"{fit['test_r2']:.3f}"

    return figure


def most_r2_of_few():
    fits = some("experiment_2.json", run="library", swept="n_particles")
    return f"{max(r['test_r2'] for r in fits if r['value'] <= 40):.3f}"


def spread_of_penalties():
    """The best penalty against the worst, of the published means, where it is largest."""
    fits = some("experiment_3.json", run="published")
    gaps = []
    for structure in {r["structure"] for r in fits}:
        here = [r for r in fits if r["structure"] == structure]
        means = [
            statistics.mean(r["r2"] for r in here if r["penalty"] == penalty)
            for penalty in {r["penalty"] for r in here}
        ]
        gaps.append(max(means) - min(means))
    return f"{max(gaps):.2f}"


def folds_gain_with_50_rows():
    means = [
        statistics.mean(r["r2"] for r in some("experiment_5.json", axis="n", value=50, method=run))
        for run in ("library", "library_cv")
    ]
    return f"{means[1] - means[0]:.2f}"


def network_on_yolanda():
    r2 = {m: one("experiment_6.json", set="Yolanda", method=m)["r2"] for m in ("relu", "bkrr")}
    return f"{r2['relu'] - r2['bkrr']:.2f}".replace("-", "−")


def abalone_given():
    fit = one("experiment_6.json", set="abalone", method="library:concave_feature")
    return f"{fit['r2']:.3f}"


def folds_take_longer():
    """How many times as long cross-validation takes, on the mean of the sets."""
    seconds = {
        way: statistics.mean(r["seconds"] for r in some("choosing.json", way=way))
        for way in ("default", "cross-validated")
    }
    return WORDS[int(seconds["cross-validated"] / seconds["default"])]


def search_takes(field):
    """How much more scikit-learn's grid search takes."""

    def figure():
        of = {m: one("grid_search.json", method=m)[field] for m in ("GridSearchCV", OWN_SEARCH)}
        return str(round(of["GridSearchCV"] / of[OWN_SEARCH]))

    return figure


OWN_SEARCH = "BKerNNRegressorCV"


# Tables with words and gaps


def behind(first):
    """R² or loss behind the best method on `computers`, or at most on the other tables."""

    def figure():
        gaps = {}
        for name in {r["table"] for r in kept("tables.json")}:
            of = {r["method"]: r["score"] for r in some("tables.json", table=name)}
            task = some("tables.json", table=name)[0]["task"]
            best = max(of.values()) if task == "regression" else min(of.values())
            gaps[name] = abs(best - of["BKerNN"])
        own = gaps.pop("computers")
        return f"{own if first else max(gaps.values()):.3f}"

    return figure


def seen(table, way):
    return lambda: f"{one('computers.json', table=table, **{'as': way})['r2']:.3f}"


def levels(form):
    """R² of a form on each table with many levels, less the best there."""
    gaps = []
    for name in dict.fromkeys(r["set"] for r in kept("levels.jsonl")):
        means = {}
        for other in {r["form"] for r in some("levels.jsonl", set=name)}:
            means[other] = statistics.mean(
                r["r2"] for r in some("levels.jsonl", set=name, form=other)
            )
        gaps.append(max(means.values()) - means[form])
    return gaps


def both_best():
    return WORDS[sum(gap == 0 for gap in levels("both"))]


def both_behind():
    return f"{max(levels('both')):.3f}"


def dollars_more():
    """The difference that the example of the page shows."""
    shown = (ROOT / "docs/guides/tables.md").read_text()
    women, men = map(float, re.search(r"'Female': (\S+), 'Male': (\S+)}", shown).groups())
    return f"{men - women:.2f}"


# What is measured elsewhere


def best_possible():
    """R² of the truth of the simulated data with 20 variables and three directions."""
    from bkernn.datasets import simulate

    y = simulate("multi_index", n=200_000, n_test=1, d=20, k=3, noise=0, random_state=0).y
    return f"{1 - 0.01 / (y.var() + 0.01):.4f}"


def megabytes_of_functions():
    """What the model of the demo makes from its rows: 143 functions of 2,000 knots."""
    return f"{one('formats.json', format='JSON, exact')['function_bytes'] / 1e6:.1f}"
