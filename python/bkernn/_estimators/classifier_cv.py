"""BKerNNClassifier with λ chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike

from .._docs import documented_like
from .classifier import BKerNNClassifier
from .cv import CrossValidated
from .regressor_cv import BKerNNRegressorCV


@documented_like(BKerNNClassifier, BKerNNRegressorCV)
class BKerNNClassifierCV(CrossValidated, BKerNNClassifier):
    """BKerNNClassifier with λ chosen by cross-validation; see BKerNNRegressorCV.

    Parameters
    ----------
    cv : int, splitter, iterable of (train, test) or None, default=None
        Folds: None is 5 of them, shuffled, with the same share of each class.
    scoring : {"loss", "log_loss", "accuracy"}, default="loss"
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
    BKerNNClassifier : With λ by a rule, or given.

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

    def __init__(
        self,
        *,
        cv: Any = None,
        regularizations: ArrayLike | None = None,
        n_regularizations: int | None = None,
        scoring: str = "loss",
        one_standard_error: bool = False,
        race: Mapping[str, Sequence[Any]] | None = None,
        n_particles: int = 50,
        penalty: str = "concave_feature",
        concavity: float = 1.0,
        kernel: str = "brownian",
        loss: str = "auto",
        optimizer: str = "auto",
        inner_solver: str = "auto",
        knots: int | None = None,
        schedule: str = "auto",
        preconditioner: str = "auto",
        step_size: float = 500.0,
        max_halvings: int = 60,
        penalty_weight: float = 1.0,
        max_iter: int = 200,
        tol: float = 1e-3,
        init: ArrayLike | None = None,
        standardize: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.cv = cv
        self.regularizations = regularizations
        self.n_regularizations = n_regularizations
        self.scoring = scoring
        self.one_standard_error = one_standard_error
        self.race = race
        self.n_particles = n_particles
        self.penalty = penalty
        self.concavity = concavity
        self.kernel = kernel
        self.loss = loss
        self.optimizer = optimizer
        self.inner_solver = inner_solver
        self.knots = knots
        self.schedule = schedule
        self.preconditioner = preconditioner
        self.step_size = step_size
        self.max_halvings = max_halvings
        self.penalty_weight = penalty_weight
        self.max_iter = max_iter
        self.tol = tol
        self.init = init
        self.standardize = standardize
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> BKerNNClassifierCV:
        """Choose λ, then fit all rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        y : array-like of shape (n_samples,)
            Classes.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts, in fits and scores.
        groups : array-like of shape (n_samples,), optional
            Rows of one group stay in one fold.

        Returns
        -------
        BKerNNClassifierCV
            Itself.
        """
        self._fit_rows(X, y, sample_weight, groups)
        return self
