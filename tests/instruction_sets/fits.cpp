// Fits that pass through every loop that is compiled twice. Says which copies it has, then the bits
// of the models and of their predictions.
#include <bkernn/bkernn.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/rng.hpp"

namespace {

using bkernn::Index;
using bkernn::Matrix;

class Bits {
 public:
  template <class Numbers>
  void add(const Numbers& numbers) {
    for (const double number : numbers.reshaped()) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &number, sizeof bits);
      sum_ = (sum_ ^ bits) * 1099511628211u;
    }
  }
  unsigned long long sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 14695981039346656037u;
};

Matrix targets(const Matrix& X, Index outputs, bool classes) {
  Matrix Y(X.rows(), outputs);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index q = 0; q < outputs; ++q) {
      const double f = X(i, 0) - std::abs(X(i, 1) + 0.3 * X(i, 2)) + (classes ? 0 : 0.2 * X(i, q));
      Y(i, q) = classes ? q == (f > -0.5) + (f > 0) + (f > 0.5) : f;
    }
  }
  return Y;
}

void fit(const std::string& kernel, const std::string& loss, Index outputs) {
  bkernn::Rng rng(7);
  Matrix X(301, 7), more(403, 7);
  for (double& x : X.reshaped()) x = 2 * rng.uniform() - 1;
  for (double& x : more.reshaped()) x = 3 * rng.uniform() - 1.5;
  bkernn::FitOptions options;
  options.kernel = kernel;
  options.loss = loss;
  options.regularization = 0.003;
  options.penalty = "basic";
  options.n_particles = 9;
  options.max_iter = 4;
  const Matrix Y = targets(X, outputs, loss == "multinomial");
  const bkernn::FitResult found = bkernn::fit(X, Y, options);
  Bits bits;
  bits.add(found.model.W);
  for (const bkernn::RidgeFunction& h : found.model.functions) {
    bits.add(h.knots);
    bits.add(h.values);
  }
  bits.add(found.model.predict_response(more));
  std::printf("%s %s %td: %llx\n", kernel.c_str(), loss.c_str(), outputs, bits.sum());
}

}  // namespace

int main() {
#ifdef BKERNN_ONLY_AVX2
  if (bkernn::build_description().find("AVX2") == std::string::npos) {
    std::puts("This processor has no AVX2.");
    return 0;
  }
#endif
  std::fprintf(stderr, "%s\n", bkernn::build_description().c_str());
  for (const char* kernel : {"brownian", "exponential", "gaussian"}) {
    for (const Index outputs : {1, 2, 4}) fit(kernel, "square", outputs);
    fit(kernel, "multinomial", 4);
  }
}
