library(testthat)
library(bkernn)

test_check("bkernn")
