"""What the defaults find and cost where the truth is known (docs/performance.md).

Appends a line to ``flagship.jsonl`` for each fit, and leaves out the fits that are there. Seconds
are those of the processor, of one thread; a fit *at the choice* has the λ and the penalty that the
default has chosen, so that nothing is left to choose.

- *flagship*: three hidden directions of 20 variables, y = sin 3z₁ + z₂z₃ + |z₂| + 0.1·noise.
- *noise*: y of pure noise, 200 rows, 20 variables.
- *particles*: the flagship's 4,000 rows, 60 steps at three times the λ of the rule.
- *cross-validation*: the flagship's 20,000 rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from bkernn import BKerNNRegressor, _core
from bkernn.datasets import simulate

from ..common.lines import run_missing
from ..common.results import Record
from ..common.runs import library_model, timed_fit

SIZES = {1_000: 10, 4_000: 10, 10_000: 10, 100_000: 10, 1_000_000: 2}  # rows: draws
PARTICLES = (50, 100, 200, 400, 800)
NOISES = 20
TEST_ROWS = 20_000
STEPS = 60


def flagship(n: int, draw: int) -> Any:
    """Return the rows of one draw; P is drawn as well."""
    return simulate("multi_index", n=n, n_test=TEST_ROWS, d=20, noise=0.1, random_state=draw)


def fitted_within(model: Any, X: Any, y: Any) -> float:
    """Fit, and return the seconds of the processor."""
    before = time.process_time()
    timed_fit(model, X, y)
    return round(time.process_time() - before, 3)


def of_flagship(n: int, draw: int) -> Record:
    """Return what the default finds, and what it costs to find it."""
    data = flagship(n, draw)
    model = library_model()
    seconds = fitted_within(model, data.X, data.y)
    fixed = library_model(regularization=model.regularization_, penalty=model.penalty_)
    return {
        "directions": int(model.n_directions_),
        "score": model.feature_learning_score(data.P),
        "r2": model.score(data.X_test, data.y_test),
        "converged": model._saved.report.converged,
        "penalty": model.penalty_,
        "seconds": seconds,
        "seconds_at_the_choice": fitted_within(fixed, data.X, data.y),
    }


def of_noise(n: int, draw: int) -> Record:
    """Return R² on new rows where there is nothing to predict."""
    rng = np.random.RandomState(draw)
    X, y, X_test, y_test = rng.randn(n, 20), rng.randn(n), rng.randn(5000, 20), rng.randn(5000)
    model = library_model().fit(X, y)
    return {"directions": int(model.n_directions_), "r2": model.score(X_test, y_test)}


def of_particles(n: int, draw: int, m: int) -> Record:
    """Return what a step costs with so many particles."""
    data = flagship(n, draw)
    options = BKerNNRegressor()._options("square", data.X.shape[1])
    given = 3 * _core.automatic_regularization(data.X, data.y[:, None], options)
    model = library_model(
        regularization=given, penalty="feature", n_particles=m, max_iter=STEPS, tol=0.0
    )
    seconds = fitted_within(model, data.X, data.y)
    report = model._saved.report
    return {"seconds": seconds, "products": report.inner_iterations, "steps": report.evaluations}


def of_cross_validation(n: int, draw: int) -> Record:
    """Return what cross-validation finds, beside the default."""
    data = flagship(n, draw)
    found: Record = {}
    for name, model in (("default", library_model()), ("folds", library_model("library_cv"))):
        seconds = fitted_within(model, data.X, data.y)
        r2 = model.score(data.X_test, data.y_test)
        found[name] = {"seconds": seconds, "r2": r2, "directions": int(model.n_directions_)}
    return found


STUDIES: dict[str, Callable[..., Record]] = {
    "flagship": of_flagship,
    "noise": of_noise,
    "particles": of_particles,
    "cross-validation": of_cross_validation,
}


def keys(quick: bool) -> Iterator[Record]:
    """Yield what is to be run, what is soonest done first."""
    if quick:
        yield {"study": "flagship", "n": 200, "draw": 0}
        return
    yield from ({"study": "noise", "n": 200, "draw": draw} for draw in range(NOISES))
    yield from ({"study": "particles", "n": 4_000, "draw": 0, "m": m} for m in PARTICLES)
    for n, draws in SIZES.items():
        yield from ({"study": "flagship", "n": n, "draw": draw} for draw in range(draws))
    yield {"study": "cross-validation", "n": 20_000, "draw": 0}


def measure(study: str, **key: int) -> Record:
    """Run one of them."""
    return STUDIES[study](**key)


if __name__ == "__main__":
    run_missing("flagship", keys, measure)
