write_bkernn <- function(object, path) {
  if (inherits(object, "cv.bkernn")) object <- object$fit
  if (!inherits(object, "bkernn")) refuse("object", class(object), "must be a bkernn model")
  core(C_bkernn_write, object$model, path_of(path))
  invisible(object)
}

read_bkernn <- function(path) {
  structure(what_file_knows(core(C_bkernn_read, path_of(path))), class = "bkernn")
}

# The part of a "bkernn" that does not need the rows of the fit.
what_file_knows <- function(model) {
  about <- core(C_bkernn_describe, model)
  found <- list(family = names(losses)[losses == about$loss], model = model)
  c(found, about[c("classes", "names", "targets", "quantiles", "categories", "seed")])
}

path_of <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) {
    refuse("path", path, "must be the name of a file")
  }
  path.expand(path)
}
