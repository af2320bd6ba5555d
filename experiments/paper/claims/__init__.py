"""What the paper says of its experiments, as statements that hold or do not."""
