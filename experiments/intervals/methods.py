"""Ways to get an interval for a prediction. One thread each."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from catboost import CatBoostRegressor
from lightgbm import LGBMRegressor
from mapie.regression import CrossConformalRegressor

from ..common.runs import library_model
from ..data.recipes import Array

Ends = tuple[Array, Array]
Method = Callable[[Array, Array, Array, tuple[float, ...]], list[Ends]]


def own(intervals: str) -> Method:
    """Return the intervals of this library."""

    def ends(X: Array, y: Array, X_test: Array, coverages: tuple[float, ...]) -> list[Ends]:
        model = library_model(intervals=intervals).fit(X, y)
        return [model.predict_interval(X_test, coverage) for coverage in coverages]

    return ends


def chosen_once(X: Array, y: Array) -> object:
    """Return this library's estimator with the λ and the penalty that all rows choose."""
    model = library_model().fit(X, y)
    return library_model(regularization=model.regularization_, penalty=model.penalty_)


def mapie(make: Callable[[Array, Array], object]) -> Method:
    """Return CV+ by MAPIE around an estimator, with the folds that this library would take."""

    def ends(X: Array, y: Array, X_test: Array, coverages: tuple[float, ...]) -> list[Ends]:
        wrapper = CrossConformalRegressor(
            make(X, y),
            confidence_level=list(coverages),
            method="plus",
            cv=10 if len(X) < 2000 else 5,
            n_jobs=1,
            random_state=0,
        )
        wrapper.fit_conformalize(X, y)
        _, found = wrapper.predict_interval(X_test)
        return [(found[:, 0, k], found[:, 1, k]) for k in range(len(coverages))]

    return ends


def catboost_quantiles(
    X: Array, y: Array, X_test: Array, coverages: tuple[float, ...]
) -> list[Ends]:
    """Return quantiles by CatBoost, all levels in one fit, put in order."""
    levels = sorted({t for c in coverages for t in ((1 - c) / 2, (1 + c) / 2)})
    text = ",".join(f"{level:.6g}" for level in levels)
    model = CatBoostRegressor(
        loss_function=f"MultiQuantile:alpha={text}",
        thread_count=1,
        random_seed=0,
        verbose=False,
        allow_writing_files=False,
    )
    found = np.sort(model.fit(X, y).predict(X_test), axis=1)
    ends = []
    for coverage in coverages:
        places = [levels.index((1 - coverage) / 2), levels.index((1 + coverage) / 2)]
        ends.append((found[:, places[0]], found[:, places[1]]))
    return ends


METHODS: dict[str, Method] = {
    "BKerNN cross": own("cross"),
    "BKerNN quantile": own("quantile"),
    "BKerNN fast": own("fast"),
    "MAPIE, LightGBM": mapie(lambda X, y: LGBMRegressor(n_jobs=1, verbose=-1, random_state=0)),
    "MAPIE, BKerNN": mapie(chosen_once),
    "CatBoost quantiles": catboost_quantiles,
}
