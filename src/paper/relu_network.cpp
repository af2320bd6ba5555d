#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/check_values.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "bkernn/baselines.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr Index kStepsBetweenChecks = 256;

ReLUNetwork initial_network(Index d, Index q, Index m, Rng& rng) {
  ReLUNetwork network;
  network.W = rng.normal_matrix(d, m).colwise().normalized();
  network.b = 2 * rng.uniform_matrix(1, m).array() - 1;
  network.eta = std::sqrt(2 / static_cast<double>(m)) * rng.normal_matrix(m, q);
  return network;
}

// Draws mini-batches: one random order after another, cut into pieces of B rows.
class Batches {
 public:
  Batches(Index n, Index size, Rng& rng) : size_(size), next_(n), order_(n), rng_(rng) {
    std::iota(order_.begin(), order_.end(), 0);
  }

  const Index* draw() {
    if (next_ + size_ > static_cast<Index>(order_.size())) {
      rng_.shuffle(order_);
      next_ = 0;
    }
    next_ += size_;
    return order_.data() + next_ - size_;
  }

 private:
  Index size_, next_;
  std::vector<Index> order_;
  Rng& rng_;
};

// One gradient step after another. Samples are columns here, and all space is taken at the start.
class Descent {
 public:
  Descent(const MatrixView& X, const MatrixView& Y, Index B, double step)
      : X_(X.transpose()),
        Y_(Y.transpose()),
        step_(step),
        x_(X.cols(), B),
        residual_(Y.cols(), B) {}

  void step(ReLUNetwork& network, const Index* batch) {
    const Index B = x_.cols();
    for (Index i = 0; i < B; ++i) {
      x_.col(i) = X_.col(batch[i]);
      residual_.col(i) = -Y_.col(batch[i]);
    }
    hidden_.noalias() = network.W.transpose() * x_;
    hidden_ = (hidden_.colwise() + network.b.transpose()).cwiseMax(0.0);
    residual_.noalias() += network.eta.transpose() * hidden_;
    residual_ *= step_ / static_cast<double>(B);
    back_.noalias() = network.eta * residual_;
    back_ = (hidden_.array() > 0).select(back_, 0.0);
    network.eta.noalias() -= hidden_ * residual_.transpose();
    network.W.noalias() -= x_ * back_.transpose();
    network.b.noalias() -= back_.rowwise().sum().transpose();
  }

 private:
  const Matrix X_, Y_;
  const double step_;
  Matrix x_, hidden_, residual_, back_;
};

}  // namespace

void ReLUNetworkOptions::validate() const {
  require(n_neurons >= 1, "n_neurons", n_neurons, "must be at least 1");
  require(step_size > 0 && std::isfinite(step_size), "step_size", step_size,
          "must be positive and finite");
  require(batch_size >= 1, "batch_size", batch_size, "must be at least 1");
  require(n_iter >= 0, "n_iter", n_iter, "must be at least 0");
}

ReLUNetwork ReLUNetwork::fit(const MatrixView& X, const MatrixView& Y,
                             const ReLUNetworkOptions& options) {
  options.validate();
  const Index n = X.rows();
  require(n >= 1, "rows of X", n, "must be at least 1");
  require(X.cols() >= 1, "columns of X", X.cols(), "must be at least 1");
  require(Y.rows() == n, "rows of Y", Y.rows(), "must be as many as of X, " + std::to_string(n));
  require(Y.cols() >= 1, "columns of Y", Y.cols(), "must be at least 1");
  check_values(X, "X");
  check_values(Y, "Y");

  Rng rng(options.seed);
  ReLUNetwork network = initial_network(X.cols(), Y.cols(), options.n_neurons, rng);
  const Index B = std::min(options.batch_size, n);
  Batches batches(n, B, rng);
  Descent descent(X, Y, B, options.step_size);
  for (Index t = 1; t <= options.n_iter; ++t) {
    descent.step(network, batches.draw());
    if (t % kStepsBetweenChecks != 0 && t != options.n_iter) continue;
    if (!network.W.allFinite() || !network.b.allFinite() || !network.eta.allFinite()) {
      throw NumericalError("the ReLU network diverged within " + std::to_string(t) +
                           " iterations: lower step_size = " + std::to_string(options.step_size));
    }
  }
  return network;
}

Matrix ReLUNetwork::predict(const MatrixView& X, int n_threads) const {
  require(X.cols() == W.rows(), "columns of X", X.cols(),
          "must be as many as in training, " + std::to_string(W.rows()));
  require(n_threads >= 0, "n_threads", n_threads, "must be at least 0");
  check_values(X, "X");
  const ThreadLimit limit(n_threads);
  Matrix F(X.rows(), eta.cols());
  const auto cost = static_cast<double>(W.cols() * (W.rows() + eta.cols()));
  parallel_rows(X.rows(), cost, [&](Index begin, Index end) {
    Matrix hidden = X.middleRows(begin, end - begin) * W;
    hidden = (hidden.rowwise() + b).cwiseMax(0.0);
    F.middleRows(begin, end - begin).noalias() = hidden * eta;
  });
  return F;
}

}  // namespace bkernn
