"""Rows on the workers of a Dask cluster, and the questions that a fit puts to them.

Each partition of the data is a Dask actor with a `RowShard`. Dask runs the calls of all actors of a
worker one after the other, so that each may take all threads of its worker.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
from dask.delayed import Delayed
from distributed import Client, Future, wait
from distributed import TimeoutError as DaskTimeoutError

from .. import _core
from .._estimators.classifier import one_hot
from .._input.columns import Table, encode, read_table
from .._input.options import from_dict
from .._input.validation import Array, matrix, native

Result = TypeVar("Result")

ATTEMPTS = 3  # without an iteration finished in between
PATIENCE = 60.0  # seconds without any worker
CHECK = 2.0  # seconds between looks at the workers while waiting


class WorkerLostError(RuntimeError):
    """A worker is gone, and its rows with it."""


class Summary(NamedTuple):
    """What the driver has to know of the rows of one place."""

    given: int  #: rows
    kept: int  #: those of positive weight
    columns: int
    outputs: tuple[int, ...]  #: shape of one target: () or (q,)
    labels: Any  #: the distinct targets, sorted, if they are classes
    sizes: Any  #: the weight of each
    counts: list[_core.ColumnCounts]  #: of the columns, by weight


class Classes(NamedTuple):
    """What the shards have to know of the classes."""

    labels: Any  #: sorted
    weights: Any  #: how often a row of each counts, or None


class Targets(NamedTuple):
    """What the shards have to know of the fit."""

    options: dict[str, Any]  #: by name
    classes: Classes | None
    held_out: float  #: share of the rows that early stopping keeps apart
    n_threads: int | None  #: None: those of the worker
    encoder: _core.Encoder  #: of the columns
    names: list[str]  #: of them, if they have names


class PartitionRows:
    """The rows of one partition; lives on a worker."""

    def __init__(self, part: tuple[Any, Any, Any], index: int, worker_threads: int) -> None:
        X, y, weights = part
        self.index = index
        self.worker_threads = worker_threads
        self.table = read_table(X) or Table(native(X), {})
        self.y = np.asarray(y)
        self.weights = None if weights is None else native(weights)
        rows = len(self.table.values)
        if len(self.y) != rows:
            raise ValueError(f"y: partition {index} has {len(self.y)} rows, X {rows}")
        if self.weights is not None and self.weights.shape != (rows,):
            raise ValueError(
                f"sample_weight.shape == {self.weights.shape} in partition {index}, "
                f"expected {(rows,)}"
            )
        self.shard: _core.RowShard | None = None

    def describe(
        self, classify: bool, words: list[int], names: list[str], classes: Classes | None = None
    ) -> Summary:
        """Return what the driver has to know first; `words` are columns declared as categories."""
        table = self.table.with_words(words)
        kept = slice(None) if self.weights is None else self.weights > 0
        y = self.y[kept]
        if classify and self.y.ndim == 2 and self.y.shape[1] == 1:
            y = y[:, 0]
        labels, sizes = None, None
        if classify:
            labels, which = np.unique(y, return_inverse=True)
            weights = None if self.weights is None else self.weights[kept]
            sizes = np.bincount(which.ravel(), weights, len(labels)) if y.ndim == 1 else None
        weights = self._weights(classes)
        return Summary(
            given=len(table.values),
            kept=len(y),
            columns=table.values.shape[1],
            outputs=y.shape[1:],
            labels=labels,
            sizes=sizes,
            counts=_core.count_columns(table.values, table.categories, weights, names),
        )

    def begin(self, targets: Targets) -> tuple[Array, Array]:
        """Make the shard; return rows and targets that are held out."""
        options = from_dict(targets.options)
        options.n_threads = targets.n_threads or self.worker_threads
        X = encode(self.table, targets.encoder, targets.names)
        found = self._weights(targets.classes)
        weights = np.ones(len(X)) if found is None else found.copy()
        if targets.classes is None:
            Y = matrix(self.y)
            stratum = np.zeros(len(Y), dtype=np.intp)
        else:
            stratum = self._class_of_rows(targets.classes)
            Y = one_hot(stratum, len(targets.classes.labels), options.loss)
        held = self._draw(stratum, weights > 0, targets)
        weights[held] = 0
        self.shard = _core.RowShard(X, Y, weights, options, self.index)
        held_out = X[held], Y[held]
        del self.table, self.y, self.weights  # the shard has them
        return held_out

    def _class_of_rows(self, classes: Classes) -> Any:
        """Return the number of the class of each row; of rows of weight 0 it may be any."""
        found = np.searchsorted(classes.labels, self.y.reshape(len(self.y)))
        return np.minimum(found, len(classes.labels) - 1)

    def _weights(self, classes: Classes | None) -> Array | None:
        """Return how often each row counts, or None if all count alike."""
        if classes is None or classes.weights is None:
            return self.weights
        found: Array = classes.weights[self._class_of_rows(classes)]
        return found if self.weights is None else found * self.weights

    def _draw(self, stratum: Any, eligible: Any, targets: Targets) -> Any:
        """Return the rows to hold out, the same share of each class."""
        rng = np.random.default_rng([targets.options["seed"], self.index])
        held: list[Any] = []
        for one in np.unique(stratum[eligible]) if targets.held_out > 0 else ():
            rows = np.flatnonzero((stratum == one) & eligible)
            held.append(rng.permutation(rows)[: round(targets.held_out * len(rows))])
        return np.sort(np.concatenate(held)) if held else np.zeros(0, dtype=np.intp)

    def answer(self, question: str, argument: list[Array]) -> tuple[list[Array], float]:
        """Return the answer, and the seconds it took."""
        if self.shard is None:  # Dask made this actor anew, after the one that was asked before
            raise OSError("the rows of this partition were lost")
        start = time.perf_counter()
        found = self.shard.answer(question, argument)
        return found, time.perf_counter() - start


@dataclass
class Communication:
    """What a fit on several workers sent, and how long it took.

    Seconds of computing are, in each round, those of the worker that took longest; all others that
    pass until the answers have arrived are seconds of waiting.
    """

    partitions: int = 0
    workers: int = 0
    workers_lost: int = 0
    rounds: int = 0
    bytes_sent: int = 0
    bytes_received: int = 0
    seconds_waiting: float = 0.0
    seconds_computing: float = 0.0
    seconds: float = 0.0  #: of the whole fit, with what the driver does itself


class Shards:
    """The partitions of a fit, as seen by the driver."""

    def __init__(self, client: Client, parts: list[Delayed]) -> None:
        self.communication = Communication(partitions=len(parts))
        self.state: _core.FitState | None = None  #: after the last finished iteration
        self._client = client
        self._parts = parts
        self._futures: list[Future] = []
        self._actors: list[Any] = []
        self._places: list[str] = []
        self._losses = 0

    def run(self, work: Callable[[], Result]) -> Result:
        """Return what `work` does with the shards, which are made anew when a worker is lost."""
        while True:
            try:
                if not self._actors:
                    self._place()
                return work()
            except WorkerLostError as error:
                self.close()
                self.communication.workers_lost += 1
                self._losses += 1
                if self._losses >= ATTEMPTS:
                    raise RuntimeError(
                        f"a worker was lost {self._losses} times before an iteration was finished"
                    ) from error

    def close(self) -> None:
        """Let the workers forget the shards."""
        for future in self._futures:
            future.release()
        self._futures, self._actors, self._places = [], [], []

    def keep(self, state: _core.FitState) -> None:
        """Remember where to go on."""
        self.state = state
        self._losses = 0

    def call(self, method: str, *arguments: Any) -> list[Any]:
        """Call a method of all partitions, and return the results in their order."""
        try:
            calls = [getattr(actor, method)(*arguments) for actor in self._actors]
        except RuntimeError as error:  # what an actor says whose worker is gone
            raise WorkerLostError(str(error)) from error
        return [self._result(call) for call in calls]

    def ask(self, question: str, argument: list[Array]) -> list[list[Array]]:
        """Put a question of the fit to all shards."""
        start = time.perf_counter()
        answers = self.call("answer", question, argument)
        busy = dict.fromkeys(self._places, 0.0)
        for place, (_, seconds) in zip(self._places, answers, strict=True):
            busy[place] += seconds
        so_far = self.communication
        so_far.rounds += 1
        so_far.bytes_sent += len(answers) * sum(array.nbytes for array in argument)
        so_far.bytes_received += sum(array.nbytes for found, _ in answers for array in found)
        so_far.seconds_computing += max(busy.values())
        so_far.seconds_waiting += time.perf_counter() - start - max(busy.values())
        return [found for found, _ in answers]

    def alpha(self, n_lambda: float) -> list[Future]:
        """Return the dual variables of each partition, which stay where they are."""
        argument = [np.array([[n_lambda]])]
        found = [
            self._client.submit(_alpha, future, argument, workers=[place], pure=False)
            for future, place in zip(self._futures, self._places, strict=True)
        ]
        self._wait(found)
        return found

    # ---- Placing shards and waiting for them.

    def _place(self) -> None:
        """Compute the partitions, and make a shard of each where it is."""
        parts = self._client.compute(self._parts)
        self._wait(parts)
        where = self._client.who_has(parts)
        threads = self._client.nthreads()
        self._places = [min(where[part.key], default="") for part in parts]
        if not set(self._places) <= set(threads):
            raise WorkerLostError("a worker was lost while the rows were computed")
        self._futures = [
            self._client.submit(
                PartitionRows, part, k, threads[place], actor=True, workers=[place], pure=False
            )
            for k, (part, place) in enumerate(zip(parts, self._places, strict=True))
        ]
        self._wait(self._futures)
        self._actors = [future.result() for future in self._futures]
        self.communication.workers = len(set(self._places))

    def _wait(self, futures: list[Future]) -> None:
        since = time.monotonic()
        while True:
            try:
                wait(futures, timeout=CHECK)
                break
            except DaskTimeoutError:
                if self._check_workers():
                    since = time.monotonic()
                elif time.monotonic() - since > PATIENCE:
                    raise RuntimeError(f"no Dask worker for {PATIENCE:.0f} seconds") from None
            except CancelledError:
                break
        for future in futures:
            if future.status == "error":
                future.result()
            elif future.status != "finished":
                self._check_workers()
                raise RuntimeError(
                    "rows were lost with a worker and cannot be computed again: Dask can do that "
                    "for data that it read or computed, not for data that was scattered"
                )

    def _result(self, call: Any) -> Any:
        """Return the result of a call of an actor; a lost worker never answers."""
        while True:
            try:
                return call.result(timeout=CHECK)
            except DaskTimeoutError:
                self._check_workers()
            except OSError as error:
                raise WorkerLostError(str(error)) from error

    def _check_workers(self) -> bool:
        """Return whether there are workers; raise if one that has a shard is gone."""
        try:
            present = set(self._client.nthreads())
        except OSError as error:
            raise RuntimeError("the Dask scheduler does not answer") from error
        gone = set(self._places) - present
        if gone:
            raise WorkerLostError(f"lost {', '.join(sorted(gone))}")
        if self._actors and any(future.status != "finished" for future in self._futures):
            raise WorkerLostError("Dask lost a shard")
        return bool(present)


def _alpha(actor: Any, argument: list[Array]) -> Array:
    (found,), _ = actor.answer("alpha", argument).result()
    return found
