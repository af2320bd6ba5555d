"""The run *as published* gives the published numbers, number by number."""

import os

import pytest

from experiments.common.results import select
from experiments.common.runs import error_path, paper_model
from experiments.data import recipes
from experiments.data.recipes import largest_norm
from experiments.paper import experiment_2, experiment_3, experiment_5, experiment_6
from experiments.paper.claims.statements import CLAIMS
from experiments.paper.parity import parity
from experiments.paper.published_numbers import paper_records, paper_results

TOLERANCE = 1e-8

pytestmark = pytest.mark.skipif(
    not os.environ.get("BKERNN_PAPER_RESULTS"),
    reason="BKERNN_PAPER_RESULTS does not name the file of the published numbers",
)


def differences(records, experiment):
    return {
        line.what: (line.count, line.largest)
        for line in parity(records, paper_records(paper_results(), experiment), experiment)
    }


def test_experiment_1_brownian():
    data = recipes.experiment_1()
    (published,) = select(paper_records(paper_results(), 1), kernel="brownian")
    smallest = 0.05 * 2 * largest_norm(data.X) / len(data.X)
    assert published["regularization"] == pytest.approx(smallest, rel=1e-12)
    model = paper_model(
        "published", 45, penalty="basic", n_particles=100, max_iter=60, regularization=smallest
    )
    path = error_path(model, data.X, data.y, data.X_test, data.y_test)
    assert path == pytest.approx(published["test_path"][:60], abs=TOLERANCE)


def test_experiment_2():
    records = [
        experiment_2.record("published", *point)
        for point in [("n_particles", 1), ("n_particles", 15), ("regularization", 0.005)]
    ]
    for count, largest in differences(records, 2).values():
        assert count == 3
        assert largest < TOLERANCE


@pytest.mark.parametrize("structure", experiment_3.STRUCTURES)
def test_experiment_3(structure):
    published = select(experiment_3.records_of(structure, 3, ["published"]), run="published")
    count, largest = differences(published, 3)["R²"]
    assert count == 5
    assert largest < TOLERANCE


@pytest.mark.parametrize(("axis", "n", "d"), [("n", 400, 15), ("d", 212, 5)])
def test_experiment_5(axis, n, d):
    records = experiment_5.records_of(axis, n, d, 1, ["published", "bkrr"])
    found = differences(records, 5)
    assert found["BKerNN feature score, W of rank 3 or more"][0] == 1
    assert found["BKRR R²"][0] == 1
    assert all(largest < TOLERANCE for _, largest in found.values())


@pytest.mark.skipif(not os.environ.get("BKERNN_DATA_DIR"), reason="BKERNN_DATA_DIR is not set")
@pytest.mark.parametrize("name", ["abalone", "medical_charges", "sulfur", "semeion"])
def test_experiment_6(name):
    methods = ["published:concave_feature", "published:concave_variable", "bkrr"]
    found = differences([experiment_6.record(name, method) for method in methods], 6)
    assert found["BKerNN R²"][0] == (1 if name == "semeion" else 2)
    assert found["BKRR R²"][0] == 1
    for _, largest in found.values():
        assert largest < TOLERANCE


def test_claims_on_the_published_numbers():
    broken = []
    for claim in CLAIMS:
        records = paper_records(paper_results(), claim.experiment)
        if records and not claim.check(records, "published")[0]:
            broken.append((claim.experiment, claim.text))
    assert broken == [
        (2, "with λ too small it overfits"),
        (5, "ReLUNN lies between BKerNN and BKRR as d grows"),
        (6, "concave feature and ReLUNN are similar on average"),
    ]
