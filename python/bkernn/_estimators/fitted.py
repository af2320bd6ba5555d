"""What a fit leaves behind, and new rows in its coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _core
from .._input.columns import Table, encode, read_table
from .._input.validation import Array, matrix, native


class Fitted:
    """Attributes that every estimator has after its fit."""

    _saved: _core.SavedModel
    _encoder = _core.Encoder()
    _target_names: tuple[str, ...] = ()
    n_features_in_: int
    W_: Array
    dual_coef_: Array | None
    intercept_: float | Array

    def _encoded(self, y: Any) -> Array:
        """Return targets as the core takes them."""
        return matrix(y)

    def _check_rows(self, X: ArrayLike) -> Array:
        check_is_fitted(self, "W_")
        return self._rows(X)

    def _rows(self, X: ArrayLike) -> Array:
        """Return new rows in the coordinates of the fit."""
        table = read_table(X)
        if table is None:
            X = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=False)
            table = Table(native(X), {})
        else:
            validate_data(self, X, skip_check_array=True, reset=False)
        return self._encode(table)

    def _column_names(self) -> list[str]:
        return [str(name) for name in getattr(self, "feature_names_in_", ())]

    def _encode(self, table: Table) -> Array:
        """Return the rows in the coordinates of the fit."""
        return encode(table, self._encoder, self._column_names())
