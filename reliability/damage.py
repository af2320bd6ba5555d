"""Truncated and bit-flipped files: every one is refused, or means the same as the whole one."""

from __future__ import annotations

import math
import pathlib
from collections import Counter
from collections.abc import Iterator

import numpy as np

import bkernn
from bkernn.datasets import simulate

from .tool import Tool, check, timeless

ENCODINGS = ("json", "ubj", "cbor")


def variants(content: bytes, count: int, rng: np.random.Generator) -> Iterator[bytes]:
    """Yield damaged copies: cut short, one bit flipped, bytes changed, a stretch of zeros."""
    for i in range(count):
        kind = i % 4
        copy = bytearray(content)
        place = int(rng.integers(len(content)))
        if kind == 0:
            del copy[place:]
        elif kind == 1:
            copy[place] ^= 1 << int(rng.integers(8))
        elif kind == 2:
            for one in rng.integers(0, len(content), int(rng.integers(1, 5))):
                copy[one] ^= int(rng.integers(1, 256))
        else:
            copy[place : place + 512] = bytes(len(copy[place : place + 512]))
        yield bytes(copy)


def damaged_models(folder: pathlib.Path, count: int, seed: int = 0) -> Counter[str]:
    """Load damaged models of every encoding; what loads must predict the same bits."""
    data = simulate("multi_index", n=60, d=4, random_state=0)
    model = bkernn.BKerNNRegressor(n_particles=5, max_iter=5, tol=0, random_state=0)
    expected = model.fit(data.X, data.y).predict(data.X)
    rng = np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    for extension in ENCODINGS:
        path = folder / f"model.{extension}"
        model.save_model(path, compress=False)
        for content in variants(path.read_bytes(), math.ceil(count / len(ENCODINGS)), rng):
            path.write_bytes(content)
            try:
                same = np.array_equal(bkernn.load_model(path).predict(data.X), expected)
            except (OSError, ValueError) as error:
                check(path.name in str(error), f"the message does not name the file: {error}")
                seen["refused"] += 1
                continue
            check(same, f"{path}: a damaged file was taken and means something else")
            seen["correct"] += 1
    return seen


def damaged_checkpoints(folder: pathlib.Path, count: int, seed: int = 0) -> Counter[str]:
    """Resume from damaged checkpoints: refused, or the same bits as without an interruption."""
    tool = Tool(folder)
    tool.do("simulate", "--n", 60, "--d", 3, "-o", "d.csv", "-q")
    fit = ["fit", "d.csv", "-t", "y", "--particles", 5, "--tol", 0, "-q", "-o", "m.json"]
    tool.do(*fit, "--max-iter", 6)
    expected = timeless(folder / "m.json")
    rng = np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    for extension in ENCODINGS:
        state = f"state.{extension}"
        fit_on = [*fit, "--checkpoint", state, "--checkpoint-every", 1]
        tool.do(*fit_on, "--max-iter", 3)
        for content in variants(
            (folder / state).read_bytes(), math.ceil(count / len(ENCODINGS)), rng
        ):
            (folder / state).write_bytes(content)
            (folder / "m.json").unlink(missing_ok=True)
            code, _, err = tool.run(*fit_on, "--max-iter", 6, "--resume")
            check(code in (0, 1), f"exit code {code}: {err}")
            if code == 1:
                check(state in err and len(err) < 1000, err)
                check(not (folder / "m.json").exists(), "refused, and yet there is a model")
            else:
                check(timeless(folder / "m.json") == expected, "another model")
            seen["correct" if code == 0 else "refused"] += 1
    return seen


def damaged_tables(folder: pathlib.Path, count: int, seed: int = 0) -> Counter[str]:
    """Read damaged compressed tables (the checksum is gzip's): refused, or the same predictions."""
    tool = Tool(folder)
    tool.do("simulate", "--n", 200, "--d", 3, "-o", "d.csv.gz", "-q")
    tool.do("fit", "d.csv.gz", "-t", "y", "--max-iter", 2, "-q", "-o", "table.json")
    expected = tool.do("predict", "table.json", "d.csv.gz")
    rng = np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    for content in variants((folder / "d.csv.gz").read_bytes(), count, rng):
        (folder / "d.csv.gz").write_bytes(content)
        code, out, err = tool.run("predict", "table.json", "d.csv.gz")
        check(code in (0, 1), f"exit code {code}: {err}")
        check(code == 1 or out == expected, "other predictions from a damaged file")
        seen["correct" if code == 0 else "refused"] += 1
    return seen


def cut_arrays(folder: pathlib.Path, count: int, seed: int = 0) -> Counter[str]:
    """Predict and score with `.npy` tables cut anywhere: all refused, the header gives the size."""
    tool = Tool(folder)
    tool.do("simulate", "--n", 100, "--d", 3, "-o", "d.npy", "-q")
    tool.do("fit", "d.npy", "-t", "column4", "--max-iter", 2, "-q", "-o", "m.json")
    content = (folder / "d.npy").read_bytes()
    rng = np.random.default_rng(seed)
    seen: Counter[str] = Counter()
    for i in range(count):
        (folder / "cut.npy").write_bytes(content[: int(rng.integers(len(content)))])
        what = ["predict", "m.json", "cut.npy", "-o", "p.csv"]
        code, _, err = tool.run(*(what if i % 2 else ["score", "m.json", "cut.npy"]))
        check(code == 1, f"a cut array was taken: exit code {code}: {err}")
        check("cut.npy" in err and len(err) < 1000, err)
        check(not (folder / "p.csv").exists(), "refused, and yet there are predictions")
        seen["refused"] += 1
    return seen
