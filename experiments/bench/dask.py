"""What a fit on several workers spends on communication.

    python -m experiments.bench.dask [--rows 1000000] [--output docs/results]

Simulated multi-index data (20 variables, 3 hidden directions), one partition per worker, made where
it stays; 50 particles, feature penalty, 64 knots. All workers are processes of this machine. Each
run adds a line to dask.jsonl.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client, LocalCluster, wait

from bkernn.dask import DaskBKerNNRegressor

from ..common.lines import append_line
from .peers import simulated


def rows_of(client: Client, rows: int) -> tuple[da.Array, da.Array]:
    """Return X and y, one partition of so many rows on each worker."""
    parts = []
    for seed, address in enumerate(client.nthreads()):
        table = client.submit(_table, rows, seed, workers=[address])
        parts.append(da.from_delayed(delayed(table), shape=(rows, 21), dtype=np.float64))
    whole = client.persist(da.concatenate(parts))
    wait(whole)
    return whole[:, :20], whole[:, 20]


def _table(rows: int, seed: int) -> np.ndarray:
    X, y = simulated(rows, seed)
    return np.column_stack([X, y])


def main() -> None:
    """Fit once and keep what it has cost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each worker")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path("results"), help="a folder")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    with (
        LocalCluster(
            n_workers=given.workers,
            threads_per_worker=given.threads,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            memory_limit=None,
        ) as cluster,
        Client(cluster) as client,
    ):
        X, y = rows_of(client, given.rows)
        model = DaskBKerNNRegressor(knots=64, penalty="feature", random_state=0)
        start = time.perf_counter()
        model.fit(X, y)
        seconds = time.perf_counter() - start
        spent = model.communication_
        record = {
            **{"rows": given.rows, "workers": given.workers, "threads": given.threads},
            **{"seconds": round(seconds, 2), "iterations": model.n_iter_, "rounds": spent.rounds},
            "seconds_waiting": round(spent.seconds_waiting, 4),
            "seconds_computing": round(spent.seconds_computing, 4),
            "bytes": spent.bytes_sent + spent.bytes_received,
            "r2": round(float(model.score(X, y)), 5),
        }
    given.output.mkdir(parents=True, exist_ok=True)
    append_line(given.output / "dask.jsonl", record)
    print(record)


if __name__ == "__main__":
    main()
