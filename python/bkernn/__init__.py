"""BKerNN, the Brownian Kernel Neural Network: learning that finds the directions that matter."""

from . import datasets, metrics, theory
from ._brownian_ridge import BrownianKernelRidge
from ._classifier import BKerNNClassifier
from ._core import __version__
from ._cv_classifier import BKerNNClassifierCV
from ._cv_regressor import BKerNNRegressorCV
from ._display import (
    ConvergenceDisplay,
    ImportanceDisplay,
    RegularizationPathDisplay,
)
from ._display_functions import RidgeFunctionsDisplay
from ._files import load_model
from ._regressor import BKerNNRegressor
from ._relu_network import ReLUNetworkRegressor

__all__ = [
    "BKerNNClassifier",
    "BKerNNClassifierCV",
    "BKerNNRegressor",
    "BKerNNRegressorCV",
    "BrownianKernelRidge",
    "ConvergenceDisplay",
    "ImportanceDisplay",
    "ReLUNetworkRegressor",
    "RegularizationPathDisplay",
    "RidgeFunctionsDisplay",
    "__version__",
    "datasets",
    "load_model",
    "metrics",
    "theory",
]
