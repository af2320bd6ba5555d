"""What the tests of the command-line tool share."""

import pytest
from cli_tool import BINARY, Tool


@pytest.fixture(scope="session", autouse=True)
def binary():
    if not BINARY.exists():
        pytest.fail(f"{BINARY} does not exist: build it, or set BKERNN_BINARY")


@pytest.fixture
def tool(tmp_path):
    return Tool(tmp_path)


@pytest.fixture(scope="session")
def fitted(tmp_path_factory):
    """data.csv, data.test.csv, data.directions.csv and model.json: not to be changed."""
    tool = Tool(tmp_path_factory.mktemp("fitted"))
    size = ["--n", 300, "--n-test", 200, "--d", 6]
    tool.run("simulate", *size, "--noise", 0.1, "--seed", 3, "-o", "data.csv")
    options = ["--max-iter", 40, "--particles", 20, "--regularization", 0.003]
    tool.run("fit", "data.csv", "--target", "y", *options, "-o", "model.json", "-q")
    return tool
