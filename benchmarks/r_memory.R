# Rscript r_memory.R matrix | frame | factors: a line for docs/results/r_memory.jsonl, in megabytes:
# the rows and responses of a million cases, R before it fits them, and R at most. (Linux)
library(bkernn)
kind <- commandArgs(TRUE)[[1]]

megabytes <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024 / 1e6
}

set.seed(1)
n <- 1e6
x <- matrix(runif(10 * n), n, dimnames = list(NULL, letters[1:10]))
y <- sin(6 * x[, 1]) + x[, 2]
if (kind != "matrix") {
  x <- as.data.frame(x)
  if (kind == "factors") {
    x$c <- factor(ifelse(x$c < 0.5, "low", "high"))
    x$d[1:9] <- NA
  }
}
numbers <- as.numeric(object.size(x) + object.size(y)) / 1e6
invisible(gc())
before <- megabytes("VmRSS")
fit <- bkernn(x, y, knots = 32, regularization = "rule", penalty = "feature", max_iter = 5, tol = 0,
  seed = 1, nthreads = 1)
cat(sprintf('{"kind": "%s", "rows": %.0f, "columns": 10, ', kind, n),
  sprintf('"numbers": %.0f, "before": %.0f, "peak": %.0f}\n', numbers, before, megabytes("VmHWM")),
  sep = "")
