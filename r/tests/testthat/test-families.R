test_that("numbers: one direction is found, and predicted from", {
  fit <- bkernn(y ~ ., table_of(line$y), seed = 1)
  expect_s3_class(fit, "bkernn")
  expect_equal(ncol(coef(fit)), 1)
  weights <- coef(fit)[, 1] / coef(fit)[[2]]
  expect_equal(unname(weights), c(-0.5, 1, 0, 0, 0), tolerance = 0.15)
  expect_gt(cor(predict(fit, table_of(line$y)), line$y)^2, 0.9)
  expect_identical(predict(fit, table_of(line$y)), fitted(fit))
  expect_identical(predict(fit, type = "link"), fitted(fit))
  expect_equal(residuals(fit), line$y - fitted(fit))
  expect_equal(names(which.max(importance(fit))), "b")
  expect_output(print(fit), "150 rows, 5 variables, 1 direction found")
  expect_output(print(summary(fit)), "Importance of the variables")
})

test_that("binomial: probabilities of the second level", {
  y <- factor(ifelse(line$z > 0, "yes", "no"), levels = c("yes", "no"))
  data <- table_of(y)
  fit <- quick(y ~ ., data, family = "binomial", seed = 1)
  p <- predict(fit, data)
  expect_equal(length(p), 150)
  expect_equal(plogis(predict(fit, data, type = "link")), p)
  class <- predict(fit, data, type = "class")
  expect_identical(levels(class), levels(y))
  expect_identical(class == "no", p > 0.5)
  expect_gt(mean(class == y), 0.9)
  expect_identical(predict(fit, type = "class"), class)
  expect_equal(residuals(fit), (y == "no") - p)
  expect_identical(quick(y ~ ., data, family = binomial(), seed = 1)$family, "binomial")
  truth <- quick(line$x, line$z > 0, seed = 1)
  expect_identical(truth$classes, c("FALSE", "TRUE"))
  expect_equal(unname(fitted(truth)), 1 - p, tolerance = 0.05)
})

test_that("multinomial: a column for each class", {
  fit <- quick(Species ~ ., iris, seed = 1)
  expect_identical(fit$family, "multinomial")
  p <- predict(fit, iris)
  expect_identical(colnames(p), levels(iris$Species))
  expect_equal(rowSums(p), rep(1, 150))
  expect_gt(mean(predict(fit, iris, type = "class") == iris$Species), 0.9)
  expect_equal(unname(rowSums(residuals(fit))), rep(0, 150))
  expect_output(print(summary(fit)), "accuracy")
})

test_that("poisson: means of counts", {
  counts <- rep(c(0, 1, 2, 4, 8), 30)[rank(line$z, ties.method = "first") %/% 31 + 1]
  fit <- quick(y ~ ., table_of(counts), family = "poisson", seed = 1)
  expect_true(all(predict(fit, table_of(counts)) > 0))
  expect_equal(predict(fit, type = "link"), log(fitted(fit)))
  expect_error(quick(y ~ ., table_of(-counts), family = "poisson"),
    class = "bkernn_invalid_argument")
})

test_that("huber and quantiles", {
  data <- table_of(line$y)
  outliers <- transform(data, y = replace(y, 1:5, 100))
  robust <- quick(y ~ ., outliers, family = "huber", seed = 1)
  expect_lt(mean(abs(fitted(robust)[-(1:5)] - line$y[-(1:5)])), 0.6)
  fit <- quick(y ~ ., data, family = "quantile", quantile = c(0.1, 0.5, 0.9), seed = 1)
  q <- predict(fit, data)
  expect_identical(colnames(q), c("10%", "50%", "90%"))
  expect_true(all(q[, 1] <= q[, 2] & q[, 2] <= q[, 3]))
  expect_equal(dim(residuals(fit)), c(150L, 3L))
  expect_output(print(summary(fit)), "share below 10%")
  expect_equal(length(fitted(quick(y ~ ., data, family = "quantile", quantile = 0.3))), 150)
})

test_that("several outputs share their directions", {
  fit <- quick(cbind(one = line$y, two = -line$y) ~ a + b, as.data.frame(line$x), seed = 1)
  expect_identical(colnames(fitted(fit)), c("one", "two"))
  expect_equal(fitted(fit)[, "one"], -fitted(fit)[, "two"], tolerance = 1e-6)
})

test_that("intervals and sets", {
  data <- table_of(line$y)
  fit <- quick(y ~ ., data, intervals = "fast", seed = 1)
  ends <- predict(fit, data, type = "interval", level = 0.8)
  expect_identical(colnames(ends), c("fit", "lwr", "upr"))
  expect_identical(unname(ends[, "fit"]), fitted(fit))
  wider <- predict(fit, data, type = "interval", level = 0.95)
  expect_true(all(wider[, "lwr"] <= ends[, "lwr"] & ends[, "lwr"] <= ends[, "upr"]))
  kinds <- quick(Species ~ ., iris, intervals = "cross", seed = 1)
  sets <- predict(kinds, iris, type = "interval")
  expect_identical(dim(sets), c(150L, 3L))
  expect_gt(mean(sets[cbind(1:150, as.integer(iris$Species))]), 0.85)
  expect_error(predict(quick(y ~ ., data), data, type = "interval"),
    class = "bkernn_invalid_argument")
})
