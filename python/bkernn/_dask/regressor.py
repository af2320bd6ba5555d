"""BKerNNRegressor on a Dask cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .._docs import documented_like
from .._estimators.regressor import LOSSES, BKerNNRegressor
from .._input.validation import Array, matrix, text
from .estimator import DaskEstimator, lazily
from .rows import is_lazy
from .shards import Summary


@documented_like(BKerNNRegressor)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskBKerNNRegressor(DaskEstimator, BKerNNRegressor):
    """BKerNNRegressor for rows on a Dask cluster.

    The model is that of `BKerNNRegressor` with the same parameters and `knots` on all rows, one
    partition after the other, bit for bit, however they are partitioned. Best is one large
    partition per worker.

    Parameters
    ----------
    client : distributed.Client, optional
        The cluster; by default the client of this thread or process.
    kernel : {"brownian"}, default="brownian"
        The kernel of the functions h_j: only this one can be fitted on knots.
    regularization : "auto", "rule" or float, default="auto"
        λ, in the units of y. "auto" chooses it by held-out rows of a sample; "rule" is
        0.3 · std(y) · max‖x − x̄‖ / n on standardized columns.
    inner_solver : {"auto", "cg"}, default="auto"
        How the kernel regression for given W is solved.
    kernel_operator : {"auto", "knots"}, default="auto"
        How kernel products are computed: on knots.
    knots : int, optional
        Knots of each function; by default 256.
    early_stopping : bool, default=False
        Hold out rows of each partition, return the W that predicts them best, and stop when that
        is clear. They travel to the driver.
    validation_fraction : float, default=0.1
        Share of the rows held out for early stopping, but no more than 100,000 rows.
    n_jobs : int, optional
        Threads of each worker; None: as many as Dask gave it.

    Attributes
    ----------
    dual_coef_ : dask.array.Array of shape (n_samples,) or (n_samples, n_outputs)
        α, where the rows were during the fit; 0 for rows that were held out or have weight 0. It is
        not pickled.
    communication_ : Communication
        Rounds, bytes and seconds of the fit.

    See Also
    --------
    BKerNNRegressor : The same on one machine.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client, LocalCluster
    >>> from bkernn.dask import DaskBKerNNRegressor
    >>> from bkernn.datasets import simulate
    >>> data = simulate("sine_features", n=400, d=5, k=1, noise=0.02)
    >>> X, y = (da.from_array(a, chunks=(200, -1)[: a.ndim]) for a in (data.X, data.y))
    >>> with LocalCluster(processes=False, dashboard_address=":0") as cluster:
    ...     with Client(cluster) as client:
    ...         model = DaskBKerNNRegressor(knots=32, random_state=0).fit(X, y)
    ...         r2 = model.score(X, y)
    >>> r2 > 0.9
    True
    """

    n_jobs: int | None = None

    _plain = BKerNNRegressor

    def fit(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> DaskBKerNNRegressor:
        """Learn directions and functions.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows.
        y : Dask array, series or data frame of shape (n_samples,) or (n_samples, n_outputs)
            Targets, in partitions like those of X. Several outputs share their directions.
        sample_weight : Dask array or series of shape (n_samples,), optional
            How often each row counts: 2 equals a repeated row, 0 one that is not there.

        Returns
        -------
        DaskBKerNNRegressor
            Itself.
        """
        summaries, _ = self._fit_shards(X, y, sample_weight, classify=False)
        self._flat = summaries[0].outputs == ()
        if self._flat:
            self._drop_axis()
        return self

    def _targets(self, summaries: list[Summary]) -> tuple[str, Any]:
        loss = text("loss", self.loss)
        if loss not in LOSSES:
            raise ValueError(f"loss = {loss!r}: must be one of {', '.join(LOSSES)}")
        return loss, None

    predict = lazily(BKerNNRegressor.predict)

    @documented_like(fit)
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return R², the mean of it over several outputs.

        Returns
        -------
        float
            1 is perfect.
        """
        if not is_lazy(X):
            return super().score(X, y, sample_weight)
        weight, mean, spread, residual = np.moveaxis(
            self._over_partitions(_moments, X, y, sample_weight), 1, 0
        )
        overall = np.sum(weight * mean, axis=0) / np.sum(weight, axis=0)
        total = np.sum(spread + weight * (mean - overall) ** 2, axis=0)
        return float(np.mean(1 - np.sum(residual, axis=0) / total))


def _moments(model: Any, part: tuple[Any, Any, Any]) -> Array:
    """Return weight, mean of y, and sums of squares around that and around the prediction."""
    X, y, w = part
    Y = matrix(y)
    w = np.ones((len(Y), 1)) if w is None else matrix(w)
    if len(Y) == 0 or not np.any(w):
        return np.zeros((4, Y.shape[1]))
    mean = np.average(Y, axis=0, weights=w[:, 0])
    squares = [np.sum(w * (Y - center) ** 2, axis=0) for center in (mean, matrix(model.predict(X)))]
    return np.array([np.full(len(mean), w.sum()), mean, *squares])
