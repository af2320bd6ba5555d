"""
The Gaussian complexity and its two bounds
==========================================

The paper's guarantee rests on the Gaussian complexity G_n of its function space. Two theorems bound
it: one by a multiple of √(d/n) (up to a logarithm), one by a multiple of n^(−1/6) whatever the
dimension. Here both stand beside G_n itself, estimated by drawing noise and maximizing over
directions.

The bounds hold with room to spare: their constants are large. Which of the two is smaller depends
on d and n, as min(√(d/n), n^(−1/6)) does. G_n itself falls about like n^(−1/2), which is the rate
of the first theorem, and grows much more slowly than √d; the second theorem says that it must slow
down, since G_n cannot exceed a number that does not depend on d.
"""

import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np

from bkernn import theory


def rows(n, d):
    """Return n rows, uniform in a ball of radius 1, whatever d."""
    rng = np.random.default_rng(n + d)
    X = rng.standard_normal((n, d))
    return X / np.linalg.norm(X, axis=1, keepdims=True) * rng.random((n, 1)) ** (1 / d)


def curves(samples):
    """Return the estimate, its standard error and the two bounds for each sample."""
    found = []
    for X in samples:
        value, error, _ = theory.estimate_gaussian_complexity(X, draws=8, restarts=4, max_iter=60)
        bounds = theory.dimension_dependent_bound(X), theory.dimension_independent_bound(X)
        found.append([value, error, *bounds])
    return np.transpose(found)


# %%
# Against the number of rows, for three dimensions; and against the dimension, for 400 rows.
n_values = np.array([50, 100, 200, 400, 800, 1600])
d_values = np.array([1, 2, 4, 8, 16, 32, 64, 128])
panels = [
    ("rows n, d = 2", n_values, [rows(n, 2) for n in n_values]),
    ("rows n, d = 50", n_values, [rows(n, 50) for n in n_values]),
    ("variables d, n = 400", d_values, [rows(400, d) for d in d_values]),
]

figure, axes = plt.subplots(1, 3, figsize=(12.6, 4), layout="constrained", sharey=True)
for ax, (label, x, samples) in zip(axes, panels, strict=True):
    value, error, dependent, independent = curves(samples)
    ax.errorbar(x, value, 2 * error, marker="o", color="#d55e00", label="$G_n$, Monte Carlo")
    ax.plot(x, dependent, color="#0072b2", label=r"theorem: $8\sqrt{d/n}\sqrt{\log(n+1)}\,\cdot$")
    ax.plot(x, independent, color="#009e73", label=r"theorem: $6\,n^{-1/6}\,\cdot$")
    over_rows = label.startswith("rows")
    guides = {"n^{-1/2}": -1 / 2, "n^{-1/6}": -1 / 6} if over_rows else {"d^{1/2}": 1 / 2}
    for (name, power), style in zip(guides.items(), (":", "--"), strict=False):
        line = value[0] * (x / x[0]) ** power
        ax.plot(x, line, color="0.5", linestyle=style, label=f"as ${name}$")
    ax.set(xscale="log", yscale="log", xlabel=label)
    slope = np.polyfit(np.log(x), np.log(value), 1)[0]
    print(f"{label}: G_n goes like x^{slope:.2f}")
axes[0].set_ylabel("Gaussian complexity")
legend = {k: v for ax in axes for v, k in zip(*ax.get_legend_handles_labels(), strict=True)}
figure.legend(legend.values(), legend.keys(), loc="outside upper center", ncols=6)
