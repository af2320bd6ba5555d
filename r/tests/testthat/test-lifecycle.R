data <- table_of(line$y)
fit <- quick(y ~ ., data, seed = 1)

test_that("seeds decide, threads do not", {
  expect_identical(fitted(quick(y ~ ., data, seed = 1, nthreads = 1)), fitted(fit))
  set.seed(3)
  one <- quick(y ~ ., data)
  two <- quick(y ~ ., data)
  set.seed(3)
  expect_identical(fitted(quick(y ~ ., data)), fitted(one))
  expect_false(identical(fitted(one), fitted(two)))
})

test_that("models are saved with R and in files", {
  file <- tempfile(fileext = ".rds")
  saveRDS(fit, file)
  expect_identical(predict(readRDS(file), data), fitted(fit))
  expect_identical(readRDS(file)$model, fit$model)
  copy <- unserialize(serialize(fit, NULL, version = 2))
  expect_identical(predict(copy, data), fitted(fit))
  for (ending in c(".json", ".ubj", ".cbor")) {
    path <- tempfile(fileext = ending)
    write_bkernn(fit, path)
    same <- read_bkernn(path)
    expect_identical(predict(same, data), fitted(fit))
    expect_identical(coef(same), coef(fit))
    expect_output(print(same), "gaussian family")
  }
  expect_error(predict(same), "newdata: is needed")
  for (rows in list(fitted, residuals, nobs, stability)) {
    expect_error(rows(same), "is from a file, which holds no rows")
  }
  expect_error(read_bkernn(tempfile(fileext = ".json")), class = "bkernn_io_error")
  expect_error(write_bkernn(fit, tempfile(fileext = ".txt")), class = "bkernn_error")
  kinds <- quick(Species ~ ., iris, seed = 1)
  write_bkernn(kinds, path)
  expect_identical(predict(read_bkernn(path), iris, type = "class"), predict(kinds, type = "class"))
  two <- quick(cbind(one = y, two = -y) ~ a + b, data, seed = 1)
  write_bkernn(two, path)
  expect_identical(predict(read_bkernn(path), data), fitted(two))
})

test_that("a model can be looked at as any list", {
  expect_output(str(fit), "List of")
  expect_gt(object.size(fit), 1000)
  changed <- fit
  changed$model[1] <- as.raw(0)
  expect_error(predict(changed, data), class = "bkernn_io_error")
  expect_identical(predict(fit, data), fitted(fit))
})

test_that("nothing is printed where R is not interactive", {
  expect_silent(quick(y ~ ., data, seed = 1))
})

test_that("a call that holds the data is printed in a few lines", {
  many <- do.call(bkernn, list(line$x, line$y, regularization = "rule", penalty = "feature",
    max_iter = 1, tol = 0, seed = 1))
  expect_lt(length(capture.output(print(many))), 20)
})

test_that("update makes the call again", {
  smaller <- suppressWarnings(update(bkernn(y ~ ., data, regularization = "rule",
    penalty = "feature", max_iter = 15, seed = 1), . ~ a + b))
  expect_identical(names(importance(smaller)), c("a", "b"))
  expect_identical(formula(smaller), y ~ a + b, ignore_formula_env = TRUE)
  expect_error(formula(quick(line$x, line$y)), "x: was not fitted to a formula")
})

test_that("a model of few variables is shown by them", {
  chosen <- suppressWarnings(bkernn(y ~ ., data, penalty = "variable", regularization = "rule",
    max_iter = 15, seed = 1))
  text <- capture.output(print(summary(chosen)))
  expect_match(text, "variables? found", all = FALSE)
  expect_no_match(text, "^Directions")
  P <- directions(chosen)
  expect_identical(names_of_directions(P), rownames(P)[max.col(t(P))])
  expect_identical(names_of_directions(directions(fit)), colnames(directions(fit)))
  panels <- 0
  setHook("plot.new", function() panels <<- panels + 1)
  on.exit(setHook("plot.new", NULL, "replace"))
  grDevices::pdf(NULL)
  plot(chosen)
  expect_identical(panels, 1 + ncol(P))
  plot(chosen, "functions", k = 1)
  drawn <- diff(par("usr")[1:2])
  grDevices::dev.off()
  expect_lt(drawn, 1.5 * diff(range(predict(chosen, data, type = "projection")[, 1])))
})

test_that("of many coordinates the largest weights are printed", {
  set.seed(1)
  wide <- quick(matrix(round(64 * runif(3000)) / 64, 100), line$y[1:100], seed = 1)
  text <- capture.output(print(summary(wide)))
  expect_match(text, "and 10 coordinates with smaller weights", all = FALSE)
  expect_length(unique(regmatches(text, regexpr("^x[0-9]+", text))), 20)
})

test_that("drawings are drawn", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(fit), fit)
  expect_identical(plot(fit, "functions", k = 2), fit)
  expect_identical(plot(fit, main = "Mine", xlab = "x", ylab = "y", xlim = c(-3, 3)), fit)
  long <- quick(stats::setNames(data.frame(line$x), strrep(letters[1:5], 20)), line$y, seed = 1)
  room <- par("mar")
  setHook("plot.new", function() inches <<- par("mai")[[2]])
  plot(long, "directions")
  setHook("plot.new", NULL, "replace")
  expect_gt(inches, max(strwidth(names(importance(long)), "inches", cex = 0.8)))
  expect_identical(par("mar"), room)
  constant <- quick(line$x, rep(1:2, 75), seed = 1)
  expect_silent(plot(constant, "importance"))
})

test_that("directions are asked for", {
  expect_identical(dim(directions(fit, 2)), c(5L, 2L))
  expect_equal(crossprod(directions(fit, 2, standardized = TRUE)), diag(2), ignore_attr = TRUE)
  for (seed in 1:3) {
    P <- directions(quick(y ~ ., data, seed = seed), 3, standardized = TRUE)
    expect_true(all(P[cbind(max.col(t(abs(P))), 1:3)] > 0))
  }
  expect_error(directions(fit, 9), "k = 9: ")
  expect_error(directions(fit, 1.5), "k = 1.5: must be a whole number")
})

test_that("cross-validation chooses from its path", {
  found <- suppressWarnings(cv.bkernn(y ~ ., data, nfolds = 3, penalty = "feature",
    n_regularizations = 4, max_iter = 15, seed = 1))
  expect_identical(which.min(found$mean), found$best)
  expect_equal(dim(found$scores), c(length(found$mean), 3L))
  expect_equal(sort(unique(found$foldid)), 1:3)
  expect_equal(nrow(coef(found)), 5)
  expect_identical(predict(found, data), fitted(found$fit))
  for (about in list(coef, directions, importance, fitted, residuals, nobs)) {
    expect_identical(about(found), about(found$fit))
  }
  expect_s3_class(summary(found), "summary.bkernn")
  expect_output(print(found), "regularization")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_identical(plot(found, main = "Mine", ylim = c(0, 1)), found)
  expect_identical(fitted(suppressWarnings(eval(found$fit$call))), fitted(found$fit))
  expect_error(cv.bkernn(y ~ ., data, regularization = 1), "regularization = 1: is chosen")
  folds <- rep(1:2, 75)
  given <- suppressWarnings(cv.bkernn(line$x, line$y, foldid = folds, penalty = "feature",
    regularizations = c(0.001, 0.01), scoring = "r2", max_iter = 15, seed = 1))
  expect_identical(given$foldid, folds)
  expect_identical(given$regularizations, c(0.01, 0.001))
  expect_true(given$higher_is_better)
})

test_that("a study of stability", {
  found <- suppressWarnings(stability(fit, n_pairs = 2, n_folds = 2, max_iter = 15))
  expect_identical(dim(found$angles), c(4L, as.integer(found$dimension)))
  expect_identical(names(found$selection), letters[1:5])
  expect_identical(fitted(found$fit), fitted(fit), tolerance = 1e-6)
  expect_output(print(found), "halves of the rows")
  expect_lt(found$bound, 5)
  expect_output(print(found), "noise variables are expected")
  found$bound <- 5
  expect_false(any(grepl("noise variables", capture.output(print(found)))))
  gaps <- transform(data, a = replace(a, 1:9, NA), b = factor(b > 0))
  found <- suppressWarnings(stability(y ~ ., gaps, n_pairs = 1, n_folds = 2, max_iter = 5,
    regularization = "rule", penalty = "feature", seed = 1))
  expect_identical(names(found$selection), letters[1:5])
  expect_identical(rownames(found$directions), rownames(coef(found$fit)))
})

test_that("early stopping watches rows that are set aside", {
  watched <- quick(y ~ ., data, early_stopping = TRUE, validation = 0.3, seed = 1)
  expect_identical(length(fitted(watched)), 150L)
  expect_false(identical(fitted(watched), fitted(fit)))
  expect_error(quick(y ~ ., data, early_stopping = TRUE), "early_stopping = TRUE: needs rows")
})
