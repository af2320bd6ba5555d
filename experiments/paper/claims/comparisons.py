"""Checks of what the paper says of Experiments 5 and 6. Each returns (holds, the numbers)."""

from __future__ import annotations

from collections import Counter

from ...common.results import Record, mean, select

Verdict = tuple[bool, str]
ENOUGH = 0.8  # mean R² that counts as a high prediction score


def _curve(records: list[Record], method: str, axis: str, score: str = "r2") -> dict[int, float]:
    points = sorted({r["value"] for r in select(records, axis=axis)})
    return {v: mean(records, score, method=method, axis=axis, value=v) for v in points}


def fewer_rows(records: list[Record], run: str) -> Verdict:
    """Reach a mean R² of 0.8 with fewer rows."""
    needed = {}
    for method in (run, "relu"):
        enough = [n for n, r2 in _curve(records, method, "n").items() if r2 >= ENOUGH]
        needed[method] = min(enough, default=10**9)
    return needed[run] < needed["relu"], f"R² ≥ {ENOUGH} from n = {needed[run]} / {needed['relu']}"


def ridge_slow(records: list[Record], run: str) -> Verdict:
    """At n = 500 BKRR is still below half of BKerNN."""
    ridge, ours = (_curve(records, method, "n")[500] for method in ("bkrr", run))
    return ridge < ours / 2, f"R² at n = 500: {ridge:.2f} against {ours:.2f}"


def finds_features(records: list[Record], run: str) -> Verdict:
    """Feature learning score at n = 500 above 0.9, of the network below 0.5 for every n."""
    ours = _curve(records, run, "n", "feature")[500]
    network = max(_curve(records, "relu", "n", "feature").values())
    return (
        ours > 0.9 and network < 0.5,
        f"score {ours:.2f} at n = 500; ReLUNN at most {network:.2f}",
    )


def resilient(records: list[Record], run: str) -> Verdict:
    """At d ≥ 10 the best R² of the three."""
    curves = {m: _curve(records, m, "d") for m in (run, "bkrr", "relu")}
    best = all(
        curves[run][d] > max(curves["bkrr"][d], curves["relu"][d]) for d in curves[run] if d >= 10
    )
    return best, f"R² at d = 50: {' / '.join(f'{curve[50]:.2f}' for curve in curves.values())}"


def network_between(records: list[Record], run: str) -> Verdict:
    """R² of the network between the other two for every d ≥ 10."""
    ours, ridge, network = (_curve(records, m, "d") for m in (run, "bkrr", "relu"))
    outside = [d for d in ours if d >= 10 and not ridge[d] < network[d] < ours[d]]
    text = f"not at d = {', '.join(map(str, outside))}" if outside else "for every d ≥ 10"
    return not outside, text


def features_resilient(records: list[Record], run: str) -> Verdict:
    """Keep a feature learning score no lower than the network's for every d."""
    ours, network = (_curve(records, m, "d", "feature") for m in (run, "relu"))
    holds = all(ours[d] >= network[d] for d in ours)
    lowest = min(ours[d] - network[d] for d in ours if d > 3)
    return holds, f"lead {lowest:+.2f} at least, {ours[20] - network[20]:+.2f} at d = 20"


def _contest(records: list[Record], run: str) -> tuple[Counter, Counter, int]:
    """Return how often each of the paper's four methods is the best and the worst of a main set."""
    names = {f"{run}:{penalty}": penalty for penalty in ("concave_feature", "concave_variable")}
    names |= {"bkrr": "BKRR", "relu": "ReLUNN"}
    best, worst = Counter(), Counter()
    sets = list(dict.fromkeys(r["set"] for r in select(records, main=True)))
    for name in sets:
        found = {
            names[r["method"]]: r["r2"] for r in select(records, set=name) if r["method"] in names
        }
        best[max(found, key=found.__getitem__)] += 1
        worst[min(found, key=found.__getitem__)] += 1
    return best, worst, len(sets)


def ridge_worst(records: list[Record], run: str) -> Verdict:
    """Worst of four on more sets than any other."""
    _, worst, count = _contest(records, run)
    return worst.most_common(1)[0][0] == "BKRR", f"worst on {worst['BKRR']} of {count}"


def often_best(records: list[Record], run: str) -> Verdict:
    """See whether these two are best on more sets than each of the other two."""
    best, _, _ = _contest(records, run)
    top = min(best["concave_feature"], best["ReLUNN"])
    holds = top > max(best["concave_variable"], best["BKRR"])
    names = ("concave_feature", "ReLUNN", "concave_variable", "BKRR")
    counts = ", ".join(f"{name.replace('_', ' ')} {best[name]}" for name in names)
    return holds, f"best: {counts}"


def similar_on_average(records: list[Record], run: str) -> Verdict:
    """Mean R² over the 17 sets within 0.02."""
    ours = mean(records, "r2", method=f"{run}:concave_feature", main=True)
    network = mean(records, "r2", method="relu", main=True)
    return abs(ours - network) < 0.02, f"mean R² {ours:.3f} and {network:.3f}"
