"""How many examples: few and the same in `make test`, many and new ones in `make reliability`.

No test runs for ever: after its time all stacks are printed and the process ends.
"""

import faulthandler
import os

import pytest
from hypothesis import HealthCheck, settings

from reliability import PATIENCE

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "brief", max_examples=15, derandomize=True, deadline=None, suppress_health_check=slow
)
settings.register_profile(
    "long", max_examples=400, deadline=None, print_blob=True, suppress_health_check=slow
)
settings.load_profile("brief")


@pytest.fixture(scope="session")
def uncaptured(request):
    """Standard error as it was before pytest captures it."""
    with request.config.pluginmanager.getplugin("capturemanager").global_and_fixture_disabled():
        stream = os.fdopen(os.dup(2), "w")
    yield stream
    stream.close()


@pytest.fixture(autouse=True)
def no_test_hangs(uncaptured):
    seconds = float(os.environ.get("BKERNN_TEST_SECONDS", PATIENCE + 20 * settings().max_examples))
    faulthandler.dump_traceback_later(seconds, exit=True, file=uncaptured)
    yield
    faulthandler.cancel_dump_traceback_later()
