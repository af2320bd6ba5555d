mixed <- local({
  data <- data.frame(
    number = replace(line$x[, 1], c(3, 50), NA), whole = replace(rep(1:5, 30), 20:25, NA),
    kind = factor(rep(c("red", "green", "blue"), 50)), word = rep(c("b", "a"), 75),
    truth = line$x[, 2] > 0
  )
  data$kind[7:12] <- NA
  data$y <- line$x[, 1] + 2 * (data$kind %in% "red") + data$truth
  data
})

test_that("factors, words, truth values and gaps are taken as they are", {
  fit <- quick(y ~ ., mixed, seed = 1)
  expect_identical(names(importance(fit)), c("number", "whole", "kind", "word", "truth"))
  named <- c("number missing", "whole missing", "kind=red", "kind missing")
  expect_true(all(named %in% rownames(coef(fit))))
  expect_gt(cor(fitted(fit), mixed$y)^2, 0.9)
  new <- mixed[1:4, ]
  levels(new$kind) <- c(levels(new$kind), "violet")
  new$kind[1] <- "violet"
  new$truth[2] <- NA
  expect_true(all(is.finite(predict(fit, new))))
  expect_identical(predict(fit, new[, 5:1])[3:4], predict(fit, mixed)[3:4])
  expect_identical(dim(predict(fit, new, type = "projection")), c(4L, ncol(coef(fit))))
})

test_that("a column of names takes numbers, and gaps without a name among them", {
  data <- transform(mixed, whole = factor(whole))
  fit <- quick(y ~ ., data, seed = 1)
  rows <- data[c(1, 20, 7), ]
  plain <- transform(rows, whole = as.integer(as.character(whole)))
  expect_identical(predict(fit, plain), predict(fit, rows))
  for (i in seq_along(rows$y)) {
    gaps <- transform(rows[i, ], kind = NA, word = NA, truth = NA)
    empty <- transform(gaps, kind = factor(kind), word = factor(word), truth = factor(truth))
    expect_identical(predict(fit, gaps), predict(fit, empty))
  }
  expect_identical(predict(fit, rows[0, ]), numeric())
  twice <- quick(data.frame(month = factor(rep(1:3, 50)), a = line$x[, 1]), line$y, seed = 1)
  expect_identical(predict(twice, cbind(month = 1:3, a = line$x[1:3, 1])), fitted(twice)[1:3])
})

test_that("a table of one column is a response", {
  expect_identical(fitted(quick(line$x, data.frame(y = line$y), seed = 1)),
    fitted(quick(line$x, line$y, seed = 1)))
  two <- quick(line$x, data.frame(one = line$y, two = line$z), seed = 1)
  expect_identical(colnames(fitted(two)), c("one", "two"))
})

test_that("data are evaluated once", {
  read <- 0
  given <- function() {
    read <<- read + 1
    mixed
  }
  quick(y ~ number, given(), seed = 1)
  expect_identical(read, 1)
  error <- expect_error(quick(y ~ number + c(1, 2), given()), "variable lengths differ")
  expect_lt(nchar(deparse1(conditionCall(error))), 200)
})

test_that("numbers are not copied on their way to the core", {
  skip_if_not(capabilities("profmem"))
  rows <- as.data.frame(line$x)
  rows$y <- line$y
  fit <- quick(line$x, line$y, seed = 1)
  for (name in c("x", "y")) {
    tracemem(line[[name]])
    on.exit(untracemem(line[[name]]), add = TRUE)
  }
  for (name in names(rows)) tracemem(rows[[name]])
  expect_output(quick(line$x, line$y, seed = 1), NA)
  expect_output(predict(fit, line$x), NA)
  expect_output(quick(y ~ ., rows, seed = 1), NA)
  expect_output(predict(fit, rows), NA)
})

test_that("neither the coding of a factor nor the kind of a number matters", {
  fit <- quick(y ~ ., mixed, seed = 1)
  other <- transform(mixed, kind = as.character(kind), whole = as.double(whole),
    truth = factor(truth))
  other$word <- factor(other$word, levels = c("b", "a"))
  expect_identical(fitted(quick(y ~ ., other, seed = 1)), fitted(fit))
  rownames(other) <- paste("row", 1:150)
  expect_identical(names(fitted(quick(y ~ ., other, seed = 1))), rownames(other))
})

test_that("rows without a response are left out", {
  gaps <- transform(mixed, y = replace(y, c(2, 9), NA))
  fit <- quick(y ~ ., gaps, seed = 1)
  expect_identical(nobs(fit), 148L)
  expect_identical(fitted(fit), fitted(quick(y ~ ., mixed[-c(2, 9), ], seed = 1)),
    ignore_attr = TRUE)
  expect_output(print(fit), "2 rows without a response left out")
  expect_error(quick(y ~ ., transform(mixed, y = NA_real_)), "y: every value is missing")
})

test_that("formulas may compute, and matrices among their variables are several", {
  data <- table_of(line$y)
  fit <- quick(y ~ exp(a) + poly(b, 2), data, seed = 1)
  expect_identical(names(importance(fit)), c("exp(a)", "poly(b, 2).1", "poly(b, 2).2"))
  expect_equal(predict(fit, data), fitted(fit))
  expect_equal(predict(fit, data[5:6, ]), fitted(fit)[5:6])
  data$`odd name` <- data$a
  odd <- quick(y ~ `odd name` + b, data, seed = 1)
  expect_identical(names(importance(odd)), c("odd name", "b"))
})

test_that("formula, matrix and data frame give the same model; columns go by their names", {
  data <- table_of(line$y)
  fit <- quick(y ~ ., data, seed = 1)
  plain <- quick(line$x, line$y, seed = 1)
  expect_identical(fitted(plain), fitted(fit))
  expect_identical(fitted(quick(data[1:5], data$y, seed = 1)), fitted(fit))
  expect_identical(predict(plain, line$x[, 5:1]), fitted(fit))
  expect_identical(predict(plain, data), fitted(fit))
  expect_error(predict(plain, line$x[, 1:4]), 'newdata: has no column "e"')
  bare <- quick(unname(line$x), line$y, seed = 1)
  expect_identical(fitted(bare), fitted(fit))
  expect_identical(rownames(coef(bare)), paste0("x", 1:5))
})

test_that("a weight of two is a row that is there twice", {
  data <- table_of(line$y)
  twice <- rbind(data, data[1:50, ])
  weighted <- quick(y ~ ., data, weights = rep(c(2, 1), c(50, 100)), seed = 1)
  expect_output(print(quick(y ~ ., twice, seed = 1)), "200 rows")
  expect_identical(fitted(weighted), unname(fitted(quick(y ~ ., twice, seed = 1))[1:150]))
  none <- quick(y ~ ., data, weights = rep(0:1, c(50, 100)), seed = 1)
  expect_identical(fitted(none)[51:150], fitted(quick(y ~ ., data[51:150, ], seed = 1)))
  expect_identical(
    fitted(quick(y ~ ., data, subset = a > 0, seed = 1)),
    fitted(quick(y ~ ., data[data$a > 0, ], seed = 1)), ignore_attr = TRUE
  )
})
