"""Figures in prose and the cells that they come from (see test_figures.py)."""

COMPARISON, CLASSES = "docs/comparison.md", "docs/classification.md"
TABLES, RECOVERY = "docs/guides/tables.md", "docs/recovery.md"
INTERVALS, MILLION = "docs/intervals.md", "docs/performance.md"
SMALL = (COMPARISON, "small default")

FIGURES = [
    (
        "README.md",
        "Mean rank {} of nine methods on 17 tables of 400 rows (CatBoost {}, LightGBM {}), "
        "mean R² {} ({}, {}).",
        [
            *((*SMALL, method, "mean rank") for method in ("BKerNN", "CatBoost", "LightGBM")),
            *((*SMALL, method, "mean R²") for method in ("BKerNN", "CatBoost", "LightGBM")),
        ],
    ),
    (
        "README.md",
        "{} on house_16H, a forest {}.",
        [
            (COMPARISON, "sets small", "house_16H", "BKerNN"),
            (COMPARISON, "sets small", "house_16H", "best of the others"),
        ],
    ),
    (
        "README.md",
        "Mean log loss {} on 13 sets, the lowest (CatBoost {})",
        [
            (CLASSES, "ranks small", "BKerNN", "log loss"),
            (CLASSES, "ranks small", "CatBoost", "log loss"),
        ],
    ),
    (
        "README.md",
        "Mean rank {} of five methods on ten mixed tables (CatBoost {})",
        [
            (TABLES, "scores", "mean rank", "BKerNN"),
            (TABLES, "scores", "mean rank", "CatBoost"),
        ],
    ),
    (
        "README.md",
        "On {} simulated tasks its leading directions need no more rows",
        [(RECOVERY, "won", "k leading directions", "no more rows than the best other")],
    ),
    (
        "README.md",
        "its own count of them is as good on {} only",
        [(RECOVERY, "won", "as many as it says", "no more rows than the best other")],
    ),
    (
        "README.md",
        "**Intervals** asked to cover 0.9 cover {} of new rows; the same method around LightGBM "
        "makes them {} times as wide",
        [
            (INTERVALS, "small", "BKerNN cross", "0.9"),
            (INTERVALS, "small", "MAPIE, LightGBM", "width"),
        ],
    ),
    (
        "README.md",
        "R² {} on simulated data (the best possible is 0.9864) in {} processor seconds. LightGBM "
        "with 500 trees takes {}, for {}.",
        [
            (MILLION, "million", "BKerNN", "test R²"),
            (MILLION, "million", "BKerNN", "processor seconds"),
            (MILLION, "million", "LightGBM", "processor seconds"),
            (MILLION, "million", "LightGBM", "test R²"),
        ],
    ),
]
