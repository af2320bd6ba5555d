"""Full disks and read-only places: a clear error, the old file untouched, nothing left behind."""

from __future__ import annotations

import pathlib
import subprocess

from .tool import NotTriedError, Tool, as_nobody, at_most_file, check, steps


def _prepared(folder: pathlib.Path) -> tuple[Tool, dict[str, list[object]]]:
    """Return a tool and, for each file it can write, the arguments that write it."""
    tool = Tool(folder)
    tool.do("simulate", "--n", 400, "--d", 4, "-o", "d.csv", "-q")
    given = ["--regularization", "rule", "--penalty", "feature"]
    short = ["fit", "d.csv", "-t", "y", *given, "--max-iter", 2, "-q"]
    tool.do(*short, "-o", "m.json")
    return tool, {
        "out.json": [*short, "-o", "out.json"],
        "out.cbor": [*short, "-o", "out.cbor"],
        "state.ubj": [*short, "--checkpoint", "state.ubj", "--checkpoint-every", 2],
        "p.csv": ["predict", "m.json", "d.csv", "-q", "-o", "p.csv"],
        "p.csv.gz": ["predict", "m.json", "d.csv", "-q", "-o", "p.csv.gz"],
        "p.npy": ["predict", "m.json", "d.csv", "-q", "-o", "p.npy"],
        "r.html": ["report", "m.json", "d.csv", "-q", "-o", "r.html"],
        "s.csv": ["simulate", "--n", 300, "--d", 5, "-q", "-o", "s.csv"],
    }


def full_disk(folder: pathlib.Path, per_file: int) -> dict[str, int]:
    """Let every kind of file grow to `per_file` different sizes only."""
    tool, writes = _prepared(folder)
    failed = 0
    for name, arguments in writes.items():
        tool.do(*arguments)
        size = tool.path(name).stat().st_size
        for limit in steps(1, size * 9 // 10, per_file):  # times take more or fewer digits
            tool.path(name).write_text("old")
            code, _, err = tool.run(*arguments, limit=at_most_file(limit))
            check(code == 1 and name in err, f"{name}, {limit} bytes: exit code {code}: {err}")
            check("File too large" in err or "No space" in err, err)
            check(tool.path(name).read_text() == "old", f"{name} was touched")
            check(not tool.temporary_files(), f"{name}: {tool.temporary_files()} left behind")
            failed += 1
    return {"files": len(writes), "writes_refused": failed}


def small_file_system(folder: pathlib.Path) -> int:
    """Do the same once on a real full file system, where one may be mounted."""
    tool, writes = _prepared(folder)
    disk = folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8k", "bkernn", str(disk)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        raise NotTriedError("no right to mount a small file system")
    try:
        for name, arguments in writes.items():
            moved = [f"disk/{one}" if one == name else one for one in arguments]
            (disk / name).write_text("old")
            (disk / "filler").write_bytes(bytes(4096))
            code, _, err = tool.run(*moved)
            check(code == 1 and "No space" in err and name in err, f"{name}: {code}: {err}")
            left = sorted(one.name for one in disk.iterdir())
            check(left == sorted(["filler", name]), f"{left}")
            check((disk / name).read_text() == "old", f"{name} was touched")
            (disk / name).unlink()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    return len(writes)


def read_only(folder: pathlib.Path) -> int:
    """Write into a folder without permission, and over a file without it."""
    tool, writes = _prepared(folder)
    for one in folder.iterdir():
        one.chmod(0o644)
    locked = folder / "locked"
    locked.mkdir()
    for name, arguments in writes.items():
        moved = [f"locked/{one}" if one == name else one for one in arguments]
        (locked / name).write_text("old")
        (locked / name).chmod(0o444)
    locked.chmod(0o555)
    try:
        for name, arguments in writes.items():
            moved = [f"locked/{one}" if one == name else one for one in arguments]
            code, _, err = tool.run(*moved, limit=as_nobody)
            check(code == 1 and name in err and "denied" in err, f"{name}: {code}: {err}")
            check((locked / name).read_text() == "old", f"{name} was touched")
        left = sorted(one.name for one in locked.iterdir())
        check(left == sorted(writes), f"{left}")
    finally:
        locked.chmod(0o755)
    return len(writes)
