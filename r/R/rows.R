# From formulas, data frames and matrices to the rows of the core.

# `call` is that of a function with the arguments formula, data, weights and subset.
rows_of_formula <- function(call, env) {
  call <- call[c(1L, match(c("formula", "data", "weights", "subset"), names(call), 0L))]
  call[[1L]] <- quote(stats::model.frame)
  call$na.action <- quote(stats::na.pass)
  data <- eval(call$data, env)
  call$formula <- eval(call$formula, env)
  if (!is.null(data)) call$data <- quote(data)
  frame <- eval(call, list(data = data), env)
  terms <- attr(frame, "terms")
  if (any(attr(terms, "order") > 1)) {
    refuse("formula", stats::formula(terms), "must have no interactions: they are learned")
  }
  if (!is.null(attr(terms, "offset"))) {
    refuse("formula", stats::formula(terms), "must have no offset")
  }
  response <- attr(terms, "response")
  if (response == 0) refuse("formula", stats::formula(terms), "must have a response")
  rows <- checked_rows(frame[predictors(terms)], frame[[response]], stats::model.weights(frame))
  rows$terms <- terms
  rows$variables <- intersect(all.vars(stats::delete.response(terms)), names(data))
  rows$targets <- names(frame)[[response]]
  rows
}

# Which columns of a model frame they are.
predictors <- function(terms) {
  factors <- attr(terms, "factors")
  if (length(factors) == 0) refuse("formula", stats::formula(terms), "must have a variable")
  which(rowSums(factors) > 0)
}

rows_of_matrix <- function(x, y, weights) {
  if (missing(x)) fail("x: is needed, or a formula as the first argument")
  if (!is.data.frame(x) && !is.matrix(x)) refuse("x", class(x), "must be a matrix or data frame")
  if (missing(y)) fail("y: is needed")
  checked_rows(x, y, weights)
}

checked_rows <- function(x, y, weights) {
  n <- NROW(x)
  if (is.data.frame(y)) y <- if (length(y) == 1) y[[1]] else as.matrix(y)
  if (is.matrix(y) && ncol(y) == 1) y <- as.vector(y)
  if (is_numbers(y)) y <- unclass(y)
  if (NROW(y) != n) {
    fail(sprintf("y = %s: must be as many as there are rows, %d", count(NROW(y), "value"), n))
  }
  if (!is.null(weights)) {
    weights <- checked_weights(weights, n)
  }
  rows <- list(x = x, y = y, weights = weights, labels = row_labels(x))
  missing <- if (is.matrix(y)) rowSums(is.na(y)) > 0 else is.na(y)
  if (any(missing)) rows <- without(rows, missing)
  rows$names <- column_names(rows$x)
  rows$x <- core_columns(rows$x)
  if (is.list(rows$x)) rows$names <- names(rows$x)
  rows
}

checked_weights <- function(weights, n) {
  if (!is.numeric(weights)) refuse("weights", class(weights)[[1]], "must be numbers")
  if (length(weights) != n) {
    fail(sprintf("weights = %s: must be as many as there are rows, %d", count(length(weights),
      "value"), n))
  }
  wrong <- which(!is.finite(weights) | weights < 0)
  if (length(wrong) > 0) {
    first <- wrong[[1]]
    refuse(sprintf("weights[%d]", first), weights[[first]], "must be finite and not negative")
  }
  as.double(weights)
}

# The rows whose y is known.
without <- function(rows, missing) {
  if (all(missing)) fail("y: every value is missing")
  kept <- !missing
  omitted <- which(missing)
  if (!is.null(rows$labels)) names(omitted) <- rows$labels[missing]
  list(
    x = rows$x[kept, , drop = FALSE],
    y = if (is.matrix(rows$y)) rows$y[kept, , drop = FALSE] else rows$y[kept],
    weights = rows$weights[kept], labels = rows$labels[kept],
    na.action = structure(omitted, class = "omit")
  )
}

# Names of rows, if somebody has given them; a million numbers as words would be a waste.
row_labels <- function(x) {
  if (is.matrix(x)) return(rownames(x))
  labels <- attr(x, "row.names")
  if (is.character(labels)) labels
}

column_names <- function(x) if (is.data.frame(x)) names(x) else colnames(x)

# A matrix of doubles, or a list of numbers and factors.
core_columns <- function(x) {
  if (is.matrix(x)) {
    if (!is.numeric(x) && !all(is.na(x))) {
      refuse("x", typeof(x), "must be a matrix of numbers; a data frame may hold words")
    }
    return(as_doubles(x))
  }
  twice <- anyDuplicated(names(x))
  if (twice > 0) fail(sprintf("column \"%s\": is there twice", names(x)[[twice]]))
  columns <- list()
  for (name in names(x)) {
    column <- x[[name]]
    if (is.matrix(column)) {
      if (!is_numbers(column)) fail(sprintf("column \"%s\": must be a matrix of numbers", name))
      labels <- if (is.null(colnames(column))) seq_len(ncol(column)) else colnames(column)
      for (a in seq_len(ncol(column))) {
        columns[[paste0(name, ".", labels[[a]])]] <- as.double(column[, a])
      }
    } else {
      columns[[name]] <- core_column(column, name)
    }
  }
  columns
}

core_column <- function(column, name) {
  if (is.factor(column)) return(column)
  if (is.logical(column)) {
    if (all(is.na(column))) return(as.double(column))
    return(factor(column, levels = c(FALSE, TRUE)))
  }
  if (is.character(column)) return(factor(column, levels = unique(column[!is.na(column)])))
  if (is_numbers(column)) return(as.vector(column))
  refuse(sprintf("column \"%s\"", name), class(column)[[1]], plain)
}

plain <- "must be numbers, a factor, words or truth values"
is_plain <- function(x) is_numbers(x) || is.factor(x) || is.character(x) || is.logical(x)

as_doubles <- function(x) {
  if (!is.double(x)) storage.mode(x) <- "double"  # which would copy doubles as well
  x
}

# Those of 64 bits, as data.table::fread() and databases give them, are other numbers in the bits of
# doubles. Of other classes, such as labelled columns, the numbers are what they seem.
is_numbers <- function(values) is.numeric(values) && !inherits(values, "integer64")

# Rows to predict, for a model of a formula or of columns with names.
new_rows <- function(object, newdata) {
  if (!is.null(object$terms)) {
    if (!is.data.frame(newdata)) newdata <- as.data.frame(newdata)
    lacking(object$variables, names(newdata))
    terms <- stats::delete.response(object$terms)
    frame <- stats::model.frame(terms, newdata, na.action = stats::na.pass)
    if (nrow(frame) != nrow(newdata)) {  # of a formula without data
      refuse("newdata", nrow(newdata), sprintf(
        "must hold the variables of the formula; those found elsewhere have %d rows", nrow(frame)))
    }
    return(as_fitted(core_columns(frame[predictors(terms)]), object))
  }
  if (!is.data.frame(newdata) && !is.matrix(newdata)) {
    refuse("newdata", class(newdata), "must be a matrix or data frame")
  }
  wanted <- object$names
  given <- column_names(newdata)
  if (length(wanted) > 0 && !is.null(given)) {
    lacking(wanted, given)
    if (!identical(wanted, given)) newdata <- newdata[, wanted, drop = FALSE]
  }
  if (is.matrix(newdata) && length(object$categories) > 0) newdata <- as.data.frame(newdata)
  as_fitted(core_columns(newdata), object)
}

# Numbers are names in a column that is a category of the model, as 7 for the seventh month; so are
# gaps, which without a word among them do not tell what they are.
as_fitted <- function(columns, object) {
  for (a in intersect(object$categories, seq_along(columns))) {
    if (!is.factor(columns[[a]])) columns[[a]] <- factor(columns[[a]])
  }
  columns
}

lacking <- function(wanted, given) {
  missing <- setdiff(wanted, given)
  if (length(missing) > 0) {
    fail(sprintf("newdata: has no column \"%s\", which the model was fitted to", missing[[1]]))
  }
}
