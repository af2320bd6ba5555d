# What a model has found.
importance <- function(object, ...) UseMethod("importance")

importance.bkernn <- function(object, ...) {
  about <- describe(object)
  names <- if (length(about$names) > 0) about$names else paste0("x", seq_len(about$n_columns))
  stats::setNames(about$importances, names)
}

directions <- function(object, k = NULL, ...) UseMethod("directions")

directions.bkernn <- function(object, k = NULL, standardized = FALSE, ...) {
  about <- describe(object)
  flag("standardized", standardized)
  k <- if (is.null(k)) about$dimension else whole_number("k", k)
  found <- if (k == 0 && about$dimension == 0) {
    matrix(0, length(about$scale), 0)
  } else {
    core(C_bkernn_directions, object$model, k)
  }
  largest <- found[cbind(max.col(t(abs(found)), ties.method = "first"), seq_len(k))]
  found <- sweep(found, 2, ifelse(largest < 0, -1, 1), "*")
  if (!standardized) found <- found / about$scale
  dimnames(found) <- list(about$coordinates, paste0("direction", seq_len(k), recycle0 = TRUE))
  found
}

coef.bkernn <- function(object, ...) directions(object, ...)

formula.bkernn <- function(x, ...) {
  if (is.null(x$terms)) fail("x: was not fitted to a formula")
  stats::formula(x$terms)
}

nobs.bkernn <- function(object, ...) {
  with_rows(object)
  NROW(object$y)
}

print.bkernn <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  about <- describe(x)
  cat("Brownian kernel neural network,", x$family, "family\n")
  if (!is.null(x$call)) cat("\nCall:", first_lines(x$call, 8), sep = "\n")
  rows <- if (is.null(x$y)) about$report$rows else NROW(x$y)  # the core merges those that are equal
  found <- if (about$selects_variables) "variable" else "direction"
  cat(
    sprintf("\n%s, %s, %s found\n", count(rows, "row"),
      count(about$n_columns, "variable"), count(about$dimension, found)),
    sprintf("penalty %s, regularization %s\n", about$penalty, format(about$regularization,
      digits = digits)),
    about$report$termination, "\n", sep = ""
  )
  if (length(x$na.action) > 0) {
    cat(count(length(x$na.action), "row"), "without a response left out\n")
  }
  invisible(x)
}

count <- function(number, noun) sprintf("%.0f %s%s", number, noun, if (number == 1) "" else "s")

summary.bkernn <- function(object, ...) {
  about <- describe(object)
  structure(list(
    object = object, importance = sort(importance(object), decreasing = TRUE),
    directions = directions(object, standardized = TRUE), choice = about$report$choice,
    selects_variables = about$selects_variables,
    scores = if (!is.null(object$y)) scores(object)
  ), class = "summary.bkernn")
}

# Of many rows those with the largest weights, in the order that they had.
largest_weights <- function(P, most = 20) {
  P[sort(utils::head(order(-apply(abs(P), 1, max)), most)), , drop = FALSE]
}

# On the rows of the fit.
scores <- function(object) {
  weights <- if (is.null(object$weights)) rep(1, NROW(object$y)) else object$weights
  mean_of <- function(values) sum(weights * values) / sum(weights)
  if (classifies(object$family)) {
    p <- probabilities_kept(object)
    own <- p[cbind(seq_len(nrow(p)), as.integer(object$y))]
    hit <- max.col(p, ties.method = "first") == as.integer(object$y)
    return(c(accuracy = mean_of(hit), log_loss = mean_of(-log(pmax(own, 1e-15)))))
  }
  y <- as.matrix(object$y)
  left <- as.matrix(stats::fitted(object)) - as.vector(if (ncol(y) == 1) y else t(t(y)))
  if (length(object$quantiles) > 0) {
    below <- colSums(weights * (left >= 0)) / sum(weights)
    return(stats::setNames(below, paste0("share below ", 100 * object$quantiles, "%")))
  }
  centered <- sweep(y, 2, colSums(weights * y) / sum(weights))
  r2 <- 1 - colSums(weights * left^2) / colSums(weights * centered^2)
  c(r2 = mean(r2), mean_absolute_error = mean_of(rowMeans(abs(left))))
}

print.summary.bkernn <- function(x, digits = max(3L, getOption("digits") - 3L), ...) {
  print(x$object, digits = digits)
  if (nzchar(x$choice)) {
    cat("\nHow penalty and regularization were chosen:", strwrap(x$choice), sep = "\n")
  }
  if (!is.null(x$scores)) {
    cat("\nOn the rows of the fit:\n")
    print(x$scores, digits = digits)
  }
  cat("\nImportance of the variables:\n")
  print(utils::head(x$importance, 10), digits = digits)
  if (ncol(x$directions) > 0 && !x$selects_variables) {
    cat("\nDirections, in standardized variables:\n")
    shown <- largest_weights(x$directions)
    print(round(shown, digits))
    more <- nrow(x$directions) - nrow(shown)
    if (more > 0) cat(sprintf("and %d coordinates with smaller weights\n", more))
  }
  invisible(x)
}
