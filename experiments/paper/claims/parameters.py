"""Checks of what the paper says of Experiments 1 to 4. Each returns (holds, the numbers)."""

from __future__ import annotations

from statistics import stdev

from ...common.results import Record, mean, select, values
from ...data.recipes import FUNCTIONS, PENALTIES

Verdict = tuple[bool, str]


def all_fit(records: list[Record], run: str) -> Verdict:
    """Training R² above 0.95 with every kernel."""
    scores = {r["kernel"]: r["train_r2"] for r in select(records, run=run)}
    text = ", ".join(f"{score:.3f}" for score in scores.values())
    return min(scores.values()) > 0.95, f"training R² {text}"


def brownian_best(records: list[Record], run: str) -> Verdict:
    """Least test error with the Brownian kernel."""
    errors = {r["kernel"]: r["test_mse"] for r in select(records, run=run)}
    text = " / ".join(f"{error:.2f}" for error in errors.values())
    return min(errors, key=errors.__getitem__) == "brownian", f"test MSE {text}"


def _sweep(records: list[Record], run: str, swept: str) -> list[Record]:
    return sorted(select(records, run=run, swept=swept), key=lambda r: r["value"])


def few_particles(records: list[Record], run: str) -> Verdict:
    """Training R² with 1 and 3 particles at least 0.1 below the best."""
    scores = [r["train_r2"] for r in _sweep(records, run, "n_particles")]
    return max(scores[:2]) < max(scores) - 0.1, (
        f"training R² {scores[0]:.2f}, {scores[1]:.2f} with m = 1, 3; best {max(scores):.2f}"
    )


def enough_particles(records: list[Record], run: str) -> Verdict:
    """Nothing gained in test R² from m > 10 (0.01 allowed)."""
    sweep = _sweep(records, run, "n_particles")
    few = max(r["test_r2"] for r in sweep if r["value"] <= 10)
    many = max(r["test_r2"] for r in sweep if r["value"] > 10)
    return many < few + 0.01, f"best test R² {few:.3f} with m ≤ 10, {many:.3f} above"


def small_overfits(records: list[Record], run: str) -> Verdict:
    """At the smallest λ the training rows are fitted (R² > 0.95), the test rows are not."""
    sweep = _sweep(records, run, "regularization")
    train, test = sweep[0]["train_r2"], sweep[0]["test_r2"]
    best = max(r["test_r2"] for r in sweep)
    return train > 0.95 and test < best - 0.1, (
        f"λ = {sweep[0]['value']}: training R² {train:.2f}, test {test:.2f} (best {best:.2f})"
    )


def large_underfits(records: list[Record], run: str) -> Verdict:
    """At the largest λ neither training nor test rows are fitted."""
    last = _sweep(records, run, "regularization")[-1]
    return max(last["train_r2"], last["test_r2"]) < 0.5, (
        f"λ = {last['value']}: training R² {last['train_r2']:.2f}, test {last['test_r2']:.2f}"
    )


def _means(records: list[Record], run: str, structure: str) -> dict[str, float]:
    return {
        penalty: mean(records, "r2", run=run, structure=structure, penalty=penalty)
        for penalty in PENALTIES
    }


def all_similar(records: list[Record], run: str) -> Verdict:
    """Mean R² of the penalties within one standard deviation between repetitions."""
    means = _means(records, run, "no structure")
    spread = max(means.values()) - min(means.values())
    noise = stdev(values(records, "r2", run=run, structure="no structure", penalty="basic"))
    return spread < noise, f"means within {spread:.3f}, repetitions vary by {noise:.3f}"


def family_best(records: list[Record], run: str, family: str) -> Verdict:
    """Both penalties of the family above all others on its own kind of data."""
    means = _means(records, run, f"few {family}s")
    own = {p: v for p, v in means.items() if p.endswith(family)}
    others = {p: v for p, v in means.items() if p not in own}
    return min(own.values()) > max(others.values()), (
        f"R² {', '.join(f'{v:.3f}' for v in own.values())}; best other {max(others.values()):.3f}"
    )


def concave_better(records: list[Record], run: str) -> Verdict:
    """On data with structure the concave penalty of that structure beats its convex relative."""
    gains = {}
    for family in ("variable", "feature"):
        means = _means(records, run, f"few {family}s")
        gains[family] = means[f"concave_{family}"] - means[family]
    text = ", ".join(f"{family} {gain:+.4f}" for family, gain in gains.items())
    return min(gains.values()) > 0, f"gain in R²: {text}"


def _by_function(records: list[Record], method: str, width: int) -> list[float]:
    return [
        mean(records, "r2", method=method, function=function, width=width) for function in FUNCTIONS
    ]


def _list(scores: list[float]) -> str:
    return ", ".join(f"{score:.2f}" for score in scores)


def one_particle(records: list[Record], run: str) -> Verdict:
    """R² above 0.9 on all three functions."""
    scores = _by_function(records, run, 1)
    return min(scores) > 0.9, f"R² {_list(scores)}"


def five_add_little(records: list[Record], run: str) -> Verdict:
    """R² at most 0.05 higher with five particles."""
    pairs = zip(_by_function(records, run, 5), _by_function(records, run, 1), strict=True)
    gains = [five - one for five, one in pairs]
    return max(gains) < 0.05, f"gain {', '.join(f'{gain:+.3f}' for gain in gains)}"


def few_neurons_fail(records: list[Record], run: str) -> Verdict:
    """Compare networks of 1 and 5 neurons with as many particles, on every function."""
    worse = [
        network < ours - 0.05
        for width in (1, 5)
        for network, ours in zip(
            _by_function(records, "relu", width), _by_function(records, run, width), strict=True
        )
    ]
    one, five = (_list(_by_function(records, "relu", width)) for width in (1, 5))
    return all(worse), f"network R² {one} with 1 neuron; {five} with 5"


def many_neurons(records: list[Record], run: str) -> Verdict:
    """R² of the network with 32 neurons above 0.9; the same for every run of BKerNN."""
    scores = _by_function(records, "relu", 32)
    return min(scores) > 0.9, f"network R² {_list(scores)}"
