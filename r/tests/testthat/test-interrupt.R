# A signal arrives while the core is at work, on a fit that would not end by itself.
interrupted <- function(work) {
  system(sprintf("(sleep 0.5; kill -INT %d) &", Sys.getpid()))
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
