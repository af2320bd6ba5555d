"""Figures in prose and the cells that they come from (see test_figures.py)."""

COMPARISON, CLASSES = "docs/comparison.md", "docs/classification.md"
TABLES, RECOVERY = "docs/guides/tables.md", "docs/recovery.md"
INTERVALS, MILLION = "docs/intervals.md", "docs/performance.md"
SMALL, LARGER = (COMPARISON, "small default"), (COMPARISON, "larger default")
EXPERIMENTS, REGULARIZATION = "docs/experiments.md", "docs/guides/regularization.md"
CHOOSING, PENALTIES = (EXPERIMENTS, "choosing"), (EXPERIMENTS, "penalties")
VALIDATED = "library, λ cross-validated"

FIGURES = [
    (
        "README.md",
        "Mean rank {} among nine methods on twenty tables of up to 4,000 rows (CatBoost {}, "
        "LightGBM {}); mean R² {} ({}, {}). On 17 tables of 400 rows it is second, {} "
        "(CatBoost {}).",
        [
            *((*LARGER, method, "mean rank") for method in ("BKerNN", "CatBoost", "LightGBM")),
            *((*LARGER, method, "mean R²") for method in ("BKerNN", "CatBoost", "LightGBM")),
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
        "On {} simulated tasks it finds the leading directions with no more rows",
        [(RECOVERY, "won", "k leading directions", "no more rows than the best other")],
    ),
    (
        "README.md",
        "Its own count of them does as well on only {}.",
        [(RECOVERY, "won", "as many as it says", "no more rows than the best other")],
    ),
    (
        "README.md",
        "**Intervals** that should cover 0.9 of new rows cover {}; with LightGBM the same method "
        "makes them {} times as wide.",
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
]
