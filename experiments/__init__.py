"""The six experiments of Follain and Bach (2024), and the same real data for other methods.

Each is a module: ``python -m experiments.paper.experiment_5 [--quick] [--output results]`` writes
``experiment_5.json`` (raw results) and ``experiment_5.png``; ``docs/experiments.md`` explains them.
"""
