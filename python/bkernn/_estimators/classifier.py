"""BKerNN for classification."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from .. import _core
from .._docs import documented_like
from .._input.rows import counted_rows
from .._input.validation import Array, real, text, threads
from .base import BaseBKerNN
from .regressor import BKerNNRegressor

LOSSES = [
    "auto",
    *(loss for loss in _core.loss_names() if _core.loss_targets(loss) == "classes"),
]


@documented_like(BKerNNRegressor)
@dataclass(kw_only=True, eq=False, repr=False)
class BKerNNClassifier(ClassifierMixin, BaseBKerNN):
    """Classification that finds the directions that matter: Brownian Kernel Neural Network.

    Log-odds of the classes are f(x) = c + (1/m) Σ_j h_j(w_jᵀx), with directions w_j and functions
    h_j learned together; see `BKerNNRegressor`.

    Parameters
    ----------
    regularization : "auto", "rule", "theory" or float, default="auto"
        λ. "auto" chooses it by the loss on held-out rows; "rule" is proportional to the gradient of
        the loss at the best constant.
    loss : {"auto", "logistic", "multinomial"}, default="auto"
        "auto" is logistic for two classes and multinomial for more.
    class_weight : "balanced", dict or None, default=None
        How often the rows of a class count, times `sample_weight`: a number for each class, 1 for
        those that are not named, or "balanced", which makes the classes count alike. Probabilities
        are then those of classes that are as frequent as their weights say.
    standardize : bool, default=True
        Scale the columns of X to unit variance while fitting.
    ranks : {"auto", "none", "uniform", "normal"}, default="auto"
        Whether numbers of X count by their values ("none") or by their ranks among the rows:
        "uniform" takes the share of the rows below a value, "normal" the place where a normal
        distribution has that share. "auto" takes values, unless held-out rows are clearly better
        off with ranks; with `n_models` above 1 each may have a share. It needs λ or the penalty to
        be "auto", and is "none" on `knots`, with `init` and without `standardize`.
    early_stopping : bool, default=False
        Hold out rows (the same share of each class), return the W that predicts them best, and
        stop when that is clear.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The classes, sorted; classes that only rows of weight 0 have are left out.
    dual_coef_ : ndarray of shape (n_samples,) or (n_samples, n_classes)
        α; 0 for rows that were held out or have weight 0.
    intercept_ : float or ndarray of shape (n_classes,)
        c, which belongs to the kernel on X / scale_, not centered.

    See Also
    --------
    BKerNNRegressor : The same for numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from bkernn import BKerNNClassifier
    >>> from bkernn.datasets import simulate
    >>> data = simulate("logistic", n=400, d=6)
    >>> labels = np.where(data.y > 0, "yes", "no")
    >>> model = BKerNNClassifier(random_state=0).fit(data.X, labels)
    >>> model.classes_.tolist()
    ['no', 'yes']
    >>> model.predict_proba(data.X[:3]).shape
    (3, 2)
    """

    loss: str = "auto"
    class_weight: str | Mapping[Any, float] | None = None

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        *,
        X_val: ArrayLike | None = None,
        y_val: ArrayLike | None = None,
    ) -> BKerNNClassifier:
        """Learn directions and functions.

        Parameters
        ----------
        X : array-like or data frame of shape (n_samples, n_features)
            Rows; float64 in any order is not copied. Words and gaps are welcome.
        y : array-like of shape (n_samples,)
            Classes: numbers, strings or booleans.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts: 2 equals a repeated row, 0 one that is not there.
        X_val : array-like or data frame, optional
            Rows to judge by: the fit stops early, and returns the W that predicts these rows best.
            None of `X` is held out for that.
        y_val : array-like, optional
            Their classes.

        Returns
        -------
        BKerNNClassifier
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
    ) -> BKerNNClassifier:
        X, y = self._given(X, y, sample_weight)
        check_labels(y)
        folds = self._folds(X, y, groups)
        rows = counted_rows(X, y, self._row_weights(y, sample_weight), folds)
        classes, indices = np.unique(rows.y, return_inverse=True)
        loss = self._chosen_loss(len(classes))
        held_out = self._given_held_out(
            X_val, y_val, lambda labels: targets_of(labels, classes, loss)
        )
        self._fit(
            rows,
            one_hot(indices, len(classes), loss),
            loss,
            held_out=held_out,
            stratify=indices,
            class_names=[str(c) for c in classes],
        )
        self.classes_ = classes
        if np.size(self.intercept_) == 1:
            if self.dual_coef_ is not None:
                self.dual_coef_ = self.dual_coef_[:, 0]
            self.intercept_ = float(np.ravel(self.intercept_)[0])
        return self

    def _row_weights(self, y: Any, sample_weight: Any) -> Array | None:
        counts = super()._row_weights(y, sample_weight)
        if self.class_weight is None:
            return counts
        check_labels(y)
        labels, which = np.unique(y, return_inverse=True)
        sizes = np.bincount(which, counts, len(labels))
        some = sizes > 0  # other classes have rows of weight 0 alone
        factors = np.zeros(len(labels))
        factors[some] = class_weights(self.class_weight, labels[some], sizes[some])
        return factors[which] if counts is None else factors[which] * counts

    def _encoded(self, y: Any) -> Array:
        return targets_of(y, self.classes_, self._saved.model.loss)

    def _chosen_loss(self, n_classes: int) -> str:
        loss = text("loss", self.loss)
        if loss not in LOSSES:
            raise ValueError(f"loss = {loss!r}: must be one of {', '.join(LOSSES)}")
        if n_classes < 2:
            raise ValueError("y: at least two classes are needed, but there is only one class")
        if loss == "auto":
            return _core.default_loss(n_classes)
        if _core.class_outputs(loss, n_classes) == 0:
            raise ValueError(f"loss = {loss!r}: takes two classes, but there are {n_classes}")
        return loss

    def decision_function(self, X: ArrayLike) -> Array:
        """Return f(x): the log-odds of the second class, or one column per class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,) if there are two classes, else (n_samples, n_classes)
            The larger, the more probable.
        """
        rows = self._check_rows(X)
        F = self._saved.model.predict(rows, threads(self.n_jobs))
        if F.shape[1] == 1:
            return F[:, 0]
        return F[:, 1] - F[:, 0] if F.shape[1] == 2 else F

    def predict_proba(self, X: ArrayLike) -> Array:
        """Return the probability of each class.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        rows = self._check_rows(X)
        return self._saved.model.predict_response(rows, threads(self.n_jobs))

    def predict_log_proba(self, X: ArrayLike) -> Array:
        """Return the logarithms of the probabilities, without loss where those are tiny.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        f = self.decision_function(X)
        F = np.column_stack([np.zeros_like(f), f]) if f.ndim == 1 else f
        return F - np.logaddexp.reduce(F, axis=1, keepdims=True)

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the most probable class of each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of the type of `classes_`.
        """
        f = self.decision_function(X)
        best = (f > 0).astype(np.intp) if f.ndim == 1 else np.argmax(f, axis=1)
        return self.classes_[best]

    def predict_set(self, X: ArrayLike, coverage: float = 0.9) -> NDArray[np.bool_]:
        """Return sets of classes that contain that of the row with this probability.

        The fit must have kept what they need: `intervals="cross"`. The promise holds for rows that
        are drawn as those of the fit were. A set may be empty, which says that the row is like
        none of them.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        coverage : float, default=0.9
            How probable the class is to lie in the set.

        Returns
        -------
        ndarray of bool of shape (n_samples, n_classes)
            Columns in the order of `classes_`.
        """
        rows = self._check_rows(X)
        found = self._saved.model.predict_set(
            rows, real("coverage", coverage), threads(self.n_jobs)
        )
        return found.astype(bool)


def check_labels(y: Array) -> None:
    """Raise an error unless `y` has classes, all of one kind."""
    if y.dtype == object:
        missing = next((row for row, label in enumerate(y.flat) if label is None), None)
        if missing is not None:
            raise ValueError(f"y[{missing}] = None: every row needs a class")
        try:
            sorted(set(y.flat))
        except TypeError:
            kinds = ", ".join(sorted({type(label).__name__ for label in y.flat}))
            raise ValueError(f"y: classes of several kinds ({kinds}); take one kind") from None
    check_classification_targets(y)


def one_hot(indices: NDArray[np.intp], n_classes: int, loss: str) -> Array:
    """Return targets as the loss takes them: one column of 0 and 1, or one column per class."""
    outputs = _core.class_outputs(loss, n_classes)
    return np.eye(n_classes)[:, n_classes - outputs :][indices]


def targets_of(y: Any, classes: NDArray[Any], loss: str) -> Array:
    """Return the targets of rows whose classes are among those of a fit."""
    labels = np.asarray(y)
    if not np.all(np.isin(labels, classes)):
        raise ValueError("y: has classes that the model does not know")
    return one_hot(np.searchsorted(classes, labels), len(classes), loss)


def class_weights(given: Any, classes: NDArray[Any], sizes: NDArray[Any]) -> Array | None:
    """Return how often a row of each class counts, or None if all count alike.

    `sizes` are the weights of the rows of each class.
    """
    if given is None:
        return None
    if isinstance(given, str) and given == "balanced":
        return sizes.sum() / (len(classes) * sizes)
    if not isinstance(given, Mapping):
        raise ValueError(f"class_weight = {given!r}: must be 'balanced', a dict or None")
    unknown = [label for label in given if label not in classes.tolist()]
    if unknown:
        raise ValueError(f"class_weight: {unknown[0]!r} is not a class of y")
    weight = np.array([real("class_weight", given.get(c, 1.0)) for c in classes.tolist()])
    if not np.all((weight > 0) & np.isfinite(weight)):
        bad = classes[~((weight > 0) & np.isfinite(weight))][0]
        raise ValueError(f"class_weight of {bad!r}: must be positive and finite")
    return weight
