"""Seconds, memory and communication against the number of rows."""
