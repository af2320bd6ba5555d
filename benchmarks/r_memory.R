# Rscript r_memory.R matrix | frame | factors: a line for docs/results/r_memory.jsonl, the most
# memory that R has while it fits a million rows, and what it had before. (Linux)
library(bkernn)
kind <- commandArgs(TRUE)[[1]]

megabytes <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  round(as.numeric(gsub("[^0-9]", "", line)) / 1024)
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
invisible(gc())
before <- megabytes("VmRSS")
fit <- bkernn(x, y, knots = 32, regularization = "rule", penalty = "feature", max_iter = 5, tol = 0,
  seed = 1, nthreads = 1)
cat(sprintf('{"kind": "%s", "rows": %.0f, "columns": 10, "before": %.0f, "peak": %.0f}\n', kind, n,
  before, megabytes("VmHWM")))
