"""
Regression with hidden directions
=================================

y depends on ten variables through three hidden combinations of them. The model finds how many there
are, which, and what y does along each. Kernel ridge regression with the same kernel, which cannot
learn directions, needs far more rows.

Run with the name of a picture to write; without one it is ``hidden_directions.png``.
"""

import sys

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from bkernn import BKerNNRegressorCV, BrownianKernelRidge, RidgeFunctionsDisplay
from bkernn.datasets import simulate

data = simulate("multi_index", n=600, n_test=1000, d=10, noise=0.1, random_state=0)
model = BKerNNRegressorCV(random_state=0, max_iter=500).fit(data.X, data.y)
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
# What the prediction does along each direction, how many directions there are, and the predictions.
k = model.n_active_features_
figure, axes = plt.subplots(2, 3, figsize=(12.6, 7.2), layout="constrained")
for empty in axes[0][k:]:
    empty.set_visible(False)
RidgeFunctionsDisplay.from_estimator(model, k=min(k, 3), axes=axes[0][: min(k, 3)])

values = model.singular_values_ / model.singular_values_[0]
axes[1, 0].bar(np.arange(1, len(values) + 1), values)
axes[1, 0].set_xlabel("direction")
axes[1, 0].set_ylabel("singular value (largest = 1)")
axes[1, 0].set_title("Directions in use")

for ax, (name, score), fitted in zip(axes[1, 1:], scores.items(), (model, ridge), strict=True):
    ax.scatter(data.y_test, fitted.predict(data.X_test), s=5, alpha=0.5, linewidths=0)
    ax.axline((0, 0), slope=1, color="0.5", linewidth=0.8)
    ax.set_xlabel("y of new rows")
    ax.set_ylabel("prediction")
    ax.set_title(f"{name}: R² = {score:.3f}")

figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "hidden_directions.png", dpi=110)
