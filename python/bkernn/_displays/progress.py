"""Progress of a fit: a bar if tqdm is installed, lines on standard error otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Report = Callable[[int, float, int], None]


@contextmanager
def progress(verbose: int, max_iter: int) -> Iterator[Report | None]:
    """Yield what the core is to call now and then, or None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def line(iteration: int, objective: float, active: int) -> None:
            print(
                f"iteration {iteration} of at most {max_iter}: "
                f"objective {objective:.6g}, {active} particles",
                file=sys.stderr,
                flush=True,
            )

        yield line
        return
    with tqdm(total=max_iter, desc="bkernn", unit="iteration") as bar:

        def advance(iteration: int, objective: float, active: int) -> None:
            bar.set_postfix(objective=f"{objective:.4g}", particles=active, refresh=False)
            bar.update(iteration - bar.n)

        yield advance


PathReport = Callable[[int, int, int, float, float], None]


@contextmanager
def path_progress(verbose: int) -> Iterator[PathReport | None]:
    """Yield what the core is to call after each λ of a path, or None if nothing is to be shown."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def line(done: int, total: int, rows: int, regularization: float, score: float) -> None:
            print(
                f"λ {done} of at most {total}: {regularization:.4g}, score {score:.6g} "
                f"({rows} rows)",
                file=sys.stderr,
                flush=True,
            )

        yield line
        return
    with tqdm(desc="bkernn path", unit="λ") as bar:

        def advance(done: int, total: int, rows: int, regularization: float, score: float) -> None:
            bar.total = total
            bar.set_postfix(
                regularization=f"{regularization:.3g}",
                score=f"{score:.4g}",
                rows=rows,
                refresh=False,
            )
            bar.update(done - bar.n)

        yield advance


CountReport = Callable[[int, int], None]


@contextmanager
def count_progress(verbose: int) -> Iterator[CountReport | None]:
    """Yield what the core is to call when some of many fits have ended, or None."""
    if not verbose:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:

        def line(finished: int, total: int) -> None:
            print(f"{finished} of {total} fits", file=sys.stderr, flush=True)

        yield line
        return
    with tqdm(desc="bkernn stability", unit="fit") as bar:

        def advance(finished: int, total: int) -> None:
            bar.total = total
            bar.update(finished - bar.n)

        yield advance
