"""The graph of a model, put into the graph of a pipeline."""

from __future__ import annotations

from typing import Any

from .._baselines.brownian_ridge import BrownianKernelRidge
from .._baselines.relu_network import ReLUNetworkRegressor
from .._estimators.classifier import BKerNNClassifier
from .._estimators.classifier_cv import BKerNNClassifierCV
from .._estimators.regressor import BKerNNRegressor
from .._estimators.regressor_cv import BKerNNRegressorCV
from .baselines import convert_network, convert_ridge
from .inputs import number


def register() -> None:
    """Tell skl2onnx how to convert the estimators."""
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise ImportError("bkernn.onnx needs skl2onnx: pip install 'bkernn[onnx]'") from error
    for kind in (BKerNNRegressor, BKerNNRegressorCV):
        update_registered_converter(kind, f"BKerNN{kind.__name__}", _shape_of_numbers, _convert)
    for baseline, convert in (
        (ReLUNetworkRegressor, convert_network),
        (BrownianKernelRidge, convert_ridge),
    ):
        update_registered_converter(
            baseline, f"BKerNN{baseline.__name__}", _shape_of_baseline, convert
        )
    for kind in (BKerNNClassifier, BKerNNClassifierCV):
        update_registered_converter(
            kind,
            f"BKerNN{kind.__name__}",
            _shapes_of_classes,
            _convert,
            options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
        )


def _shape_of_numbers(operator: Any) -> None:
    from skl2onnx.common.shape_calculator import calculate_linear_regressor_output_shapes

    _require_numbers(operator)
    calculate_linear_regressor_output_shapes(operator)
    operator.outputs[0].type.shape[1] = operator.raw_operator._saved.model.n_outputs


def _shape_of_baseline(operator: Any) -> None:
    from skl2onnx.common.shape_calculator import calculate_linear_regressor_output_shapes

    calculate_linear_regressor_output_shapes(operator)
    operator.outputs[0].type.shape[1] = len(operator.raw_operator._y_scale)


def _shapes_of_classes(operator: Any) -> None:
    from skl2onnx.common.shape_calculator import calculate_linear_classifier_output_shapes

    _require_numbers(operator)
    calculate_linear_classifier_output_shapes(operator)


def _require_numbers(operator: Any) -> None:
    """Refuse categories: the columns of skl2onnx are of one kind, or one input each."""
    if any(operator.raw_operator._encoder.categorical):
        raise NotImplementedError(
            f"{type(operator.raw_operator).__name__} was fitted on categories, which skl2onnx "
            "cannot hand on: use its method to_onnx()"
        )


def _convert(scope: Any, operator: Any, container: Any) -> None:
    import onnx
    from skl2onnx.common.data_types import DoubleTensorType

    estimator = operator.raw_operator
    (given,) = operator.inputs
    double = isinstance(given.type, DoubleTensorType)
    model = onnx.load_model_from_string(estimator.to_onnx("float64" if double else "float32"))
    version = model.opset_import[0].version
    names = {"X": number(scope, container, given)}
    outputs = [one.name for one in model.graph.output]
    names |= {name: one.full_name for name, one in zip(outputs, operator.outputs, strict=True)}

    def named(name: str) -> str:
        if name not in names:
            names[name] = scope.get_unique_variable_name(f"bkernn_{name}")
        return names[name]

    for tensor in model.graph.initializer:
        values, kind = onnx.numpy_helper.to_array(tensor), tensor.data_type
        if kind == onnx.TensorProto.STRING and estimator.classes_.dtype == bool:
            # skl2onnx has them as numbers.
            values, kind = estimator.classes_.astype(int), onnx.TensorProto.INT64
        container.add_initializer(named(tensor.name), kind, values.shape, values.ravel().tolist())
    for node in model.graph.node:
        attributes = {one.name: onnx.helper.get_attribute_value(one) for one in node.attribute}
        container.add_node(
            node.op_type,
            [named(name) for name in node.input],
            [named(name) for name in node.output],
            name=scope.get_unique_operator_name(f"BKerNN_{node.op_type}"),
            op_version=version,
            **attributes,
        )
