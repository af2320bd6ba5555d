"""The tables of docs/experiments.md on the paper's six experiments."""

from __future__ import annotations

from collections import Counter, defaultdict

from ..common.markdown import markdown
from ..common.results import Record, Results, mean, select, values
from ..common.runs import LABELS, RUNS
from ..data.real import MAIN
from ..data.recipes import PENALTIES, STRUCTURES
from ..paper.claims.statements import CLAIMS, Claim
from ..paper.experiment_1 import KERNELS
from ..paper.experiment_6 import METHODS as REAL_METHODS
from ..paper.parity import parity


def _records(results: Results, experiment: int) -> list[Record]:
    return results[f"experiment_{experiment}"]["records"]


def parity_table(results: Results, paper: Results) -> str:
    """Return how far the run *as published* is from the published numbers."""
    rows = []
    for experiment in (1, 2, 3, 5, 6):
        published = paper[f"experiment_{experiment}"]["records"]
        for line in parity(_records(results, experiment), published, experiment):
            rows.append([str(experiment), line.what, str(line.count), f"{line.largest:.0e}"])
    return markdown(["experiment", "published numbers", "how many", "largest difference"], rows)


def kernels_table(results: Results, paper: Results) -> str:
    """Return errors at the end of Experiment 1."""
    records = _records(results, 1)
    names = [
        "published numbers",
        *(LABELS[run] for run in RUNS),
        "library's optimizer, published problem",
    ]
    sources = [(paper["experiment_1"]["records"], "published")]
    sources += [(records, run) for run in (*RUNS, "spectral")]
    rows = []
    for name, (source, run) in zip(names, sources, strict=True):
        found = [select(source, run=run, kernel=kernel)[0] for kernel in KERNELS]
        rows.append([name, *(f"{r['train_mse']:.2f} / {r['test_mse']:.2f}" for r in found)])
    return markdown(["train / test MSE", *KERNELS], rows)


def penalties_table(results: Results, paper: Results) -> str:
    """Return mean R² of Experiment 3."""
    rows = []
    for structure in STRUCTURES:
        for penalty in PENALTIES:
            fields = {"structure": structure, "penalty": penalty}
            cells = [mean(paper["experiment_3"]["records"], "r2", run="published", **fields)]
            cells += [mean(_records(results, 3), "r2", run=run, **fields) for run in RUNS]
            rows.append([structure, penalty.replace("_", " "), *(f"{c:.3f}" for c in cells)])
    return markdown(["data", "penalty", "published numbers", *(LABELS[r] for r in RUNS)], rows)


def growth_table(results: Results, paper: Results) -> str:
    """Return mean R² and feature learning score of Experiment 5 at a few points."""
    sources = [(paper["experiment_5"]["records"], "published")]
    sources += [(_records(results, 5), run) for run in RUNS]
    sources += [(_records(results, 5), method) for method in ("bkrr", "relu")]
    header = [
        "R² (feature score)",
        "published numbers",
        *(LABELS[r] for r in RUNS),
        "BKRR",
        "ReLUNN",
    ]
    rows = []
    for axis, point in (
        ("n", 50),
        ("n", 100),
        ("n", 200),
        ("n", 500),
        ("d", 10),
        ("d", 40),
        ("d", 50),
    ):
        cells = []
        for source, method in sources:
            fields = {"method": method, "axis": axis, "value": point}
            text = f"{mean(source, 'r2', **fields):.3f}"
            if method != "bkrr":
                text += f" ({mean(source, 'feature', **fields):.2f})"
            cells.append(text)
        fixed = "d = 15" if axis == "n" else "n = 212"
        rows.append([f"{axis} = {point}, {fixed}", *cells])
    return markdown(header, rows)


def real_table(results: Results, paper: Results, penalty: str) -> str:
    """Return R² of Experiment 6 per set with a penalty, and the means over the 17 main sets."""
    records = _records(results, 6)
    published = paper["experiment_6"]["records"]
    names = LABELS | {"bkrr": "BKRR", "relu": "ReLUNN"}
    methods = {m.partition(":")[0]: m for m in REAL_METHODS if m.endswith((penalty, *names))}
    runs = [run for run in methods if penalty == "concave_feature" or ":" in methods[run]]

    def cells(source: list[Record], run: str, **fields: object) -> str:
        found = values(source, "r2", method=methods[run], **fields)
        return f"{sum(found) / len(found):.3f}" if found else "–"

    rows = []
    for name in dict.fromkeys(r["set"] for r in records):
        d = select(records, set=name)[0]["d"]
        own = [cells(records, run, set=name) for run in runs]
        rows.append([f"{name} ({d})", cells(published, "published", set=name), *own])
    means = [f"**{cells(records, run, main=True)}**" for run in runs]
    last = [f"**mean of the {len(MAIN)}**", cells(published, "published", main=True), *means]
    return markdown(
        ["set (variables)", "published numbers", *(names[r] for r in runs)], [*rows, last]
    )


def _verdicts(results: Results, paper: Results, claim: Claim) -> dict[str, tuple[bool, str]]:
    """Return whether a claim holds, and the numbers, for the published numbers and each run."""
    found = {}
    own = paper[f"experiment_{claim.experiment}"]["records"]
    if own:
        found["published numbers"] = claim.check(own, "published")
    records = _records(results, claim.experiment)
    known = {r.get("run", r.get("method", "")).partition(":")[0] for r in records}
    for run in RUNS:
        if run in known:
            found[LABELS[run]] = claim.check(records, run)
    return found


def claims_table(results: Results, paper: Results, experiment: int) -> str:
    """Return the claims of an experiment: yes or no, and the numbers."""
    rows = []
    for claim in CLAIMS:
        if claim.experiment == experiment:
            found = _verdicts(results, paper, claim)
            cells = [f"{'yes' if ok else '**no**'}: {text}" for ok, text in found.values()]
            header = ["the paper says", *found]
            rows.append([claim.text, *cells])
    return markdown(header, rows)


def summary_table(results: Results, paper: Results) -> str:
    """Return how many claims hold for each run, and which do not."""
    held, broken = Counter(), defaultdict(list)
    for claim in CLAIMS:
        for name, (holds, _) in _verdicts(results, paper, claim).items():
            held[name] += holds
            if not holds:
                broken[name].append(f"{claim.text} ({claim.experiment})")
    rows = [
        [name, f"{held[name]} of {held[name] + len(broken[name])}", "; ".join(broken[name]) or "–"]
        for name in ["published numbers", *(LABELS[run] for run in RUNS)]
    ]
    return markdown(["", "claims that hold", "claims that do not (experiment)"], rows)


def times_table(results: Results, paper: Results) -> str:
    """Return how long each experiment took."""
    kinds = ("seconds", "processor_seconds")
    rows = [
        [name.replace("_", " "), *(f"{r[kind]:.0f}" if kind in r else "–" for kind in kinds)]
        for name, r in results.items()
    ]
    return markdown(["", "seconds", "processor seconds"], rows)
