"""Figures in prose and the cells that they come from (see test_figures.py)."""

COMPARISON, CLASSES = "docs/comparison.md", "docs/classification.md"
TABLES, RECOVERY = "docs/guides/tables.md", "docs/recovery.md"
DESIGN = "docs/design.md"
INTERVALS, MILLION = "docs/intervals.md", "docs/performance.md"
SMALL, LARGER = (COMPARISON, "small default"), (COMPARISON, "larger default")
EXPERIMENTS, REGULARIZATION = "docs/experiments.md", "docs/guides/regularization.md"
CHOOSING, PENALTIES = (EXPERIMENTS, "choosing"), (EXPERIMENTS, "penalties")
FOUR = ("BKerNN", "CatBoost", "xRFM", "LightGBM")
VALIDATED = "library, λ cross-validated"

FIGURES = [
    (
        "README.md",
        "Mean rank {} among nine methods on twenty tables of up to 4,000 rows (CatBoost {}, xRFM "
        "{}, LightGBM {}); mean R² {} ({}, {}, {}). On 17 tables of 400 rows it is second, {} "
        "(CatBoost {}).",
        [
            *((*LARGER, method, "mean rank") for method in FOUR),
            *((*LARGER, method, "mean R²") for method in FOUR),
            *((*SMALL, method, "mean rank") for method in ("BKerNN", "CatBoost")),
        ],
    ),
    (
        "README.md",
        "{} on house_16H, where a random forest has {}.",
        [
            (COMPARISON, "sets small", "house_16H", "BKerNN"),
            (COMPARISON, "sets small", "house_16H", "best of the others"),
        ],
    ),
    (
        "README.md",
        "Mean log loss {} on 14 sets, the lowest of eight methods (CatBoost {}).",
        [
            (CLASSES, "ranks small", "BKerNN", "log loss"),
            (CLASSES, "ranks small", "CatBoost", "log loss"),
        ],
    ),
    (
        "README.md",
        "Mean rank {} among five methods on ten mixed tables (CatBoost {})",
        [
            (TABLES, "scores", "mean rank", "BKerNN"),
            (TABLES, "scores", "mean rank", "CatBoost"),
        ],
    ),
    (
        "README.md",
        "It loses on `computers`: R² {}, where CatBoost has {}.",
        [(TABLES, "scores", "computers", method) for method in ("BKerNN", "CatBoost")],
    ),
    (
        "README.md",
        "on {} simulated tasks, and on {} if it must also tell how many there are",
        [
            (RECOVERY, "won", said, "no more rows than the best other")
            for said in ("k leading directions", "as many as it says")
        ],
    ),
    (
        "README.md",
        "**Intervals** that should cover 0.9 of new rows cover {}. Around LightGBM, the same "
        "method gives intervals {} times as wide.",
        [
            (INTERVALS, "small", "BKerNN cross", "0.9"),
            (INTERVALS, "small", "MAPIE, LightGBM", "width"),
        ],
    ),
    (
        "README.md",
        "R² {} on simulated data (0.9864 is the best possible) in {} processor seconds. LightGBM "
        "with 500 trees takes {} and reaches {}.",
        [
            (MILLION, "million", "BKerNN", "test R²"),
            (MILLION, "million", "BKerNN", "processor seconds"),
            (MILLION, "million", "LightGBM", "processor seconds"),
            (MILLION, "million", "LightGBM", "test R²"),
        ],
    ),
    (
        REGULARIZATION,
        "the mean R² is {} with the rule, {} by default and {} cross-validated.",
        [(*CHOOSING, "mean R²", way) for way in ("λ by the rule", "default", "cross-validated")],
    ),
    (
        REGULARIZATION,
        "as one model: {} on the same sets. `BKerNNRegressorCV(ensemble=True)` takes the mean of "
        "one fit per fold instead: {}, a little less than one fit",
        [(*CHOOSING, "mean R²", way) for way in ("four models", "mean of the folds")],
    ),
    (
        REGULARIZATION,
        "on abalone R² rises from {} to {}.",
        [(*CHOOSING, "abalone", "λ by the rule"), (*CHOOSING, "abalone", "default")],
    ),
    (
        "docs/guides/penalty.md",
        "with λ cross-validated, R² went from {} to {} where y depends on few variables, "
        "and from {} to {} where it depends on few directions",
        [
            (*PENALTIES, "few variables, variable", VALIDATED),
            (*PENALTIES, "few variables, concave variable", VALIDATED),
            (*PENALTIES, "few features, feature", VALIDATED),
            (*PENALTIES, "few features, concave feature", VALIDATED),
        ],
    ),
    (
        "docs/guides/uncertainty.md",
        "on 15 real tables of 500 rows they covered {} of new rows where 0.9 was asked, "
        'and `"cross"` {}',
        [(INTERVALS, "small", "BKerNN fast", "0.9"), (INTERVALS, "small", "BKerNN cross", "0.9")],
    ),
    (
        DESIGN,
        "So the power of the rows is {} on this grid.",
        [(DESIGN, "powers", "the rows", "power")],
    ),
    (
        "docs/guides/uncertainty.md",
        'third of the predictions `"cross"` covered {} on those tables, and `"quantile"` {}.',
        [
            (INTERVALS, "small", "BKerNN cross", "thirds of the prediction"),
            (INTERVALS, "small", "BKerNN quantile", "thirds of the prediction"),
        ],
    ),
    (
        "docs/guides/uncertainty.md",
        "the {} fits of the default took {} processor seconds and {} MB.",
        [(INTERVALS, "study", "1,000", column) for column in ("fits", "processor s", "MB")],
    ),
    (
        DESIGN,
        '`"cross"` covers {} where 0.9 is asked, and `"fast"` {}; MAPIE around LightGBM takes {} '
        "times the width.",
        [
            (INTERVALS, "small", "BKerNN cross", "0.9"),
            (INTERVALS, "small", "BKerNN fast", "0.9"),
            (INTERVALS, "small", "MAPIE, LightGBM", "width"),
        ],
    ),
    (
        DESIGN,
        "quantiles 0.05, 0.5 and 0.95 then have {}, {} and {} of the new rows below them.",
        [
            (INTERVALS, "quantiles", "simulated, 500 rows", level)
            for level in ("0.05", "0.5", "0.95")
        ],
    ),
]
