"""Line and branch coverage of the library by the C++ tests: `make coverage`, after the tests ran.

Clang counts branches of the source, so that edges by which an exception leaves are no branches. The
page of every file is in build/coverage; the exit code says whether the promised shares are reached.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CHECKED = ROOT / "build" / "checked"
REPORT = ROOT / "build" / "coverage"
PARTS = ["src", "tables", "report", "cli"]
PROMISED = {"lines": 97.0, "branches": 90.0}


def main() -> int:
    """Merge the profiles, write the pages, print the totals of each part."""
    REPORT.mkdir(parents=True, exist_ok=True)
    data = REPORT / "tests.profdata"
    profiles = [str(path) for path in sorted((CHECKED / "profile").glob("*.profraw"))]
    subprocess.run(["llvm-profdata-14", "merge", "-sparse", *profiles, "-o", data], check=True)
    programs = [CHECKED / "tests/bkernn_tests", *sorted((CHECKED / "fuzz").glob("fuzz_*"))]
    shown = [str(programs[0])] + [f"-object={one}" for one in programs[1:] if one.is_file()]
    shown += [f"-instr-profile={data}", "-ignore-filename-regex=^/usr/|/tests/|/fuzz/"]
    pages = ["llvm-cov-14", "show", "-format=html", "-show-branches=count", f"-output-dir={REPORT}"]
    subprocess.run([*pages, *shown], check=True)
    summary = ["llvm-cov-14", "export", "-summary-only", *shown]
    files = json.loads(subprocess.run(summary, check=True, capture_output=True).stdout)["data"][0]
    known = {pathlib.Path(one["filename"]).resolve() for one in files["files"]}
    if missing := sorted(set((ROOT / "src").rglob("*.cpp")) - known):
        names = ", ".join(str(path.relative_to(ROOT)) for path in missing)
        sys.exit(f"nothing is known of {names}")
    reached = True
    for part in PARTS:
        found = [
            one["summary"]
            for one in files["files"]
            if pathlib.Path(one["filename"]).resolve().is_relative_to(ROOT / part)
        ]
        shares = {}
        for kind in PROMISED:
            counts = [one[kind] for one in found]
            total = sum(one["count"] for one in counts)
            shares[kind] = 100 * sum(one["covered"] for one in counts) / max(total, 1)
        print(f"{part}: lines {shares['lines']:.1f} %, branches {shares['branches']:.1f} %")
        if part == "src":
            reached = all(shares[kind] >= least for kind, least in PROMISED.items())
    print(f"pages: {REPORT / 'index.html'}")
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
