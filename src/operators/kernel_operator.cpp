#include "operators/kernel_operator.hpp"

#include <algorithm>

#include "base/active_columns.hpp"
#include "base/parallel.hpp"
#include "loops/projections.hpp"

namespace bkernn {
namespace {

constexpr Index kGroup = 8;  // particles whose gradient is one matrix product
// With so many variables it is one product for all particles and a block of variables, if the
// slopes fit into the cache.
constexpr Index kManyVariables = 200;
constexpr Index kVariables = 64;
constexpr Index kSlopesAtOnce = 1000000;

}  // namespace

void KernelOperator::set_particles(const Matrix& W) {
  W_ = W;
  active_ = active_columns(W);
  prepare();
}

Matrix KernelOperator::project(Index begin, Index end) const {
  Matrix W(W_.rows(), end - begin);
  for (Index a = begin; a < end; ++a) W.col(a - begin) = W_.col(active_[a]);
  Matrix P(rows(), W.cols());
  loops::project(rows(), W.rows(), W.cols(), X_.data(), X_.rows(), W.data(), W.rows(), P.data(),
                 P.rows());
  return P;
}

double KernelOperator::mean_range() const {
  const Index stride = std::max<Index>(1, rows() / 4096), count = (rows() + stride - 1) / stride;
  const Matrix sample = X_(Eigen::seqN(0, count, stride), Eigen::all);
  double sum = 0;
  for (const Index j : active_) {
    const Vector p = sample * W_.col(j);
    sum += p.maxCoeff() - p.minCoeff();
  }
  return sum / std::max<double>(1, static_cast<double>(active_count()));
}

Matrix KernelOperator::slopes(const Matrix& alpha, Index begin, Index end) const {
  Matrix U = Matrix::Zero(rows(), end - begin);
  for (Index a = begin; a < end; ++a) {
    for (Index q = 0; q < alpha.cols(); ++q)
      add_slopes(a, alpha.col(q).data(), U.col(a - begin).data());
  }
  return restored(U);
}

Matrix KernelOperator::particle_gradient(const Matrix& alpha) const {
  const Index n = rows(), d = W_.rows(), count = active_count();
  const Matrix own = arranged(alpha);
  Matrix gradient = Matrix::Zero(d, W_.cols());
  const double cost =
      static_cast<double>(n * count) * (2 + 0.5 * static_cast<double>(d + 4 * alpha.cols()));
  if (d >= kManyVariables && n * count <= kSlopesAtOnce) {  // X is read once
    const Matrix U = slopes(own, 0, count) / static_cast<double>(W_.cols());
    parallel_for((d + kVariables - 1) / kVariables, cost, [&](Index block) {
      const Index first = block * kVariables, some = std::min(kVariables, d - first);
      gradient.middleRows(first, some)(Eigen::all, active_) =
          X_.middleCols(first, some).transpose() * U;
    });
    return gradient;
  }
  parallel_for((count + kGroup - 1) / kGroup, cost, [&](Index group) {
    const Index begin = group * kGroup, end = std::min(count, begin + kGroup);
    const Matrix block = X_.transpose() * slopes(own, begin, end) / static_cast<double>(W_.cols());
    for (Index a = begin; a < end; ++a) gradient.col(active_[a]) = block.col(a - begin);
  });
  return gradient;
}

std::vector<RidgeFunction> KernelOperator::functions(const Matrix& alpha) const {
  const Matrix own = arranged(alpha);
  std::vector<RidgeFunction> functions(active_count());
  parallel_for(active_count(), static_cast<double>(rows() * active_count()) * 10,
               [&](Index a) { functions[a] = function(a, own); });
  return functions;
}

Matrix KernelOperator::predict(const Matrix& alpha, const Matrix& Z) const {
  const Matrix own = arranged(alpha);
  Matrix F = Matrix::Zero(Z.rows(), alpha.cols());
  std::vector<Matrix> terms(kGroup);
  for (Index begin = 0; begin < active_count(); begin += kGroup) {
    const Index some = std::min(kGroup, active_count() - begin);
    parallel_for(some, static_cast<double>((rows() + Z.rows()) * some) * 10, [&](Index a) {
      const RidgeFunction h = function(begin + a, own);
      Vector p(Z.rows());
      loops::project(Z.rows(), Z.cols(), 1, Z.data(), Z.rows(), W_.col(active_[begin + a]).data(),
                     Z.cols(), p.data(), Z.rows());
      const SegmentFinder knots(h.knots.size(), h.knots.data(), Z.rows() > h.knots.size());
      terms[a].resize(Z.rows(), F.cols());
      for (Index q = 0; q < F.cols(); ++q)
        kernel_.evaluate(knots, h.values.col(q).data(), Z.rows(), p.data(), terms[a].col(q).data());
    });
    for (Index a = 0; a < some; ++a) F += terms[a];
  }
  return F / static_cast<double>(W_.cols());
}

Matrix KernelOperator::centered_gram() const {
  Matrix K = gram();
  K.rowwise() -= K.colwise().mean().eval();
  K.colwise() -= K.rowwise().mean().eval();
  return K;
}

Matrix KernelOperator::gram() const {
  const Index n = rows();
  const Matrix P = project(0, active_count());
  Matrix K(n, n);
  parallel_for((n + 15) / 16, static_cast<double>(n * n * P.cols()), [&](Index block) {
    Vector column(n);
    for (Index i = block * 16; i < std::min(n, block * 16 + 16); ++i) {
      const Index below = n - i;
      K.col(i).tail(below).setZero();
      for (Index a = 0; a < P.cols(); ++a) {
        kernel_.values(below, P.col(a).data() + i, P(i, a), column.data());
        K.col(i).tail(below) += column.head(below);
      }
    }
  });
  K /= static_cast<double>(W_.cols());
  K.triangularView<Eigen::StrictlyUpper>() = K.transpose();
  return K;
}

}  // namespace bkernn
