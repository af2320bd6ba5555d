cv.bkernn <- function(x, ...) UseMethod("cv.bkernn")

cv.bkernn.formula <- function(formula, data, family = "auto", weights, subset, ..., nfolds = 5,
                              foldid = NULL, regularizations = NULL, n_regularizations = NULL,
                              scoring = "loss", one_standard_error = FALSE, ensemble = FALSE,
                              seed = NULL, nthreads = getOption("bkernn.nthreads", 0),
                              verbose = interactive()) {
  call <- match.call()
  rows <- rows_of_formula(call, parent.frame())
  problem <- problem_of(rows, family, fold_options(...), seed, nthreads)
  settings <- cv_settings(
    problem, nfolds, foldid, regularizations, n_regularizations, scoring, one_standard_error,
    ensemble
  )
  cross_validated(problem, settings, verbose, call)
}

cv.bkernn.default <- function(x, y, family = "auto", weights = NULL, ..., nfolds = 5,
                              foldid = NULL, regularizations = NULL, n_regularizations = NULL,
                              scoring = "loss", one_standard_error = FALSE, ensemble = FALSE,
                              seed = NULL, nthreads = getOption("bkernn.nthreads", 0),
                              verbose = interactive()) {
  call <- match.call()
  rows <- rows_of_matrix(x, y, weights)
  problem <- problem_of(rows, family, fold_options(...), seed, nthreads)
  settings <- cv_settings(
    problem, nfolds, foldid, regularizations, n_regularizations, scoring, one_standard_error,
    ensemble
  )
  cross_validated(problem, settings, verbose, call)
}

fold_options <- function(...) {
  options <- list(...)
  if (!is.null(options$regularization)) {
    refuse("regularization", options$regularization, "is chosen, among the regularizations")
  }
  options
}

cv_settings <- function(problem, nfolds, foldid, regularizations, n_regularizations, scoring,
                        one_standard_error, ensemble) {
  check <- function(name, kind, value) {
    option_value(value, list(name = name, kind = kind, zero = ""))
  }
  if (!is.null(regularizations) && !is.numeric(regularizations)) {
    refuse("regularizations", regularizations, "must be numbers")
  }
  settings <- list(
    n_folds = check("nfolds", "integer", nfolds),
    regularizations = if (!is.null(regularizations)) sort(as.double(regularizations), TRUE),
    n_regularizations = if (is.null(n_regularizations)) 0 else {
      check("n_regularizations", "integer", n_regularizations)
    },
    scoring = check("scoring", "text", scoring),
    one_standard_error = check("one_standard_error", "flag", one_standard_error),
    ensemble = check("ensemble", "flag", ensemble)
  )
  if (is.null(foldid)) return(settings)
  omitted <- problem$rows$na.action
  if (length(omitted) > 0) foldid <- foldid[-omitted]
  if (length(foldid) != NROW(problem$core$y) || anyNA(foldid)) {
    fail(sprintf("foldid = %s: must have a fold for each of the %d rows", count(length(foldid),
      "value"), NROW(problem$core$y)))
  }
  folds <- as.integer(factor(foldid))
  settings$n_folds <- max(folds)
  settings$fold_of_row <- as.double(folds - 1L)
  settings
}

cross_validated <- function(problem, settings, verbose, call) {
  found <- core(C_bkernn_cross_validate, problem$core, settings, flag("verbose", verbose),
    renamed = c(n_folds = "nfolds", lambdas = "regularizations", n_lambdas = "n_regularizations",
      scorer = "scoring"))
  fit <- fitted_model(found, problem, call)
  fit$call <- call_of_choice(fit)
  structure(list(
    call = named(call, "cv.bkernn"), regularizations = found$regularizations,
    scores = found$scores, mean = found$mean, standard_error = found$standard_error,
    best = found$best, scoring = settings$scoring, higher_is_better = found$higher_is_better,
    foldid = found$fold_of_row, fit = fit
  ), class = "cv.bkernn")
}

# The fit of all rows by itself, with what was chosen.
call_of_choice <- function(fit) {
  call <- named(fit$call, "bkernn")
  own <- setdiff(names(formals(cv.bkernn.formula)), names(formals(bkernn.formula)))
  call <- call[!names(call) %in% own]
  about <- describe(fit)
  call$penalty <- about$penalty
  call$regularization <- about$regularization
  call$seed <- fit$seed
  call
}

print.cv.bkernn <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  cat("Cross-validation of a Brownian kernel neural network,", max(x$foldid), "folds\n\n")
  table <- data.frame(
    regularization = x$regularizations, mean = x$mean, standard_error = x$standard_error,
    chosen = ifelse(seq_along(x$mean) == x$best, "*", "")
  )
  names(table)[2:4] <- c(x$scoring, "standard error", "")
  print(table, digits = digits, row.names = FALSE)
  invisible(x)
}

plot.cv.bkernn <- function(x, ...) {
  low <- x$mean - x$standard_error
  high <- x$mean + x$standard_error
  ours <- list(
    x$regularizations, x$mean, log = "x", pch = 19, ylim = range(low, high),
    xlab = "regularization", ylab = x$scoring
  )
  drawn(graphics::plot, ours, ...)
  graphics::segments(x$regularizations, low, x$regularizations, high, col = "gray60")
  graphics::abline(v = x$regularizations[[x$best]], lty = 3)
  invisible(x)
}

# Those of the model.
predict.cv.bkernn <- function(object, ...) stats::predict(object$fit, ...)

coef.cv.bkernn <- function(object, ...) stats::coef(object$fit, ...)

directions.cv.bkernn <- function(object, ...) directions(object$fit, ...)

importance.cv.bkernn <- function(object, ...) importance(object$fit)

fitted.cv.bkernn <- function(object, ...) stats::fitted(object$fit)

residuals.cv.bkernn <- function(object, ...) stats::residuals(object$fit)

nobs.cv.bkernn <- function(object, ...) stats::nobs(object$fit)

summary.cv.bkernn <- function(object, ...) summary(object$fit)
