"""Which method finds the directions, and how many rows it needs."""
