#include "bkernn/loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/names.hpp"
#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "loops/exponential.hpp"

namespace bkernn {
namespace {

// The curvature of a straight or saturated piece, as a fraction of that of the parabola that
// touches ℓ there and stays above it.
constexpr double kFlat = 0.02;

// Losses of one prediction at a time: value ℓ, first derivative and curvature in f.
struct Pointwise {
  double value, gradient, curvature;
};

void require_all(const MatrixView& Y, bool (*holds)(double), const char* constraint) {
  for (Index k = 0; k < Y.cols(); ++k) {
    for (Index i = 0; i < Y.rows(); ++i) {
      if (!holds(Y(i, k)))
        require(false, ("y[" + std::to_string(i) + "]").c_str(), Y(i, k), constraint);
    }
  }
}

double range_of(const MatrixView& Y) {
  require(Y.rows() >= 1 && Y.allFinite(), "y", "empty, NaN or infinite",
          "every value must be finite");
  const double range = (Y.colwise().maxCoeff() - Y.colwise().minCoeff()).maxCoeff();
  return range > 0 ? range : 1.0;
}

template <class Self>
class PointwiseLoss : public Loss {
 public:
  void check_targets(const MatrixView&) const override {}

  double value(const Matrix& Y, const Matrix& F, const Vector& s) const override {
    double sum = 0;
    for (Index k = 0; k < F.cols(); ++k) {
      const auto& loss = self().of_output(k);
      for (Index i = 0; i < F.rows(); ++i) sum += s(i) * loss.at(Y(i, k), F(i, k)).value;
    }
    return sum;
  }

  void derivatives(const Matrix& Y, const Matrix& F, const Vector& s, Matrix& gradient,
                   Matrix& D) const override {
    gradient.resize(F.rows(), F.cols());
    D.resize(F.rows(), F.cols());
    for (Index k = 0; k < F.cols(); ++k) {
      const auto& loss = self().of_output(k);
      for (Index i = 0; i < F.rows(); ++i) {
        const Pointwise l = loss.at(Y(i, k), F(i, k));
        gradient(i, k) = s(i) * l.gradient;
        D(i, k) = s(i) * l.curvature;
      }
    }
  }

  RowVector start(const Matrix& Y, const Vector& s) const override {
    return s.transpose() * Y / s.sum();
  }

  const Self& of_output(Index) const { return self(); }

 private:
  const Self& self() const { return static_cast<const Self&>(*this); }
};

class Square final : public PointwiseLoss<Square> {
 public:
  std::string name() const override { return "square"; }
  bool quadratic() const override { return true; }
  double lipschitz_constant(const MatrixView& Y) const override { return range_of(Y); }
  bool scale_equivariant() const override { return true; }
  static Pointwise at(double y, double f) { return {0.5 * (y - f) * (y - f), f - y, 1}; }
};

class Huber final : public PointwiseLoss<Huber> {
 public:
  explicit Huber(double delta) : delta_(delta) {}
  std::string name() const override { return "huber"; }
  double lipschitz_constant(const MatrixView&) const override { return delta_; }
  double regularization_factor() const override { return 3; }
  bool scale_equivariant() const override { return true; }
  Pointwise at(double y, double f) const {
    const double r = y - f, size = std::abs(r);
    if (size <= delta_) return {0.5 * r * r, -r, 1};
    return {delta_ * (size - 0.5 * delta_), r > 0 ? -delta_ : delta_, kFlat * delta_ / size};
  }

 private:
  double delta_;
};

// Of one output.
struct Pinball {
  double level, width;
  Pointwise at(double y, double f) const {
    const double r = y - f, size = std::abs(r);
    const double tilt = level - 0.5;
    if (size <= width) {
      return {0.25 * (r * r / width + width) + tilt * r, -0.5 * r / width - tilt, 0.5 / width};
    }
    return {0.5 * size + tilt * r, (r > 0 ? -0.5 : 0.5) - tilt, kFlat * 0.5 / size};
  }
};

class Quantile final : public PointwiseLoss<Quantile> {
 public:
  Quantile(std::vector<double> levels, double width) : levels_(std::move(levels)), width_(width) {}
  std::string name() const override { return "quantile"; }
  std::optional<double> quantile() const override {
    return several() ? std::nullopt : std::optional(levels_.front());
  }
  std::vector<double> quantiles() const override {
    return several() ? levels_ : std::vector<double>();
  }
  void check_targets(const MatrixView& Y) const override {
    require(!several() || Y.cols() == static_cast<Index>(levels_.size()), "y",
            std::to_string(Y.cols()) + " columns",
            "several quantiles take y once for each, " + std::to_string(levels_.size()));
  }
  double lipschitz_constant(const MatrixView&) const override {
    return std::max(levels_.back(), 1 - levels_.front());
  }
  double regularization_factor() const override { return 10; }
  bool scale_equivariant() const override { return true; }
  Pinball of_output(Index k) const { return {levels_[several() ? k : 0], width_}; }

 private:
  bool several() const { return levels_.size() > 1; }

  std::vector<double> levels_;  // increasing
  double width_;
};

class Logistic final : public PointwiseLoss<Logistic> {
 public:
  std::string name() const override { return "logistic"; }
  Targets targets() const override { return Targets::classes; }
  Index class_outputs(Index classes) const override { return classes == 2 ? 1 : 0; }
  Index n_classes(Index) const override { return 2; }
  double lipschitz_constant(const MatrixView&) const override { return 1; }
  double regularization_factor() const override { return 5; }
  void check_targets(const MatrixView& Y) const override {
    require(Y.cols() == 1, "y", std::to_string(Y.cols()) + " columns",
            "the logistic loss takes one column");
    require_all(
        Y, [](double y) { return y == 0 || y == 1; }, "the logistic loss takes 0 and 1");
  }
  static Pointwise at(double y, double f) {
    const double e = std::exp(-std::abs(f));
    const double p = f >= 0 ? 1 / (1 + e) : e / (1 + e);
    const double majorant =
        std::abs(f) < 1e-4 ? 0.25 : 0.5 * std::tanh(0.5 * std::abs(f)) / std::abs(f);
    // What is sure and right is left as flat as it is: with more curvature Newton would creep.
    const double least = std::max(kFlat * majorant * std::abs(p - y), kLeast);
    return {std::max(f, 0.0) + std::log1p(e) - y * f, p - y,
            std::max(e / ((1 + e) * (1 + e)), least)};
  }
  RowVector start(const Matrix& Y, const Vector& s) const override {
    const double p = std::clamp(s.dot(Y.col(0)) / s.sum(), 1e-6, 1 - 1e-6);
    return RowVector::Constant(1, std::log(p / (1 - p)));
  }
  Matrix response(const Matrix& F) const override {
    const Vector p = F.col(0).unaryExpr(
        [](double f) { return f >= 0 ? 1 / (1 + std::exp(-f)) : std::exp(f) / (1 + std::exp(f)); });
    Matrix both(F.rows(), 2);
    both << (1 - p.array()).matrix(), p;
    return both;
  }

 private:
  static constexpr double kLeast = 1e-10;  // positive
};

class Poisson final : public PointwiseLoss<Poisson> {
 public:
  std::string name() const override { return "poisson"; }
  Targets targets() const override { return Targets::counts; }
  double lipschitz_constant(const MatrixView& Y) const override { return range_of(Y); }
  void check_targets(const MatrixView& Y) const override {
    require_all(
        Y, [](double y) { return y >= 0 && y <= 1e15; },
        "the poisson loss takes counts from 0 to 1e15");
  }
  static Pointwise at(double y, double f) {
    const double mean = std::exp(f);
    const double saturated = y > 0 ? y * std::log(y) - y : 0.0;
    return {mean - y * f + saturated, mean - y, std::max({mean, kFlat * y, 1e-6})};
  }
  RowVector start(const Matrix& Y, const Vector& s) const override {
    const RowVector mean = s.transpose() * Y / s.sum();
    return mean.cwiseMax(1e-6).array().log();
  }
  Matrix response(const Matrix& F) const override {
    // One by one: the same number for a row wherever it stands.
    return F.unaryExpr(
        [](double f) { return std::min(std::exp(f), std::numeric_limits<double>::max()); });
  }
};

class Multinomial final : public Loss {
 public:
  std::string name() const override { return "multinomial"; }
  Targets targets() const override { return Targets::classes; }
  Index class_outputs(Index classes) const override { return classes >= 2 ? classes : 0; }
  Index n_classes(Index q) const override { return q; }
  double lipschitz_constant(const MatrixView&) const override { return std::sqrt(2.0); }
  double regularization_factor() const override { return 5; }
  bool coupled() const override { return true; }

  void check_targets(const MatrixView& Y) const override {
    require(Y.cols() >= 2, "y", std::to_string(Y.cols()) + " columns",
            "the multinomial loss takes one column per class");
    require_all(
        Y, [](double y) { return y == 0 || y == 1; }, "the multinomial loss takes one-hot rows");
    for (Index i = 0; i < Y.rows(); ++i) {
      require(Y.row(i).sum() == 1, "y", "row " + std::to_string(i),
              "the multinomial loss takes one-hot rows");
    }
  }

  double value(const Matrix& Y, const Matrix& F, const Vector& s) const override {
    Vector losses(F.rows());
    over_rows(F, [&](Index begin, const Exponentials& e) {
      const Index n = e.top.size();
      Vector truth = Vector::Zero(n);
      for (Index k = 0; k < F.cols(); ++k)
        truth += F.col(k).segment(begin, n).cwiseProduct(Y.col(k).segment(begin, n));
      losses.segment(begin, n) = e.total.array().log().matrix() + e.top - truth;
    });
    return s.dot(losses);
  }

  void derivatives(const Matrix& Y, const Matrix& F, const Vector& s, Matrix& gradient,
                   Matrix& D) const override {
    gradient.resize(F.rows(), F.cols());
    D.resize(F.rows(), F.cols());
    over_rows(F, [&](Index begin, const Exponentials& e) {
      const Index n = e.top.size();
      const auto weight = s.segment(begin, n).array();
      for (Index k = 0; k < F.cols(); ++k) {
        const auto p = (e.e.col(k).array() / e.total.array()).eval();
        gradient.col(k).segment(begin, n) = weight * (p - Y.col(k).segment(begin, n).array());
        D.col(k).segment(begin, n) = weight * p.max(kLeastShare);
      }
    });
  }

  Matrix response(const Matrix& F) const override {
    // One by one, and in this order: the same numbers for a row wherever it stands.
    Matrix p =
        (F.colwise() - F.rowwise().maxCoeff()).unaryExpr([](double f) { return std::exp(f); });
    Vector total = Vector::Zero(F.rows());
    for (Index q = 0; q < F.cols(); ++q) total += p.col(q);
    return total.cwiseInverse().asDiagonal() * p;
  }

  RowVector start(const Matrix& Y, const Vector& s) const override {
    const RowVector share = s.transpose() * Y / s.sum();
    const RowVector f = share.cwiseMax(1e-6).array().log();
    return f.array() - f.mean();
  }

 private:
  static constexpr double kLeastShare = 1e-5;  // a probability that curves the loss

  // e^{f_k − top} of some rows, top being the largest f_k of a row, and their sums.
  struct Exponentials {
    Matrix e;
    Vector top, total;
  };

  // Calls body(first row, exponentials) for blocks of rows.
  template <class Body>
  static void over_rows(const Matrix& F, const Body& body) {
    constexpr Index kBlock = 256;  // they stay in a cache
    constexpr double kCost = 10;   // of an exponential
    const Index blocks = (F.rows() + kBlock - 1) / kBlock;
    parallel_for(blocks, kCost * static_cast<double>(F.size()), [&](Index b) {
      const Index begin = b * kBlock, n = std::min(kBlock, F.rows() - begin);
      const auto rows = F.middleRows(begin, n);
      Exponentials found{Matrix(n, F.cols()), rows.rowwise().maxCoeff(), Vector::Zero(n)};
      for (Index k = 0; k < F.cols(); ++k) {
        loops::exponentials_below(n, rows.col(k).data(), found.top.data(), found.e.col(k).data());
        found.total += found.e.col(k);
      }
      body(begin, found);
    });
  }
};

}  // namespace

const char* name_of(Targets targets) {
  switch (targets) {
    case Targets::counts:
      return "counts";
    case Targets::classes:
      return "classes";
    default:
      return "numbers";
  }
}

const std::vector<std::string>& loss_names() {
  static const std::vector<std::string> names{"square", "logistic", "multinomial",
                                              "huber",  "quantile", "poisson"};
  return names;
}

std::unique_ptr<Loss> make_loss(const std::string& name, const LossParameters& parameters) {
  require_name("loss", name, loss_names());
  const auto& [delta, level, several, width] = parameters;
  if (name == "square") return std::make_unique<Square>();
  if (name == "logistic") return std::make_unique<Logistic>();
  if (name == "multinomial") return std::make_unique<Multinomial>();
  if (name == "poisson") return std::make_unique<Poisson>();
  if (name == "huber") {
    require(delta > 0 && std::isfinite(delta), "huber_delta", delta, "must be positive and finite");
    return std::make_unique<Huber>(delta);
  }
  const std::vector<double> levels = several.empty() ? std::vector<double>{level} : several;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    require(levels[k] > 0 && levels[k] < 1, several.empty() ? "quantile" : "quantiles", levels[k],
            "must lie strictly between 0 and 1");
    require(k == 0 || levels[k - 1] < levels[k], "quantiles", levels[k], "must increase");
  }
  require(width > 0 && std::isfinite(width), "quantile_width", width,
          "must be positive and finite");
  return std::make_unique<Quantile>(levels, width);
}

std::string default_loss(Index classes) {
  if (classes == 0) return "square";
  return classes == 2 ? "logistic" : "multinomial";
}

}  // namespace bkernn
