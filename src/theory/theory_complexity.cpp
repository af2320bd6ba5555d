#include <cmath>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "bkernn/theory.hpp"
#include "theory/theory_ascent.hpp"

namespace bkernn::theory {

void ComplexityOptions::validate() const {
  require(draws >= 1, "draws", draws, "must be at least 1");
  require(restarts >= 0, "restarts", restarts, "must be at least 0");
  require(max_iter >= 0, "max_iter", max_iter, "must be at least 0");
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0 (0: all cores)");
}

ComplexityEstimate estimate_gaussian_complexity(const MatrixView& X, Sphere sphere,
                                                const ComplexityOptions& options) {
  options.validate();
  dual_norms(X, sphere);  // checks X
  const ThreadLimit limit(options.n_threads);
  ComplexityEstimate estimate;
  estimate.suprema.resize(options.draws);
  estimate.maximizers.resize(X.cols(), options.draws);
  const double cost = static_cast<double>(X.size() * options.draws * (options.restarts + 1) * 100);
  parallel_for(options.draws, cost, [&](Index draw) {
    Rng rng(options.seed + static_cast<std::uint64_t>(draw));
    const Matrix epsilon = rng.normal_matrix(X.rows(), 1);
    const SphereMaximum found =
        maximize_on_sphere(X, epsilon, sphere, options.restarts, options.max_iter, rng);
    estimate.suprema(draw) = std::sqrt(found.value) / static_cast<double>(X.rows());
    estimate.maximizers.col(draw) = found.w;
  });
  estimate.value = estimate.suprema.mean();
  if (options.draws > 1) {
    const auto draws = static_cast<double>(options.draws);
    const double squares = (estimate.suprema.array() - estimate.value).square().sum();
    estimate.standard_error = std::sqrt(squares / (draws * (draws - 1)));
  }
  return estimate;
}

}  // namespace bkernn::theory
