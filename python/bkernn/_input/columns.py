"""Tables with words and gaps, whatever holds them: arrays, lists, pandas, Polars, Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .validation import Array, native

_ROWS_TOLD = 5

#: Codes of the rows (−1: a gap) and the levels that they stand for.
Category = tuple[NDArray[np.int32], list[str]]


@dataclass(frozen=True)
class Table:
    """Numbers, NaN where one is missing, and the columns that are categories."""

    values: Array
    categories: dict[int, Category]

    def with_words(self, columns: Iterable[int]) -> Table:
        """Return the same table with these columns as categories: their numbers are names."""
        more = [a for a in columns if a not in self.categories]
        if not more:
            return self
        return Table(self.values, self.categories | {a: _named(self.values[:, a]) for a in more})


def read_table(X: Any) -> Table | None:
    """Return the columns of `X`, or None if it is an array of numbers, for scikit-learn to check.

    Words, categories and truth values are categories. Integers that may be missing are numbers.
    """
    if isinstance(X, list | tuple):
        X = _objects(X)
    if _package(X) == "polars" and hasattr(X, "collect"):
        raise TypeError("X: a LazyFrame of Polars: give the rows themselves, X.collect()")
    columns = _columns(X)
    if columns is None:
        return None
    names = _names(X)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"X: column {twice!r} occurs twice")
    values = np.full((X.shape[0], len(columns)), np.nan)
    categories = {}
    for a, column in enumerate(columns):
        name = f"column {names[a]!r}" if names else f"column {a}"
        found = _number(column) if _is_number(column) else _words(column, name)
        if isinstance(found, tuple):
            categories[a] = found
        else:
            values[:, a] = found
    return Table(native(values), categories)


def encode(table: Table, encoder: _core.Encoder, names: Sequence[str]) -> Array:
    """Return the rows of a table in the coordinates of a fit."""
    words = encoder.categorical
    table = table.with_words([a for a, category in enumerate(words) if category])
    if encoder.empty:
        if table.categories:
            columns = ", ".join(map(str, table.categories))
            raise ValueError(f"X: words in column {columns}, where training had numbers")
        return table.values
    return encoder.encode(table.values, table.categories, names)


def check_gaps(y: Any) -> None:
    """Refuse targets of which some are missing, and say in which rows."""
    try:
        targets = np.asarray(y)
    except ValueError:  # ragged: scikit-learn says so
        return
    if targets.ndim == 0 or targets.dtype.kind not in "fO":
        return
    is_gap = np.isnan if targets.dtype.kind == "f" else np.vectorize(_gap, otypes=[bool])
    rows = np.unique(np.nonzero(is_gap(targets))[0])
    if len(rows) > 0:
        told = ", ".join(map(str, rows[:_ROWS_TOLD])) + (", …" if len(rows) > _ROWS_TOLD else "")
        raise ValueError(f"Input y contains NaN, or None: rows {told}; leave these rows out")


def target_names(y: Any) -> tuple[str, ...]:
    """Return the names of a series or of the columns of a frame, or none."""
    columns = getattr(y, "columns", None)
    names: list[Any] = [getattr(y, "name", None)] if columns is None else list(columns)
    return tuple(names) if all(isinstance(name, str) and name for name in names) else ()


def declared(features: Any, names: Sequence[str], count: int) -> list[int]:
    """Return the positions of the columns that are listed, by name, position or a mask."""
    if features is None or (isinstance(features, str) and features in ("auto", "from_dtype")):
        return []
    listed = np.asarray(features)
    if listed.ndim != 1:
        raise ValueError("categorical_features: must be 'auto', or names, positions or a mask")
    if listed.dtype == bool:
        if len(listed) != count:
            raise ValueError(
                f"categorical_features: a mask of {len(listed)} entries, but X has {count} columns"
            )
        return [int(a) for a in np.flatnonzero(listed)]
    positions = []
    for one in np.asarray(features, dtype=object):
        if isinstance(one, Integral):
            if not 0 <= int(one) < count:
                raise ValueError(f"categorical_features = {one}: must be between 0 and {count - 1}")
            positions.append(int(one))
        elif str(one) in names:
            positions.append(list(names).index(str(one)))
        else:
            raise ValueError(f"categorical_features = {one!r}: is not a column of X")
    return positions


# ---- Columns, whatever holds them.


def _objects(X: Any) -> Any:
    """Return lists that hold words, or gaps, as an array of objects; others as they are."""
    try:
        array = np.asarray(X)
    except ValueError:  # ragged: scikit-learn says so
        return X
    if array.ndim != 2 or array.dtype.kind not in "USO":
        return X
    return np.asarray(X, dtype=object)


def _columns(X: Any) -> list[Any] | None:
    """Return the columns of a data frame or of an array of objects or words."""
    if isinstance(X, np.ndarray):
        mixed = X.ndim == 2 and X.dtype.kind in "OSU" and not _all_numbers(X)
        return list(X.T) if mixed else None
    if _package(X) == "polars" and hasattr(X, "get_columns"):
        return list(X.get_columns())
    if _package(X) == "pyarrow" and hasattr(X, "itercolumns"):
        return list(X.itercolumns())
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2:
        columns = [X.iloc[:, a] for a in range(X.shape[1])]
        plain = all(getattr(column.dtype, "kind", "O") in "fiu" for column in columns)
        return None if plain or X.shape[0] == 0 else columns
    return None


def _all_numbers(X: NDArray) -> bool:
    """Return whether scikit-learn can turn objects into numbers: no words, truth values or gaps."""
    return X.dtype.kind == "O" and not any(isinstance(x, str | bool) or _gap(x) for x in X.flat)


def _package(X: Any) -> str:
    return type(X).__module__.partition(".")[0]


def _names(X: Any) -> list[str]:
    names = getattr(X, "column_names", None) or getattr(X, "columns", None)
    if names is None or callable(names):
        names = getattr(X, "columns", [])
    try:
        return [str(name) for name in names]
    except TypeError:
        return []


def _is_number(column: Any) -> bool:
    """Return whether the dtype says so."""
    dtype: Any = getattr(column, "dtype", None)
    if dtype is None:
        dtype = getattr(column, "type", None)
    if _package(column) == "polars":
        return bool(dtype.is_numeric())
    if _package(column) == "pyarrow":
        text = str(dtype)
        return text.startswith(("int", "uint", "float", "double", "halffloat", "decimal"))
    return getattr(dtype, "kind", "O") in "fiu" and not hasattr(column, "cat")


def _number(column: Any) -> Array:
    """Return a column of numbers, NaN where one is missing."""
    if _package(column) == "polars":
        import polars

        return column.cast(polars.Float64).to_numpy()
    if _package(column) == "pyarrow":
        return np.array(
            [np.nan if x is None else float(x) for x in column.to_pylist()], dtype=np.float64
        )
    if hasattr(column, "to_numpy"):
        return column.to_numpy(dtype=np.float64, na_value=np.nan)
    return np.asarray(column, dtype=np.float64)


def _words(column: Any, name: str) -> Category | Array:
    """Return a category, or numbers if the objects of the column are numbers."""
    if hasattr(column, "cat") and _package(column) == "pandas":
        levels = [_level(x, name) if _is_plain(x) else str(x) for x in column.cat.categories]
        return column.cat.codes.to_numpy().astype(np.int32), levels
    if getattr(getattr(column, "dtype", None), "kind", "O") in "mM":
        raise TypeError(f"X: {name} holds {column.dtype}: must be numbers or words")
    cells = column.to_pylist() if hasattr(column, "to_pylist") else list(column)
    present = [x for x in cells if not _gap(x)]
    words = sum(map(_is_word, present))
    if 0 < words < len(present):
        row = next(i for i, x in enumerate(cells) if not _gap(x) and _is_word(x))
        raise ValueError(
            f"X: {name} holds numbers and words, the first of them {cells[row]!r:.40} in row {row};"
            " write its numbers as words, or correct them"
        )
    if words == 0:
        return np.array([np.nan if _gap(x) else _as_float(x, name) for x in cells])
    return _coded(cells, name)


def _is_plain(x: Any) -> bool:
    return isinstance(x, str | bytes | Real | np.bool_)


def _is_word(x: Any) -> bool:
    return isinstance(x, str | bytes | bool | np.bool_)


def _coded(cells: list[Any], name: str) -> Category:
    codes = np.full(len(cells), -1, dtype=np.int32)
    known: dict[str, int] = {}
    for i, x in enumerate(cells):
        if not _gap(x):
            codes[i] = known.setdefault(_level(x, name), len(known))
    return codes, list(known)


def _named(values: Array) -> Category:
    """Return numbers as names."""
    codes = np.full(len(values), -1, dtype=np.int32)
    present = ~np.isnan(values)
    levels, codes[present] = np.unique(values[present], return_inverse=True)
    return codes, [_level(x, "") for x in levels]


def _level(x: Any, name: str) -> str:
    """Return a level as the tool would find it in a file."""
    if isinstance(x, str | bytes):
        return _text(x, name)
    if isinstance(x, Real) and not isinstance(x, bool | np.bool_):
        number = float(x)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    if isinstance(x, bool | np.bool_):
        return str(x)
    raise TypeError(f"X: {name} holds {x!r}: argument must be a string or a real number")


def _text(x: str | bytes, name: str) -> str:
    try:
        return (x.encode() if isinstance(x, str) else x).decode()
    except UnicodeError:
        raise ValueError(f"X: {name} holds {x!r:.40}: levels must be UTF-8 text") from None


def _as_float(x: Any, name: str) -> float:
    try:
        return float(x)
    except (TypeError, ValueError):
        raise TypeError(
            f"X: {name} holds {x!r}: argument must be a string or a real number"
        ) from None


def _gap(x: Any) -> bool:
    """Return whether it is None, NaN or pandas' NA or NaT."""
    return (
        x is None or type(x).__name__ in ("NAType", "NaTType") or (isinstance(x, float) and x != x)
    )
