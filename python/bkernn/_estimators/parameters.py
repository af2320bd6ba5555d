"""The parameters that all BKerNN estimators have, each with its type and its default.

`tools/write_options.py` writes the options among them from the table of the core. The constructors
of the estimators are made from this list, as those of dataclasses are. A class that adds or hides
a parameter says only that. What the parameters mean is said by `BKerNNRegressor`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike


@dataclass(kw_only=True, eq=False, repr=False)
class Parameters:
    """Keeps what the constructor is given as it is; `fit` checks it."""

    categorical_features: Any = "auto"
    n_particles: int | str = "auto"
    penalty: str = "auto"
    regularization: str | float = "auto"
    concavity: float = 1.0
    kernel: str = "brownian"
    optimizer: str = "auto"
    inner_solver: str = "auto"
    knots: int | None = None
    schedule: str = "auto"
    n_models: int = 1
    n_directions: int | str = "auto"
    intervals: str = "none"
    preconditioner: str = "auto"
    inner_tol: float = 0.0
    kernel_operator: str = "auto"
    step_size: float = 500.0
    max_halvings: int = 60
    penalty_weight: float = 1.0
    max_iter: int = 500
    tol: float = 0.001
    init: ArrayLike | None = None
    standardize: bool = True
    ranks: str = "auto"
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 20
    warm_start: bool = False
    random_state: Any = None
    n_jobs: int | None = -1
    verbose: int = 0
