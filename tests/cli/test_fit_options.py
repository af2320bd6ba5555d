"""The options of a fit: help, model files, the schema and the checks say the same of them."""

import json
import re

import pytest
from cli_tool import BY_RULE, ROOT

SCHEMA = json.loads((ROOT / "docs" / "model.schema.json").read_text())
OPTIONS = SCHEMA["properties"]["options"]["properties"]

SPELLED = {"n_particles": "particles", "n_threads": "threads"}
NOT_ON_THE_COMMAND_LINE = {"init", "regularization_rule"}
OWN_DEFAULT = {"loss", "regularization"}  # of the tool: auto


def word(name):
    return "--" + SPELLED.get(name, name).replace("_", "-")


@pytest.fixture
def entry(tool):
    """A function that returns what help says of an option, in one line."""
    entries = re.split(r"\n(?=  \S|\n)", tool.run("fit", "--help").out)

    def of(name):
        found = [text for text in entries if re.match(rf"\s*{word(name)}[ ,\n]", text)]
        assert len(found) == 1, f"{word(name)} is in help {len(found)} times"
        return " ".join(found[0].split())

    return of


def test_help_has_the_defaults_that_a_fit_uses(fitted, tool, entry):
    tool.run("fit", fitted.path("data.csv"), "--target", "y", "-o", "m.json", "-q")
    used = tool.load("m.json")["options"]
    for name in set(used) - NOT_ON_THE_COMMAND_LINE - OWN_DEFAULT:
        text = entry(name)
        if isinstance(used[name], bool):
            assert ("(default)" in text) == used[name], text
        else:
            shown = re.search(r"\[(.*?)\]", text)[1]
            value = 0 if shown == "auto" and used[name] == 0 else type(used[name])(shown)
            assert value == used[name], text
    assert "EPS [0.05]" in entry("quantile_width")
    assert "NAME [auto]" in entry("loss")


@pytest.mark.parametrize("name", [n for n, s in OPTIONS.items() if "enum" in s or "$ref" in s])
def test_help_lists_the_choices(entry, name):
    if name in NOT_ON_THE_COMMAND_LINE:
        return
    choices = OPTIONS[name].get("enum") or SCHEMA["$defs"][name]["enum"]
    assert " | ".join(choices) in entry(name)


def test_schema_has_every_option_of_a_model(fitted):
    assert set(fitted.load("model.json")["options"]) == set(OPTIONS)


def beyond(schema):
    """Return numbers just outside of what the schema allows."""
    away = 1 if schema["type"] == "integer" else 1e-9
    yield from (schema[k] - away for k in ("minimum",) if k in schema)
    yield from (schema[k] * 1.1 + away for k in ("maximum",) if k in schema)
    yield from (schema[k] for k in ("exclusiveMinimum", "exclusiveMaximum") if k in schema)


@pytest.mark.parametrize("name", [n for n, s in OPTIONS.items() if "minimum" in str(s).lower()])
def test_what_the_schema_refuses_is_refused(fitted, tool, name):
    for value in beyond(OPTIONS[name]):
        number = int(value) if OPTIONS[name]["type"] == "integer" else value
        fit = ["fit", fitted.path("data.csv"), "--target", "y", f"{word(name)}={number!r}"]
        error = tool.run(*fit, code=2).err
        assert SPELLED.get(name, name).replace("_", "-") in error, error


def test_several_models_and_automatic_particles(fitted, tool):
    fit = ["fit", fitted.path("data.csv"), "--target", "y", *BY_RULE, "--max-iter", 3, "-q"]
    tool.run(*fit, "--particles", "auto", "--n-models", 2, "-o", "m.json")
    document = tool.load("m.json")
    assert document["options"]["n_particles"] == 0 and document["options"]["n_models"] == 2
    assert document["training"]["models"] == 2
    done = tool.run(*fit, "--n-models", 2, "--checkpoint", "c.json", code=2)
    assert "--n-models 1" in done.err
    assert "--particles" in tool.run(*fit, "--particles", "some", code=2).err
    assert "M [auto]" in tool.run("fit", "--help").out


def test_cross_validation_races_penalties_and_may_prefer_simpler_models(fitted, tool):
    fit = ["fit", fitted.path("data.csv"), "--target", "y", "--particles", 10, "-q"]
    cross = [*fit, "--regularization", "cv", "--folds", 3]
    best = tool.json(*cross, "--race", "feature,basic")
    assert best["penalty"] in ("feature", "basic")
    simple = tool.json(*cross, "--race", "feature,basic", "--one-standard-error")
    assert simple["regularization"] >= best["regularization"]
    assert simple["penalty"] == best["penalty"]
    for bad, words in {
        ("--race", "feature"): "--race is about cross-validation",
        ("--one-standard-error",): "--one-standard-error is about cross-validation",
        ("--regularization", "cv", "--race", "some"): "some",
        ("--regularization", "cv", "--race", "basic", "--penalty", "basic"): "leave out --penalty",
    }.items():
        assert words in tool.run(*fit, *bad, code=2).err


def test_cross_validation_says_how_many_rows_have_judged(tool):
    tool.run("simulate", "--n", 6100, "--d", 3, "--noise", 0.3, "-o", "many.csv")
    few = ["--particles", 2, "--max-iter", 3, "--penalty", "feature", "--folds", 2]
    done = tool.run("fit", "many.csv", "-t", "y", *few, "--regularization", "cv")
    said = re.findall(r"cross-validation 1\.\d+  (\d+) rows  regularization", done.err)
    assert set(said) == {"3000", "6100"}
    assert said == sorted(said)
