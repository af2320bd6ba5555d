#include <algorithm>
#include <cmath>

#include "bkernn/error.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/model.hpp"
#include "model/expansion.hpp"
#include "model/short_numbers.hpp"

namespace bkernn {
namespace {

// Of the error that a function may have: what knots that are left out may cost. The rest is for
// fewer digits, of values and of knots.
constexpr double kPruning = 0.8, kOfValues = 0.1, kOfKnots = 0.1;

// Lines from one point that pass all later knots within the error: an interval of slopes per
// output.
class Funnel {
 public:
  Funnel(const RidgeFunction& h, const RowVector& error)
      : h_(h), error_(error), low_(error.size()), high_(error.size()) {}

  void start(Index knot, const RowVector& value) {
    start_ = knot;
    value_ = value;
    low_.setConstant(-INFINITY);
    high_.setConstant(INFINITY);
  }

  // False, and nothing happens, if no line passes this knot too.
  bool pass(Index k) {
    const double gap = h_.knots(k) - h_.knots(start_);
    for (Index q = 0; q < value_.size(); ++q) {
      const double rise = h_.values(k, q) - value_(q);
      if ((rise + error_(q)) / gap < low_(q) || (rise - error_(q)) / gap > high_(q)) return false;
    }
    for (Index q = 0; q < value_.size(); ++q) {
      const double rise = h_.values(k, q) - value_(q);
      low_(q) = std::max(low_(q), (rise - error_(q)) / gap);
      high_(q) = std::min(high_(q), (rise + error_(q)) / gap);
    }
    return true;
  }

  // Where the line ends at this knot that is nearest to h there.
  RowVector value_at(Index k) const {
    const double gap = h_.knots(k) - h_.knots(start_);
    RowVector slope = (h_.values.row(k) - value_) / gap;
    slope = slope.cwiseMax(low_).cwiseMin(high_);
    return value_ + gap * slope;
  }

 private:
  const RidgeFunction& h_;
  const RowVector& error_;
  Index start_ = 0;
  RowVector value_, low_, high_;
};

// The knots to keep, greedily: each line goes as far as the funnel lets it.
RidgeFunction pruned(const RidgeFunction& h, const RowVector& error) {
  const Index last = h.knots.size() - 1;
  std::vector<Index> kept(1, 0);
  Matrix values = h.values;
  Funnel funnel(h, error);
  while (kept.back() < last) {
    const Index start = kept.back();
    funnel.start(start, values.row(start));
    Index end = start + 1;
    while (end <= last && funnel.pass(end)) ++end;
    kept.push_back(end - 1);
    values.row(end - 1) = funnel.value_at(end - 1);
  }
  return {h.knots(kept), values(kept, Eigen::all)};
}

// A value may move by its part of the error. A knot that moves by δ moves the function by slope × δ
// at most; it keeps clear of its neighbors, so that no slope doubles.
void round_numbers(RidgeFunction& h, const RowVector& error) {
  const Index n = h.knots.size();
  Vector room = Vector::Constant(n, INFINITY);
  for (Index k = 0; k + 1 < n; ++k) {
    const double gap = h.knots(k + 1) - h.knots(k);
    double most = gap / 4;
    for (Index q = 0; q < error.size(); ++q) {
      const double rise = std::abs(h.values(k + 1, q) - h.values(k, q)) + error(q);
      most = std::min(most, kOfKnots / 2 * error(q) * gap / rise);
    }
    room(k) = std::min(room(k), most);
    room(k + 1) = std::min(room(k + 1), most);
  }
  if (n > 1) {
    for (Index k = 0; k < n; ++k) h.knots(k) = short_number_near(h.knots(k), room(k));
  }
  for (Index q = 0; q < error.size(); ++q) {
    for (double& value : h.values.col(q)) value = short_number_near(value, kOfValues * error(q));
  }
}

Index numbers_in_functions(const Model& model) {
  Index numbers = 0;
  for (const RidgeFunction& h : model.functions) numbers += h.knots.size() + h.values.size();
  return numbers;
}

Index numbers_in_expansions(const Model& model) {
  Index numbers = 0;
  for (const Expansion& one : model.expansions)
    numbers += one.basis.size() + one.rows.size() + one.alpha.size();
  return numbers;
}

}  // namespace

Model Model::compress(double most) const {
  return compress(RowVector::Constant(n_outputs(), most).eval());
}

Model Model::compress(const RowVector& most) const {
  require(most.size() == n_outputs(), "tolerance", most.size(), "must be one per output");
  for (const double one : most)
    require(one >= 0 && std::isfinite(one), "tolerance", one, "must be at least 0 and finite");
  require(make_kernel(kernel)->piecewise_linear(), "kernel", kernel,
          "only the functions of the brownian kernel are piecewise linear and can be compressed");
  Model smaller = *this;
  smaller.tolerance.resize(0);
  smaller.expansions.clear();
  if (functions.empty()) return smaller;
  const RowVector error =
      most * (static_cast<double>(n_particles) / static_cast<double>(functions.size()));
  for (RidgeFunction& h : smaller.functions) {
    h = pruned(h, kPruning * error);
    round_numbers(h, error);
  }
  return smaller;
}

Model Model::for_file() const {
  if (tolerance.size() == 0 || !make_kernel(kernel)->piecewise_linear()) return *this;
  Model lines = compress(tolerance);
  if (expansions.empty() || numbers_in_functions(lines) <= numbers_in_expansions(*this))
    return lines;
  return round_expansions(*this);
}

}  // namespace bkernn
