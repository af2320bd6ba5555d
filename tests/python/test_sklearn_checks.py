"""scikit-learn's own checks, with nothing on the list of expected failures."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import bkernn

ESTIMATORS = [
    bkernn.BKerNNRegressor(),
    bkernn.BKerNNClassifier(),
    bkernn.BKerNNRegressorCV(),
    bkernn.BKerNNClassifierCV(),
    bkernn.BrownianKernelRidge(),
    bkernn.ReLUNetworkRegressor(),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_estimator(estimator, check):
    check(estimator)
