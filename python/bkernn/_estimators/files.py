"""Model files, shared with the command-line tool."""

from __future__ import annotations

from os import PathLike, fspath

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._input.options import PLAIN
from .classifier import BKerNNClassifier
from .regressor import BKerNNRegressor


def load_model(path: str | PathLike[str]) -> BKerNNRegressor | BKerNNClassifier:
    """Read a model that `save_model` or the command-line tool wrote.

    The estimator predicts the same bits as the one that was saved. It has the parameters of the fit
    (λ as the number that was used, and the seed as `random_state`) and all fitted attributes but
    `dual_coef_` and `intercept_`, which belong to the training rows; particles that are zero stand
    last in `W_`. Classes that look like whole numbers or True and False become such; other classes
    are strings.

    Parameters
    ----------
    path : str or path
        A file with the extension .json, .ubj or .cbor.

    Returns
    -------
    BKerNNRegressor or BKerNNClassifier
        Fitted.

    Examples
    --------
    >>> import os, tempfile
    >>> import bkernn
    >>> data = bkernn.datasets.simulate("multi_index", n=100, d=4)
    >>> model = bkernn.BKerNNRegressor(max_iter=5, tol=0).fit(data.X, data.y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "model.json")
    ...     model.save_model(path, compress=False)
    ...     copy = bkernn.load_model(path)
    >>> bool((copy.predict(data.X) == model.predict(data.X)).all())
    True
    """
    saved = _core.SavedModel.load(fspath(path))
    model, options = saved.model, saved.options
    kind = BKerNNClassifier if model.n_classes > 0 else BKerNNRegressor
    known = set(kind._get_param_names())
    params = {o.name: getattr(options, o.name) for o in PLAIN if o.name in known}
    params |= {o.name: o.zero for o in PLAIN if o.zero and params.get(o.name) == 0}
    params["loss"] = model.loss
    if "quantile" in known:
        params["quantile"] = options.quantiles or options.quantile
    params["knots"] = options.knots or None
    params["random_state"] = options.seed if options.seed < 2**32 else None
    if saved.regularization > 0:
        params["regularization"] = saved.regularization
        params["penalty"] = model.penalty
    estimator = kind(**params)
    if isinstance(estimator, BKerNNClassifier):
        names = model.class_names or [str(k) for k in range(model.n_classes)]
        estimator.classes_ = _classes(names)
    else:
        estimator._flat = model.n_outputs == 1
    estimator.n_features_in_ = model.n_columns
    estimator._encoder = model.encoder
    estimator.categorical_features = _declared(model)
    if model.feature_names:
        estimator.feature_names_in_ = np.array(model.feature_names, dtype=object)
    W = np.zeros((model.n_features, model.n_particles))
    W[:, : model.W.shape[1]] = model.W
    estimator._saved = saved
    estimator._set_attributes(W)
    return estimator


def _declared(model: _core.Model) -> str | list[int]:
    """Return the columns that were categories, as `fit` can be told."""
    words = [a for a, category in enumerate(model.encoder.categorical) if category]
    return words or "auto"


def _classes(names: list[str]) -> NDArray:
    """Return class labels as `fit` had them, as far as their names tell."""
    if set(names) <= {"True", "False"}:
        return np.array([name == "True" for name in names])
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return np.array(names)
    if [str(number) for number in numbers] != names or sorted(numbers) != numbers:
        return np.array(names)
    return np.array(numbers)
