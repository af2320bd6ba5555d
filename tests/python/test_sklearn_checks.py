"""scikit-learn's own checks, with nothing on the list of expected failures.

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


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS)
def test_estimator(estimator, check):
    check(estimator)
