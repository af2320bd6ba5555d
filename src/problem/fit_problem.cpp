#include "problem/fit_problem.hpp"

#include <cstdio>

#include "base/memory.hpp"
#include "bkernn/error.hpp"
#include "problem/resolve_options.hpp"
#include "rows/find_coordinates.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

std::string size_text(double bytes) {
  char text[32];
  const bool large = bytes >= 1e9;
  std::snprintf(text, sizeof text, large ? "%.1f GB" : "%.0f MB", bytes / (large ? 1e9 : 1e6));
  return text;
}

}  // namespace

FitParts::FitParts(const FitOptions& given, Index rows)
    : options(given),
      kernel(make_kernel(options.kernel)),
      loss(make_loss(options.loss, options.loss_parameters)) {
  const OperatorChoice products = choose_operator(options, *kernel, rows);
  kernel_operator = products.name;
  options.knots = products.knots;
  on_knots = solves_on_knots(options, products);
  if (on_knots) require_preconditioner(options);
}

FitProblem::FitProblem(const FitParts& fit_parts, Shards& rows, const Encoder* columns)
    : parts(fit_parts),
      shards(rows),
      encoder(columns),
      coordinates(find_coordinates(shards, parts.options, *parts.loss, encoder, parts.on_knots)) {
  if (shards.here() == nullptr) return;
  check_memory(parts.kernel_operator, n(), d(), particle_count(parts.options, coordinates), q(),
               available_memory());
}

FitProblem::FitProblem(const FitParts& fit_parts, const FitProblem& whole, Matrix P)
    : parts(fit_parts),
      shards(whole.shards),
      encoder(whole.encoder),
      coordinates(whole.coordinates),
      subspace(std::move(P)),
      order(whole.order) {
  coordinates.groups.clear();  // a direction of the space is no column
}

StandardRows sample(const FitProblem& problem, Index count, std::uint64_t seed) {
  const StandardRows* here = problem.shards.here();
  if (here == nullptr || problem.parts.on_knots)
    return sample_rows(problem.shards, problem.n(), count, seed);
  std::vector<Index>& order = problem.order;
  if (order.empty()) order = row_order(*here);
  return select(*here, count == problem.n() ? order : draw_along(order, count, seed));
}

double memory_of_fit(const std::string& kernel_operator, Index n, Index d, Index m, Index q) {
  const auto rows = static_cast<double>(n), elements = rows * static_cast<double>(m);
  const auto outputs = static_cast<double>(q);
  const double curvature = 320 * static_cast<double>(d) * static_cast<double>(m);
  const double data = 8 * rows * (static_cast<double>(d) + 20 * outputs) + curvature;
  if (kernel_operator == "dense") return data + 24 * rows * rows;
  if (kernel_operator == "knots") return data + 6 * elements;
  return data + 16 * elements + 8 * elements * (1 + outputs);
}

void check_memory(const std::string& kernel_operator, Index n, Index d, Index m, Index q,
                  double available) {
  const double needed = memory_of_fit(kernel_operator, n, d, m, q);
  if (needed <= available) return;
  const double with_knots = memory_of_fit("knots", n, d, m, q);
  throw InvalidArgument("X = " + std::to_string(n) + "x" + std::to_string(d) + ": a fit with " +
                        std::to_string(m) + " particles needs about " + size_text(needed) +
                        " of memory, and " + size_text(available) +
                        " are free; take fewer particles" +
                        (kernel_operator == "sorted" && with_knots <= available
                             ? ", or knots (knots = 256 needs " + size_text(with_knots) + ")"
                             : ", or fewer rows"));
}

}  // namespace bkernn
