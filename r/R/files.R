write_bkernn <- function(object, path) {
  if (inherits(object, "cv.bkernn")) object <- object$fit
  if (!inherits(object, "bkernn")) refuse("object", class(object), "must be a bkernn model")
  core(C_bkernn_write, object$model, path_of(path))
  invisible(object)
}

read_bkernn <- function(path) {
  model <- core(C_bkernn_read, path_of(path))
  about <- core(C_bkernn_describe, model)
  structure(list(
    family = names(losses)[losses == about$loss], model = model,
    classes = if (length(about$classes) > 0) about$classes,
    names = if (length(about$names) > 0) about$names,
    quantiles = if (length(about$quantiles) > 0) about$quantiles, seed = about$seed
  ), class = "bkernn")
}

path_of <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) {
    refuse("path", path, "must be the name of a file")
  }
  path.expand(path)
}
