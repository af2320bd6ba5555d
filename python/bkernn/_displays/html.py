"""What a notebook shows of an estimator."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np

from .plotting import COLOR

_MOST_VARIABLES = 10


def notebook(estimator: Any, diagram: str) -> str:
    """Return scikit-learn's diagram, followed by what was learned if the estimator is fitted."""
    return diagram + summary(estimator) if hasattr(estimator, "W_") else diagram


def summary(estimator: Any) -> str:
    """Return a table of the main numbers of a fit and bars for the most important variables."""
    state = "converged" if estimator.converged_ else "not converged"
    facts = [
        ("directions found", str(estimator.n_directions_)),
        ("variables in use", f"{_in_use(estimator)} of {estimator.n_features_in_}"),
        ("penalty", estimator.penalty_.replace("_", " ")),
        ("regularization λ", f"{estimator.regularization_:.4g}"),
        ("iterations", f"{estimator.n_iter_} ({state})"),
    ]
    rows = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts
    )
    names = feature_names(estimator)
    order = np.argsort(-estimator.feature_importances_, kind="stable")[:_MOST_VARIABLES]
    largest = max(float(estimator.feature_importances_.max()), 1e-300)
    width = 8 * estimator.feature_importances_ / largest
    bars = "".join(
        f"<tr><th>{escape(names[a])}</th><td style='text-align:left'>"
        "<span style='display:inline-block;height:0.7em;"
        f"background:{COLOR};width:{width[a]:.2f}em'></span> "
        f"{100 * estimator.feature_importances_[a]:.1f}%</td></tr>"
        for a in order
    )
    return (
        "<div style='display:flex;flex-wrap:wrap;gap:2em;align-items:flex-start'>"
        f"<table><caption>Fit</caption>{rows}</table>"
        f"<table><caption>Importance of variables</caption>{bars}</table></div>"
    )


def _in_use(estimator: Any) -> int:
    """Return how many variables have any importance."""
    return int(np.count_nonzero(estimator.feature_importances_))


def coordinate_names(estimator: Any) -> list[str]:
    """Return what the rows of `W_` stand for: variables, or levels of categories."""
    return estimator._encoder.coordinate_names(feature_names(estimator))


def feature_names(estimator: Any) -> list[str]:
    """Return the names of the variables, x0, x1, … if X had none."""
    given = getattr(estimator, "feature_names_in_", None)
    if given is not None:
        return [str(name) for name in given]
    return [f"x{a}" for a in range(estimator.n_features_in_)]
