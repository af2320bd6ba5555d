"""The rows: drawn as in the paper, and real ones."""
