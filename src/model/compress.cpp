#include <algorithm>
#include <cmath>

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/model.hpp"

namespace bkernn {
namespace {

// The slopes that a line from one knot may have so that it passes all later knots within the error:
// an interval per output.
class Funnel {
 public:
  Funnel(const RidgeFunction& h, Index start, double error)
      : h_(h),
        start_(start),
        error_(error),
        low_(RowVector::Constant(h.values.cols(), -INFINITY)),
        high_(RowVector::Constant(h.values.cols(), INFINITY)) {}

  bool reaches(Index k) const {
    const RowVector slope = (h_.values.row(k) - h_.values.row(start_)) / gap(k);
    return (slope.array() >= low_.array()).all() && (slope.array() <= high_.array()).all();
  }

  void pass(Index k) {
    const RowVector rise = h_.values.row(k) - h_.values.row(start_);
    low_ = low_.cwiseMax(((rise.array() - error_) / gap(k)).matrix());
    high_ = high_.cwiseMin(((rise.array() + error_) / gap(k)).matrix());
  }

 private:
  double gap(Index k) const { return h_.knots(k) - h_.knots(start_); }

  const RidgeFunction& h_;
  Index start_;
  double error_;
  RowVector low_, high_;
};

// The knots to keep, greedily: each line goes as far as the funnel lets it.
RidgeFunction pruned(const RidgeFunction& h, double error) {
  std::vector<Index> kept(1, 0);
  const Index last = h.knots.size() - 1;
  while (kept.back() < last) {
    const Index start = kept.back();
    Funnel funnel(h, start, error);
    Index end = start + 1;
    for (Index k = start + 1; k <= last; ++k) {
      if (!funnel.reaches(k)) break;
      end = k;
      funnel.pass(k);
    }
    kept.push_back(end);
  }
  return {h.knots(kept), h.values(kept, Eigen::all)};
}

}  // namespace

Model Model::compress(double tolerance) const {
  require(tolerance >= 0 && std::isfinite(tolerance), "tolerance", tolerance,
          "must be at least 0 and finite");
  require(make_kernel(kernel)->piecewise_linear(), "kernel", kernel,
          "only the functions of the brownian kernel are piecewise linear and can be compressed");
  Model smaller = *this;
  const double error = tolerance * static_cast<double>(n_particles) /
                       static_cast<double>(std::max<std::size_t>(functions.size(), 1));
  for (RidgeFunction& h : smaller.functions) h = pruned(h, error);
  return smaller;
}

}  // namespace bkernn
