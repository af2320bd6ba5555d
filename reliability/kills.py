"""kill -9 at random moments of a fit: every resume succeeds, and the end is the same to the bit."""

from __future__ import annotations

import pathlib
import random
import time

from .tool import Tool, check, ended, timeless

SIZE = ["--particles", 20, "--max-iter", 40, "--tol", 0]
FIT = ["fit", "d.csv", "-t", "y", *SIZE, "--threads", 2, "-q"]


def killed_fits(folder: pathlib.Path, kills: int, seed: int = 0) -> dict[str, float]:
    """Kill fits and resume them until there were `kills` kills and the last fit has ended."""
    tool, rng = Tool(folder), random.Random(seed)
    tool.do("simulate", "--n", 1200, "--d", 8, "-o", "d.csv", "-q")
    fit = [*FIT, "--checkpoint", "state.cbor", "--checkpoint-every", 1]
    start = time.monotonic()
    tool.do(*fit, "-o", "whole.json")
    takes = time.monotonic() - start
    whole = timeless(folder / "whole.json")
    tool.path("state.cbor").unlink()
    done = resumed = finished = 0
    while done < kills or resumed:
        process = tool.start(*fit, "--resume", "-o", "part.json")
        if done < kills:
            time.sleep(rng.uniform(0, takes))
            process.kill()
        code, _, err = ended(process)
        check(code in (0, -9), f"exit code {code}: {err}")
        if code == -9:
            done += 1
            resumed += 1
            continue
        check(timeless(folder / "part.json") == whole, f"other bits after {resumed} kills")
        finished, resumed = finished + 1, 0
        tool.path("state.cbor").unlink()
        tool.path("part.json").unlink()
    return {"kills": done, "fits": finished, "seconds_of_one_fit": round(takes, 2)}
