"""PyTorch in the same process, imported before or after: its OpenMP and our threads get along."""

import importlib.util
import subprocess
import sys

import pytest

from reliability import PATIENCE

if importlib.util.find_spec("torch") is None:
    pytest.skip("PyTorch is not installed (make test-torch installs it)", allow_module_level=True)

CODE = """
{imports}
import numpy as np
import threadpoolctl
from sklearn.neighbors import KNeighborsRegressor

data = bkernn.datasets.simulate("multi_index", n=4000, d=10)

def ours():
    model = bkernn.BKerNNRegressor(max_iter=5, tol=0, random_state=0, n_jobs=2)
    return model.fit(data.X, data.y).predict(data.X)

def theirs():
    torch.set_num_threads(2)
    A = torch.from_numpy(data.X)
    layer = torch.nn.Linear(10, 1).double()
    loss = ((layer(A)[:, 0] - torch.from_numpy(data.y)) ** 2).mean()
    loss.backward()
    return float((A @ A.T).sum()), float(loss.detach())

first = ours()
before = theirs()
KNeighborsRegressor(n_jobs=2).fit(data.X, data.y).predict(data.X)
np.testing.assert_array_equal(ours(), first)
assert np.isfinite(theirs()).all() and np.isfinite(before).all()
ours_loaded = [lib for lib in threadpoolctl.threadpool_info() if "bkernn" in lib["filepath"]]
assert ours_loaded == [], ours_loaded
print("fine")
"""


@pytest.mark.parametrize(
    "imports",
    ["import torch\nimport bkernn", "import bkernn\nimport torch"],
    ids=["after", "before"],
)
def test_both_work_in_one_process(imports):
    run = subprocess.run(
        [sys.executable, "-c", CODE.format(imports=imports)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (run.returncode, run.stdout) == (0, "fine\n"), run.stderr
    assert "OMP" not in run.stderr, run.stderr
