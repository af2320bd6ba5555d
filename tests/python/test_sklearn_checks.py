"""scikit-learn's own checks, all but one of which pass.

Few particles and candidates where the defaults would take minutes.
"""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import bkernn

ESTIMATORS = [
    bkernn.BKerNNRegressor(),
    bkernn.BKerNNClassifier(n_particles=10, penalty="feature"),
    bkernn.BKerNNRegressorCV(n_particles=10, n_regularizations=4),
    bkernn.BKerNNClassifierCV(n_particles=10, n_regularizations=2, penalty="feature", max_iter=30),
    bkernn.BrownianKernelRidge(),
    bkernn.ReLUNetworkRegressor(),
]


def expected_to_fail(estimator):
    if not isinstance(estimator, bkernn.BKerNNClassifierCV):
        return {}
    return {
        "check_class_weight_classifiers": "it sets n_iter_no_change, which is no parameter here"
    }


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_to_fail)
def test_estimator(estimator, check):
    check(estimator)
