"""What the paper says of its experiments, as statements that hold or do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...common.results import Record
from . import comparisons, parameters

Check = Callable[[list[Record], str], tuple[bool, str]]


class Claim(NamedTuple):
    """A statement, and how to check it on the records of one run of BKerNN."""

    experiment: int
    text: str
    check: Check


CLAIMS = [
    Claim(1, "all three kernels fit the training rows very well", parameters.all_fit),
    Claim(1, "on test rows the Brownian kernel is the best", parameters.brownian_best),
    Claim(2, "too few particles cannot fit the training rows", parameters.few_particles),
    Claim(2, "beyond some m, more particles gain nothing", parameters.enough_particles),
    Claim(2, "with λ too small it overfits", parameters.small_overfits),
    Claim(2, "with λ too large it underfits", parameters.large_underfits),
    Claim(3, "no structure: all penalties are similar", parameters.all_similar),
    Claim(
        3,
        "few variables: the two variable penalties are the best",
        lambda records, run: parameters.family_best(records, run, "variable"),
    ),
    Claim(
        3,
        "few features: the two feature penalties are the best",
        lambda records, run: parameters.family_best(records, run, "feature"),
    ),
    Claim(3, "with structure, concave beats convex", parameters.concave_better),
    Claim(4, "one particle is enough", parameters.one_particle),
    Claim(4, "five particles add little", parameters.five_add_little),
    Claim(4, "with as few neurons, a network fails", parameters.few_neurons_fail),
    Claim(4, "with 32 neurons it is satisfactory", parameters.many_neurons),
    Claim(5, "BKerNN needs fewer rows than ReLUNN", comparisons.fewer_rows),
    Claim(5, "BKRR improves much more slowly with n", comparisons.ridge_slow),
    Claim(5, "BKerNN finds the features, ReLUNN never", comparisons.finds_features),
    Claim(5, "BKerNN suffers least from more variables", comparisons.resilient),
    Claim(5, "ReLUNN lies between BKerNN and BKRR as d grows", comparisons.network_between),
    Claim(5, "BKerNN's features suffer less from d than ReLUNN's", comparisons.features_resilient),
    Claim(6, "BKRR is often the worst", comparisons.ridge_worst),
    Claim(6, "concave feature and ReLUNN are most often the best", comparisons.often_best),
    Claim(6, "concave feature and ReLUNN are similar on average", comparisons.similar_on_average),
]
