"""What is chosen from the data: λ, the dimension, and at what cost."""
