# Projection pursuit by R's ppr: rows of `train` are x and y, of `test` x.
# Rscript projection_pursuit.R train.csv test.csv k directions.csv predictions.csv
files <- commandArgs(trailingOnly = TRUE)
train <- as.matrix(read.csv(files[1], header = FALSE))
test <- as.matrix(read.csv(files[2], header = FALSE))
d <- ncol(train) - 1
k <- as.integer(files[3])
x <- train[, 1:d]
colnames(x) <- colnames(test) <- paste0("x", 1:d)
fit <- ppr(x, train[, d + 1], nterms = k, max.terms = max(2 * k, 5), optlevel = 3)
write.table(fit$alpha, files[4], sep = ",", row.names = FALSE, col.names = FALSE)
write.table(predict(fit, test), files[5], sep = ",", row.names = FALSE, col.names = FALSE)
