"""The two methods that the paper compares with."""
