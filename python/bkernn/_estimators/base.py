"""What all BKerNN estimators share: the call of the core and fitted attributes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_consistent_length, validate_data

from .. import _core
from .._displays.progress import progress
from .._input.columns import Table, check_gaps, declared, read_table, target_names
from .._input.rows import Rows
from .._input.validation import (
    Array,
    fit_options,
    initial_particles,
    integer,
    matrix,
    native,
    real,
    seed,
    threads,
    weights,
)
from .explained import Explained
from .explained import RidgeFunction as RidgeFunction  # where pickles of version 0.1 look for it
from .exported import Exported
from .parameters import Parameters


class HeldOut(NamedTuple):
    """Rows that early stopping watches, as the core takes them."""

    X: Array
    Y: Array


def _points(race: _core.Race) -> list[dict[str, Any]] | None:
    names = ("penalty", "ranks", "regularization", "loss", "error", "dropped")
    points = [{name: getattr(point, name) for name in names} for point in race.points]
    return points or None


class BaseBKerNN(Exported, Explained, Parameters, BaseEstimator):
    """Fits; subclasses say what y is and what `predict` returns."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def _given(self, X: Any, y: Any, sample_weight: Any, **checks: Any) -> tuple[Array, Any]:
        """Check what `fit` is given, learn the columns, and return the rows of the fit and y."""
        table = read_table(X)
        check_gaps(y)
        self._target_names = target_names(y)
        if table is None:
            X, y = validate_data(
                self,
                X,
                y,
                dtype=np.float64,
                ensure_all_finite="allow-nan",
                ensure_min_samples=2,
                **checks,
            )
            table = Table(native(X), {})
        else:
            y = validate_data(self, y=y, **checks)
            validate_data(self, X, skip_check_array=True)
            check_consistent_length(table.values, y)
            if len(table.values) < 2:
                raise ValueError(f"Found array with {len(table.values)} sample(s): 2 are needed")
        names = self._column_names()
        table = table.with_words(declared(self.categorical_features, names, self.n_features_in_))
        counts = self._row_weights(y, sample_weight)
        self._encoder = _core.learn_encoder(table.values, table.categories, counts, names)
        return self._encode(table), y

    def _row_weights(self, y: Any, sample_weight: Any) -> Array | None:
        """Return how often each row counts, or None if all count alike."""
        return weights(sample_weight, len(y))

    def _given_held_out(self, X_val: Any, y_val: Any, targets: Callable[[Any], Array]) -> Any:
        """Check the rows that early stopping is given, and return them as the core takes them."""
        if X_val is None and y_val is None:
            return None
        if X_val is None or y_val is None:
            raise ValueError("X_val and y_val: give both or neither")
        rows, Y = self._rows(X_val), matrix(targets(y_val))
        if len(rows) != len(Y):
            raise ValueError(f"X_val and y_val: {len(rows)} rows and {len(Y)} targets")
        return HeldOut(rows, Y)

    def _fit(
        self,
        rows: Rows,
        Y: Array,
        loss: str,
        *,
        held_out: HeldOut | None = None,
        stratify: Any = None,
        class_names: list[str] | None = None,
    ) -> None:
        """Fit rows and their targets Y (n, q), and set attributes."""
        X = rows.X
        options = self._options(loss, X.shape[1])
        options.early_stopping = options.early_stopping or held_out is not None
        result, part = self._solve(X, Y, rows.weights, options, stratify, rows.folds, held_out)
        self._keep_result(result, options, _core.fingerprint(X, Y), class_names)
        self.dual_coef_ = None
        if result.alpha.size:
            alpha = np.zeros((len(X), Y.shape[1]))
            alpha[part] = result.alpha
            self.dual_coef_ = rows.share_out(alpha)
        self._warn(options)

    def _keep_result(
        self,
        result: _core.FitResult,
        options: _core.FitOptions,
        data: _core.DataFingerprint,
        class_names: list[str] | None,
    ) -> None:
        """Set everything but the dual variables."""
        names, targets = self._column_names(), list(self._target_names)
        if class_names is None and len(targets) == 1:
            targets *= len(result.intercept)  # one for each quantile
        self._saved = _core.SavedModel(result, options, data, names, class_names or [], targets)
        self._encoder = self._saved.model.encoder
        self._set_attributes(W=result.W)
        self.intercept_ = result.intercept

    def _solve(
        self,
        X: Array,
        Y: Array,
        sample_weight: Array | None,
        options: _core.FitOptions,
        stratify: Any,
        folds: Any,
        held_out: HeldOut | None,
    ) -> tuple[_core.FitResult, Any]:
        """Return the fit, and which rows it used."""
        part: Any = slice(None)
        if options.early_stopping and held_out is None:
            part, others = self._hold_out(X, Y, sample_weight, options, stratify)
            held_out = HeldOut(X[others], Y[others])
        with progress(integer("verbose", self.verbose), options.max_iter) as report:
            result = _core.fit(
                X[part],
                Y[part],
                options,
                None if sample_weight is None else sample_weight[part],
                None if held_out is None else held_out.X,
                None if held_out is None else held_out.Y,
                report,
                self._encoder,
            )
        return result, part

    def _hold_out(
        self,
        X: Array,
        Y: Array,
        sample_weight: Array | None,
        options: _core.FitOptions,
        stratify: Any,
    ) -> tuple[Any, Any]:
        """Return the rows to fit, and one of each that early stopping keeps apart.

        Equal rows stay together: a copy of a fitted row would judge too kindly, and a weight of 2
        would not be a row written twice.
        """
        first, place = _core.distinct_rows(X, Y, options, sample_weight)
        train, held_out = train_test_split(
            np.arange(len(first)),
            test_size=self._held_out_share(),
            random_state=options.seed % 2**32,
            stratify=None if stratify is None else stratify[first],
        )
        rank = np.full(len(first), len(first))
        rank[train] = np.arange(len(train))
        ranks = rank[place]
        order = np.argsort(ranks, kind="stable")
        return order[: np.count_nonzero(ranks < len(first))], first[held_out]

    def _held_out_share(self) -> float:
        """Return the share of the rows that early stopping keeps apart."""
        fraction = real("validation_fraction", self.validation_fraction)
        if not 0 < fraction < 1:
            raise ValueError(f"validation_fraction = {fraction}: must lie between 0 and 1")
        return fraction

    def _folds(self, X: Array, y: Any, groups: Any) -> Any:
        """Return what `_solve` needs to know of the folds, for rows X as given."""
        return None

    def _options(self, loss: str, n_features: int) -> _core.FitOptions:
        params = self.get_params(deep=False)
        options = fit_options(params, loss, n_features)
        options.seed = seed(self.random_state)
        options.n_threads = threads(self.n_jobs)
        if params.get("warm_start") and hasattr(self, "W_") and np.any(self.W_):
            options.init = initial_particles(self.W_, n_features, options.n_particles)
        return options

    def _set_attributes(self, W: Array) -> None:
        """Set everything that a model file can give back too."""
        model, report = self._saved.model, self._saved.report
        self.W_ = W
        self.center_, self.scale_ = model.center, model.scale
        self.penalty_ = model.penalty
        self.ranks_ = model.encoder.ranks
        self.regularization_ = self._saved.regularization
        self.race_ = _points(report.race)
        self.refit_ = _points(report.refit)
        self.objective_path_ = np.append(report.objectives, report.objective)
        self.n_iter_ = len(report.objectives)
        self.converged_ = report.converged
        validation = report.validation_losses
        self.validation_path_ = validation if np.any(np.isfinite(validation)) else None
        self.feature_importances_ = model.importances()
        self.singular_values_ = model.singular_values()
        self.n_directions_ = model.n_directions()
        self.n_variables_ = model.n_variables()
        self.n_active_features_ = model.dimension()
        self.components_ = self._components(self.n_active_features_)
        along = (self.components_ * self.scale_) @ W
        self.explained_variance_ = (along**2).sum(axis=1) / W.shape[1]
        total = float((W**2).sum()) / W.shape[1]
        self.explained_variance_ratio_ = self.explained_variance_ / (total or 1.0)

    def _warn(self, options: _core.FitOptions) -> None:
        report = self._saved.report
        if report.warning and options.tol > 0:
            warnings.warn(report.warning, ConvergenceWarning, stacklevel=5)
        if not report.inner_converged:
            warnings.warn(
                f"The last kernel regression stopped at a relative residual of "
                f"{report.inner_residual:.1e}, or before its intercept was found. Increase "
                "regularization or set inner_solver='cholesky'.",
                ConvergenceWarning,
                stacklevel=5,
            )
