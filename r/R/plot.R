plot.bkernn <- function(x, which = c("importance", "directions", "functions"), k = NULL,
                        output = 1, ...) {
  about <- describe(x)
  if (missing(which) && about$selects_variables) which <- c("importance", "functions")
  which <- chosen(which, several = TRUE)
  output <- whole_number("output", output, 1, length(about$intercept))
  P <- directions(x, k, standardized = TRUE)
  if (is.null(k)) P <- P[, seq_len(min(ncol(P), 6)), drop = FALSE]
  colnames(P) <- names_of_directions(P)
  if (ncol(P) == 0) which <- intersect(which, "importance")
  panels <- length(setdiff(which, "functions")) + ("functions" %in% which) * ncol(P)
  if (panels == 0) fail("which: the model is constant, and has no directions to show")
  if (panels > 1) {
    before <- graphics::par(mfrow = grDevices::n2mfrow(panels))
    on.exit(graphics::par(before))
  }
  if ("importance" %in% which) plot_importance(x, ...)
  if ("directions" %in% which) plot_directions(P, ...)
  if ("functions" %in% which) plot_functions(x, P, output, ...)
  invisible(x)
}

# Those along one coordinate have its name.
names_of_directions <- function(P) {
  single <- unname(colSums(P != 0) == 1)
  ifelse(single, rownames(P)[max.col(t(abs(P)))], colnames(P))
}

# With arguments of ours, unless the caller has given others.
drawn <- function(draw, ours, ...) do.call(draw, utils::modifyList(ours, list(...)))

plot_importance <- function(object, ...) {
  shares <- rev(utils::head(sort(importance(object), decreasing = TRUE), 20))
  ours <- list(shares, xlim = c(0, max(shares)), pch = 19, main = "Importance")
  drawn(graphics::dotchart, ours, ...)
}

plot_directions <- function(P, ...) {
  P <- largest_weights(P)
  P <- P[rev(seq_len(nrow(P))), , drop = FALSE]
  rows <- seq_len(nrow(P))
  several <- ncol(P) > 1  # and have a legend, on the right
  left <- min(2 + 0.4 * max(nchar(rownames(P))), 12)
  before <- graphics::par(mar = replace(graphics::par("mar"), 2, left))
  on.exit(graphics::par(before))
  ours <- list(
    c(-1, if (several) 1.5 else 1), range(rows), type = "n", yaxt = "n", ylab = "",
    main = "Directions", xlab = "weight of the standardized variable"
  )
  drawn(graphics::plot, ours, ...)
  graphics::axis(2, rows, rownames(P), las = 1, cex.axis = 0.8)
  graphics::abline(v = 0, col = "gray80")
  for (a in seq_len(ncol(P))) graphics::points(P[, a], rows, pch = a, col = a)
  if (several) {
    graphics::legend("right", colnames(P), pch = seq_len(ncol(P)), col = seq_len(ncol(P)),
      bty = "n", cex = 0.8)
  }
}

# How f changes when a row moves from the center of the data along one direction alone, as far as
# the knots of the particle that follows it most closely.
plot_functions <- function(object, P, output, ...) {
  about <- describe(object)
  along <- crossprod(P, about$W)
  lengths <- sqrt(colSums(about$W^2))
  changes <- lapply(seq_len(ncol(P)), function(a) {
    best <- which.max(abs(along[a, ]) / lengths)
    ends <- sort(about$knot_ends[, best] / (sign(along[a, best]) * lengths[[best]]))
    t <- seq(ends[[1]], ends[[2]], length.out = 400)
    rows <- sweep(outer(t, P[, a] * about$scale), 2, about$center, "+")
    f <- core(C_bkernn_predict, object$model, rbind(about$center, rows), "coordinates", 0, 1)
    list(t = t, change = f[-1, output] - f[1, output])
  })
  limits <- range(unlist(lapply(changes, `[[`, "change")))
  one_output <- has_one_output(object$family)
  what <- switch(loss_of(object$family)$targets, counts = "log mean",
    classes = if (one_output) "log-odds" else paste("score of", object$classes[[output]]),
    "prediction"
  )
  for (a in seq_along(changes)) {
    ours <- list(
      changes[[a]]$t, changes[[a]]$change, type = "l", lwd = 2, ylim = limits,
      main = colnames(P)[[a]], xlab = "projection", ylab = paste("change of the", what)
    )
    drawn(graphics::plot, ours, ...)
    graphics::abline(h = 0, col = "gray80")
  }
}
