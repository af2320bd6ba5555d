"""The estimators: a base, a regressor, a classifier, both with λ chosen, and their files."""
