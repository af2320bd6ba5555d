"""Our estimators in skl2onnx."""
