"""Run the fuzz targets and report executions, coverage and findings: `make fuzz`.

Each target runs for --seconds from its seeds and what earlier runs found (in build/fuzz/TARGET).
An input that breaks a promise is kept there as well, until a later run finds it mended; the exit
code says whether there is any.
Coverage is that of the source files a target is meant for, by all inputs together.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[1]
TARGETS = {
    "model": r"src/(io/|base/(hash|utf8))",
    "export": r"src/export/",
    "csv": r"tables/(csv/|byte_source|table)",
    "columns": r"src/columns/|tables/(csv/|table)",
    "npy": r"tables/(npy/|byte_source|table)",
    "command": r"cli/(commands/|.*options|model_rows|run|console)|report/|tables/data_set",
    "operators": r"src/(operators|knots|inner|loops|terms)/",
}
LIMITS = ["-timeout=30", "-rss_limit_mb=2048", "-print_final_stats=1", "-use_value_profile=0"]


def findings(folder: pathlib.Path) -> list[pathlib.Path]:
    """Return the inputs that broke a promise."""
    return sorted(
        one for one in folder.iterdir() if re.match("crash-|timeout-|oom-|leak-", one.name)
    )


def fuzz(target: str, seconds: int, binaries: pathlib.Path) -> dict[str, object]:
    """Run one target; return its figures."""
    folder = ROOT / "build" / "fuzz" / target
    corpus, seeds = folder / "corpus", ROOT / "fuzz" / "seeds" / target
    corpus.mkdir(parents=True, exist_ok=True)
    program = str(binaries / f"fuzz_{target}")
    quiet = ["-close_fd_mask=3"] if target == "command" else []
    limits = [f"-max_total_time={seconds}", f"-artifact_prefix={folder}/"]
    profile = folder / "run.profraw"
    environment = {**os.environ, "LLVM_PROFILE_FILE": str(profile)}
    for earlier in findings(folder):
        again = [program, *LIMITS, "-close_fd_mask=3", str(earlier)]
        if subprocess.run(again, capture_output=True, env=environment).returncode == 0:
            print(f"{target}: {earlier.name} is mended, or was chance", flush=True)
            earlier.replace(corpus / earlier.name)
    with open(folder / "log.txt", "w") as log:
        subprocess.run(
            [program, *limits, *LIMITS, *quiet, str(corpus), str(seeds)],
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=environment,
        )
    text = (folder / "log.txt").read_text(errors="replace")
    executed = re.findall(r"stat::number_of_executed_units: (\d+)", text)
    features = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)", text)
    subprocess.run(
        [program, "-runs=0", *LIMITS, "-close_fd_mask=3", str(corpus), str(seeds)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    return {
        "target": target,
        "seconds": seconds,
        "executions": int(executed[-1]) if executed else 0,
        "edges": int(features[-1][0]) if features else 0,
        "corpus": int(features[-1][2]) if features else 0,
        **coverage(program, profile, TARGETS[target]),
        "findings": [path.name for path in findings(folder)],
    }


def coverage(program: str, profile: pathlib.Path, pattern: str) -> dict[str, float]:
    """Return line and branch coverage, in percent, of the files whose path matches."""
    data = profile.with_suffix(".profdata")
    merge = ["llvm-profdata-14", "merge", "-sparse", str(profile), "-o", str(data)]
    subprocess.run(merge, check=True)
    exported = subprocess.run(
        ["llvm-cov-14", "export", "-summary-only", program, f"-instr-profile={data}"],
        check=True,
        capture_output=True,
    ).stdout
    totals = {"lines": [0, 0], "branches": [0, 0]}
    for file in json.loads(exported)["data"][0]["files"]:
        path = pathlib.Path(file["filename"]).resolve()
        if not path.is_relative_to(ROOT) or not re.match(pattern, str(path.relative_to(ROOT))):
            continue
        for kind, total in totals.items():
            total[0] += file["summary"][kind]["covered"]
            total[1] += file["summary"][kind]["count"]
    return {kind: round(100 * a / max(b, 1), 1) for kind, (a, b) in totals.items()}


def main() -> int:
    """Run the targets named, or all, two at a time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=[], metavar="TARGET")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--binaries", type=pathlib.Path, default=ROOT / "build/checked/fuzz")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "results" / "fuzz.json")
    arguments = parser.parse_args()
    targets = arguments.targets or list(TARGETS)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        run = [pool.submit(fuzz, one, arguments.seconds, arguments.binaries) for one in targets]
        results = [one.result() for one in run]
    arguments.output.parent.mkdir(exist_ok=True)
    known = json.loads(arguments.output.read_text()) if arguments.output.exists() else []
    kept = [one for one in known if one["target"] not in targets]
    arguments.output.write_text(json.dumps(kept + results, indent=1) + "\n")
    print("target     seconds  executions  corpus  lines %  branches %")
    for one in results:
        print(
            f"{one['target']:10}{one['seconds']:8}{one['executions']:12}{one['corpus']:8}"
            f"{one['lines']:9}{one['branches']:12}  {' '.join(one['findings']) or 'no finding'}"
        )
    return 1 if any(one["findings"] or not one["executions"] for one in results) else 0


if __name__ == "__main__":
    sys.exit(main())
