#include "operators/coarse_preconditioner.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace bkernn {
namespace {

constexpr double kRemainder = 4;  // largest eigenvalue of K − K_c aimed at, in units of nλ
// At most one unknown per 16 rows, within these limits, but always four knots per particle. With
// few rows a product is cheap, and more unknowns would not pay.
constexpr Index kFewUnknowns = 400;
constexpr Index kRowsPerUnknown = 16;
constexpr Index kUnknowns = 3500;
constexpr Index kSample = 2048;  // rows that place the knots
constexpr Index kTogether = 4;   // particles that are projected together, for which X is read once

Index knots_per_particle(double n, double length, double m, double ridge, Index active) {
  const double wanted = std::sqrt(n * length / (9.87 * m * ridge * kRemainder));
  const Index unknowns =
      std::clamp(static_cast<Index>(n) / kRowsPerUnknown, kFewUnknowns, kUnknowns);
  const Index most = std::max<Index>(4, unknowns / active);
  return static_cast<Index>(std::clamp(wanted, 4.0, static_cast<double>(most)));
}

}  // namespace

CoarsePreconditioner::CoarsePreconditioner(const KernelOperator& K, const Vector& D, double ridge)
    : n_(K.rows()), ridge_(ridge), root_(D.cwiseSqrt()), tables_(n_) {
  place_rows(K);
  system_.emplace(place_, layout_, D, ridge * static_cast<double>(K.particles()));
}

void CoarsePreconditioner::place_rows(const KernelOperator& K) {
  const auto active = static_cast<Index>(K.active().size());
  place_.resize(n_, active);
  Knots t(active);
  const double length = K.mean_range();
  const Index Q = knots_per_particle(static_cast<double>(n_), length,
                                     static_cast<double>(K.particles()), ridge_, active);
  const Index stride = std::max<Index>(1, n_ / kSample);
  parallel_for((active + kTogether - 1) / kTogether, static_cast<double>(n_ * active) * 20,
               [&](Index group) {
                 const Index begin = group * kTogether, end = std::min(active, begin + kTogether);
                 const Matrix P = K.project(begin, end);
                 for (Index a = begin; a < end; ++a) {
                   const auto p = P.col(a - begin);
                   t[a] = choose_knots(p(Eigen::seq(0, n_ - 1, stride)), p.minCoeff(), p.maxCoeff(),
                                       Q);
                   place_on_knots(t[a], n_, p.data(), place_.col(a).data());
                 }
               });
  layout_ = KnotLayout(std::move(t));
}

void CoarsePreconditioner::apply(const Matrix& r, Matrix& z) {
  z.resize(r.rows(), r.cols());
  v_.resize(n_);
  const Vector& masses = system_->masses();
  Vector theta(unknowns());
  for (Index q = 0; q < r.cols(); ++q) {
    const double sum = parallel_row_sums(n_, 1, 2, [&](Index begin, Index end) {
      const auto rows = Eigen::seq(begin, end - 1);
      v_(rows) = root_(rows).cwiseProduct(r.col(q)(rows));
      return RowVector::Constant(1, v_(rows).sum());
    })(0);
    Matrix& table = tables_.scatter(place_, v_.data(), layout_.most_knots());
    layout_.masses_of_table(table, 0, theta);
    theta -= masses * (sum / system_->total());
    system_->solve(theta);
    layout_.lines_into_table(theta, table, 0);
    v_.setConstant(-masses.dot(theta) / system_->total());
    tables_.gather(place_, table, v_.data());
    parallel_rows(n_, 2, [&](Index begin, Index end) {
      const auto rows = Eigen::seq(begin, end - 1);
      z.col(q)(rows) = (r.col(q)(rows) - root_(rows).cwiseProduct(v_(rows))) / ridge_;
    });
  }
}

}  // namespace bkernn
