"""What the estimators for Dask share: a fit that asks shards, and lazy predictions."""

from __future__ import annotations

import inspect
import time
from typing import Any, TypeVar

import dask.array as da
import numpy as np
from dask import delayed
from distributed import get_client
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import BaseBKerNN
from ._dask_rows import apply, check_columns, is_lazy, partitions
from ._dask_shards import Communication, Shards, Summary, Targets
from ._progress import progress
from ._validation import Array, integer, real, threads

Estimator = TypeVar("Estimator", bound="type[DaskEstimator]")

MOST_HELD_OUT = 100_000  # rows that travel to the driver for early stopping


class DaskEstimator(BaseBKerNN):
    """A mixin that stands before BKerNNRegressor or BKerNNClassifier."""

    _plain: type[BaseBKerNN]
    client: Any
    communication_: Communication

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
    ) -> tuple[list[Summary], Any]:
        """Fit, and return what is known of the partitions, and the classes."""
        start = time.perf_counter()
        check_columns(self, X, reset=True)
        shards = Shards(self._client(), partitions(X, y, sample_weight))
        try:
            summaries = shards.run(lambda: shards.call("describe", classify))
            loss, classes = self._targets(summaries)
            options = self._options(loss, self.n_features_in_)
            kept = sum(summary.kept for summary in summaries)
            targets = self._shard_targets(options, classes, kept)

            def fit() -> tuple[_core.FitResult, list[Any]]:
                result, used = self._solve_shards(shards, targets, options, kept)
                return result, shards.alpha(used * result.regularization)

            result, alpha = shards.run(fit)
        finally:
            shards.close()
        names = None if classes is None else [str(c) for c in classes]
        outputs = len(result.intercept)
        data = _core.DataFingerprint(kept, self.n_features_in_, outputs)
        self._take(result, options, data, names)
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

    def _shard_targets(self, options: _core.FitOptions, classes: Any, rows: int) -> Targets:
        fraction = 0.0
        if options.early_stopping:
            fraction = real("validation_fraction", self.validation_fraction)
            if not 0 < fraction < 1:
                raise ValueError(f"validation_fraction = {fraction}: must lie between 0 and 1")
        return Targets(
            loss=options.loss,
            huber_delta=options.huber_delta,
            quantile=options.quantile,
            classes=classes,
            held_out=min(fraction, MOST_HELD_OUT / max(rows, 1)),
            seed=options.seed,
            n_threads=None if self.n_jobs is None else threads(self.n_jobs),
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
                shards.state,
            )
        return result, rows - len(held_X)

    def _targets(self, summaries: list[Summary]) -> tuple[str, Any]:
        """Return the loss, and the classes if there are such."""
        raise NotImplementedError

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

    def _lazily(self, method: str, X: Any, columns: int | None, dtype: Any, **options: Any) -> Any:
        check_columns(self, X, reset=False)
        return apply(method, self._without_names(), X, columns, dtype, **options)

    def _without_names(self) -> Any:
        """Return the plain estimator for one task: the blocks of an array have no names."""
        model = self.to_local().set_params(n_jobs=1)
        vars(model).pop("feature_names_in_", None)
        return model

    def transform(self, X: Any, k: int | None = None) -> Any:
        """Return the learnt features of each row, `(X - center_) @ components_.T`.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows; those of a plain array are transformed at once.
        k : int, optional
            How many features, at most the rank of `W_`; by default `n_active_features_`.

        Returns
        -------
        dask.array.Array of shape (n_samples, k)
            Lazy.
        """
        if not is_lazy(X):
            return super().transform(X, k)
        check_is_fitted(self, "W_")
        columns = self.n_active_features_ if k is None else integer("k", k, least=1)
        return self._lazily("transform", X, columns, np.float64, k=k)

    def _over_partitions(self, function: Any, X: Any, y: Any, sample_weight: Any) -> Array:
        """Return function(model, X, y, weights) of each partition, one after the other."""
        check_columns(self, X, reset=False)
        model = delayed(self._without_names(), pure=True)
        client = self._client()
        sums = [delayed(function)(model, part) for part in partitions(X, y, sample_weight)]
        return np.array(client.gather(client.compute(sums)))


def with_client(cls: Estimator) -> Estimator:
    """Give the constructor the parameters of the plain estimator, and the client."""
    plain = inspect.signature(cls._plain.__init__)
    client = inspect.Parameter("client", inspect.Parameter.KEYWORD_ONLY, default=None)
    parameters = [*plain.parameters.values(), client]
    cls.__init__.__signature__ = plain.replace(parameters=parameters)  # type: ignore[attr-defined]
    return cls
