"""For tests of something else than the choice of λ and penalty: both are given."""

BY_RULE = {"regularization": "rule", "penalty": "feature"}
