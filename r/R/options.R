# What the core calls otherwise: each has an argument of its own, or shares one.
argument_of <- c(
  loss = "family", seed = "seed", n_threads = "nthreads", regularization_rule = "regularization",
  quantiles = "quantile", X = "x"
)

bkernn_options <- function() {
  table <- as.data.frame(core(C_bkernn_options))
  table <- table[!table$name %in% names(argument_of), ]
  table$default[table$name == "regularization"] <- "auto"
  rownames(table) <- NULL
  table
}

# The options of `given`, by the names of the core.
core_options <- function(given, loss, seed, nthreads) {
  table <- bkernn_options()
  named <- names(given)
  if (length(given) > 0 && (is.null(named) || !all(nzchar(named)))) {
    fail("...: every option must have a name")
  }
  unknown <- setdiff(named, table$name)
  if (length(unknown) > 0) {
    fail(sprintf("%s: there is no such argument or option; see bkernn_options()", unknown[[1]]))
  }
  options <- list(
    loss = loss, seed = core_seed(seed), n_threads = whole_number("nthreads", nthreads, 0)
  )
  for (name in setdiff(named, c("regularization", "quantile"))) {
    options[[name]] <- option_value(given[[name]], table[table$name == name, ])
  }
  options <- c(options, regularization_options(given$regularization))
  c(options, quantile_options(given$quantile))
}

option_value <- function(value, option) {
  if (is.null(value)) return(NULL)
  if (nzchar(option$zero) && identical(value, option$zero)) return(0)
  name <- option$name
  one <- length(value) == 1 && !anyNA(value)
  switch(option$kind,
    flag = flag(name, value),
    text = if (!one || !is.character(value)) refuse(name, value, "must be one string"),
    integer = return(whole_number(name, value)),
    number = if (!one || !is.numeric(value)) refuse(name, value, "must be one number"),
    matrix = {
      if (!is.matrix(value) || !is.numeric(value)) refuse(name, value, "must be a matrix")
      value <- as_doubles(value)
    }
  )
  value
}

regularization_options <- function(value) {
  if (is.null(value)) return(NULL)
  if (is.character(value) && length(value) == 1) {
    if (!value %in% c("auto", "rule", "theory")) {
      refuse("regularization", value, "must be \"auto\", \"rule\", \"theory\" or a number")
    }
    return(list(regularization_rule = value))
  }
  number <- list(name = "regularization", kind = "number", zero = "")
  list(regularization = option_value(value, number))
}

quantile_options <- function(levels) {
  if (is.null(levels)) return(NULL)
  if (!is.numeric(levels) || anyNA(levels)) refuse("quantile", levels, "must be numbers")
  if (length(levels) == 1) list(quantile = levels) else list(quantiles = as.double(levels))
}

# A number is taken as it is, as Python and the tool do; NULL draws one, which set.seed() decides.
core_seed <- function(seed) {
  if (is.null(seed)) return(as.double(sample.int(.Machine$integer.max, 1L)))
  whole_number("seed", seed, 0, 2^53)
}
