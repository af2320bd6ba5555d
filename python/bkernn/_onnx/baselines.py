"""The two baselines in the graph of a pipeline.

The units of y are part of the weights: onnxruntime would fuse a scale that follows a product, in
float32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .inputs import number

OPSET = 14


def convert_network(scope: Any, operator: Any, container: Any) -> None:
    """Put in a `ReLUNetworkRegressor`."""
    network, add = operator.raw_operator, _adder(scope, operator, container)
    z = _standardized(scope, operator, container, add)
    hidden = add("Relu", add("Add", add("MatMul", z, network.W_), network.biases_))
    values = add("MatMul", hidden, network.output_weights_ * network._y_scale)
    add("Add", values, network._y_center, to=operator.outputs[0].full_name)


def convert_ridge(scope: Any, operator: Any, container: Any) -> None:
    """Put in a `BrownianKernelRidge`: a constant − Σ_i α_i ‖z − z_i‖/2."""
    ridge, add = operator.raw_operator, _adder(scope, operator, container)
    z = _standardized(scope, operator, container, add)
    apart = add("Sub", add("Unsqueeze", z, np.array([1])), ridge.X_fit_[np.newaxis])
    squares = add("ReduceSum", add("Mul", apart, apart), np.array([2]), keepdims=0)
    values = add("MatMul", add("Sqrt", squares), -0.5 * ridge._alpha * ridge._y_scale)
    constant = ridge._intercept * ridge._y_scale + ridge._y_center
    add("Add", values, constant, to=operator.outputs[0].full_name)


def _adder(scope: Any, operator: Any, container: Any) -> Callable[..., str]:
    """Return a function that adds a node and returns the name of its output."""
    from onnx import TensorProto
    from skl2onnx.common.data_types import DoubleTensorType

    double = isinstance(operator.inputs[0].type, DoubleTensorType)

    def named(given: Any) -> str:
        if isinstance(given, str):
            return given
        name = scope.get_unique_variable_name("bkernn_constant")
        kind = TensorProto.DOUBLE if double else TensorProto.FLOAT
        if given.dtype.kind == "i":
            kind = TensorProto.INT64
        container.add_initializer(name, kind, given.shape, given.ravel().tolist())
        return name

    def add(what: str, *inputs: Any, to: str | None = None, **attributes: Any) -> str:
        to = to or scope.get_unique_variable_name("bkernn_value")
        name = scope.get_unique_operator_name(f"BKerNN_{what}")
        container.add_node(
            what, [named(one) for one in inputs], [to], name=name, op_version=OPSET, **attributes
        )
        return to

    return add


def _standardized(scope: Any, operator: Any, container: Any, add: Callable[..., str]) -> str:
    estimator = operator.raw_operator
    x = number(scope, container, operator.inputs[0])
    return add("Div", add("Sub", x, estimator.center_), estimator.scale_)
