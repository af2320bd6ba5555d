predict.bkernn <- function(object, newdata,
                           type = c("response", "link", "class", "interval", "projection"),
                           level = 0.9, nthreads = getOption("bkernn.nthreads", 0), ...) {
  type <- chosen(type)
  classes <- classifies(object$family)
  if (type == "class" && !classes) {
    refuse("type", type, sprintf("the model is of the %s family", object$family))
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
    class = {
      p <- object$fitted.values
      most_probable(if (object$family == "binomial") cbind(1 - p, p) else p, object)
    }
  )
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
  if (object$family == "binomial") y <- as.integer(y) == 2L
  if (object$family == "multinomial") y <- diag(nlevels(y))[as.integer(y), ]
  if (length(object$quantiles) > 1) y <- as.vector(y)
  stats::naresid(object$na.action, -(object$fitted.values - y))  # with the names of the fitted
}

with_rows <- function(object, name = "object") {
  if (is.null(object$y)) fail(paste0(name, ": is from a file, which holds no rows"))
}
