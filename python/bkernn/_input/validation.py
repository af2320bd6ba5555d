"""From what the user wrote to what the C++ core takes: options, seeds, threads and arrays."""

from __future__ import annotations

import multiprocessing
import os
import sys
from numbers import Integral, Real
from typing import Any

import joblib
import numpy as np
from joblib.parallel import get_active_backend
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_random_state

from .. import _core
from .options import PLAIN, in_core

Array = NDArray[np.float64]


def integer(name: str, value: object, least: int = 0) -> int:
    """Return `value` as an int, or say what it should have been."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name} = {value!r}: must be an integer")
    if value < least:
        raise ValueError(f"{name} = {value}: must be at least {least}")
    return int(value)


def real(name: str, value: object) -> float:
    """Return `value` as a float, or say what it should have been."""
    if not isinstance(value, Real) or isinstance(value, bool):
        raise TypeError(f"{name} = {value!r}: must be a number")
    return float(value)


def text(name: str, value: object) -> str:
    """Return `value`, which must be a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name} = {value!r}: must be a string")
    return value


def flag(name: str, value: object) -> bool:
    """Return `value` as a bool, or say what it should have been."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} = {value!r}: must be True or False")
    return bool(value)


def seed(random_state: Any) -> int:
    """Return the seed of the C++ generator. An int is taken as it is, as the command line does."""
    rng = check_random_state(random_state)
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(rng.randint(np.iinfo(np.int32).max))


def threads(n_jobs: Any) -> int:
    """Return the number of native threads for `n_jobs`.

    None is 1, or what `joblib.parallel_config` says where this is called, as in scikit-learn.
    Negative numbers count from the cores there are: -1 is all of them.
    """
    if n_jobs is None:
        n_jobs = get_active_backend()[1] or 1
    number = integer("n_jobs", n_jobs, least=-(2**31))
    if number == 0:
        raise ValueError("n_jobs = 0: must be None, positive or negative")
    return number if number > 0 else max(1, _cores() + 1 + number)


def _cores() -> int:
    """Return how many cores there are: all, or in a worker of a search only its share of them.

    That is what joblib granted a worker process (OMP_NUM_THREADS, which it sets there), 1 in a
    worker thread or a Dask task.
    """
    if _in_dask_task():
        return 1
    if get_active_backend()[0].nesting_level in (None, 0):
        return int(joblib.cpu_count())
    in_process = multiprocessing.current_process().name.startswith("LokyProcess")
    granted = os.environ.get("OMP_NUM_THREADS", "") if in_process else ""
    return max(1, int(granted)) if granted.isdecimal() else 1


def _in_dask_task() -> bool:
    """Return whether this is one of the threads of a Dask worker, each of which is one core."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return False
    try:
        distributed.get_worker()
    except ValueError:
        return False
    return True


def native(A: ArrayLike) -> Array:
    """Return `A` as float64 with positive strides, so that C++ can map it; copy only if needed."""
    array = np.asarray(A, dtype=np.float64)
    mappable = array.flags.aligned and all(
        stride > 0 and stride % array.itemsize == 0 for stride in array.strides
    )
    return array if mappable else np.require(array.copy(order="C"), np.float64, ["C", "A"])


def matrix(A: ArrayLike) -> Array:
    """Return `A` as a matrix: a vector becomes one column."""
    array = native(A)
    return array[:, np.newaxis] if array.ndim == 1 else array


def weights(sample_weight: ArrayLike | None, n_samples: int) -> Array | None:
    """Return the weights as a vector, checked."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        return np.full(n_samples, float(sample_weight))
    vector = native(sample_weight)
    if vector.shape != (n_samples,):
        raise ValueError(f"sample_weight.shape == {vector.shape}, expected {(n_samples,)}")
    if not np.all(np.isfinite(vector)) or np.any(vector < 0):
        raise ValueError("sample_weight: every weight must be finite and at least 0")
    if not np.any(vector > 0):
        raise ValueError("sample_weight: not every weight may be zero")
    return vector


def fit_options(params: dict[str, Any], loss: str, n_features: int) -> _core.FitOptions:
    """Return the options of the core for the parameters of an estimator.

    Everything but the rule for λ, the seed and the number of threads; `init` must fit `n_features`.
    """
    options = _core.FitOptions()
    checks = {"integer": integer, "number": real, "text": text, "flag": flag}
    for option in PLAIN:
        if option.name in params:
            value = checks[option.kind](option.name, in_core(option, params[option.name]))
            setattr(options, option.name, value)
    options.loss = loss
    if "quantile" in params:
        levels = params["quantile"]
        if np.ndim(levels) == 0:
            options.quantile = real("quantile", levels)
        else:
            options.quantiles = [real("quantile", level) for level in levels]
    options.knots = 0 if params["knots"] is None else integer("knots", params["knots"], least=2)
    rule = params.get("regularization", "auto")
    if not isinstance(rule, str):
        options.regularization = real("regularization", rule)
    elif rule in ("auto", "rule", "theory"):
        options.regularization_rule = rule
    else:
        raise ValueError(f"regularization = {rule!r}: must be 'auto', 'rule', 'theory' or positive")
    if params["init"] is not None:
        options.init = initial_particles(params["init"], n_features, options.n_particles)
    options.validate()
    return options


def initial_particles(init: ArrayLike, n_features: int, n_particles: int) -> Array:
    """Return W₀, checked."""
    W = native(init)
    n_particles = n_particles or W.shape[-1]
    if W.shape != (n_features, n_particles):
        raise ValueError(
            f"init.shape == {W.shape}: must be (n_features, n_particles) = "
            f"{(n_features, n_particles)}"
        )
    if not np.all(np.isfinite(W)):
        raise ValueError("init: every value must be finite")
    return W
