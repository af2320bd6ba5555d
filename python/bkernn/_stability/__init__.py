"""How sure directions, variables and their number are."""
