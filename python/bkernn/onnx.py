"""Teaches skl2onnx our estimators, alone and in pipelines: ``import bkernn.onnx`` is enough.

    import bkernn.onnx
    from skl2onnx import to_onnx

    graph = to_onnx(pipeline, X[:1].astype("float32"))

A fitted estimator by itself needs neither: see its method ``to_onnx``.
"""

from ._onnx.converter import register

__all__ = ["register"]

register()
