"""Other classifiers on the same real data."""
