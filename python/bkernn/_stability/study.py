"""Fits of halves and folds: how sure directions, variables and their number are."""

from __future__ import annotations

from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from numpy.typing import ArrayLike
from sklearn.base import clone

from .. import _core
from .._displays.html import feature_names
from .._displays.progress import count_progress
from .._estimators.base import BaseBKerNN
from .._estimators.regressor import BKerNNRegressor
from .._input.validation import Array, integer, real, seed


@dataclass(kw_only=True, eq=False, repr=False)
class Stability:
    """What `stability` found. Printing it gives a summary.

    Parameters
    ----------
    estimator : BKerNN estimator
        Fitted to all rows.
    halves : int
        How many halves of the rows were fitted.
    angles : ndarray of shape (halves, k)
        Principal angles, in degrees, between the k directions of all rows and those of each half.
    angle_levels : ndarray of shape (3, k)
        Their low, middle and high quantiles.
    directions : ndarray of shape (n_coordinates, k)
        The directions of all rows, orthonormal in standardized variables. There is a coordinate
        for each variable, and in tables with words or gaps for each level of a category.
    lower, upper : ndarray of shape (n_coordinates, k)
        Intervals of their weights over the halves, signs aligned.
    selection : ndarray of shape (n_features,)
        Selection frequency of each variable: the share of the halves that use it.
    selected : float
        How many variables a half selects, on average.
    threshold : float
        What `bound` is about.
    bound : float
        The expected number of noise variables among those whose frequency is at least `threshold`
        is no larger (Shah and Samworth).
    loss, standard_error : ndarray of shape (n + 1,)
        Mean held-out loss with 0, 1, …, n directions, and its standard error.
    p_value : ndarray of shape (n,)
        Of "direction k + 1 helps".
    dimension : int
        The first number of directions to which one more adds nothing, at 5%.
    sentence : str
        That in words.
    names : list of str
        Of the variables.
    coordinate_names : list of str
        Of the weights: those of the variables, or levels of categories and gaps.

    Examples
    --------
    >>> import bkernn
    >>> data = bkernn.datasets.simulate("sine_features", n=200, d=5, k=1, noise=0.1)
    >>> bkernn.stability(data.X, data.y, n_pairs=1).selection.shape
    (5,)
    """

    estimator: Any
    halves: int
    angles: Array
    angle_levels: Array
    directions: Array
    lower: Array
    upper: Array
    selection: Array
    selected: float
    threshold: float
    bound: float
    loss: Array
    standard_error: Array
    p_value: Array
    dimension: int
    sentence: str
    names: list[str]
    coordinate_names: list[str]
    _text: str = field(default="", init=False)
    _json: str = field(default="", init=False)

    def __str__(self) -> str:
        """Return the summary of the command-line tool."""
        return self._text

    def to_json(self) -> str:
        """Return all of it as the text that `bkernn stability -o` writes.

        Returns
        -------
        str
            JSON.
        """
        return self._json

    def save(self, path: str | PathLike[str]) -> None:
        """Write `to_json` to a file, for `bkernn report --stability`.

        Parameters
        ----------
        path : str or path
            Of the file.
        """
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._json + "\n")


def stability(
    X: ArrayLike,
    y: ArrayLike,
    estimator: BaseBKerNN | None = None,
    *,
    n_pairs: int = 25,
    threshold: float = 0.75,
    coverage: float = 0.9,
    n_folds: int = 5,
    n_permutations: int = 999,
    n_refits: int = 0,
    sample_weight: ArrayLike | None = None,
    random_state: Any = 0,
    verbose: int = 0,
) -> Stability:
    """Tell how sure directions, variables and their number are, by fits of other rows.

    The rows are cut into halves `n_pairs` times, and every half is fitted with the penalty and the
    λ that all rows have chosen. Another seed would test the optimizer; another half tests the
    sample. Halves know less than all rows, so the answers err on the side of doubt. How many
    directions there are is judged by the loss of rows left out, in `n_folds` folds.

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
        Rows.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        Targets or classes.
    estimator : BKerNN estimator, optional
        With the parameters of the fits; by default `BKerNNRegressor(random_state=random_state)`.
    n_pairs : int, default=25
        Pairs of halves: twice as many fits.
    threshold : float, default=0.75
        The selection frequency that the bound on noise variables is about.
    coverage : float, default=0.9
        Of the intervals over the halves.
    n_folds : int, default=5
        Of the curve that counts directions.
    n_permutations : int, default=999
        Of the signs that its p-values come from.
    n_refits : int, default=0
        If not 0, at least 19: p-values come from so many permuted tables for each direction, all
        fitted again in all folds. That takes long, and tells how many directions y depends on also
        where λ is too small; signs tell how many of those found are of use.
    sample_weight : array-like of shape (n_samples,), optional
        How often each row counts.
    random_state : int, RandomState or None, default=0
        Of halves, folds and permutations.
    verbose : int, default=0
        1 shows progress.

    Returns
    -------
    Stability
        Angles, selection frequencies, intervals and the curve.

    Examples
    --------
    >>> import bkernn
    >>> data = bkernn.datasets.simulate("sine_features", n=300, d=5, k=1, noise=0.1)
    >>> found = bkernn.stability(data.X, data.y, n_pairs=3)
    >>> found.dimension
    1
    >>> found.angles.shape
    (6, 1)
    """
    options = _core.StabilityOptions()
    options.n_pairs = integer("n_pairs", n_pairs)
    options.threshold = real("threshold", threshold)
    options.coverage = real("coverage", coverage)
    options.n_folds = integer("n_folds", n_folds, least=2)
    options.n_permutations = integer("n_permutations", n_permutations, least=19)
    options.n_refits = integer("n_refits", n_refits)
    options.seed = seed(random_state)
    options.validate()
    if estimator is None:
        estimator = BKerNNRegressor(random_state=options.seed)
    elif not isinstance(estimator, BaseBKerNN):
        raise TypeError(f"estimator = {estimator!r}: must be a BKerNN estimator")
    fitted = clone(estimator)
    found: list[_core.StabilityResult] = []

    def solve(
        rows: Array,
        targets: Array,
        weights: Array | None,
        fit_options: _core.FitOptions,
        stratify: Any,
        folds: Any,
        held_out: Any,
    ) -> tuple[_core.FitResult, Any]:
        with count_progress(integer("verbose", verbose)) as report:
            found.append(
                _core.stability(
                    rows, targets, fit_options, options, weights, report, fitted._encoder
                )
            )
        return found[0].fit, slice(None)

    fitted._solve = solve
    fitted.fit(X, y, sample_weight)
    del fitted._solve
    result, names = found[0], feature_names(fitted)
    study = Stability(
        estimator=fitted,
        halves=result.halves,
        angles=result.angles,
        angle_levels=result.angle_levels,
        directions=result.directions,
        lower=result.lower,
        upper=result.upper,
        selection=result.selection,
        selected=result.selected,
        threshold=result.threshold,
        bound=result.bound,
        loss=result.loss,
        standard_error=result.standard_error,
        p_value=result.p_value,
        dimension=result.dimension,
        sentence=result.sentence,
        names=names,
        coordinate_names=fitted.coordinate_names(),
    )
    study._text, study._json = result.text(names), result.to_json(names)
    return study
