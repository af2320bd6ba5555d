"""Little memory: the right model or a clear error, never a crash and never half a file."""

from __future__ import annotations

import pathlib
from collections import Counter

from .tool import Tool, at_most_memory, check, timeless

MEGABYTE = 1 << 20


def little_memory(folder: pathlib.Path, rows: int) -> Counter[str]:
    """Fit and predict with address spaces from just starting up to enough."""
    tool = Tool(folder)
    tool.do("simulate", "--n", rows, "--d", 10, "-o", "d.csv", "-q")
    fit: list[object] = [
        "fit",
        "d.csv",
        "-t",
        "y",
        "--max-iter",
        "2",
        "--tol",
        "0",
        "-q",
        "--threads",
        "2",
    ]
    fit += ["--regularization", "rule", "--penalty", "feature"]
    tool.do(*fit, "-o", "whole.json")
    predict: list[object] = ["predict", "whole.json", "d.csv", "-q"]
    tool.do(*predict, "-o", "whole.csv")
    seen: Counter[str] = Counter()
    for name, arguments in {"m.json": fit, "p.csv": predict}.items():
        size, succeeded = 8, 0
        while succeeded < 2:
            size += max(1, size // 12)
            limit = at_most_memory(size * MEGABYTE)
            if tool.run("--version", limit=limit)[0] != 0:
                continue  # the system could not even start it
            tool.path(name).unlink(missing_ok=True)
            code, _, err = tool.run(*arguments, "-o", name, limit=limit)
            check(code in (0, 1), f"{size} MB: exit code {code}: {err}")
            check(not tool.temporary_files(), tool.temporary_files())
            if code == 1:
                check("memory" in err and len(err) < 1000, f"{size} MB: {err}")
                check(not tool.path(name).exists(), f"{size} MB: {name} is there all the same")
            elif name == "m.json":
                check(timeless(folder / name) == timeless(folder / "whole.json"), "another model")
            else:
                check(tool.path(name).read_bytes() == tool.path("whole.csv").read_bytes(), name)
            succeeded += code == 0
            seen["succeeded" if code == 0 else "refused"] += 1
    return seen
