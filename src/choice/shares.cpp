#include "choice/shares.hpp"

#include <limits>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr int kSteps = 12;
constexpr std::size_t kMost = 3;

}  // namespace

std::vector<double> best_shares(const Loss& loss, const Matrix& Y, const Vector& s,
                                const std::vector<Matrix>& F) {
  require(!F.empty() && F.size() <= kMost, "models", F.size(), "must be one to three");
  std::vector<double> best;
  double least = std::numeric_limits<double>::infinity();
  const auto try_shares = [&](const std::vector<int>& steps) {
    Matrix mean = Matrix::Zero(Y.rows(), F.front().cols());
    for (std::size_t k = 0; k < F.size(); ++k) {
      if (steps[k] > 0) mean += static_cast<double>(steps[k]) / kSteps * F[k];
    }
    const double value = loss.value(Y, mean, s);
    if (!best.empty() && !(value < least)) return;
    least = value;
    best.clear();
    for (std::size_t k = 0; k < F.size(); ++k)
      best.push_back(static_cast<double>(steps[k]) / kSteps);
  };
  const int second = F.size() > 1 ? kSteps : 0, third = F.size() > 2 ? kSteps : 0;
  for (int b = 0; b <= second; ++b) {
    for (int c = 0; c <= std::min(third, kSteps - b); ++c) try_shares({kSteps - b - c, b, c});
  }
  return best;
}

}  // namespace bkernn
