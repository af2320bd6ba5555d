# Fits that take no time: what is to be chosen is given.
options(bkernn.nthreads = 2)

quick <- function(...) {
  given <- eval(substitute(alist(...)))
  short <- list(regularization = "rule", penalty = "feature", max_iter = 15)
  call <- as.call(c(quote(bkernn), given, short))
  suppressWarnings(eval(call, parent.frame()), classes = "bkernn_not_converged")
}

# y depends on one direction of five variables.
line <- local({
  set.seed(7)
  x <- matrix(round(64 * runif(750, -1, 1)) / 64, 150, dimnames = list(NULL, letters[1:5]))
  z <- (x[, 1] - 2 * x[, 2]) / sqrt(5)
  list(x = x, z = z, y = sin(3 * z) + 0.05 * rnorm(150))
})
table_of <- function(y) data.frame(line$x, y = y)
