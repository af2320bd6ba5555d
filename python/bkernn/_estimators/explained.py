"""What was learned, for people: features, functions, effects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from .. import _core
from .._displays import html
from .._input.columns import declared
from .._input.validation import Array, integer, matrix, native
from .fitted import Fitted


class RidgeFunction(NamedTuple):
    """One learned function of one direction: h((x − center) · direction), linear between knots."""

    direction: Array  #: (n_features,), in the units of X
    knots: Array  #: (n_knots,), increasing values of (x − center) · direction
    values: Array  #: (n_knots,) or (n_knots, n_outputs), in the units of the prediction


class Explained(Fitted, ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """A mixin that explains what was learned."""

    n_active_features_: int
    components_: Array
    center_: Array
    scale_: Array

    def _components(self, k: int) -> Array:
        """Return k directions as rows, in the units of X, their largest entry positive."""
        if k == 0:
            return np.zeros((0, len(self.scale_)))
        P = self._saved.model.directions(k)
        largest = P[np.argmax(np.abs(P), axis=0), np.arange(k)]
        return (P * np.where(largest < 0, -1.0, 1.0) / self.scale_[:, np.newaxis]).T

    def transform(self, X: ArrayLike, k: int | None = None) -> Array:
        """Return the learned features of each row, `(X - center_) @ components_.T`.

        They are orthonormal combinations of the (standardized) variables: the leading left singular
        vectors of `W_`, or for the variable penalties the selected variables themselves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Rows.
        k : int, optional
            How many features, at most the rank of `W_`; by default `n_active_features_`.

        Returns
        -------
        ndarray of shape (n_samples, k)
            A data frame if `set_output` asks for one.
        """
        rows = self._check_rows(X)
        components = self.components_
        if k is not None and k != self.n_active_features_:
            output = getattr(self, "_sklearn_output_config", {}).get("transform")
            if (output or get_config()["transform_output"]) != "default":
                raise ValueError(
                    f"k = {k}: with set_output, transform gives the "
                    f"{self.n_active_features_} features that were found"
                )
            components = self._components(integer("k", k, least=1))
        return np.where(np.isnan(rows), 0.0, rows - self.center_) @ components.T

    @property
    def _n_features_out(self) -> int:
        return self.n_active_features_

    def coordinate_names(self) -> list[str]:
        """Return what the rows of `W_` stand for.

        Returns
        -------
        list of str
            A column of numbers stands for itself, and has a second row, "age missing", if there
            were gaps; a category has one for each level, "color=red", or one if there are two.
        """
        check_is_fitted(self, "W_")
        return html.coordinate_names(self)

    def level_effects(self, feature: int | str) -> dict[str, Any]:
        """Return what each level of a category adds to f, in the row that is the average otherwise.

        Parameters
        ----------
        feature : int or str
            Number or name of the column.

        Returns
        -------
        dict
            From levels to numbers, relative to their mean over the rows; arrays if there are
            several outputs. "(other)" are the rare levels, "(missing)" the gaps.
        """
        check_is_fitted(self, "W_")
        column = declared([feature], self._column_names(), self.n_features_in_)[0]
        if self._encoder.empty or not self._encoder.categorical[column]:
            raise ValueError(f"feature = {feature!r}: is a number, not a category")
        effects = self._saved.model.level_effects(column)
        names = self._encoder.outcome_names(column)
        values = effects[:, 0].tolist() if effects.shape[1] == 1 else effects
        return dict(zip(names, values, strict=True))

    def ridge_functions(self) -> list[RidgeFunction]:
        """Return the learned functions, one per active particle.

        The prediction (before a link such as the exponential of counts) is a constant plus the
        sum over the functions of h((x − center_) · direction). With the Brownian kernel h is linear
        between knots, constant beyond them and 0 at 0, so that the constant is f(center_).

        Returns
        -------
        list of RidgeFunction
            Tuples (direction, knots, values).
        """
        check_is_fitted(self, "W_")
        model = self._saved.model
        directions = model.weights_in_original_units()
        functions = []
        for j in range(directions.shape[1]):
            knots, values = model.function(j)
            values = values / model.n_particles
            if values.shape[1] == 1:
                values = values[:, 0]
            functions.append(RidgeFunction(directions[:, j], knots, values))
        return functions

    def feature_learning_score(self, P: ArrayLike) -> float:
        """Return how near the learned subspace is to the true one: 1 if equal, 0 at worst.

        Parameters
        ----------
        P : array-like of shape (n_features, k)
            A basis of the true subspace: y depends on x through Pᵀx, for x as given to `fit`.

        Returns
        -------
        float
            NaN if `W_` does not determine k directions.
        """
        check_is_fitted(self, "W_")
        basis = matrix(P)
        if basis.shape[0] != len(self.scale_):
            raise ValueError(f"P has {basis.shape[0]} rows: must be {len(self.scale_)}")
        scaled = basis * self.scale_[:, np.newaxis]
        score = _core.particles_learning_score(
            self.W_, self._saved.model.selects_variables(), native(scaled)
        )
        return float("nan") if score is None else score
