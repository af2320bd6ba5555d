#include "coarse_preconditioner.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernel_operator.hpp"
#include "loops.hpp"
#include "parallel.hpp"

namespace bkernn {
namespace {

constexpr double kRemainder = 4;   // largest eigenvalue of K − K_c aimed at, in units of nλ
constexpr Index kUnknowns = 2500;  // at most, as far as four knots per particle allow
constexpr Index kSample = 2048;    // rows that place the knots
constexpr Index kRowsInCache = 2048;
constexpr Index kTile = 4;  // particles on each side of a tile of histograms

// Knots between the extremes that bound both the rows and the length of a segment: quantiles of the mean of the uniform
// measure and that of the rows.
Vector place_knots(const Vector& p, Index Q) {
  const double low = p.minCoeff(), high = p.maxCoeff();
  const Index stride = std::max<Index>(1, p.size() / kSample);
  std::vector<double> sample;
  for (Index i = 0; i < p.size(); i += stride) sample.push_back(p(i));
  std::sort(sample.begin(), sample.end());
  const auto size = static_cast<double>(sample.size());
  std::vector<double> t{low};
  double before = low, share_before = 0;
  for (std::size_t i = 0; i <= sample.size(); ++i) {
    const double here = i < sample.size() ? sample[i] : high;
    const double share = 0.5 * static_cast<double>(i) / size + 0.5 * (here - low) / (high - low);
    for (;;) {
      const double goal = static_cast<double>(t.size()) / static_cast<double>(Q - 1);
      if (goal >= 1 || share < goal) break;
      const double knot = before + (here - before) * (goal - share_before) / (share - share_before);
      if (!(knot > t.back() && knot < high)) break;
      t.push_back(knot);
    }
    before = here;
    share_before = share;
  }
  if (high > low) t.push_back(high);
  return Eigen::Map<Vector>(t.data(), static_cast<Index>(t.size()));
}

Index knots_per_particle(double n, double length, double m, double ridge, Index active) {
  const double wanted = std::sqrt(n * length / (9.87 * m * ridge * kRemainder));
  const Index most = std::max<Index>(4, kUnknowns / active);
  return static_cast<Index>(std::clamp(wanted, 4.0, static_cast<double>(most)));
}

}  // namespace

CoarsePreconditioner::CoarsePreconditioner(const KernelOperator& K, const Vector& D, double ridge)
    : n_(K.rows()), Q_(0), ridge_(ridge), total_(D.sum()), root_(D.cwiseSqrt()), tables_(n_) {
  place_rows(K);
  Index unknowns = 0;
  for (const Vector& t : t_) {
    first_.push_back(unknowns);
    unknowns += t.size() - 1;
  }
  masses_.setZero(unknowns);
  Matrix N = Matrix::Zero(unknowns, unknowns);
  add_histograms(N, D);
  for (std::size_t a = 0; a < t_.size(); ++a) {
    const Index knots = t_[a].size();
    Vector pairs = Vector::Zero(2 * knots), s(knots);
    loops::spread_to_knots(n_, place_.col(static_cast<Index>(a)).data(), D.data(), pairs.data());
    loops::masses_from_pairs(knots, pairs.data(), s.data());
    masses_.segment(first_[a], knots - 1) = s.tail(knots - 1);
  }
  N.selfadjointView<Eigen::Lower>().rankUpdate(masses_, -1 / total_);
  add_stiffness(N, static_cast<double>(K.particles()));
  factor_.compute(N);
}

void CoarsePreconditioner::place_rows(const KernelOperator& K) {
  const auto active = static_cast<Index>(K.active().size());
  place_.resize(n_, active);
  t_.resize(active);
  const double length = K.mean_range();
  Q_ = knots_per_particle(static_cast<double>(n_), length, static_cast<double>(K.particles()),
                          ridge_, active);
  parallel_for(active, static_cast<double>(n_ * active) * 20, [&](Index a) {
    const Vector p = K.project(a, a + 1);
    t_[a] = place_knots(p, Q_);
    const Vector& t = t_[a];
    const Index last = t.size() - 1;
    const float end = std::nextafter(static_cast<float>(last), 0.0F);
    if (last == 0) {
      place_.col(a).setZero();
      return;
    }
    const loops::SegmentFinder find(t.size(), t.data(), true);
    for (Index i = 0; i < n_; ++i) {
      const Index k = find(p(i));
      const double fraction = (p(i) - t(k)) / (t(k + 1) - t(k));
      place_(i, a) = std::min(static_cast<float>(static_cast<double>(k) + fraction), end);
    }
  });
}

void CoarsePreconditioner::add_histograms(Matrix& N, const Vector& D) const {
  const Index active = place_.cols(), tiles = (active + kTile - 1) / kTile, wide = Q_ + 1;
  std::vector<std::array<Index, 2>> pairs;
  for (Index a = 0; a < tiles; ++a) {
    for (Index b = 0; b <= a; ++b) pairs.push_back({a, b});
  }
  const double cost = static_cast<double>(n_ * active * active) * 2;
  parallel_for(static_cast<Index>(pairs.size()), cost, [&](Index tile) {
    const auto [first_a, first_b] = pairs[tile];
    std::vector<Matrix> histograms(kTile * kTile, Matrix::Zero(wide, wide));
    const auto for_particles = [&](const auto& body) {
      for (Index a = first_a * kTile; a < std::min(active, (first_a + 1) * kTile); ++a) {
        for (Index b = first_b * kTile; b < std::min({active, (first_b + 1) * kTile, a + 1}); ++b)
          body(a, b, histograms[(a % kTile) * kTile + b % kTile]);
      }
    };
    for (Index begin = 0; begin < n_; begin += kRowsInCache) {
      const Index rows = std::min(kRowsInCache, n_ - begin);
      for_particles([&](Index a, Index b, Matrix& H) {
        loops::add_histogram(rows, &place_(begin, a), &place_(begin, b), &D(begin), wide, H.data());
      });
    }
    for_particles([&](Index a, Index b, Matrix& H) {
      const Index rows = t_[a].size() - 1, cols = t_[b].size() - 1;
      N.block(first_[a], first_[b], rows, cols) = H.block(1, 1, rows, cols);
    });
  });
}

void CoarsePreconditioner::add_stiffness(Matrix& N, double particles) const {
  for (std::size_t a = 0; a < t_.size(); ++a) {
    const Vector& t = t_[a];
    for (Index k = 0; k + 1 < t.size(); ++k) {
      const double spring = ridge_ * particles / (t(k + 1) - t(k));
      const Index right = first_[a] + k;
      N(right, right) += spring;
      if (k == 0) continue;
      N(right - 1, right - 1) += spring;
      N(right, right - 1) -= spring;
    }
  }
}

void CoarsePreconditioner::apply(const Matrix& r, Matrix& z) {
  z.resize(r.rows(), r.cols());
  v_.resize(n_);
  Vector theta(unknowns());
  for (Index q = 0; q < r.cols(); ++q) {
    const double sum = parallel_row_sums(n_, 1, 2, [&](Index begin, Index end) {
      const auto rows = Eigen::seq(begin, end - 1);
      v_(rows) = root_(rows).cwiseProduct(r.col(q)(rows));
      return RowVector::Constant(1, v_(rows).sum());
    })(0);
    Matrix& table = tables_.spread(place_, v_.data(), Q_ + 1);
    for (Index a = 0; a < place_.cols(); ++a) {
      const Index knots = t_[a].size();
      Vector s(knots);
      loops::masses_from_pairs(knots, table.col(a).data(), s.data());
      theta.segment(first_[a], knots - 1) = s.tail(knots - 1);
    }
    theta -= masses_ * (sum / total_);
    factor_.solveInPlace(theta);
    for (Index a = 0; a < place_.cols(); ++a) {
      const Index knots = t_[a].size();
      Vector h(knots);
      h << 0, theta.segment(first_[a], knots - 1);
      loops::lines_from_values(knots, h.data(), table.col(a).data());
    }
    v_.setConstant(-masses_.dot(theta) / total_);
    tables_.gather(place_, table, v_.data());
    parallel_rows(n_, 2, [&](Index begin, Index end) {
      const auto rows = Eigen::seq(begin, end - 1);
      z.col(q)(rows) = (r.col(q)(rows) - root_(rows).cwiseProduct(v_(rows))) / ridge_;
    });
  }
}

}  // namespace bkernn
