"""
Classification with variable selection
======================================

Two of twenty variables decide about the class, and not in a linear way. With a penalty on variables
the model finds the two, and the probability that it learned can be drawn as a map.

Run with the name of a picture to write it.
"""

import sys

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from sklearn.linear_model import LogisticRegression

from bkernn import BKerNNClassifierCV, ImportanceDisplay, RegularizationPathDisplay


def draw(n, rng):
    """Return n rows of 20 variables, named by two of them, and their classes."""
    X = rng.uniform(-1, 1, (n, 20))
    logit = 8 * (np.abs(X[:, 4]) - 0.5 + 0.6 * np.sin(3 * X[:, 11]))
    return X, np.where(rng.uniform(size=n) < 1 / (1 + np.exp(-logit)), "ill", "healthy")


rng = np.random.default_rng(0)
X, y = draw(800, rng)
X_test, y_test = draw(2000, rng)

model = BKerNNClassifierCV(penalty="concave_variable", random_state=0, max_iter=2000).fit(X, y)
chosen = np.argsort(-model.feature_importances_)[: model.n_active_features_]
print(f"variables found: {sorted(int(a) for a in chosen)} (true: [4, 11])")
print(f"accuracy on new rows: {model.score(X_test, y_test):.3f}")
linear = LogisticRegression().fit(X, y)
print(f"accuracy of logistic regression: {linear.score(X_test, y_test):.3f}")

# %%
# Importances, the choice of λ, and the probability as a map of the two variables.
figure, axes = plt.subplots(1, 3, figsize=(15, 4.6), layout="constrained")
ImportanceDisplay.from_estimator(model, max_features=8, ax=axes[0])
RegularizationPathDisplay.from_estimator(model, ax=axes[1])

grid = np.linspace(-1, 1, 120)
a, b = np.meshgrid(grid, grid)
rows = np.zeros((a.size, 20))
rows[:, 4], rows[:, 11] = a.ravel(), b.ravel()
ill = int(np.flatnonzero(model.classes_ == "ill")[0])
probability = model.predict_proba(rows)[:, ill].reshape(a.shape)
picture = axes[2].contourf(a, b, probability, levels=np.linspace(0, 1, 11), cmap="RdBu_r")
figure.colorbar(picture, ax=axes[2], label='probability of "ill"')
axes[2].contour(
    a, b, np.abs(a) - 0.5 + 0.6 * np.sin(3 * b), levels=[0], colors="k", linestyles="--"
)
axes[2].set_xlabel("variable x4")
axes[2].set_ylabel("variable x11")
axes[2].set_title("Learned probability; dashed: true boundary")

if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
