predict.bkernn <- function(object, newdata,
                           type = c("response", "link", "class", "interval", "projection"),
                           level = 0.9, nthreads = getOption("bkernn.nthreads", 0), ...) {
  type <- chosen(type)
  classes <- classifies(object$family)
  if (type == "class" && !classes) {
    refuse("type", type, sprintf("the model is of the %s family", object$family))
  }
  if (type == "interval" && !describe(object)$calibrated) {
    refuse("type", type, "the fit kept no intervals; it does with intervals = \"cross\"")
  }
  if (...length() > 0) {
    given <- c(...names(), "")[[1]]
    fail(sprintf("%s: predict() has no such argument", if (nzchar(given)) given else "..."))
  }
  if (missing(newdata)) return(predictions_kept(object, type))
  rows <- new_rows(object, newdata)
  labels <- row_labels(newdata)
  asked <- switch(type, class = "response", interval = if (classes) "set" else type,
    projection = "encoded", type
  )
  if (!is.numeric(level) || length(level) != 1) refuse("level", level, "must be one number")
  found <- core(
    C_bkernn_predict, object$model, rows, asked, level, whole_number("nthreads", nthreads, 0),
    renamed = c(coverage = "level", X = "newdata")
  )
  switch(type,
    class = most_probable(found, object),
    interval = if (classes) sets(found, object, labels) else intervals(found, object, labels),
    projection = projections(found, object, labels),
    in_shape(found, object, labels, probabilities = type == "response")
  )
}

# Of the rows of the fit.
predictions_kept <- function(object, type) {
  if (is.null(object$linear.predictors)) fail("newdata: is needed, as the model is from a file")
  if (type %in% c("interval", "projection")) {
    refuse("type", type, "needs newdata")
  }
  switch(type,
    response = stats::fitted(object),
    link = object$linear.predictors,
    class = most_probable(probabilities_kept(object), object)
  )
}

# Of all classes, for the rows of the fit.
probabilities_kept <- function(object) {
  p <- object$fitted.values
  if (has_one_output(object$family)) cbind(1 - p, p) else p
}

most_probable <- function(probabilities, object) {
  factor(object$classes[max.col(probabilities, ties.method = "first")], levels = object$classes)
}

sets <- function(found, object, labels) {
  matrix(found == 1, nrow(found), dimnames = list(labels, object$classes))
}

# As predict.lm() gives them; of several outputs an array, one slice for each.
intervals <- function(found, object, labels) {
  outputs <- ncol(found$fit)
  ends <- array(
    unlist(found[c("fit", "lower", "upper")]), c(nrow(found$fit), outputs, 3),
    list(labels, output_names(object, outputs), c("fit", "lwr", "upr"))
  )
  if (outputs == 1) matrix(ends, ncol = 3, dimnames = dimnames(ends)[c(1, 3)]) else {
    aperm(ends, c(1, 3, 2))
  }
}

projections <- function(encoded, object, labels) {
  center <- describe(object)$center
  z <- sweep(encoded, 2, center)
  z[is.na(z)] <- 0
  found <- z %*% directions(object)
  rownames(found) <- labels
  found
}

fitted.bkernn <- function(object, ...) {
  with_rows(object)
  stats::napredict(object$na.action, object$fitted.values)
}

residuals.bkernn <- function(object, ...) {
  with_rows(object)
  y <- object$y
  if (is.factor(y)) y <- outputs_of_classes(y, object$family)
  if (length(object$quantiles) > 1) y <- as.vector(y)
  stats::naresid(object$na.action, -(object$fitted.values - y))  # with the names of the fitted
}

with_rows <- function(object, name = "object") {
  if (is.null(object$y)) fail(paste0(name, ": is from a file, which holds no rows"))
}
