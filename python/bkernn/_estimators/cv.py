"""λ (and more) chosen by cross-validation along a path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import check_cv

from .. import _core
from .._displays.progress import path_progress
from .._input.options import PLAIN, in_core
from .._input.validation import Array, flag, integer, native, text

if TYPE_CHECKING:
    from typing_extensions import Self

# scikit-learn's names of what the core calls otherwise; by them more is better.
_NEGATED = {
    "neg_mean_squared_error": "mse",
    "neg_root_mean_squared_error": "rmse",
    "neg_mean_absolute_error": "mae",
    "neg_log_loss": "log_loss",
}

_RACED = {"penalty": str, "kernel": str, "n_particles": int, "concavity": float}


def _with_penalties(races: list[dict[str, Any]], penalty: str) -> list[dict[str, Any]]:
    """Return what the paths of the core belong to: one for each penalty that is open."""
    return [
        {**changes, "penalty": name} if open_penalty == "auto" else changes
        for changes in races
        for open_penalty in [changes.get("penalty", penalty)]
        for name in _core.candidate_penalties(open_penalty)
    ]


@dataclass(kw_only=True, eq=False, repr=False)
class CrossValidated:
    """Chooses λ; a mixin that stands before BKerNNRegressor or BKerNNClassifier."""

    _classifies = False
    cv: Any = None
    regularizations: ArrayLike | None = None
    n_regularizations: int | None = None
    scoring: str = "loss"
    one_standard_error: bool = False
    ensemble: bool = False
    race: Mapping[str, Sequence[Any]] | None = None

    # No parameters here: λ is chosen, no fit stops early, and none starts from an earlier one.
    regularization: str | float = field(default="auto", init=False)
    early_stopping: bool = field(default=False, init=False)
    validation_fraction: float = field(default=0.1, init=False)
    n_iter_no_change: int = field(default=20, init=False)
    warm_start: bool = field(default=False, init=False)

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Choose λ, then fit all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,) or (n_samples, n_outputs)
            Targets, or one column of classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, in fits and scores.
        groups : array-like of shape (n_samples,), optional
            Rows of one group stay in one fold.

        Returns
        -------
        estimator
            Itself.
        """
        self._fit_rows(X, y, sample_weight, groups=groups)  # type: ignore[attr-defined]
        return self

    def _folds(self, X: Array, y: Any, groups: Any) -> NDArray[np.intp] | None:
        """Return the fold of each row (−1: in none), or its group if the core is to make folds."""
        self._grouped = groups is not None
        if self.cv is None or isinstance(self.cv, int | np.integer):
            if groups is None:
                return None
            labels = np.asarray(groups)
            if labels.shape != (len(X),):
                raise ValueError(f"groups.shape == {labels.shape}, expected {(len(X),)}")
            return np.unique(labels, return_inverse=True)[1].astype(np.intp)
        self._grouped = False
        folds = np.full(len(X), -1, dtype=np.intp)
        splitter = check_cv(self.cv, y, classifier=self._classifies)
        for number, (_, test) in enumerate(splitter.split(X, y, groups)):
            if np.any(folds[test] >= 0):
                raise ValueError("cv: a row may be in one test set only")
            folds[test] = number
        return folds

    def _solve(
        self,
        X: Array,
        Y: Array,
        sample_weight: Array | None,
        options: _core.FitOptions,
        stratify: Any,
        folds: NDArray[np.intp] | None,
        held_out: Any,
    ) -> tuple[_core.FitResult, Any]:
        n_distinct = len(_core.distinct_rows(X, Y, options, sample_weight)[0])
        settings = self._settings(n_distinct, options.seed, folds)
        given = self._candidates()
        races = _with_penalties(given, options.penalty)
        verbose = integer("verbose", self.get_params()["verbose"])  # type: ignore[attr-defined]
        candidates = []
        for changes in given:
            candidate = options.copy()
            for name, value in changes.items():
                setattr(candidate, name, value)
            candidate.validate()
            candidates.append(candidate)
        with path_progress(verbose) as report:
            encoder = self._encoder  # type: ignore[attr-defined]
            result = _core.cross_validate(
                X, Y, candidates, settings, sample_weight, report, encoder
            )
        path = result.paths[result.path]
        sign = -1.0 if self.scoring in _NEGATED else 1.0
        self.regularizations_ = path.lambdas
        self.cv_scores_ = sign * path.scores
        self.cv_mean_, self.cv_standard_error_ = sign * path.mean, path.standard_error
        self.cv_evaluations_ = result.evaluations
        self.best_index_ = result.point
        self.best_score_ = float(path.mean[result.point]) * (1 if result.higher_is_better else -1)
        self.best_params_ = {
            "regularization": path.lambdas[result.point],
            **races[result.candidate],
        }
        self.cv_paths_ = [
            {
                **races[p.candidate],
                "rows": p.rows,
                "regularizations": p.lambdas,
                "scores": sign * p.scores,
                "mean": sign * p.mean,
                "standard_error": p.standard_error,
            }
            for p in result.paths
        ]
        for name in (*_RACED, "regularization"):
            setattr(options, name, getattr(result.options, name))
        return result.fit, slice(None)

    def _settings(
        self, n_rows: int, seed: int, folds: NDArray[np.intp] | None
    ) -> _core.CrossValidateOptions:
        settings = _core.CrossValidateOptions()
        settings.seed = seed
        scoring, known = text("scoring", self.scoring), [*_core.scorer_names(), *_NEGATED]
        if scoring not in known:
            raise ValueError(
                f"scoring = {scoring!r}: must be one of {', '.join(known)}; "
                "for others use scikit-learn's GridSearchCV"
            )
        settings.scorer = _NEGATED.get(scoring, scoring)
        settings.one_standard_error = flag("one_standard_error", self.one_standard_error)
        settings.ensemble = flag("ensemble", self.ensemble)
        if self.regularizations is not None:
            path = np.sort(native(self.regularizations).ravel())[::-1]
            settings.lambdas = [float(value) for value in path]
        if self.n_regularizations is not None:
            settings.n_lambdas = integer("n_regularizations", self.n_regularizations, least=1)
        if folds is None or self._grouped:
            wanted = 5 if self.cv is None else integer("cv", self.cv, least=2)
            settings.n_folds = min(wanted, n_rows) if self.cv is None else wanted
            if folds is not None:
                settings.groups = [int(group) for group in folds]
        else:
            settings.n_folds = int(folds.max()) + 1
            settings.fold_of_row = [int(fold) for fold in folds]
        settings.validate()
        return settings

    def _candidates(self) -> list[dict[str, Any]]:
        if self.race is None:
            return [{}]
        if not isinstance(self.race, Mapping) or not set(self.race) <= set(_RACED):
            raise ValueError(f"race: must be a dict with keys among {', '.join(_RACED)}")
        options = {option.name: option for option in PLAIN}
        values = [
            [_RACED[name](in_core(options[name], value)) for value in choices]
            for name, choices in self.race.items()
        ]
        return [dict(zip(self.race, choice, strict=True)) for choice in product(*values)]
