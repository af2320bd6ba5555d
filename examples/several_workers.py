"""
Rows on several workers
=======================

For data that one machine cannot hold: the rows are partitions of a Dask array, each of which stays
on its worker, and the fit only exchanges sums. The model is the one that a single machine finds
with the same number of knots.

Here the workers are threads of one process; on a real cluster only the line that makes the client
changes. Run with the name of a picture to write it.
"""

import sys

import dask.array as da
import matplotlib

matplotlib.use("agg")

import matplotlib.pyplot as plt
import numpy as np
from distributed import Client, LocalCluster

from bkernn import ConvergenceDisplay
from bkernn.dask import DaskBKerNNRegressor

cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0")
client = Client(cluster)

# %%
# 40,000 rows in four partitions, made on the workers: nothing is ever in one place.
rng = da.random.default_rng(0)
X = rng.uniform(-1, 1, (40_000, 10), chunks=(10_000, -1))
P = np.linalg.qr(np.random.default_rng(1).normal(size=(10, 2)))[0]
z = X @ P
y = da.sin(4 * z[:, 0]) + da.fabs(z[:, 1]) + 0.1 * rng.normal(size=40_000, chunks=10_000)
X, y = client.persist([X, y])

model = DaskBKerNNRegressor(knots=64, n_particles=20, random_state=0).fit(X, y)
print(f"R² {model.score(X, y):.3f} after {model.n_iter_} iterations")
spent = model.communication_
print(
    f"{spent.rounds} rounds, {spent.bytes_sent / 1e6:.1f} MB sent and "
    f"{spent.bytes_received / 1e6:.1f} MB received, for {X.nbytes / 1e6:.1f} MB of data"
)

# %%
# Predictions are lazy Dask arrays; a plain estimator for elsewhere comes from `to_local`.
print(model.predict(X))
local = model.to_local()

figure, axes = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
ConvergenceDisplay.from_estimator(local, ax=axes[0])
sample = X[:300].compute()
axes[1].plot(local.transform(sample)[:, 0], local.predict(sample), ".")
axes[1].set_xlabel("first direction found")
axes[1].set_ylabel("prediction")

client.close()
cluster.close()
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=110)
