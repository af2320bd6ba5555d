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
  family <- switch(case, counts = "poisson", outliers = "huber", "auto")
  fit <- do.call(bkernn, c(list(y ~ ., rows, family = family), short))
  write_bkernn(fit, paste0(case, "-r.json"))
  write_bkernn(fit, paste0(case, "-r.cbor"))
  keep(fitted(fit), paste0(case, "-r.bin"))
  for (other in c("tool", "python")) {
    keep(predict(read_bkernn(paste0(case, "-", other, ".json")), rows),
      paste0(case, "-", other, ".bin"))
  }
}
