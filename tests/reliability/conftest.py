"""How many examples: few and the same in `make test`, many and new ones in `make reliability`."""

from hypothesis import HealthCheck, settings

slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile(
    "brief", max_examples=15, derandomize=True, deadline=60_000, suppress_health_check=slow
)
settings.register_profile(
    "long", max_examples=400, deadline=120_000, print_blob=True, suppress_health_check=slow
)
settings.load_profile("brief")
