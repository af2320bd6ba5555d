stability <- function(x, ...) UseMethod("stability")

stability.formula <- function(formula, data, family = "auto", weights, subset, ..., n_pairs = 25,
                              threshold = 0.75, coverage = 0.9, n_folds = 5, n_permutations = 999,
                              n_refits = 0, seed = NULL,
                              nthreads = getOption("bkernn.nthreads", 0),
                              verbose = interactive()) {
  call <- match.call()
  rows <- rows_of_formula(call, parent.frame())
  problem <- problem_of(rows, family, list(...), seed, nthreads)
  settings <- study_settings(n_pairs, threshold, coverage, n_folds, n_permutations, n_refits)
  study(problem, settings, verbose, call)
}

stability.default <- function(x, y, family = "auto", weights = NULL, ..., n_pairs = 25,
                              threshold = 0.75, coverage = 0.9, n_folds = 5, n_permutations = 999,
                              n_refits = 0, seed = NULL,
                              nthreads = getOption("bkernn.nthreads", 0),
                              verbose = interactive()) {
  call <- match.call()
  problem <- problem_of(rows_of_matrix(x, y, weights), family, list(...), seed, nthreads)
  settings <- study_settings(n_pairs, threshold, coverage, n_folds, n_permutations, n_refits)
  study(problem, settings, verbose, call)
}

# The fit once more, from its call, with the penalty, the regularization and the seed that it had.
stability.bkernn <- function(x, ...) {
  with_rows(x, "x")
  about <- describe(x)
  call <- x$call
  call[[1L]] <- quote(bkernn::stability)
  call$validation <- call$verbose <- NULL
  call$penalty <- about$penalty
  call$regularization <- about$regularization
  call$seed <- x$seed
  given <- list(...)
  for (name in names(given)) call[[name]] <- given[[name]]
  eval(call, parent.frame())
}

study_settings <- function(n_pairs, threshold, coverage, n_folds, n_permutations, n_refits) {
  number <- function(name, value) option_value(value, list(name = name, kind = "number", zero = ""))
  list(
    n_pairs = whole_number("n_pairs", n_pairs), threshold = number("threshold", threshold),
    coverage = number("coverage", coverage), n_folds = whole_number("n_folds", n_folds),
    n_permutations = whole_number("n_permutations", n_permutations),
    n_refits = whole_number("n_refits", n_refits)
  )
}

study <- function(problem, settings, verbose, call) {
  found <- core(C_bkernn_stability, problem$core, settings, flag("verbose", verbose))
  fit <- fitted_model(found, problem, named(call, "stability"))
  coordinates <- describe(fit)$coordinates
  found[c("model", "link", "response")] <- NULL
  for (part in c("directions", "lower", "upper")) {
    if (length(found[[part]]) > 0) rownames(found[[part]]) <- coordinates
  }
  if (length(found$selection) > 0) names(found$selection) <- names(importance(fit))
  structure(c(found, list(coverage = settings$coverage, fit = fit)), class = "bkernn_stability")
}

print.bkernn_stability <- function(x, digits = 3L, ...) {
  cat(x$sentence, "\n", sep = "")
  if (x$halves > 0) {
    cat(sprintf("\n%g halves of the rows were fitted as well.\n", x$halves))
    if (length(x$angle_levels) > 0) {
      cat("Angles between their directions and those of all rows, in degrees:\n")
      levels <- c((1 - x$coverage) / 2, 0.5, (1 + x$coverage) / 2)
      print(matrix(x$angle_levels, 3, dimnames = list(paste0(100 * levels, "%"), NULL)),
        digits = digits)
    }
    cat("\nShare of the halves that use a variable:\n")
    print(utils::head(sort(x$selection, decreasing = TRUE), 10), digits = digits)
    if (x$bound < length(x$selection)) {  # which it is not where halves use nearly all of them
      cat(sprintf(
        "Among those with %g or more, at most %s noise variables are expected.\n", x$threshold,
        format(x$bound, digits = digits)
      ))
    }
  }
  invisible(x)
}
