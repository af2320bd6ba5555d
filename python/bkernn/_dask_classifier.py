"""BKerNNClassifier on a Dask cluster."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._classifier import BKerNNClassifier
from ._dask_estimator import DaskEstimator, with_client
from ._dask_regressor import DaskBKerNNRegressor
from ._dask_rows import is_lazy
from ._dask_shards import Summary
from ._docs import documented_like
from ._validation import Array


@documented_like(DaskBKerNNRegressor, BKerNNClassifier)
@with_client
class DaskBKerNNClassifier(DaskEstimator, BKerNNClassifier):
    """BKerNNClassifier for rows on a Dask cluster.

    The model is that of `BKerNNClassifier` with the same parameters and `knots` on all rows; see
    `DaskBKerNNRegressor`.

    Parameters
    ----------
    regularization : "auto" or float, default="auto"
        λ. "auto" is proportional to the gradient of the loss at the best constant.
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
        c, which belongs to the kernel on X / scale_, not centred.

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

    _plain = BKerNNClassifier

    def __init__(self, *, client: Any = None, **params: Any) -> None:
        super().__init__(**params)
        self.client = client

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> DaskBKerNNClassifier:
        """Learn directions and functions.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows.
        y : Dask array or series of shape (n_samples,)
            Classes, in partitions like those of X.
        sample_weight : Dask array or series of shape (n_samples,), optional
            How often each row counts: 2 equals a repeated row, 0 one that is not there.

        Returns
        -------
        DaskBKerNNClassifier
            Itself.
        """
        _, self.classes_ = self._fit_shards(X, y, sample_weight, classify=True)
        if self._saved.model.loss == "logistic":
            self.dual_coef_ = self.dual_coef_[:, 0]
            self.intercept_ = float(np.ravel(self.intercept_)[0])
        return self

    def _targets(self, summaries: list[Summary]) -> tuple[str, Any]:
        if any(summary.outputs != () for summary in summaries):
            raise ValueError("y: must have one column of classes")
        classes = np.unique(np.concatenate([s.labels for s in summaries if len(s.labels)]))
        check_classification_targets(classes)
        return self._chosen_loss(len(classes)), classes

    def _columns(self) -> int | None:
        """Return the number of columns of `decision_function`, None for a vector."""
        return None if len(self.classes_) == 2 else len(self.classes_)

    def decision_function(self, X: Any) -> Any:
        """Return f(x): the log-odds of the second class, or one column per class.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows; those of a plain array are taken at once.

        Returns
        -------
        dask.array.Array of shape (n_samples,) if there are two classes, else (n_samples, n_classes)
            Lazy; the larger, the more probable.
        """
        if not is_lazy(X):
            return super().decision_function(X)
        check_is_fitted(self, "W_")
        return self._lazily("decision_function", X, self._columns(), np.float64)

    def predict_proba(self, X: Any) -> Any:
        """Return the probability of each class.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows; those of a plain array are taken at once.

        Returns
        -------
        dask.array.Array of shape (n_samples, n_classes)
            Lazy; columns in the order of `classes_`.
        """
        if not is_lazy(X):
            return super().predict_proba(X)
        check_is_fitted(self, "W_")
        return self._lazily("predict_proba", X, len(self.classes_), np.float64)

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of the probabilities, without loss where those are tiny.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows; those of a plain array are taken at once.

        Returns
        -------
        dask.array.Array of shape (n_samples, n_classes)
            Lazy; columns in the order of `classes_`.
        """
        if not is_lazy(X):
            return super().predict_log_proba(X)
        check_is_fitted(self, "W_")
        return self._lazily("predict_log_proba", X, len(self.classes_), np.float64)

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows; those of a plain array are predicted at once.

        Returns
        -------
        dask.array.Array of shape (n_samples,)
            Lazy, of the type of `classes_`.
        """
        if not is_lazy(X):
            return super().predict(X)
        check_is_fitted(self, "W_")
        return self._lazily("predict", X, None, self.classes_.dtype)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows whose class is predicted.

        Parameters
        ----------
        X : Dask array or data frame of shape (n_samples, n_features)
            Rows.
        y : Dask array or series of shape (n_samples,)
            Their classes, in partitions like those of X.
        sample_weight : Dask array or series of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        float
            1 is perfect.
        """
        if not is_lazy(X):
            return super().score(X, y, sample_weight)
        check_is_fitted(self, "W_")
        right, weight = self._over_partitions(_hits, X, y, sample_weight).sum(axis=0)
        return float(right / weight)


def _hits(model: Any, part: tuple[Any, Any, Any]) -> Array:
    """Return the weight of the rows whose class is predicted, and of all."""
    X, y, w = part
    w = np.ones(len(X)) if w is None else np.asarray(w, dtype=np.float64)
    right = model.predict(X) == np.asarray(y) if len(X) else w > 0
    return np.array([w[right].sum(), w.sum()])
