"""Tables and figures of docs/experiments.md and docs/performance.md, from results."""
