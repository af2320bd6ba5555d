"""Figures in prose and the cells that they come from (see test_figures.py)."""

COMPARISON, CLASSES = "docs/comparison.md", "docs/classification.md"
TABLES, RECOVERY = "docs/guides/tables.md", "docs/recovery.md"
INTERVALS, MILLION = "docs/intervals.md", "docs/performance.md"
SMALL = (COMPARISON, "small default")

FIGURES = [
    (
        "README.md",
        "the mean rank is {} of nine methods, behind CatBoost ({}) and before LightGBM ({}); "
        "mean R² is {}, {} and {}.",
        [
            *((*SMALL, method, "mean rank") for method in ("BKerNN", "CatBoost", "LightGBM")),
            *((*SMALL, method, "mean R²") for method in ("BKerNN", "CatBoost", "LightGBM")),
        ],
    ),
    (
        "README.md",
        "{} on house_16H, where a forest has",
        [(COMPARISON, "sets small", "house_16H", "BKerNN")],
    ),
    (
        "README.md",
        "the best mean log loss, {}; CatBoost has {}",
        [
            (CLASSES, "ranks small", "BKerNN", "log loss"),
            (CLASSES, "ranks small", "CatBoost", "log loss"),
        ],
    ),
    (
        "README.md",
        "the mean rank is {} of five methods, before CatBoost ({})",
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
        "is right with fewer rows on {} only",
        [(RECOVERY, "won", "as many as it says", "no more rows than the best other")],
    ),
    (
        "README.md",
        "Asked for 0.9, they cover {} of the new rows; the same method around LightGBM makes them "
        "{} times as wide",
        [
            (INTERVALS, "small", "BKerNN cross", "0.9"),
            (INTERVALS, "small", "MAPIE, LightGBM", "width"),
        ],
    ),
    (
        "README.md",
        "it reaches R² {} (0.9864 is the best possible) in {} processor seconds, on a busy "
        "machine; LightGBM with 500 trees, which is faster, reaches {}.",
        [
            (MILLION, "million", "BKerNN", "test R²"),
            (MILLION, "million", "BKerNN", "processor seconds"),
            (MILLION, "million", "LightGBM", "test R²"),
        ],
    ),
]
