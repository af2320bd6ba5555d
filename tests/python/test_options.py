"""The estimators, the stub and the schema against the table of options of the core."""

import ast
import inspect
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
from by_rule import BY_RULE

import bkernn
from bkernn import _core
from bkernn._input.options import PLAIN, SPECIAL, TABLE
from tools.write_options import LEFT_OUT, REGRESSION, with_fields

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAMES = {option.name for option in TABLE}
DEFAULTS = _core.FitOptions()


def parameters(name):
    return inspect.signature(getattr(bkernn, name)).parameters


def documented_defaults(name):
    """Return {parameter: default as the docstring says it, or None}."""
    text = inspect.getdoc(getattr(bkernn, name))
    sections = r"^(?:Other )?Parameters\n-+\n(.*?)(?=^[\w ]+\n-+\n|\Z)"
    section = "".join(re.findall(sections, text, re.MULTILINE | re.DOTALL))
    headings = re.findall(r"^(\w+) : (.*)$", section, re.MULTILINE)
    return {word: (re.findall("default=(.*)", kind) or [None])[0] for word, kind in headings}


def test_every_member_of_the_struct_has_a_row():
    header = (ROOT / "include/bkernn/options.hpp").read_text().partition("struct FitOptions {")[2]
    members = re.findall(r"^  [\w:<>]+ (\w+)(?: = [^;]*)?;", header, re.MULTILINE)
    parameters = {"huber_delta", "quantile", "quantiles", "quantile_width"}
    assert set(members) - {"loss_parameters"} | parameters == NAMES


def test_committed_files_are_what_the_table_says():
    command = [sys.executable, ROOT / "tools/write_options.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"run `make options`\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("name", LEFT_OUT)
def test_estimators_have_the_options_with_their_defaults(name):
    assert {option.name for option in PLAIN} | set(SPECIAL) == NAMES
    there = parameters(name)
    for option in PLAIN:
        if option.name in LEFT_OUT[name]:
            assert option.name not in there
        else:
            default = getattr(DEFAULTS, option.name)
            assert there[option.name].default == (default or option.zero or default), option.name
    expected = set(SPECIAL.values()) - ({"regularization"} if name.endswith("CV") else set())
    expected -= LEFT_OUT[name]
    assert expected <= set(there)


@pytest.mark.parametrize("name", LEFT_OUT)
def test_docstrings_have_the_options_with_their_defaults(name):
    documented = documented_defaults(name)
    for parameter in parameters(name).values():
        assert parameter.name in documented
        if documented[parameter.name] is not None:
            assert ast.literal_eval(documented[parameter.name]) == parameter.default
        else:
            assert parameter.default is None


def other(option):
    """Return a value that is allowed, and not the default."""
    default = getattr(DEFAULTS, option.name)
    if option.kind == "text":
        return next(choice for choice in option.choices if choice != default)
    if option.kind == "integer":
        return default + 1
    return not default if option.kind == "flag" else 0.75 * default or 0.5


@pytest.mark.parametrize("option", PLAIN, ids=lambda option: option.name)
def test_every_parameter_reaches_the_core(option):
    model = bkernn.BKerNNRegressor(**{option.name: other(option)})
    assert getattr(model._options("square", 3), option.name) == other(option)


@pytest.mark.parametrize("option", PLAIN, ids=lambda option: option.name)
def test_parameters_of_another_kind_are_refused_by_name(option):
    wrong = 3 if option.kind == "text" else "some"
    with pytest.raises(TypeError, match=f"{option.name} = {wrong!r}: must be"):
        bkernn.BKerNNRegressor(**{option.name: wrong})._options("square", 3)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_options_come_back_from_files(regression, tmp_path):
    given = {"quantile_width": 0.2, "inner_tol": 1e-5, "kernel_operator": "sorted"}
    model = bkernn.BKerNNRegressor(loss="quantile", max_iter=2, random_state=0, **given)
    model.fit(regression.X, regression.y).save_model(tmp_path / "m.json")
    read = bkernn.load_model(tmp_path / "m.json").get_params()
    assert given.items() <= read.items()
    assert read["loss"] == "quantile"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_quantile_width_matters(regression):
    def predictions(width):
        model = bkernn.BKerNNRegressor(
            loss="quantile", quantile_width=width, max_iter=3, random_state=0, **BY_RULE
        )
        return model.fit(regression.X, regression.y).predict(regression.X)

    assert np.array_equal(predictions(0.05), predictions(0.05))
    assert not np.allclose(predictions(0.05), predictions(0.5))


def test_a_new_option_becomes_a_parameter():
    source = (ROOT / "python/bkernn/_estimators/parameters.py").read_text()
    without = source.replace("    tol: float = 0.001\n", "")
    assert without != source
    shared = [option for option in PLAIN if option.name not in REGRESSION]
    assert with_fields(without, "Parameters", shared) == source
