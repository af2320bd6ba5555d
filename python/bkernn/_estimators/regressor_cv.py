"""BKerNNRegressor with λ chosen by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

from .._docs import documented_like
from .cv import CrossValidated
from .regressor import BKerNNRegressor


@documented_like(BKerNNRegressor)
@dataclass(kw_only=True, eq=False, repr=False)
class BKerNNRegressorCV(CrossValidated, BKerNNRegressor):  # type: ignore[misc]
    """BKerNNRegressor with λ chosen by cross-validation.

    The path of λ falls from the smallest value at which the constant is the best model; folds run
    in parallel, the path ends when the score has clearly passed its best, and all rows are fitted
    with the λ that was chosen. It is much cheaper than a grid search.

    More than 6,000 rows (3,000 of more than two classes) would take long: the path is walked on a
    sample of half as many, and all rows are tried with a few λ near the one that was best there.
    If `regularizations` or `n_regularizations` is given, they are tried with each λ.

    Parameters
    ----------
    cv : int, splitter, iterable of (train, test) or None, default=None
        Folds: None is 5 of them, shuffled. A splitter must put each row into one test set at most.
    regularizations : array-like, optional
        The values of λ to try; by default a path made from the data.
    n_regularizations : int, optional
        Number of points of that path; by default so many that λ about halves each time.
    scoring : str, default="loss"
        What to judge by, on the rows left out: "loss", "r2", "mse", "rmse", "mae" or "pinball", or
        "neg_mean_squared_error", "neg_root_mean_squared_error" or "neg_mean_absolute_error".
    one_standard_error : bool, default=False
        Take the largest λ whose score is within one standard error of the best: a simpler model.
    ensemble : bool, default=False
        Instead of one fit of all rows, take the mean of one fit per fold, each without that fold.
        It is one model with all their particles, a little more accurate and `cv` times as large.
    race : dict, optional
        Lists of values of "penalty", "kernel", "n_particles" or "concavity" to choose from as well.
    random_state : int, RandomState or None, default=None
        Of the W at the start and of the folds. The same int gives the same model in the
        command-line tool.

    Attributes
    ----------
    regularization_ : float
        The λ chosen.
    regularizations_ : ndarray of shape (n_regularizations,)
        The λ that all rows were tried with, decreasing.
    cv_scores_ : ndarray of shape (n_regularizations, n_folds)
        Scores of the rows left out.
    cv_mean_, cv_standard_error_ : ndarray of shape (n_regularizations,)
        Their means over the folds, and the standard errors of those.
    best_index_ : int
        Where `regularization_` stands in `regularizations_`.
    best_score_ : float
        Its mean score. More is better, as in scikit-learn: errors and losses are negative here.
    best_params_ : dict
        What was chosen, the raced parameters included.
    cv_evaluations_ : int
        How often the kernel regression was solved in all folds together: what the choice has cost.
    cv_paths_ : list of dict
        Paths and scores of all combinations that were raced, each with the number of "rows" that
        took part: those of a sample come first, then those of all rows.

    See Also
    --------
    BKerNNRegressor : With λ chosen by held-out rows, or given.

    Examples
    --------
    >>> from bkernn import BKerNNRegressorCV
    >>> from bkernn.datasets import simulate
    >>> data = simulate("sine_features", n=200, n_test=200, d=5, k=1)
    >>> model = BKerNNRegressorCV(cv=3, random_state=0).fit(data.X, data.y)
    >>> model.regularization_ in model.regularizations_
    True
    >>> model.score(data.X_test, data.y_test) > 0.8
    True
    """
