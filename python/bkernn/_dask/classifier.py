"""BKerNNClassifier on a Dask cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets

from .._docs import documented_like
from .._estimators.classifier import BKerNNClassifier, class_weights
from .._input.validation import Array
from .estimator import DaskEstimator, lazily
from .regressor import DaskBKerNNRegressor
from .rows import is_lazy
from .shards import Classes, Summary


@documented_like(DaskBKerNNRegressor, BKerNNClassifier)
@dataclass(kw_only=True, eq=False, repr=False)
class DaskBKerNNClassifier(DaskEstimator, BKerNNClassifier):
    """BKerNNClassifier for rows on a Dask cluster.

    The model is that of `BKerNNClassifier` with the same parameters and `knots` on all rows; see
    `DaskBKerNNRegressor`.

    Parameters
    ----------
    regularization : "auto", "rule" or float, default="auto"
        λ. "auto" chooses it by the loss on held-out rows of a sample; "rule" is proportional to the
        gradient of the loss at the best constant.
    loss : {"auto", "logistic", "multinomial"}, default="auto"
        "auto" is logistic for two classes and multinomial for more.
    standardize : bool, default=True
        Scale the columns of X to unit variance while fitting.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes of all partitions, sorted; those that only rows of weight 0 have are left out.
    dual_coef_ : dask.array.Array of shape (n_samples,) or (n_samples, n_classes)
        α, where the rows were during the fit; 0 for rows that were held out or have weight 0. It is
        not pickled.
    intercept_ : float or ndarray of shape (n_classes,)
        c, which belongs to the kernel on X / scale_, not centered.

    See Also
    --------
    BKerNNClassifier : The same on one machine.

    Examples
    --------
    >>> import dask.array as da
    >>> from distributed import Client, LocalCluster
    >>> from bkernn.dask import DaskBKerNNClassifier
    >>> from bkernn.datasets import simulate
    >>> data = simulate("logistic", n=400, d=5)
    >>> X, y = (da.from_array(a, chunks=(200, -1)[: a.ndim]) for a in (data.X, data.y > 0))
    >>> with LocalCluster(processes=False, dashboard_address=":0") as cluster:
    ...     with Client(cluster) as client:
    ...         model = DaskBKerNNClassifier(knots=32, random_state=0).fit(X, y)
    >>> model.predict_proba(data.X[:3]).shape
    (3, 2)
    """

    n_jobs: int | None = None

    _plain = BKerNNClassifier

    @documented_like(DaskBKerNNRegressor.fit)
    def fit(  # type: ignore[override]
        self, X: Any, y: Any, sample_weight: Any = None
    ) -> DaskBKerNNClassifier:
        """Learn directions and functions.

        Parameters
        ----------
        y : Dask array or series of shape (n_samples,)
            Classes, in partitions like those of X.

        Returns
        -------
        DaskBKerNNClassifier
            Itself.
        """
        _, classes = self._fit_shards(X, y, sample_weight, classify=True)
        self.classes_ = classes.labels  # type: ignore[union-attr]
        if self._saved.model.n_outputs == 1:
            self._drop_axis()
        return self

    def _targets(self, summaries: list[Summary]) -> tuple[str, Classes]:
        if any(summary.outputs != () for summary in summaries):
            raise ValueError("y: must have one column of classes")
        some = [summary for summary in summaries if len(summary.labels)]
        labels, which = np.unique(np.concatenate([s.labels for s in some]), return_inverse=True)
        check_classification_targets(labels)
        sizes = np.bincount(which, np.concatenate([s.sizes for s in some]))
        weights = class_weights(self.class_weight, labels, sizes)
        return self._chosen_loss(len(labels)), Classes(labels, weights)

    decision_function = lazily(BKerNNClassifier.decision_function)
    predict_proba = lazily(BKerNNClassifier.predict_proba)
    predict_log_proba = lazily(BKerNNClassifier.predict_log_proba)
    predict = lazily(BKerNNClassifier.predict)

    @documented_like(fit)
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted.

        Returns
        -------
        float
            1 is perfect.
        """
        if not is_lazy(X):
            return super().score(X, y, sample_weight)
        right, weight = self._over_partitions(_hits, X, y, sample_weight).sum(axis=0)
        return float(right / weight)


def _hits(model: Any, part: tuple[Any, Any, Any]) -> Array:
    """Return the weight of the rows whose class is predicted, and of all."""
    X, y, w = part
    w = np.ones(len(X)) if w is None else np.asarray(w, dtype=np.float64)
    right = model.predict(X) == np.asarray(y) if len(X) else w > 0
    return np.array([w[right].sum(), w.sum()])
