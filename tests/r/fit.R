# Rscript fit.R FOLDER: fits the tables of a folder, writes models and predictions, and predicts
# from the models that others wrote.
library(bkernn)

folder <- commandArgs(TRUE)[[1]]
setwd(folder)
short <- list(seed = 4, max_iter = 12, tol = 0, regularization = "rule", penalty = "feature")

# As bytes: R rounds numbers that it reads or prints.
keep <- function(values, name) writeBin(as.vector(values), name)

for (case in sub(".csv", "", list.files(pattern = "[.]csv$"), fixed = TRUE)) {
  rows <- read.csv(paste0(case, ".csv"), na.strings = "", stringsAsFactors = case != "words")
  formula <- if (is.null(rows$w)) y ~ . else y ~ . - w
  family <- switch(case, counts = "poisson", outliers = "huber", quantiles = "quantile", "auto")
  options <- switch(case,
    chosen = , kinds = , `crossed-kinds` = list(seed = 4),
    crossed = list(seed = 4, scoring = "r2"),
    sure = c(short, intervals = "cross"),
    quantiles = c(short, list(quantile = c(0.1, 0.5, 0.9))), short
  )
  given <- list(formula, rows, family = family)
  if (!is.null(rows$w)) given$weights <- rows$w
  learn <- if (startsWith(case, "crossed")) cv.bkernn else bkernn
  fit <- do.call(learn, c(given, options))
  write_bkernn(fit, paste0(case, "-r.json"))
  write_bkernn(fit, paste0(case, "-r.cbor"))
  keep(fitted(fit), paste0(case, "-r.bin"))
  if (case == "sure") {
    keep(predict(fit, rows, type = "interval", level = 0.8), "sure-r-intervals.bin")
  }
  if (case == "words") {
    study <- do.call(stability, c(given, options, n_pairs = 2))
    parts <- c("loss", "standard_error", "p_value", "selection", "angles")
    keep(unlist(study[parts]), "words-r-study.bin")
  }
  for (other in c("tool", "python")) {
    keep(predict(read_bkernn(paste0(case, "-", other, ".json")), rows),
      paste0(case, "-", other, ".bin"))
  }
}
