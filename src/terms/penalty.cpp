#include "bkernn/penalty.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "base/names.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// φ(r) = slope·r, or slope·log(1 + κr)/κ: the same slope at 0, bending down.
struct Shape {
  double slope;
  double bend;  // κ = s/√m; 0 is the linear case

  double value(double r) const {
    return bend > 0 ? slope * std::log1p(bend * r) / bend : slope * r;
  }

  // argmin_{u ≥ 0} ½(u − r)² + tφ(u).
  double shrink(double r, double t) const {
    const double threshold = t * slope;
    if (bend <= 0) return std::max(0.0, r - threshold);
    // Larger root of κu² + (1 − κr)u + (threshold − r) = 0, in the form that does not cancel.
    const double b = 1 - bend * r;
    const double discriminant = b * b - 4 * bend * (threshold - r);
    if (discriminant <= 0) return 0;
    const double root = std::sqrt(discriminant);
    const double u = b <= 0 ? (root - b) / (2 * bend) : 2 * (r - threshold) / (b + root);
    if (!(u > 0)) return 0;
    const double gain = 0.5 * r * r - (0.5 * (u - r) * (u - r) + t * value(u));
    return gain > 0 ? std::min(u, r) : 0;
  }
};

// The ways to cut W into groups: columns, single numbers, rows, singular directions.
enum class Grouping { particles, entries, variables, features };

class GroupPenalty final : public Penalty {
 public:
  GroupPenalty(std::string name, Grouping grouping, double concavity, std::vector<Index> groups)
      : name_(std::move(name)),
        grouping_(grouping),
        concavity_(concavity),
        groups_(std::move(groups)) {}

  std::string name() const override { return name_; }

  std::unique_ptr<Penalty> convex() const override {
    return std::make_unique<GroupPenalty>(name_, grouping_, 0.0, groups_);
  }

  bool selects_variables() const override { return grouping_ == Grouping::variables; }

  Norm particle_norm() const override {
    const bool rows = grouping_ == Grouping::variables && groups_.empty();
    return grouping_ == Grouping::entries || rows ? Norm::l1 : Norm::l2;
  }

  bool sums_over_particles() const override {
    return grouping_ == Grouping::particles || grouping_ == Grouping::entries;
  }

  double value(const Matrix& W) const override {
    const Shape phi = shape(W.cols());
    const Vector r = norms(W);
    double sum = 0;
    for (const double one : r) sum += phi.value(one);
    return sum;
  }

  double prox(Matrix& W, double t) const override {
    const Shape phi = shape(W.cols());
    double sum = 0;
    const auto factor = [&](double r) {
      const double u = phi.shrink(r, t);
      sum += phi.value(u);
      return r > 0 ? u / r : 0.0;
    };
    switch (grouping_) {
      case Grouping::particles:
        for (Index j = 0; j < W.cols(); ++j) W.col(j) *= factor(W.col(j).norm());
        break;
      case Grouping::entries:
        for (double& w : W.reshaped()) w *= factor(std::abs(w));
        break;
      case Grouping::variables:
        if (groups_.empty()) {
          for (Index a = 0; a < W.rows(); ++a) W.row(a) *= factor(W.row(a).norm());
        }
        for (std::size_t a = 0; a + 1 < groups_.size(); ++a) {
          auto rows = W.middleRows(groups_[a], groups_[a + 1] - groups_[a]);
          rows *= factor(rows.norm());
        }
        break;
      case Grouping::features: {
        const Singular svd = singular(W);
        Vector factors(svd.values.size());
        for (Index a = 0; a < factors.size(); ++a) factors(a) = factor(svd.values(a));
        if (svd.left) {
          W = svd.basis * (factors.asDiagonal() * (svd.basis.transpose() * W).eval());
        } else {
          W = (W * svd.basis).eval() * factors.asDiagonal() * svd.basis.transpose();
        }
        break;
      }
    }
    return sum;
  }

  // Singular vectors on the smaller side of W, with the singular values measured as ‖Wᵀu‖ or ‖Wv‖.
  struct Singular {
    bool left;
    Matrix basis;
    Vector values;
  };

  static Singular singular(const Matrix& W) {
    const bool left = W.rows() <= W.cols();
    const Matrix gram = left ? Matrix(W * W.transpose()) : Matrix(W.transpose() * W);
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(gram);
    const Matrix& basis = eigen.eigenvectors();
    Vector values = left ? Vector((W.transpose() * basis).colwise().norm().transpose())
                         : Vector((W * basis).colwise().norm().transpose());
    return {left, basis, std::move(values)};
  }

 private:
  Shape shape(Index m) const {
    const double root = std::sqrt(static_cast<double>(m));
    return {0.5 / (sums_over_particles() ? static_cast<double>(m) : root), concavity_ / root};
  }

  Vector group_norms(const Matrix& W) const {
    return Vector::NullaryExpr(static_cast<Index>(groups_.size()) - 1, [&](Index a) {
      return W.middleRows(groups_[a], groups_[a + 1] - groups_[a]).norm();
    });
  }

  Vector norms(const Matrix& W) const {
    switch (grouping_) {
      case Grouping::particles:
        return W.colwise().norm().transpose();
      case Grouping::entries:
        return W.reshaped().cwiseAbs();
      case Grouping::variables:
        return groups_.empty() ? Vector(W.rowwise().norm()) : group_norms(W);
      default:
        return singular(W).values;
    }
  }

  std::string name_;
  Grouping grouping_;
  double concavity_;
  std::vector<Index> groups_;  // where the rows of each variable begin, and their end
};

}  // namespace

const std::vector<std::string>& penalty_names() {
  static const std::vector<std::string> names{"basic",   "basic_l1",         "variable",
                                              "feature", "concave_variable", "concave_feature"};
  return names;
}

std::unique_ptr<Penalty> make_penalty(const std::string& name, double concavity,
                                      const std::vector<Index>& groups) {
  require_name("penalty", name, penalty_names());
  require(concavity >= 0 && concavity <= 1e100, "concavity", concavity,
          "must be at least 0 and finite");
  const auto make = [&](Grouping grouping, double s) {
    return std::make_unique<GroupPenalty>(name, grouping, s, groups);
  };
  if (name == "basic") return make(Grouping::particles, 0);
  if (name == "basic_l1") return make(Grouping::entries, 0);
  if (name == "variable") return make(Grouping::variables, 0);
  if (name == "feature") return make(Grouping::features, 0);
  if (name == "concave_variable") return make(Grouping::variables, concavity);
  return make(Grouping::features, concavity);
}

std::vector<std::string> candidate_penalties(const std::string& name, bool coupled) {
  if (name != "auto") return {name};
  if (coupled) return {"feature", "concave_variable"};
  return {"feature", "concave_variable", "concave_feature"};
}

LeftSingular left_singular(const Matrix& W) {
  const GroupPenalty::Singular svd = GroupPenalty::singular(W);
  const Index r = svd.values.size();
  Vector values = svd.values.reverse();
  Matrix vectors = svd.left ? Matrix(svd.basis.rowwise().reverse())
                            : Matrix((W * svd.basis).rowwise().reverse());
  if (!svd.left) {
    for (Index a = 0; a < r; ++a) {
      if (values(a) > 0) vectors.col(a) /= values(a);
    }
  }
  return {std::move(values), std::move(vectors)};
}

}  // namespace bkernn
