"""The paper's six experiments, its numbers and what it says of them."""
