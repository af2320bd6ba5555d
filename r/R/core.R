# Calls of the core. What it refuses becomes an R condition that names argument, value and
# constraint. `renamed` are arguments by the names that the core has for them.
core <- function(routine, ..., renamed = NULL) {
  result <- .Call(routine, ...)
  if (inherits(result, "bkernn_failure")) {
    fail(in_words_of_r(result[[2]], c(renamed, argument_of)), result[[1]])
  }
  result
}

# Messages start with a name, perhaps with places, which the core counts from zero.
in_words_of_r <- function(message, renamed) {
  parts <- regmatches(message, regexec("^(\\w+)(\\[[0-9, ]+\\])?( = .*)$", message))[[1]]
  if (length(parts) == 0) return(message)
  name <- if (parts[[2]] %in% names(renamed)) renamed[[parts[[2]]]] else parts[[2]]
  places <- gregexpr("[0-9]+", parts[[3]])
  regmatches(parts[[3]], places) <- lapply(regmatches(parts[[3]], places), function(i) {
    as.numeric(i) + 1
  })
  paste0(name, parts[[3]], parts[[4]])
}

# The first colon ends the value; those in the name of a column do not count.
fail <- function(message, kind = "invalid_argument") {
  classes <- c(paste0("bkernn_", kind), "bkernn_error")
  form <- "^(column \".*?\"(?= =|:)|[^:=]*[^:= ])( = (.*?))?: (.*)$"
  parts <- regmatches(message, regexec(form, message, perl = TRUE))[[1]]
  if (length(parts) == 0 || kind != "invalid_argument") {
    stop(errorCondition(message, class = classes))
  }
  stop(errorCondition(
    message, class = classes, argument = parts[[2]], value = if (nzchar(parts[[3]])) parts[[4]],
    constraint = parts[[5]]
  ))
}

refuse <- function(argument, value, constraint) {
  if (is.integer(value)) value <- as.double(value)
  fail(sprintf("%s = %s: %s", argument, paste(first_lines(value, 1), collapse = " "), constraint))
}

# Of what may be long, such as a call that holds the data themselves because do.call() made it.
first_lines <- function(code, limit) {
  lines <- deparse(code, nlines = limit + 1L)
  if (length(lines) > limit) c(lines[seq_len(limit)], "...") else lines
}

# match.arg(), with an error of ours.
chosen <- function(value, several = FALSE) {
  name <- as.character(substitute(value))
  choices <- eval(formals(sys.function(sys.parent()))[[name]])
  if (identical(value, choices)) return(if (several) choices else choices[[1]])
  found <- if (is.character(value)) pmatch(value, choices)
  if (length(found) == 0 || anyNA(found) || (length(found) > 1 && !several)) {
    refuse(name, value, paste("must be one of", toString(choices)))
  }
  choices[found]
}

flag <- function(name, value) {
  if (length(value) != 1 || !is.logical(value) || is.na(value)) {
    refuse(name, value, "must be TRUE or FALSE")
  }
  value
}

whole_number <- function(name, value, low = -.Machine$integer.max, high = .Machine$integer.max) {
  if (!is.numeric(value) || length(value) != 1 || is.na(value) || value != round(value)) {
    refuse(name, value, "must be a whole number")
  }
  if (value < low || value > high) {
    refuse(name, value, sprintf("must be between %.0f and %.0f", low, high))
  }
  as.double(value)
}

# The library is unloaded with the package.
.onUnload <- function(libpath) library.dynam.unload("bkernn", libpath)
