"""BKerNNClassifier with λ chosen by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

from .._docs import documented_like
from .classifier import BKerNNClassifier
from .cv import CrossValidated
from .regressor_cv import BKerNNRegressorCV


@documented_like(BKerNNClassifier, BKerNNRegressorCV)
@dataclass(kw_only=True, eq=False, repr=False)
class BKerNNClassifierCV(CrossValidated, BKerNNClassifier):  # type: ignore[misc]
    """BKerNNClassifier with λ chosen by cross-validation; see BKerNNRegressorCV.

    Parameters
    ----------
    cv : int, splitter, iterable of (train, test) or None, default=None
        Folds: None is 5 of them, shuffled, with the same share of each class.
    scoring : {"loss", "log_loss", "neg_log_loss", "accuracy"}, default="loss"
        What to judge by, on the rows left out.
    random_state : int, RandomState or None, default=None
        Of the W at the start and of the folds. The same int gives the same model in the
        command-line tool.

    Attributes
    ----------
    regularization_ : float
        The λ chosen.

    See Also
    --------
    BKerNNClassifier : With λ chosen by held-out rows, or given.

    Examples
    --------
    >>> from bkernn import BKerNNClassifierCV
    >>> from bkernn.datasets import simulate
    >>> data = simulate("logistic", n=200, n_test=200, d=4)
    >>> model = BKerNNClassifierCV(cv=3, random_state=0).fit(data.X, data.y > 0)
    >>> model.score(data.X_test, data.y_test > 0) > 0.6
    True
    """

    _classifies = True
