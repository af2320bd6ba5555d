"""BKerNN, the Brownian Kernel Neural Network: learning that finds the directions that matter."""

from . import datasets, metrics, theory
from ._baselines import BrownianKernelRidge, ReLUNetworkRegressor
from ._classifier import BKerNNClassifier
from ._core import __version__
from ._display import ConvergenceDisplay, ImportanceDisplay, RidgeFunctionsDisplay
from ._files import load_model
from ._regressor import BKerNNRegressor

__all__ = [
    "BKerNNClassifier",
    "BKerNNRegressor",
    "BrownianKernelRidge",
    "ConvergenceDisplay",
    "ImportanceDisplay",
    "ReLUNetworkRegressor",
    "RidgeFunctionsDisplay",
    "__version__",
    "datasets",
    "load_model",
    "metrics",
    "theory",
]
