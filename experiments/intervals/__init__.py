"""Prediction intervals: coverage and width."""
