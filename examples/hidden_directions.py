"""
Regression with hidden directions
=================================

y depends on ten variables through three hidden combinations of them. The model finds how many there
are, which, and what y does along each. Kernel ridge regression with the same kernel, which cannot
learn directions, needs far more rows.

Run with the name of a picture to write it.
"""

import sys

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from bkernn import BKerNNRegressorCV, BrownianKernelRidge, RidgeFunctionsDisplay
from bkernn.datasets import simulate

data = simulate("multi_index", n=600, n_test=1000, d=10, noise=0.1, random_state=0)
model = BKerNNRegressorCV(random_state=0).fit(data.X, data.y)
ridge = BrownianKernelRidge().fit(data.X, data.y)

# %%
# How well each predicts, and whether the directions are the true ones.
scores = {
    "BKerNN": model.score(data.X_test, data.y_test),
    "kernel ridge": ridge.score(data.X_test, data.y_test),
}
for name, score in scores.items():
    print(f"R² on new rows, {name}: {score:.3f}")
print(f"directions found: {model.n_active_features_} (true: {data.P.shape[1]})")
print(f"nearness of the subspaces: {model.feature_learning_score(data.P):.3f} of 1")

# %%
# The prediction along each direction, beside the true function there; how many directions are in
# use; and the predictions. Drawn is where the central 95 % of the new rows lie. The three learned
# directions span the same space as the true ones, but are rotated within it. The product z₂z₃ does
# not show along a single direction; the report has a map for each pair of directions.


def truth(X):
    """Return y without noise."""
    z = X @ data.P
    return np.sin(3 * z[:, 0]) + z[:, 1] * z[:, 2] + np.abs(z[:, 1])


figure, axes = plt.subplots(2, 3, figsize=(9.6, 6.8), layout="constrained")
k = min(model.n_active_features_, 3)
for empty in axes[0][k:]:
    empty.set_visible(False)
display = RidgeFunctionsDisplay.from_estimator(model, data.X_test, k=k, axes=axes[0][:k])
for ax, t, direction in zip(axes[0][:k], display.positions, model.components_, strict=False):
    rows = model.center_ + np.outer(t, direction * model.scale_**2)
    true = truth(rows) - truth(model.center_[np.newaxis])
    ax.plot(t, true, color="#0072b2", linestyle="--", label="true function")
    ax.set_title(ax.get_title().replace(": ", "\n"), fontsize="medium")
axes[0, 0].get_legend().remove()
axes[0, k - 1].legend(loc="upper center", framealpha=0.8, edgecolor="none", fontsize="small")

values = model.singular_values_ / model.singular_values_[0]
number = np.arange(1, len(values) + 1)
found = number <= model.n_active_features_
axes[1, 0].bar(number, values, color=np.where(found, "#d55e00", "0.7"))
axes[1, 0].set_xticks(number)
axes[1, 0].set_xlabel("direction")
axes[1, 0].set_ylabel("singular value (largest = 1)")
axes[1, 0].set_title(f"{found.sum()} directions in use, of {len(values)}")

for ax, (name, score), fitted in zip(axes[1, 1:], scores.items(), (model, ridge), strict=True):
    points = {"s": 6, "color": "#0072b2", "alpha": 0.5, "linewidths": 0}
    ax.scatter(data.y_test, fitted.predict(data.X_test), **points)
    ax.axline((0, 0), slope=1, color="0.5", linewidth=0.8)
    ax.set(xlim=(-1.6, 3.9), ylim=(-1.6, 3.9), xlabel="y of new rows", ylabel="prediction")
    ax.set_title(f"{name}: R² = {score:.3f}")

if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
