"""
Prediction intervals
====================

Where the noise is not the same everywhere, a mean says too little. Intervals that are made from
quantiles are wide where the noise is large, and cover what they promise.

Run with the name of a picture to write it.
"""

import sys

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from bkernn import BKerNNRegressor
from bkernn.metrics import interval_coverage


def draw(n, rng):
    """Return n rows of 8 variables and y, which depends on one combination z of them; and z."""
    X = rng.uniform(-1, 1, (n, 8))
    z = X[:, :4].sum(axis=1) / 2
    return X, np.sin(3 * z) + (0.1 + 0.4 * (z > 0)) * rng.normal(size=n), z


rng = np.random.default_rng(0)
X, y, _ = draw(800, rng)
X_test, y_test, z = draw(2000, rng)

model = BKerNNRegressor(intervals="quantile", random_state=0).fit(X, y)
lower, upper = model.predict_interval(X_test, coverage=0.9)

# %%
# Of new rows, how many lie in the interval, and how wide is it where the noise is small and large?
print(f"coverage: {interval_coverage(y_test, lower, upper):.3f} (asked for: 0.900)")
for name, where, noise in (("z < 0", z < 0, 0.1), ("z > 0", z > 0, 0.5)):
    width = np.mean((upper - lower)[where])
    print(f"mean width for {name}: {width:.2f} (true quantiles: {2 * 1.645 * noise:.2f})")

figure, ax = plt.subplots(figsize=(8, 4.4), layout="constrained")
ax.scatter(z, y_test, s=5, color="0.6", linewidths=0, label="new rows")
ax.scatter(z, lower, s=5, color="#0072b2", linewidths=0, label="lower end")
ax.scatter(z, upper, s=5, color="#d55e00", linewidths=0, label="upper end")
grid = np.linspace(-1.6, 1.6, 400)
for sign in (-1, 1):
    true = np.sin(3 * grid) + sign * 1.645 * (0.1 + 0.4 * (grid > 0))
    label = "true quantiles" if sign > 0 else None
    ax.plot(grid, true, color="k", linestyle="--", linewidth=1, label=label)
ax.set_xlabel("z, the hidden combination")
ax.set_ylabel("y")
ax.legend(loc="upper left", frameon=False, markerscale=3)

if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
