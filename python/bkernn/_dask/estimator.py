"""What the estimators for Dask share: a fit that asks shards, and lazy predictions."""

from __future__ import annotations

import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import dask.array as da
import numpy as np
from dask import delayed
from distributed import get_client
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._displays.progress import progress
from .._estimators.base import BaseBKerNN
from .._input.columns import declared
from .._input.options import as_dict
from .._input.validation import Array, integer, threads
from .rows import apply, check_columns, is_lazy, is_mixed, partitions
from .shards import Classes, Shards, Summary, Targets

MOST_HELD_OUT = 100_000  # rows that travel to the driver for early stopping


def lazily(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of a plain estimator that also takes Dask collections, and is lazy then."""

    @functools.wraps(method)
    def of_rows(self: DaskEstimator, X: Any, *args: Any, **kwargs: Any) -> Any:
        if not is_lazy(X):
            return method(self, X, *args, **kwargs)
        check_is_fitted(self, "W_")
        check_columns(self, X, reset=False)
        return apply(method.__name__, self._for_blocks(X), X, args, kwargs)

    text = (method.__doc__ or "").replace("array-like of", "Dask collection or array-like of")
    of_rows.__doc__ = text.replace("ndarray of", "dask.array.Array (lazy) or ndarray of")
    return of_rows


@dataclass(kw_only=True, eq=False, repr=False)
class DaskEstimator(BaseBKerNN, ABC):
    """A mixin that stands before BKerNNRegressor or BKerNNClassifier."""

    client: Any = None
    _plain: ClassVar[type[BaseBKerNN]]

    def __sklearn_clone__(self) -> Any:
        params = self.get_params(deep=False)
        client = params.pop("client")
        return type(self)(
            client=client, **{name: clone(value, safe=False) for name, value in params.items()}
        )

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        state.pop("dual_coef_", None)  # stays on the cluster, as does the client
        return {**state, "client": None}

    def _client(self) -> Any:
        return get_client() if self.client is None else self.client

    def _fit_shards(
        self, X: Any, y: Any, sample_weight: Any, classify: bool
    ) -> tuple[list[Summary], Classes | None]:
        """Fit, and return what is known of the partitions, and the classes."""
        start = time.perf_counter()
        check_columns(self, X, reset=True)
        shards = Shards(self._client(), partitions(X, y, sample_weight))
        try:
            names = self._column_names()
            words = declared(self.categorical_features, names, self.n_features_in_)
            summaries = shards.run(lambda: shards.call("describe", classify, words, names))
            loss, classes = self._targets(summaries)
            if classes is not None and classes.weights is not None:
                summaries = shards.run(
                    lambda: shards.call("describe", classify, words, names, classes)
                )
            self._encoder = _core.learn_encoder_of_places([s.counts for s in summaries], names)
            d = self.n_features_in_ if self._encoder.empty else self._encoder.coordinates
            options = self._options(loss, d)
            kept = sum(summary.kept for summary in summaries)
            targets = self._shard_targets(options, classes, kept)

            def fit() -> tuple[_core.FitResult, list[Any]]:
                result, used = self._solve_shards(shards, targets, options, kept)
                one = options.n_models == 1
                return result, shards.alpha(used * result.regularization) if one else []

            result, alpha = shards.run(fit)
        finally:
            shards.close()
        class_names = None if classes is None else [str(c) for c in classes.labels]
        outputs = len(result.intercept)
        data = _core.DataFingerprint(kept, d, outputs)
        self._keep_result(result, options, data, class_names)
        self.dual_coef_ = None
        if alpha:
            self.dual_coef_ = da.concatenate(
                [
                    da.from_delayed(part, shape=(summary.given, outputs), dtype=np.float64)
                    for part, summary in zip(alpha, summaries, strict=True)
                ]
            )
        shards.communication.seconds = time.perf_counter() - start
        self.communication_ = shards.communication
        self._warn(options)
        return summaries, classes

    def _shard_targets(
        self, options: _core.FitOptions, classes: Classes | None, rows: int
    ) -> Targets:
        fraction = self._held_out_share() if options.early_stopping else 0.0
        return Targets(
            options=as_dict(options),
            classes=classes,
            held_out=min(fraction, MOST_HELD_OUT / max(rows, 1)),
            n_threads=None if self.n_jobs is None else threads(self.n_jobs),
            encoder=self._encoder,
            names=self._column_names(),
        )

    def _solve_shards(
        self, shards: Shards, targets: Targets, options: _core.FitOptions, rows: int
    ) -> tuple[_core.FitResult, int]:
        """Return the fit, and how many rows it used."""
        parts = shards.call("begin", targets)
        held_X, held_Y = (np.concatenate(column) for column in zip(*parts, strict=True))
        if options.early_stopping and len(held_X) == 0:
            raise ValueError("validation_fraction: there are too few rows to hold any out")
        with progress(integer("verbose", self.verbose), options.max_iter) as report:
            result = _core.fit_distributed(
                shards.ask,
                options,
                held_X if options.early_stopping else None,
                held_Y if options.early_stopping else None,
                report,
                shards.keep,
                shards.state if options.n_models == 1 and options.n_directions == 0 else None,
                self._encoder,
            )
        return result, rows - len(held_X)

    @abstractmethod
    def _targets(self, summaries: list[Summary]) -> tuple[str, Classes | None]:
        """Return the loss, and the classes if there are such."""

    def _drop_axis(self) -> None:
        """Let what belongs to the only output have no axis for outputs."""
        if self.dual_coef_ is not None:
            self.dual_coef_ = self.dual_coef_[:, 0]
        self.intercept_ = float(np.ravel(self.intercept_)[0])

    def to_local(self) -> Any:
        """Return the plain estimator, which needs no cluster.

        Returns
        -------
        BKerNNRegressor or BKerNNClassifier
            Fitted if this is, but without `dual_coef_`, which stays on the cluster.
        """
        params = self.get_params(deep=False)
        del params["client"]
        local = self._plain(**params)
        fitted = {name: value for name, value in vars(self).items() if name not in params}
        for name in ("client", "dual_coef_", "communication_"):
            fitted.pop(name, None)
        local.__dict__.update(fitted)
        return local

    def _for_blocks(self, X: Any) -> Any:
        """Return the plain estimator for one task: the blocks of an array have no names."""
        model = self.to_local().set_params(n_jobs=1)
        if not is_mixed(X):
            vars(model).pop("feature_names_in_", None)
        return model

    transform = lazily(BaseBKerNN.transform)

    def _over_partitions(self, function: Any, X: Any, y: Any, sample_weight: Any) -> Array:
        """Return function(model, X, y, weights) of each partition, one after the other."""
        check_is_fitted(self, "W_")
        check_columns(self, X, reset=False)
        model = delayed(self._for_blocks(X), pure=True)
        client = self._client()
        sums = [delayed(function)(model, part) for part in partitions(X, y, sample_weight)]
        return np.array(client.gather(client.compute(sums)))
