# What y is, and what the core makes of it.
losses <- c(
  gaussian = "square", binomial = "logistic", multinomial = "multinomial", poisson = "poisson",
  huber = "huber", quantile = "quantile"
)

family_name <- function(family, y) {
  if (is.function(family)) family <- family()
  if (inherits(family, "family")) {
    canonical <- c(gaussian = "identity", binomial = "logit", poisson = "log")
    if (!identical(unname(canonical[family$family]), family$link)) {
      refuse("family", paste0(family$family, "(", family$link, ")"), "must have its usual link")
    }
    family <- family$family
  }
  if (!is.character(family) || length(family) != 1 || !family %in% c("auto", names(losses))) {
    refuse("family", family, paste("must be auto or one of", toString(names(losses))))
  }
  if (family != "auto") return(family)
  if (is_numbers(y)) return("gaussian")
  if (length(unique(as.vector(y))) > 2) "multinomial" else "binomial"
}

# What the core says about it.
loss_of <- function(family) {
  table <- core(C_bkernn_losses)
  lapply(table, `[[`, match(losses[[family]], table$name))
}

classifies <- function(family) loss_of(family)$targets == "classes"

# Two classes have one output, for the second.
has_one_output <- function(family) loss_of(family)$two_in_one == 1

# Y of the core, and for classes their names.
response_of <- function(y, family, quantile) {
  if (!is_plain(y)) refuse("y", class(y)[[1]], plain)
  family <- family_name(family, y)
  if (!is.null(quantile) && loss_of(family)$quantile == 0) {
    refuse("quantile", quantile, sprintf("the family is %s", family))
  }
  if (classifies(family)) {
    y <- classes_of(y, family)
    Y <- as.matrix(outputs_of_classes(y, family))
    return(list(family = family, y = y, Y = Y, classes = levels(y)))
  }
  if (!is_numbers(y)) {
    refuse("family", family, sprintf("y must be numbers, and is %s", class(y)[[1]]))
  }
  Y <- as_doubles(y)
  if (length(quantile) > 1) {
    if (is.matrix(Y)) refuse("quantile", quantile, "several of them take one y")
    Y <- matrix(Y, length(Y), length(quantile))
  }
  list(family = family, y = y, Y = Y, classes = NULL)
}

# A factor; its levels keep their order, and words get that of the C locale.
classes_of <- function(y, family) {
  if (is.matrix(y)) refuse("family", family, "y must be one column of classes")
  y <- if (is.factor(y)) droplevels(y) else factor(y, sort(unique(y), method = "radix"))
  if (nlevels(y) < 2) refuse("y", levels(y), "at least two classes are needed")
  if (has_one_output(family) && nlevels(y) > 2) {
    refuse("family", family, sprintf("takes two classes, and y has %d", nlevels(y)))
  }
  y
}

# Zeros and ones.
outputs_of_classes <- function(y, family) {
  if (has_one_output(family)) as.double(as.integer(y) == 2L) else diag(nlevels(y))[as.integer(y), ]
}

# One column is a vector; of two classes the second counts.
in_shape <- function(values, object, labels = NULL, probabilities = FALSE) {
  if (probabilities && has_one_output(object$family)) values <- values[, 2, drop = FALSE]
  if (ncol(values) == 1) return(stats::setNames(as.vector(values), labels))
  dimnames(values) <- list(labels, output_names(object, ncol(values)))
  values
}

output_names <- function(object, outputs) {
  if (length(object$classes) > 0) return(object$classes)
  if (length(object$quantiles) == outputs) return(paste0(100 * object$quantiles, "%"))
  if (length(object$targets) == outputs) object$targets
}
