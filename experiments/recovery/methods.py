"""Methods that find directions or variables. One thread each.

A method gets rows and the true k and says what it found. BKerNN does not use k unless its name says
so. Those that only reduce predict by kernel ridge regression on what they found.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LassoCV

from bkernn import BKerNNRegressor

from ..data.recipes import Array
from .classical import (
    distance_covariance,
    principal_hessian_directions,
    sliced_average_variances,
    sliced_inverse_regression,
)
from .kernel_ridge import kernel_ridge

try:
    import torch
    from xrfm.rfm_src import RFM
except ImportError:  # it needs torch, which is large
    RFM = None

R_SECONDS = 60
_RIDGE_ROWS = 400  # at most, to predict from what was found: that is not what is compared


class Found(NamedTuple):
    """Directions by decreasing weight (columns, in the units of X), or importances of variables.

    `size`: how many directions, and `chosen`: how many variables, where the method says so itself.
    """

    directions: Array | None
    predicted: Array
    importances: Array | None = None
    size: int | None = None
    chosen: int | None = None


Method = Callable[[Array, Array, Array, int], Found]  # X, y, X_test, k


def own(given: bool) -> Method:
    """Return the defaults of this library, with k given or not."""

    def find(X: Array, y: Array, X_test: Array, k: int) -> Found:
        model = BKerNNRegressor(random_state=0, n_jobs=1, n_directions=k if given else "auto")
        model.fit(X, y)
        U, singular, _ = np.linalg.svd(model.W_, full_matrices=False)
        rank = int(np.sum(singular > 1e-9 * max(singular[0], 1e-300)))
        directions = U[:, :rank] / np.where(model.scale_ > 0, model.scale_, 1)[:, None]
        return Found(
            directions,
            model.predict(X_test),
            model.feature_importances_,
            None if given else int(model.n_directions_),
            None if given else int(model.n_variables_),
        )

    return find


def reducing(directions: Callable[[Array, Array, int], Array]) -> Method:
    """Return a method of dimension reduction, with a kernel ridge fit on its features."""

    def find(X: Array, y: Array, X_test: Array, k: int) -> Found:
        B = np.linalg.qr(directions(X, y, k))[0]
        some = slice(_RIDGE_ROWS)
        return Found(B, kernel_ridge(X[some] @ B, y[some]).predict(X_test @ B))

    return find


def gradient_outer_product(X: Array, y: Array, X_test: Array, k: int) -> Found:
    """Return the leading eigenvectors of Σ ∇f∇fᵀ of a kernel ridge fit."""
    fit = kernel_ridge(X, y)
    gradients = fit.gradients()
    return Found(np.linalg.eigh(gradients.T @ gradients)[1][:, ::-1], fit.predict(X_test))


def recursive_feature_machine(X: Array, y: Array, X_test: Array, k: int) -> Found:
    """Return the leading eigenvectors of M; a fifth of the rows chooses bandwidth and ridge."""
    cut = len(X) - len(X) // 5
    mean, spread = y.mean(), y.std()
    rows, test = (torch.tensor(A, dtype=torch.float32) for A in (X, X_test))
    targets = torch.tensor((y - mean) / spread, dtype=torch.float32)[:, None]
    torch.set_num_threads(1)
    best, loss = None, np.inf
    for bandwidth in (3.0, 10.0, 30.0):
        for ridge in (1e-3, 1e-1):
            model = RFM(
                kernel="l2", bandwidth=bandwidth, iters=5, device="cpu",
                verbose=False,
            )  # fmt: skip
            model.fit(
                (rows[:cut], targets[:cut]), (rows[cut:], targets[cut:]), reg=ridge, verbose=False
            )
            error = float(((model.predict(rows[cut:]) - targets[cut:]) ** 2).mean())
            if error < loss:
                best, loss = model, error
    M = np.eye(X.shape[1]) if best.M is None else best.M.double().numpy()
    if M.ndim == 1:
        M = np.diag(M)
    predicted = best.predict(test).double().numpy().ravel() * spread + mean
    return Found(np.linalg.eigh((M + M.T) / 2)[1][:, ::-1], predicted)


def projection_pursuit(X: Array, y: Array, X_test: Array, k: int) -> Found:
    """Return the k terms of R's ppr."""
    script = Path(__file__).with_name("projection_pursuit.R")
    with tempfile.TemporaryDirectory() as folder:
        train, test, directions, predictions = (
            Path(folder) / f"{name}.csv" for name in ("train", "test", "directions", "predictions")
        )
        np.savetxt(train, np.column_stack([X, y]), delimiter=",")
        np.savetxt(test, X_test, delimiter=",")
        subprocess.run(
            ["Rscript", "--vanilla", script, train, test, str(k), directions, predictions],
            check=True, timeout=R_SECONDS, capture_output=True,
        )  # fmt: skip
        found = np.loadtxt(directions, delimiter=",", ndmin=2)
        return Found(found, np.loadtxt(predictions, delimiter=","))


def lasso(X: Array, y: Array, X_test: Array, k: int) -> Found:
    """Return what the lasso keeps, λ by cross-validation."""
    model = LassoCV(cv=5, random_state=0).fit(X, y)
    weights = np.abs(model.coef_)
    return Found(None, model.predict(X_test), weights, chosen=int(np.sum(weights > 0)))


def random_forest(X: Array, y: Array, X_test: Array, k: int) -> Found:
    """Return the importances of a random forest."""
    model = RandomForestRegressor(300, min_samples_leaf=2, n_jobs=1, random_state=0).fit(X, y)
    return Found(None, model.predict(X_test), model.feature_importances_)


#: For directions and variables alike; the last ones say something of variables only.
METHODS: dict[str, Method] = {
    "BKerNN": own(given=False),
    "BKerNN, k given": own(given=True),
    "SIR": reducing(sliced_inverse_regression),
    "SAVE": reducing(sliced_average_variances),
    "PHD": reducing(principal_hessian_directions),
    "distance covariance": reducing(distance_covariance),
    "projection pursuit": projection_pursuit,
    "recursive feature machine": recursive_feature_machine,
    "gradient outer product": gradient_outer_product,
    "lasso": lasso,
    "random forest": random_forest,
}
FOR_VARIABLES = ("lasso", "random forest")
#: They take too long beyond.
MOST_ROWS = {
    "distance covariance": 400,
    "projection pursuit": 3200,
    "recursive feature machine": 1600,
    "gradient outer product": 1600,
}


def available() -> list[str]:
    """Return the methods that can run here."""
    missing = set()
    if RFM is None:
        missing.add("recursive feature machine")
    if shutil.which("Rscript") is None:
        missing.add("projection pursuit")
    return [name for name in METHODS if name not in missing]
