"""BKerNN, the Brownian Kernel Neural Network: learning that finds the directions that matter."""

from . import _old_modules, datasets, metrics, theory
from ._baselines.brownian_ridge import BrownianKernelRidge
from ._baselines.relu_network import ReLUNetworkRegressor
from ._core import __version__
from ._displays.class_directions import ClassDirectionsDisplay
from ._displays.convergence import ConvergenceDisplay
from ._displays.importance import ImportanceDisplay
from ._displays.regularization_path import RegularizationPathDisplay
from ._displays.ridge_functions import RidgeFunctionsDisplay
from ._displays.stability import DimensionDisplay, StabilityDisplay
from ._estimators.classifier import BKerNNClassifier
from ._estimators.classifier_cv import BKerNNClassifierCV
from ._estimators.files import load_model
from ._estimators.regressor import BKerNNRegressor
from ._estimators.regressor_cv import BKerNNRegressorCV
from ._stability.study import Stability, stability

__all__ = [
    "BKerNNClassifier",
    "BKerNNClassifierCV",
    "BKerNNRegressor",
    "BKerNNRegressorCV",
    "BrownianKernelRidge",
    "ClassDirectionsDisplay",
    "ConvergenceDisplay",
    "DimensionDisplay",
    "ImportanceDisplay",
    "ReLUNetworkRegressor",
    "RegularizationPathDisplay",
    "RidgeFunctionsDisplay",
    "Stability",
    "StabilityDisplay",
    "__version__",
    "datasets",
    "load_model",
    "metrics",
    "stability",
    "theory",
]

_old_modules.install()
