"""What all BKerNN estimators share: the call of the core, fitted attributes, learned features."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from copy import copy
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import train_test_split
from sklearn.utils.validation import check_consistent_length, check_is_fitted, validate_data

from .. import _core
from .._displays import html
from .._displays.progress import progress
from .._input.columns import Table, check_gaps, declared, encode, read_table, target_names
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
from .parameters import Parameters

if TYPE_CHECKING:
    from typing_extensions import Self


class RidgeFunction(NamedTuple):
    """One learned function of one direction: h((x − center) · direction), linear between knots."""

    direction: Array  #: (n_features,), in the units of X
    knots: Array  #: (n_knots,), increasing values of (x − center) · direction
    values: Array  #: (n_knots,) or (n_knots, n_outputs), in the units of the prediction


class HeldOut(NamedTuple):
    """Rows that early stopping watches, as the core takes them."""

    X: Array
    Y: Array


def _points(race: _core.Race) -> list[dict[str, Any]] | None:
    names = ("penalty", "regularization", "loss", "error", "dropped")
    points = [{name: getattr(point, name) for name in names} for point in race.points]
    return points or None


class BaseBKerNN(Parameters, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Fits, and explains what was learned; subclasses say what y is and what `predict` returns."""

    _saved: _core.SavedModel
    _encoder = _core.Encoder()
    _target_names: tuple[str, ...] = ()
    n_features_in_: int
    W_: Array
    dual_coef_: Array | None
    intercept_: float | Array

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    # ---- Fitting.

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

    def _column_names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", ())]

    def _encode(self, table: Table) -> Array:
        """Return the rows in the coordinates of the fit."""
        return encode(table, self._encoder, self._column_names())

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

    # ---- Using the model.

    def _encoded(self, y: Any) -> Array:
        """Return targets as the core takes them."""
        return matrix(y)

    def _check_rows(self, X: ArrayLike) -> Array:
        check_is_fitted(self, "W_")
        return self._rows(X)

    def _rows(self, X: ArrayLike) -> Array:
        """Return new rows in the coordinates of the fit."""
        table = read_table(X)
        if table is None:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
            table = Table(native(X), {})
        else:
            validate_data(self, X, skip_check_array=True, reset=False)
        return self._encode(table)

    def _components(self, k: int) -> Array:
        """Return k directions as rows, in the units of X, their largest entry positive."""
        if k == 0:
            return np.zeros((0, len(self.scale_)))
        P = self._saved.model.directions(k)
        largest = P[np.argmax(np.abs(P), axis=0), np.arange(k)]
        return (P * np.where(largest < 0, -1.0, 1.0) / self.scale_[:, np.newaxis]).T

    def transform(self, X: ArrayLike, k: int | None = None) -> Array:
        """Return the learned features of each row, `(X - center_) @ components_.T`.

        They are orthonormal combinations of the (standardized) variables: the leading left singular
        vectors of `W_`, or for the variable penalties the selected variables themselves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        k : int, optional
            How many features, at most the rank of `W_`; by default `n_active_features_`.

        Returns
        -------
        ndarray of shape (n_samples, k)
            A data frame if `set_output` asks for one.
        """
        rows = self._check_rows(X)
        components = self.components_
        if k is not None and k != self.n_active_features_:
            output = getattr(self, "_sklearn_output_config", {}).get("transform")
            if (output or get_config()["transform_output"]) != "default":
                raise ValueError(
                    f"k = {k}: with set_output, transform gives the "
                    f"{self.n_active_features_} features that were found"
                )
            components = self._components(integer("k", k, least=1))
        return np.where(np.isnan(rows), 0.0, rows - self.center_) @ components.T

    @property
    def _n_features_out(self) -> int:
        return self.n_active_features_

    def coordinate_names(self) -> list[str]:
        """Return what the rows of `W_` stand for.

        Returns
        -------
        list of str
            A column of numbers stands for itself, and has a second row, "age missing", if there
            were gaps; a category has one for each level, "color=red", or one if there are two.
        """
        check_is_fitted(self, "W_")
        return html.coordinate_names(self)

    def level_effects(self, feature: int | str) -> dict[str, Any]:
        """Return what each level of a category adds to f, in the row that is the average otherwise.

        Parameters
        ----------
        feature : int or str
            Number or name of the column.

        Returns
        -------
        dict
            From levels to numbers, relative to their mean over the rows; arrays if there are
            several outputs. "(other)" are the rare levels, "(missing)" the gaps.
        """
        check_is_fitted(self, "W_")
        column = declared([feature], self._column_names(), self.n_features_in_)[0]
        if self._encoder.empty or not self._encoder.categorical[column]:
            raise ValueError(f"feature = {feature!r}: is a number, not a category")
        effects = self._saved.model.level_effects(column)
        names = self._encoder.outcome_names(column)
        values = effects[:, 0].tolist() if effects.shape[1] == 1 else effects
        return dict(zip(names, values, strict=True))

    def ridge_functions(self) -> list[RidgeFunction]:
        """Return the learned functions, one per active particle.

        The prediction (before a link such as the exponential of counts) is a constant plus the
        sum over the functions of h((x − center_) · direction). With the Brownian kernel h is linear
        between knots, constant beyond them and 0 at 0, so that the constant is f(center_).

        Returns
        -------
        list of RidgeFunction
            Tuples (direction, knots, values).
        """
        check_is_fitted(self, "W_")
        model = self._saved.model
        directions = model.weights_in_original_units()
        functions = []
        for j in range(directions.shape[1]):
            knots, values = model.function(j)
            values = values / model.n_particles
            if values.shape[1] == 1:
                values = values[:, 0]
            functions.append(RidgeFunction(directions[:, j], knots, values))
        return functions

    def feature_learning_score(self, P: ArrayLike) -> float:
        """Return how near the learned subspace is to the true one: 1 if equal, 0 at worst.

        Parameters
        ----------
        P : array-like of shape (n_features, k)
            A basis of the true subspace: y depends on x through Pᵀx, for x as given to `fit`.

        Returns
        -------
        float
            NaN if `W_` does not determine k directions.
        """
        check_is_fitted(self, "W_")
        basis = matrix(P)
        if basis.shape[0] != len(self.scale_):
            raise ValueError(f"P has {basis.shape[0]} rows: must be {len(self.scale_)}")
        scaled = basis * self.scale_[:, np.newaxis]
        score = _core.particles_learning_score(
            self.W_, self._saved.model.selects_variables(), native(scaled)
        )
        return float("nan") if score is None else score

    def compress(self, tolerance: float) -> Self:
        """Return a copy with fewer knots, which predicts faster and takes less room.

        Parameters
        ----------
        tolerance : float
            No prediction (before the link of a classifier or of counts) changes by more than this.

        Returns
        -------
        estimator
            A fitted copy; `dual_coef_` and the like are those of the original.
        """
        check_is_fitted(self, "W_")
        smaller = copy(self)
        smaller._saved = self._saved.compress(tolerance)
        return smaller

    # ---- Files and notebooks.

    def to_html(
        self, X: ArrayLike | None = None, y: ArrayLike | None = None, stability: Any = None
    ) -> str:
        """Return the report of the command-line tool: one page that needs no other file.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features), optional
            Rows to show predictions of.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
            Their targets.
        stability : Stability, optional
            What `bkernn.stability` returned, for a panel that shows how sure it is.

        Returns
        -------
        str
            HTML.
        """
        check_is_fitted(self, "W_")
        if (X is None) != (y is None):
            raise ValueError("X and y: give both or neither")
        study = "" if stability is None else stability.to_json()
        if X is None:
            return self._saved.to_html(html.feature_names(self), stability=study)
        names = html.feature_names(self)
        return self._saved.to_html(names, self._check_rows(X), self._encoded(y), study)

    def save_model(self, path: str | PathLike[str], compress: bool = True) -> None:
        """Write the model to a file that `bkernn.load_model` and the command-line tool read.

        Parameters
        ----------
        path : str or path
            The extension decides the encoding: .json, .ubj or .cbor.
        compress : bool, default=True
            Write fewer digits, or fewer knots. That moves no prediction by more than 1e-4 of the
            spread of y, no log-odds of a class or log of a mean count by more than 1e-4. A model
            that was loaded or compressed before is written as it is. False: every bit.
        """
        check_is_fitted(self, "W_")
        self._saved.save(fspath(path), compress)

    def to_onnx(self, dtype: Literal["float64", "float32"] = "float64") -> bytes:
        """Return the model as an ONNX graph, which predicts wherever there is an ONNX runtime.

        Its input is "X"; its outputs are "prediction", or "label" and "probabilities". For
        scikit-learn pipelines, `import bkernn.onnx` and use skl2onnx.

        Parameters
        ----------
        dtype : {"float64", "float32"}, default="float64"
            The numbers of input, outputs and graph.

        Returns
        -------
        bytes
            The contents of an .onnx file.
        """
        check_is_fitted(self, "W_")
        if dtype not in ("float64", "float32"):
            raise ValueError(f"dtype = {dtype!r}: must be 'float64' or 'float32'")
        return self._saved.to_onnx(dtype == "float32")

    def to_c(self) -> str:
        """Return the model as one C99 file without dependencies and without allocation.

        Returns
        -------
        str
            Source of `double predict(const double *x, double *out)`; its head explains the rest.
        """
        check_is_fitted(self, "W_")
        return self._saved.to_c()

    def _repr_html_inner(self) -> str:
        return html.notebook(self, super()._repr_html_inner())

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle:
            bundle["text/html"] = html.notebook(self, bundle["text/html"])
        return bundle
