bkernn <- function(x, ...) UseMethod("bkernn")

bkernn.formula <- function(formula, data, family = "auto", weights, subset, ..., seed = NULL,
                           nthreads = getOption("bkernn.nthreads", 0), validation = NULL,
                           verbose = interactive()) {
  call <- match.call()
  rows <- rows_of_formula(call, parent.frame())
  problem <- problem_of(rows, family, list(...), seed, nthreads, validation)
  found <- core(C_bkernn_fit, problem$core, flag("verbose", verbose))
  fitted_model(found, problem, named(call, "bkernn"))
}

bkernn.default <- function(x, y, family = "auto", weights = NULL, ..., seed = NULL,
                           nthreads = getOption("bkernn.nthreads", 0), validation = NULL,
                           verbose = interactive()) {
  call <- match.call()
  rows <- rows_of_matrix(x, y, weights)
  problem <- problem_of(rows, family, list(...), seed, nthreads, validation)
  found <- core(C_bkernn_fit, problem$core, flag("verbose", verbose))
  fitted_model(found, problem, named(call, "bkernn"))
}

# The call of a method as the user wrote it.
named <- function(call, generic) {
  call[[1L]] <- as.name(generic)
  call
}

# What the core takes, and what the model keeps of it.
problem_of <- function(rows, family, options, seed, nthreads, validation = NULL) {
  response <- response_of(rows$y, family, options$quantile)
  rows$y <- NULL
  if (!is.null(validation) && (!is.numeric(validation) || length(validation) != 1)) {
    refuse("validation", validation, "must be the share of the rows to set aside")
  }
  options <- core_options(options, losses[[response$family]], seed, nthreads)
  if (isTRUE(options$early_stopping) && is.null(validation)) {
    refuse("early_stopping", TRUE, "needs rows to watch, such as validation = 0.2")
  }
  targets <- if (is.matrix(response$y)) colnames(response$y) else rows$targets
  core <- list(
    x = rows$x, y = response$Y, weights = rows$weights, names = rows$names,
    classes = response$classes, targets = if (length(targets) > 0) targets, options = options,
    validation = validation
  )
  if (length(targets) != NCOL(response$Y)) core$targets <- rep_len(targets, 0)
  list(core = core, rows = rows, response = response)
}

fitted_model <- function(found, problem, call) {
  rows <- problem$rows
  object <- structure(c(
    list(call = call, terms = rows$terms, variables = rows$variables),
    what_file_knows(found$model),
    list(y = problem$response$y, weights = rows$weights, na.action = rows$na.action)
  ), class = "bkernn")
  object$linear.predictors <- in_shape(found$link, object, rows$labels)
  object$fitted.values <- if (is.null(found$response)) {
    object$linear.predictors
  } else {
    in_shape(found$response, object, rows$labels, probabilities = TRUE)
  }
  warn(object, problem$core$options)
  object
}

warn <- function(object, options) {
  report <- describe(object)$report
  tell <- function(message) {
    warning(warningCondition(message, class = "bkernn_not_converged"))
  }
  if (nzchar(report$warning) && !identical(options$tol, 0)) tell(report$warning)
  if (!report$inner_converged) {
    tell(sprintf(paste(
      "the last kernel regression stopped at a relative residual of %.1g, or before its intercept",
      "was found; increase regularization, or set inner_solver = \"cholesky\""
    ), report$inner_residual))
  }
}

describe <- function(object) core(C_bkernn_describe, object$model)
