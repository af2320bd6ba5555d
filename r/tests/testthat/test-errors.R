data <- table_of(line$y)

test_that("errors name argument, value and constraint", {
  error <- expect_error(bkernn(y ~ ., data, n_particles = -1), class = "bkernn_invalid_argument")
  expect_identical(error$argument, "n_particles")
  expect_identical(error$value, "-1")
  expect_match(error$constraint, "must lie between 0 and")
  refused <- function(..., message) {
    expect_error(bkernn(y ~ ., data, ...), message, fixed = TRUE, class = "bkernn_error")
  }
  refused(penalty = "none", message = "penalty = \"none\": must be one of auto, basic")
  refused(penalty = 3, message = "penalty = 3: must be one string")
  refused(max_iter = 1.5, message = "max_iter = 1.5: must be a whole number")
  refused(standardize = 1, message = "standardize = 1: must be TRUE or FALSE")
  refused(tol = "no", message = "tol = \"no\": must be one number")
  refused(regularization = "cv", message = "regularization = \"cv\": must be")
  refused(n_particle = 5, message = "n_particle: there is no such argument or option")
  refused(family = "gamma", message = "family = \"gamma\": must be auto or one of gaussian")
  refused(family = binomial("probit"), message = "must have its usual link")
  refused(family = "binomial", message = "family = \"binomial\": takes two classes, and y has")
  refused(seed = -1, message = "seed = -1: must be between 0")
  refused(nthreads = 0.5, message = "nthreads = 0.5: must be a whole number")
  refused(validation = 2, message = "validation = 2: must lie between 0 and 1")
  expect_error(bkernn(y ~ ., data, weights = rep(-1, 150)), "weights: must be 150 finite numbers")
})

test_that("they have the names and the places that R has for them", {
  refused <- function(call, argument, value = NULL) {
    error <- expect_error(call, class = "bkernn_invalid_argument")
    expect_identical(error$argument, argument)
    if (!is.null(value)) expect_identical(error$value, value)
  }
  refused(quick(line$x, replace(line$y, 3, Inf)), "y[3, 1]", "inf")
  refused(quick(replace(line$x, 3, Inf), line$y), "column \"a\"", "inf")
  refused(quick(y ~ ., data, weights = rep(NA_real_, 150)), "weights")
  refused(bkernn(y ~ ., data, nthreads = -1), "nthreads", "-1")
  refused(bkernn(y ~ ., data, max_iter = 1e20), "max_iter")
  refused(bkernn(y ~ ., data, verbose = "no"), "verbose")
  refused(bkernn(y ~ ., data, quantile = 0.9), "quantile")
  refused(bkernn(y ~ ., data, family = "quantile", quantile = c(0.9, 0.1)), "quantile")
  refused(cv.bkernn(y ~ ., data, nfolds = 1), "nfolds")
  refused(cv.bkernn(y ~ ., data, scoring = "auc"), "scoring")
  refused(cv.bkernn(y ~ ., data, regularizations = -1), "regularizations")
  fit <- quick(y ~ ., data, seed = 1, intervals = "fast")
  refused(predict(fit, data, type = "prob"), "type", "\"prob\"")
  refused(predict(fit, data, type = "interval", level = 2), "level")
  refused(predict(fit, data, nthreads = -1), "nthreads")
  refused(predict(quick(unname(line$x), line$y), line$x[, 1:3]), "newdata", "3 columns")
  refused(directions(fit, standardized = 1), "standardized")
  refused(plot(fit, "nothing"), "which")
  refused(plot(fit, output = 2), "output")
})

test_that("so do those of rows and formulas", {
  expect_error(bkernn(y ~ a * b, data), "must have no interactions")
  expect_error(bkernn(y ~ a + offset(b), data), "must have no offset")
  expect_error(bkernn(y ~ 1, data), "must have a variable")
  expect_error(bkernn(line$x, line$y[-1]), "y = 149: must have as many values")
  expect_error(bkernn("text", 1), "x = \"character\": must be a matrix or data frame")
  expect_error(bkernn(y ~ when, data.frame(y = 1:3, when = Sys.Date() + 1:3)),
    'column "when" = Date: must be numbers')
  expect_error(bkernn(line$x, rep("same", 150)), "at least two classes")
  expect_error(bkernn(line$x), "y: is needed")
  expect_error(bkernn(cbind(data, a = 1), line$y), 'column "a": is there twice')
  expect_error(bkernn(replace(line$x, 3, Inf), line$y), class = "bkernn_invalid_argument")
  fit <- quick(y ~ ., data, seed = 1)
  expect_error(predict(fit, transform(data, a = "word")), 'column "a" = words')
  expect_error(predict(fit, data["a"]), 'newdata: has no column "b"')
  expect_error(predict(fit, data, type = "class"), "type = \"class\": the model is of the gaussian")
})

test_that("the table of options is that of the core", {
  table <- bkernn_options()
  expect_true(all(c("regularization", "n_particles", "knots") %in% table$name))
  expect_false(any(c("n_threads", "loss") %in% table$name))
})

test_that("a fit that has not converged warns", {
  expect_warning(bkernn(y ~ ., data, max_iter = 1, regularization = "rule", penalty = "feature"),
    class = "bkernn_not_converged")
})
