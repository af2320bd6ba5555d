"""BKerNN for regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import RegressorMixin

from .. import _core
from .._docs import documented_like
from .._input.options import DOCUMENTATION
from .._input.rows import counted_rows
from .._input.validation import Array, matrix, real, text, threads
from .base import BaseBKerNN

LOSSES = [loss for loss in _core.loss_names() if _core.loss_targets(loss) != "classes"]
COUNTS = [loss for loss in LOSSES if _core.loss_targets(loss) == "counts"]


@documented_like(DOCUMENTATION)
@dataclass(kw_only=True, eq=False, repr=False)
class BKerNNRegressor(RegressorMixin, BaseBKerNN):
    """Regression that finds the directions that matter: Brownian Kernel Neural Network.

    The prediction is f(x) = c + (1/m) Σ_j h_j(w_jᵀx): m particles w_j, each with its own function
    h_j, piecewise linear with a knot at every row. Functions and particles are learned together by
    minimizing

        (1/n) Σ_i ℓ(y_i, f(x_i)) + (λ/2) αᵀKα + λ Ω(W),

    where Ω makes the number of directions, or of variables, small.

    Nothing has to be set. The parameters are in three groups: first those of everyday use; then,
    under "Other Parameters", those of the solver (`max_iter` to `quantile_width`) and those of the
    paper (`kernel` to `max_halvings`).

    Parameters
    ----------
    loss : {"square", "huber", "quantile", "poisson"}, default="square"
        What an error costs. "poisson" is for counts: the prediction is their mean.
    quantile : float or list of float, default=0.5
        The quantile that the "quantile" loss predicts. Several, increasing, are learned in one fit
        with the same directions; they do not cross, and `predict` has a column for each.
    huber_delta : float, default=0.3
        Where the "huber" loss turns linear; with `standardize` in units of the spread of y.
    categorical_features : "auto" or array-like, default="auto"
        Columns of numbers that are to be read as categories: their names, their positions, or a
        mask. Columns of words, categories and truth values are categories without being named.
    penalty : str, default="auto"
        What there should be few of: "feature" or "concave_feature" for few directions, "variable"
        or "concave_variable" for few variables, "basic" for few particles, "basic_l1" for particles
        that use few variables each. "auto" chooses "feature", "concave_feature" or
        "concave_variable" by held-out rows (see `race_`).
    regularization : "auto", "rule", "theory" or float, default="auto"
        λ, in the units of y; larger means smoother functions and fewer directions. "auto" chooses
        it by held-out rows. "rule" is that of the paper's experiments,
        0.3 · std(y) · max‖x − x̄‖ / n on standardized columns; "theory" is that of the paper's risk
        bound, which is far larger.
    n_particles : "auto" or int, default="auto"
        m, the number of particles to start with; what is not needed is removed. Automatic: 3.2 √n,
        between 50 and 200, as long as rows × particles stay below a million.
    n_models : int, default=1
        Fit so many times from different starting directions and take the mean, which is one model
        with all their particles. Costs as many fits; λ and penalty are chosen once.
    n_directions : int or "auto", default="auto"
        k: fit again within the space of the k leading directions (or, for the variable penalties,
        on the k leading variables), without shrinking any of them. λ of that fit is chosen by
        held-out rows (see `refit_`). "auto": no second fit.
    intervals : {"none", "cross", "quantile", "fast"}, default="none"
        What `predict_interval` is made from. "cross": fits without one fold each (CV+), ten of
        them, or five from 2,000 rows on; "quantile": the same with pairs of quantiles, for noise
        that changes with x; "fast": a formula for fixed directions, no further fit and no promise.
    standardize : bool, default=True
        Scale the columns of X to unit variance and y to unit spread while fitting.
    ranks : {"auto", "none", "uniform", "normal"}, default="auto"
        Whether numbers of X count by their values ("none") or by their ranks among the rows:
        "uniform" takes the share of the rows below a value, "normal" the place where a normal
        distribution has that share. "auto" takes values, unless held-out rows are clearly better
        off with ranks; with `n_models` above 1 each may have a share. It needs λ or the penalty to
        be "auto", and is "none" on `knots`, with `init` and without `standardize`.
    early_stopping : bool, default=False
        Hold out rows, return the W that predicts them best, and stop when that is clear. `fit`
        takes such rows as `X_val` and `y_val`, too.
    validation_fraction : float, default=0.1
        Share of the rows held out for early stopping. Their loss is not weighted.
    n_iter_no_change : int, default=20
        Early stopping stops after so many iterations without improvement.
    warm_start : bool, default=False
        Start from the `W_` of the previous fit.
    random_state : int, RandomState or None, default=None
        Of the W at the start and of the rows held out. The same int gives the same model in the
        command-line tool.
    n_jobs : int or None, default=-1
        Threads. -1 is all cores, but in a worker of a search only its share of them. None is 1, or
        what `joblib.parallel_config` says. The model does not depend on it, to the bit.
    verbose : int, default=0
        1 shows progress.

    Attributes
    ----------
    W_ : ndarray of shape (n_features, n_models * n_particles)
        The directions, for (X - center_) / scale_; without `standardize` in the units of X.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_outputs)
        α; 0 for rows that were held out or have weight 0. None if there are several models, which
        have a kernel each.
    intercept_ : float or ndarray of shape (n_outputs,)
        c, which belongs to the kernel on X / scale_, not centered.
    n_iter_ : int
        Iterations.
    objective_path_ : ndarray of shape (n_iter_ + 1,)
        G + λΩ after each iteration; the last entry is that of the model that was returned (the best
        iterate, solved to full accuracy).
    validation_path_ : ndarray of shape (n_iter_,) or None
        With early stopping, the mean loss on the held-out rows after each iteration.
    converged_ : bool
        Whether the directions are stationary: the next step promises a relative decrease of at most
        `tol`. A fit that was stopped early is not.
    penalty_ : str
        The penalty that was used.
    regularization_ : float
        The λ that was used.
    race_ : list of dict or None
        How penalty and λ were chosen where they were "auto": for everything that was tried, in
        order, "penalty", "ranks", "regularization", the mean "loss" on held-out rows, the standard
        "error" of its difference to the best one, and whether it was "dropped" early. None if both
        were given.
    ranks_ : str
        How numbers count, in the words of `ranks`; of several ways the first that is not "none".
        Unless it is "none", `W_`, `components_`, `center_` and `scale_` are about the ranks.
    refit_ : list of dict or None
        The same for λ of the second fit, within `n_directions`.
    feature_importances_ : ndarray of shape (n_features,)
        Norms of the rows of `W_` as shares of their sum: how much each variable matters.
    singular_values_ : ndarray
        Singular values of `W_`, decreasing.
    n_directions_ : int
        The number of directions: those with a singular value of at least 0.4 of the largest, and of
        those of at least 0.1 as many as held-out rows want, if λ or penalty were chosen by such
        rows (else all).
    n_variables_ : int
        The number of variables that matter, counted in the same way by the norms of the rows of
        `W_`.
    n_active_features_ : int
        The number of variables (variable penalties) or directions (the others) that are in use.
    components_ : ndarray of shape (n_active_features_, n_features)
        The learned directions, in the units of X; `transform` projects on them.
    explained_variance_ : ndarray of shape (n_active_features_,)
        The mean over the particles of their squared part along each component, in standardized
        units: the variance of their projections that is due to it if variables are uncorrelated.
    explained_variance_ratio_ : ndarray of shape (n_active_features_,)
        The same as shares of the whole, that of all directions of `W_`.
    center_, scale_ : ndarray of shape (n_features,)
        What X is centered and divided by.
    n_features_in_ : int
        Variables seen by `fit`.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Their names, if X had names that are strings.

    Other Parameters
    ----------------
    max_iter : int, default=500
        Largest number of iterations.
    tol : float, default=1e-3
        Stop when the next step promises to lower the objective by no more than this share; 0 runs
        exactly `max_iter` iterations.
    knots : int, optional
        Give each function only so many knots, which is much faster for very many rows. By default
        functions are exact, up to 2·10⁸ rows × particles.
    schedule : {"auto", "direct", "coarse_to_fine"}, default="auto"
        Whether W is learned on a sample of the rows first and finished on all of them. Automatic:
        from 8,000 rows on.
    optimizer : {"auto", "quasi_newton", "spectral", "paper"}, default="auto"
        How W is learned: by quasi-Newton steps, by spectral ones, or by Algorithm 1 of the paper.
    init : array-like of shape (n_features, n_particles), optional
        W at the start, in the coordinates of `W_`; by default normal with variance 1/n_features.
    inner_solver : {"auto", "cg", "cholesky"}, default="auto"
        How the kernel regression for a given W is solved.
    inner_tol : float, default=0.0
        Relative residual of that regression at which to stop; 0: as far as the search for W needs.
    preconditioner : {"auto", "never", "always"}, default="auto"
        Whether that regression is helped by a direct solve on a few knots. Automatic: where it
        takes long without.
    kernel_operator : {"auto", "sorted", "dense", "knots"}, default="auto"
        How products with the kernel matrix are computed.
    quantile_width : float, default=0.05
        Half the width of the zone in which the kink of the "quantile" loss is smoothed.
    kernel : {"brownian", "exponential", "gaussian"}, default="brownian"
        The kernel of the functions h_j.
    concavity : float, default=1.0
        s of the concave penalties; 0 makes them convex.
    penalty_weight : float, default=1.0
        Weight of Ω against λ.
    step_size : float, default=500.0
        First step of the "paper" optimizer.
    max_halvings : int, default=60
        How often one line search may halve its step.

    See Also
    --------
    BKerNNClassifier : The same for classes.

    Examples
    --------
    >>> from bkernn import BKerNNRegressor
    >>> from bkernn.datasets import simulate
    >>> data = simulate("sine_features", n=300, n_test=300, d=8, k=1, noise=0.02)
    >>> model = BKerNNRegressor(random_state=0).fit(data.X, data.y)
    >>> model.score(data.X_test, data.y_test) > 0.9
    True
    >>> model.feature_learning_score(data.P) > 0.95
    True
    """

    loss: str = "square"
    quantile: float | Sequence[float] = 0.5
    quantile_width: float = 0.05
    huber_delta: float = 0.3

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.positive_only = self.loss in COUNTS
        return tags

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: ArrayLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> BKerNNRegressor:
        """Learn directions and functions.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows; float64 in any order is not copied. Words and gaps are welcome.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets. Several outputs share their directions.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: 2 equals a repeated row, 0 one that is not there.
        X_val : array-like or data frame, optional
            Rows to judge by: the fit stops early, and returns the W that predicts these rows best.
            None of `X` is held out for that.
        y_val : array-like, optional
            Their targets.

        Returns
        -------
        BKerNNRegressor
            Itself.
        """
        return self._fit_rows(X, y, sample_weight, X_val, y_val)

    def _fit_rows(
        self,
        X: Any,
        y: Any,
        sample_weight: Any,
        X_val: Any = None,
        y_val: Any = None,
        *,
        groups: Any = None,
    ) -> BKerNNRegressor:
        X, y = self._given(X, y, sample_weight, multi_output=True, y_numeric=True)
        loss = text("loss", self.loss)
        if loss not in LOSSES:
            raise ValueError(f"loss = {loss!r}: must be one of {', '.join(LOSSES)}")
        flat = y.ndim == 1
        folds = self._folds(X, y, groups)
        columns = 1
        if np.ndim(self.quantile) > 0 and _core.estimates_quantiles(loss):
            if matrix(y).shape[1] != 1:
                raise ValueError("quantile: several of them take one target")
            columns = len(self.quantile)  # type: ignore[arg-type]
            flat = columns == 1

        def targets(given: Any) -> Array:
            return np.repeat(matrix(given), columns, axis=1)

        held_out = self._given_held_out(X_val, y_val, targets)
        rows = counted_rows(X, targets(y), sample_weight, folds)
        self._fit(rows, rows.y, loss, held_out=held_out)
        if flat:
            if self.dual_coef_ is not None:
                self.dual_coef_ = self.dual_coef_[:, 0]
            self.intercept_ = float(np.ravel(self.intercept_)[0])
        self._flat = flat
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Predict y: f(x), or for the "poisson" loss the mean count.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_outputs)
            In the units of y.
        """
        rows = self._check_rows(X)
        prediction = self._saved.model.predict_response(rows, threads(self.n_jobs))
        return prediction[:, 0] if self._flat else prediction

    def predict_interval(self, X: ArrayLike, coverage: float = 0.9) -> tuple[Array, Array]:
        """Return intervals that contain y with this probability.

        They come from what `intervals` asked the fit to keep: "cross" and "quantile" hold for rows
        that are drawn as those of the fit were, whatever the model is worth; "fast" promises
        nothing.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        coverage : float, default=0.9
            How probable y is to lie between both ends.

        Returns
        -------
        lower : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The lower ends, in the units of y.
        upper : ndarray of shape (n_samples,) or (n_samples, n_outputs)
            The upper ends.
        """
        rows = self._check_rows(X)
        lower, upper = self._saved.model.predict_interval(
            rows, real("coverage", coverage), threads(self.n_jobs)
        )
        return (lower[:, 0], upper[:, 0]) if self._flat else (lower, upper)
