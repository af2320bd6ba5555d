"""How a fit shows itself: while it runs, in a notebook, in plots."""
