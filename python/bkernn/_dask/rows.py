"""Dask arrays and data frames: as the partitions of a fit, and what is computed of them lazily."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask import delayed
from dask.delayed import Delayed
from sklearn.utils.validation import _check_feature_names


def is_lazy(X: Any) -> bool:
    """Return whether X is a Dask array or data frame."""
    return isinstance(X, da.Array) or hasattr(X, "to_dask_array")


def is_mixed(X: Any) -> bool:
    """Return whether X is a data frame with other columns than numbers: it stays one."""
    dtypes = getattr(getattr(X, "_meta", None), "dtypes", ())
    return hasattr(X, "to_dask_array") and any(
        getattr(dtype, "kind", "O") not in "fiu" for dtype in dtypes
    )


def lazy_array(X: Any, name: str) -> da.Array:
    """Return a Dask array whose blocks are rows with all of their columns."""
    if not is_lazy(X):
        raise TypeError(f"{name}: must be a Dask array or data frame, not {type(X).__name__}")
    array = X if isinstance(X, da.Array) else X.to_dask_array()
    return array.rechunk({1: -1}) if array.ndim == 2 and array.numblocks[1] > 1 else array


def check_columns(estimator: Any, X: Any, *, reset: bool) -> None:
    """Take or compare number and names of the columns, as scikit-learn does."""
    if X.ndim != 2:
        raise ValueError(f"X.ndim == {X.ndim}: must be 2")
    _check_feature_names(estimator, getattr(X, "_meta", X), reset=reset)
    if reset:
        estimator.n_features_in_ = X.shape[1]
    elif X.shape[1] != estimator.n_features_in_:
        raise ValueError(
            f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting "
            f"{estimator.n_features_in_} features as input"
        )


def partitions(X: Any, y: Any, sample_weight: Any) -> list[Delayed]:
    """Return (X, y, weights) of each partition, to be computed."""
    rows = lazy_array(X, "X")
    columns = [X.to_delayed() if is_mixed(X) else rows.to_delayed()[:, 0]]
    for name, given in (("y", y), ("sample_weight", sample_weight)):
        if given is None:
            columns.append([None] * len(columns[0]))
            continue
        array = lazy_array(given, name)
        known = not np.isnan([*rows.chunks[0], *array.chunks[0]]).any()
        if known and sum(array.chunks[0]) != sum(rows.chunks[0]):
            raise ValueError(f"{name} has {sum(array.chunks[0])} rows, X has {sum(rows.chunks[0])}")
        if known:
            array = array.rechunk({0: rows.chunks[0]})
        elif array.numblocks[0] != rows.numblocks[0]:
            raise ValueError(
                f"{name} has {array.numblocks[0]} partitions, X has {rows.numblocks[0]}: they must "
                "be the same where the numbers of rows are not known"
            )
        columns.append(array.to_delayed().reshape(-1))
    return [delayed(tuple)(list(part)) for part in zip(*columns, strict=True)]


def apply(method: str, model: Any, X: Any, args: Any, kwargs: Any) -> da.Array:
    """Return the lazy result of a method of the plain `model` on the rows of X."""
    if is_mixed(X):
        return _apply_to_frames(method, model, X, args, kwargs)
    rows = lazy_array(X, "X")
    none = _of_block(np.zeros((1, rows.shape[1])), method, model, args, kwargs, None)[:0]
    flat = none.ndim == 1
    shape = {"drop_axis": 1} if flat else {"chunks": (rows.chunks[0], none.shape[1:])}
    return da.map_blocks(
        _of_block,
        rows,
        method=method,
        model=delayed(model, pure=True),
        args=args,
        kwargs=kwargs,
        none=none,
        meta=none,
        **shape,
    )


def _apply_to_frames(method: str, model: Any, X: Any, args: Any, kwargs: Any) -> da.Array:
    none = _of_block(X._meta_nonempty, method, model, args, kwargs, None)[:0]
    task = delayed(_of_block)
    fitted = delayed(model, pure=True)
    shape = (np.nan, *none.shape[1:])
    blocks = [
        da.from_delayed(task(part, method, fitted, args, kwargs, none), shape, meta=none)
        for part in X.to_delayed()
    ]
    return da.concatenate(blocks, allow_unknown_chunksizes=True)


def _of_block(block: Any, method: str, model: Any, args: Any, kwargs: Any, none: Any) -> Any:
    return getattr(model, method)(block, *args, **kwargs) if len(block) else none
