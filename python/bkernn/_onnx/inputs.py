"""What a graph is given."""

from __future__ import annotations

from typing import Any


def number(scope: Any, container: Any, given: Any) -> str:
    """Return the name of an input as floating-point numbers: float32, unless it is float64."""
    from onnx import TensorProto
    from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType

    if isinstance(given.type, (DoubleTensorType, FloatTensorType)):
        return given.full_name
    name = scope.get_unique_variable_name("bkernn_X")
    container.add_node(
        "Cast",
        [given.full_name],
        [name],
        name=scope.get_unique_operator_name("BKerNN_Cast"),
        op_version=13,
        to=TensorProto.FLOAT,
    )
    return name
