"""Figures in prose and where they come from (see test_figures.py).

A figure is a cell of a table (page, table, row, column), or what a function of derived.py returns.
`python3 tools/write_figures.py` writes them into the pages.
"""

import derived

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
        "{}, LightGBM {}); mean R² {} (in the same order {}, {}, {}). On 17 tables of 400 rows it "
        "is {}, {} (CatBoost {}).",
        [
            *((*LARGER, method, "mean rank") for method in FOUR),
            *((*LARGER, method, "mean R²") for method in FOUR),
            derived.place_in(*SMALL, "mean rank"),
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
        "Mean log loss {} on 14 sets, the {} of nine methods (CatBoost {}).",
        [
            (CLASSES, "ranks small", "BKerNN", "log loss"),
            derived.place_in(CLASSES, "ranks small", "log loss"),
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
        "R² {} on simulated data ({} is the best possible) in {} processor seconds. LightGBM "
        "with 500 trees takes {} and reaches {}.",
        [
            (MILLION, "million", "BKerNN", "test R²"),
            derived.best_possible,
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
    (MILLION, "no method can do better than R² = {}.", [derived.best_possible]),
    (
        CLASSES,
        "By log loss the mean rank of the default is the {}, by calibration error it is the {} "
        "too, and by accuracy it is the {}, behind",
        [derived.place_by(by) for by in ("log_loss", "calibration_error", "accuracy")],
    ),
    (
        CLASSES,
        "By mean rank the default is the {} by log loss and the {} by accuracy.",
        [
            derived.place_in(CLASSES, "ranks large", f"rank by {by}")
            for by in ("log loss", "accuracy")
        ],
    ),
    (
        CLASSES,
        "behind the SVM by accuracy: {} and {}.",
        [derived.accuracy_of("BKerNN"), derived.accuracy_of("RBF-SVM")],
    ),
    (
        CLASSES,
        "cross-validation takes {} to {} times as long, and its log loss is lower on {} of the "
        "{} sets",
        [
            *(derived.folds_take(which) for which in (min, max)),
            *(derived.folds_gain, derived.folds_sets),
        ],
    ),
    (RECOVERY, "take about {} minutes of one core:", [derived.minutes_of_recovery]),
    (RECOVERY, "With 100 rows {} of ten draws end as the constant", [derived.constants]),
    (RECOVERY, "variables are named in {} of ten draws", [derived.few_named]),
    (RECOVERY, "It alone leaves {} % of the loss of new rows.", [derived.loss_left(1)]),
    (RECOVERY, "two more directions, which lower the loss to {} %.", [derived.loss_left(3)]),
    (EXPERIMENTS, "prefers a λ {} times larger.", [derived.larger_regularization]),
    (
        EXPERIMENTS,
        "(test R² {}; {} with five). Up to 40 of them it settles where R² is {} at most, and "
        "with 50 where it is {}:",
        [
            *(derived.particles_r2(number) for number in (7, 5)),
            *(derived.most_r2_of_few, derived.particles_r2(50)),
        ],
    ),
    (EXPERIMENTS, "the worst penalty differ by {} in R² at most", [derived.spread_of_penalties]),
    (EXPERIMENTS, "cross-validation gains {}.", [derived.folds_gain_with_50_rows]),
    (EXPERIMENTS, "The network on Yolanda ({}) lies outside.", [derived.network_on_yolanda]),
    (
        EXPERIMENTS,
        "the concave feature penalty, given, has {}; the default chooses the convex one there and "
        "has {}.",
        [derived.abalone_given, (*CHOOSING, "abalone", "default")],
    ),
    (EXPERIMENTS, "gains a little more, in {} times the time.", [derived.folds_take_longer]),
    (
        REGULARIZATION,
        "Cross-validation takes more than {} times as long as the default.",
        [derived.folds_take_longer],
    ),
    (
        TABLES,
        "On `computers` BKerNN is {} behind the best, elsewhere at most {}.",
        [derived.behind(first) for first in (True, False)],
    ),
    (
        TABLES,
        "makes it {} instead of {}",
        [derived.seen("computers", way) for way in ("category", "number")],
    ),
    (
        TABLES,
        "they are the best on {}, and at most {} behind the best elsewhere",
        [derived.both_best, derived.both_behind],
    ),
    (
        DESIGN,
        "R² is {} with `hd` as a number, {} with `hd` declared as a category (`--categorical "
        "hd`), and {} with both,",
        [derived.seen("computers", way) for way in ("number", "category", "both")],
    ),
    (DESIGN, "as categories they give {}.", [derived.seen("computers, others", "category")]),
    (
        DESIGN,
        "a copy of `age` lowers R² from {} to {}.",
        [derived.seen("slid", way) for way in ("number", "both")],
    ),
    (
        DESIGN,
        "the best on {} of the eight, and at most {} behind the best elsewhere.",
        [derived.both_best, derived.both_behind],
    ),
    (TABLES, "the model says {} dollars more for men than for women.", [derived.dollars_more]),
    (
        "docs/deploy.md",
        "has 143 functions of 2,000 knots each, {} MB of numbers",
        [derived.megabytes_of_functions],
    ),
    (
        REGULARIZATION,
        "A grid search over the same λ and folds takes [{} times the processor time",
        [derived.search_takes("processor_seconds")],
    ),
]
