"""What a fit on several workers spends on communication.

    python -m experiments.bench.dask [--rows 1000000] [--workers 2] [--threads 1]

Simulated multi-index data (20 variables, 3 hidden directions), one partition per worker, made where
it stays; 50 particles, feature penalty, 64 knots. All workers are processes of this machine.
"""

from __future__ import annotations

import argparse
import time
import warnings

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client, LocalCluster, wait

from bkernn.dask import DaskBKerNNRegressor

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
    """Fit once and print a line of the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=1_000_000, help="of each worker")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--threads", type=int, default=1)
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
        share = spent.seconds_waiting / (spent.seconds_waiting + spent.seconds_computing)
        steps = model.n_iter_
        print(spent)
        print(
            f"{given.workers} workers × {given.rows} rows: {seconds:.1f} s, {steps} iterations, "
            f"{spent.rounds} rounds ({1e3 * spent.seconds_waiting / spent.rounds:.1f} ms waiting "
            f"and {1e3 * spent.seconds_computing / spent.rounds:.1f} ms computing each), "
            f"{(spent.bytes_sent + spent.bytes_received) / spent.rounds / 1e3:.0f} kB a round, "
            f"{100 * share:.1f} % of the rounds and "
            f"{100 * spent.seconds_waiting / seconds:.1f} % of the fit are communication; "
            f"R² {model.score(X, y):.4f}"
        )


if __name__ == "__main__":
    main()
