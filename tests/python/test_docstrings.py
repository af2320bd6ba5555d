"""Docstrings: complete by numpydoc's rules, and their examples run."""

import doctest
import importlib
import inspect
import pkgutil

import pytest
from numpydoc.validate import validate

import bkernn
from bkernn._docs import documented_like

# Not asked for: an extended summary, "See Also", capital letters before λ, examples of methods.
NOT_ASKED_FOR = {"ES01", "SA01", "PR08"}


def documented():
    """Everything public, by its full name."""
    for name in bkernn.__all__:
        thing = getattr(bkernn, name)
        members = getattr(thing, "__all__", ()) if inspect.ismodule(thing) else dir(thing)
        if callable(thing):
            yield f"bkernn.{name}"
        for member in members:
            method = getattr(thing, member)
            ours = getattr(method, "__module__", None) or ""
            if callable(method) and not member.startswith("_") and ours.startswith("bkernn"):
                yield f"bkernn.{name}.{member}"


@pytest.mark.parametrize("name", list(documented()))
def test_docstring_is_complete(name):
    thing = bkernn
    for part in name.split(".")[1:]:
        thing = getattr(thing, part)
    is_method = "." in getattr(thing, "__qualname__", "")
    skipped = NOT_ASKED_FOR | ({"EX01"} if is_method or name.endswith("Simulated") else set())
    if "Other Parameters" in (thing.__doc__ or ""):
        skipped = skipped | {"PR03"}  # their order is that of the groups, not of the signature
    problems = [error for error in validate(name)["errors"] if error[0] not in skipped]
    assert problems == []


@pytest.mark.parametrize("name", [n for n in bkernn.__all__ if n.startswith("BKerNN")])
def test_every_fitted_attribute_is_documented(name, regression):
    model = getattr(bkernn, name)(max_iter=2, tol=0)
    y = regression.y > 0.5 if "Classifier" in name else regression.y
    section = inspect.getdoc(type(model)).partition("Attributes\n")[2]
    section = section.partition("Other Parameters\n")[0]
    headings = {
        word.strip()
        for line in section.splitlines()
        if " : " in line and line[0] != " "
        for word in line.partition(" : ")[0].split(",")
    }
    fitted = {a for a in vars(model.fit(regression.X, y)) if a.endswith("_") and a[0] != "_"}
    assert fitted <= headings
    assert headings - fitted <= {"feature_names_in_"}


def test_own_entries_come_first():
    def source(a, b):
        """S.

        Parameters
        ----------
        a : int
            Of the source.
        b : int
            Of the source.
        """

    @documented_like(source)
    def target(b, a):
        """T.

        Parameters
        ----------
        a : int
            Its own.
        """

    assert target.__doc__ == (
        "T.\n\nParameters\n----------\nb : int\n    Of the source.\na : int\n    Its own.\n"
    )


def test_entries_stay_in_their_group():
    def source(a, b, c):
        """S.

        Parameters
        ----------
        a : int
            Of every day.

        Other Parameters
        ----------------
        c : int
            Of the solver.
        b : int
            Of the paper.
        """

    @documented_like(source)
    def target(a, b, c):
        """T.

        Parameters
        ----------
        b : int
            Its own.
        """

    everyday, _, other = target.__doc__.partition("Other Parameters")
    assert "a : int" in everyday
    assert "Its own." in everyday
    assert "c : int\n    Of the solver." in other
    assert "b : int" not in other


@pytest.mark.parametrize("name", [n for n in bkernn.__all__ if n.startswith("BKerNN")])
def test_the_solver_comes_before_the_paper(name):
    doc = inspect.getdoc(getattr(bkernn, name))
    everyday, _, other = doc.partition("Other Parameters\n")
    assert "\npenalty : " in everyday
    assert "\nn_jobs : " in everyday
    solver, _, paper = other.partition("\nkernel : ")
    assert "\nmax_iter : " in solver
    assert "\nquantile_width" not in paper
    assert "\nmax_halvings : " in paper


def modules():
    found = pkgutil.walk_packages(bkernn.__path__, "bkernn.")
    return [importlib.import_module(m.name) for m in found if m.name != "bkernn._core"]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("module", modules(), ids=lambda module: module.__name__)
def test_examples_in_docstrings(module):
    assert doctest.testmod(module).failed == 0
