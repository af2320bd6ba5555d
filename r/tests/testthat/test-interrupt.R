# A signal arrives while the core is at work, on a fit that would not end by itself.
interrupted <- function(work, after = 0.5) {
  system(sprintf("(sleep %g; kill -INT %d) &", after, Sys.getpid()))
  tryCatch({
    force(work)
    "finished"
  }, interrupt = function(condition) "interrupted")
}
endless <- function(f, ...) {
  f(line$x, line$y, penalty = "feature", max_iter = 1e9, tol = 0, ...)
}

test_that("Ctrl-C ends a fit, and R goes on", {
  expect_identical(interrupted(endless(bkernn, regularization = 1e-6)), "interrupted")
  expect_identical(interrupted(endless(stability, regularization = 1e-6)), "interrupted")
  expect_identical(interrupted(endless(cv.bkernn, regularizations = 1e-6)), "interrupted")
  expect_s3_class(quick(line$x, line$y), "bkernn")
})

test_that("it ends the choice of penalty and regularization as well", {
  set.seed(1)
  x <- matrix(runif(1e6), 5e4)
  y <- sin(6 * x[, 1]) + x[, 2]
  spent <- function(work) system.time(work)[["user.self"]]
  choice <- function() suppressWarnings(bkernn(x, y, max_iter = 1, seed = 1, nthreads = 1))
  part <- spent(ended <- interrupted(choice(), 0.1))
  expect_identical(ended, "interrupted")
  expect_lt(part, 0.4 * spent(choice()))
})
