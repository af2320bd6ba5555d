"""The parameters of the estimators: one list, and what each class has besides or not at all."""

import inspect

import pytest

from bkernn import BKerNNClassifier, BKerNNClassifierCV, BKerNNRegressor, BKerNNRegressorCV
from bkernn.dask import DaskBKerNNClassifier, DaskBKerNNRegressor

OF_THE_PATH = {
    "cv": None,
    "regularizations": None,
    "n_regularizations": None,
    "scoring": "loss",
    "one_standard_error": False,
    "ensemble": False,
    "race": None,
}
OF_ONE_FIT = {
    "regularization",
    "early_stopping",
    "validation_fraction",
    "n_iter_no_change",
    "warm_start",
}


def test_classes_differ_in_the_loss():
    regression = {"loss": "square", "quantile": 0.5, "quantile_width": 0.05, "huber_delta": 0.3}
    shared = BKerNNClassifier(loss="any").get_params().keys() - {"loss", "class_weight"}
    assert BKerNNRegressor().get_params().keys() == shared | regression.keys()
    assert {name: BKerNNRegressor().get_params()[name] for name in regression} == regression
    assert BKerNNClassifier().loss == "auto"


@pytest.mark.parametrize(
    ("plain", "path"),
    [(BKerNNRegressor, BKerNNRegressorCV), (BKerNNClassifier, BKerNNClassifierCV)],
)
def test_cross_validation_chooses_instead_of_taking(plain, path):
    kept = {name: value for name, value in plain().get_params().items() if name not in OF_ONE_FIT}
    assert path().get_params() == kept | OF_THE_PATH
    with pytest.raises(TypeError, match="early_stopping"):
        path(early_stopping=True)


@pytest.mark.parametrize(
    ("plain", "dask"),
    [(BKerNNRegressor, DaskBKerNNRegressor), (BKerNNClassifier, DaskBKerNNClassifier)],
)
def test_dask_adds_a_client(plain, dask):
    assert dask().get_params() == plain().get_params() | {"client": None, "n_jobs": None}


@pytest.mark.parametrize("one", [BKerNNRegressor, BKerNNClassifierCV, DaskBKerNNRegressor])
def test_parameters_are_given_by_name_and_kept(one):
    kinds = {parameter.kind for parameter in inspect.signature(one).parameters.values()}
    assert kinds == {inspect.Parameter.KEYWORD_ONLY}
    init = [[1.0]]
    assert one(init=init).init is init
    assert vars(one(penalty="basic")) == one().get_params() | {"penalty": "basic"}
