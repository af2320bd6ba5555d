#include "rows/prepared_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/check_values.hpp"
#include "base/fixed_point.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

// Of the largest weight: what is less is lost beside it in any sum, while its inverse would
// dominate the inner problem.
constexpr double kNegligibleWeight = 1e-14;

void check_input(const FitInput& input, const FitOptions& options, const Loss& loss) {
  const auto& [X, Y, weights, validation_X, validation_Y, resume] = input;
  const auto shape = [](const MatrixView& A) {
    return std::to_string(A.rows()) + "x" + std::to_string(A.cols());
  };
  require(X.rows() >= 2 && X.cols() >= 1, "X", shape(X), "must have at least 2 rows and 1 column");
  require(X.rows() < std::numeric_limits<std::int32_t>::max(), "X", shape(X),
          "must have fewer than 2^31 rows");
  require(Y.rows() == X.rows() && Y.cols() >= 1, "y", shape(Y),
          "must have as many rows as X, " + shape(X));
  check_values(X, "X");
  check_values(Y, "y");
  loss.check_targets(Y);
  if (weights != nullptr) {
    require(weights->size() == X.rows(), "weights", weights->size(),
            "must be one per row of X, " + shape(X));
    check_weights(*weights);
    const double largest = weights->maxCoeff();
    require(largest == 0 || largest >= 1 / kLargestInput, "weights", largest,
            "the largest must be at least 1e-100");
    const Index positive = (weights->array() > kNegligibleWeight * largest).count();
    require(positive >= 2, "weights", positive,
            "at least 2 rows must have a positive weight, above 1e-14 of the largest");
  }
  require((validation_X == nullptr) == (validation_Y == nullptr), "validation_Y",
          validation_Y == nullptr ? "missing" : "given",
          "validation_X and validation_Y go together");
  require(!options.early_stopping || validation_X != nullptr, "early_stopping", "true",
          "needs validation rows");
  if (validation_X != nullptr) {
    require(validation_X->rows() >= 1 && validation_X->cols() == X.cols(), "validation_X",
            shape(*validation_X), "must have at least one row and the columns of X, " + shape(X));
    require(validation_Y->rows() == validation_X->rows() && validation_Y->cols() == Y.cols(),
            "validation_Y", shape(*validation_Y),
            "must have the rows of validation_X and the columns of y, " + shape(Y));
    check_values(*validation_X, "validation_X");
    check_values(*validation_Y, "validation_Y");
    loss.check_targets(*validation_Y);
  }
  if (options.init.size() > 0) {
    require(options.init.rows() == X.cols() && options.init.cols() == options.n_particles, "init",
            shape(options.init),
            "must be " + std::to_string(X.cols()) + "x" + std::to_string(options.n_particles));
    check_values(options.init, "init");
  }
}

// Standard deviation, or 0 where the column does not vary beyond rounding.
double deviation(const Vector& centered, const Vector& s, double largest) {
  const double value = std::sqrt(centered.cwiseAbs2().dot(s) / s.sum());
  return varies(value, largest) ? value : 0.0;
}

double weighted_quantile(const Vector& y, const Vector& s, double level) {
  std::vector<Index> order(y.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return y(a) < y(b); });
  const double goal = level * s.sum() * (1 - 1e-12);
  double below = 0;
  for (const Index i : order) {
    below += s(i);
    if (below >= goal) return y(i);
  }
  return y(order.back());
}

// The spread of y: its standard deviation for the square loss; for the robust losses the
// interquartile range in units of the normal one, if that is positive. 1 for a constant.
double target_spread(const Vector& y, const Vector& s, double mean, const Loss& loss) {
  if (!loss.quadratic()) {
    const double range =
        (weighted_quantile(y, s, 0.75) - weighted_quantile(y, s, 0.25)) / kNormalQuartiles;
    if (range > 1e-13 * y.cwiseAbs().maxCoeff()) return range;
  }
  const double value = deviation(y.array() - mean, s, y.cwiseAbs().maxCoeff());
  return value > 0 ? value : 1.0;
}

}  // namespace

bool varies(double deviation, double largest) {
  return deviation > 1e-13 * largest;
}

double to_float_precision(double value) {
  const auto rounded = static_cast<float>(value);
  // What single precision cannot hold stays as it is.
  return std::isnormal(rounded) ? static_cast<double>(rounded) : value;
}

double rounded_mean(double mean, double largest) {
  return largest > 0 ? FixedPoint(std::ldexp(1.0, std::ilogb(largest) - 32)).rounded(mean) : mean;
}

PreparedData prepare_data(const FitInput& input, const FitOptions& options, const Loss& loss,
                          bool rounded) {
  const auto kept = [rounded](double value) { return rounded ? to_float_precision(value) : value; };
  const auto kept_mean = [rounded](double mean, double largest) {
    return rounded ? rounded_mean(mean, largest) : mean;
  };
  check_input(input, options, loss);
  const Index d = input.X.cols(), q = input.Y.cols();
  PreparedData data;
  // On knots rows have no unknowns of their own, so that no weight is too small; and shards do not
  // know the largest.
  const double least =
      input.weights == nullptr || rounded ? 0.0 : kNegligibleWeight * input.weights->maxCoeff();
  for (Index i = 0; i < input.X.rows(); ++i) {
    if (input.weights == nullptr || (*input.weights)(i) > least) data.rows.push_back(i);
  }
  const Index n = data.n = static_cast<Index>(data.rows.size());
  data.s = input.weights == nullptr ? Vector::Ones(n) : Vector((*input.weights)(data.rows));
  data.total_weight = kept(data.s.sum());
  data.s *= static_cast<double>(n) / data.total_weight;
  const double sum = data.s.sum();

  data.Z.resize(n, d);
  data.center.resize(d);
  data.scale.setOnes(d);
  data.constant.setConstant(d, false);
  for (Index a = 0; a < d; ++a) {
    auto z = data.Z.col(a);
    for (Index i = 0; i < n; ++i) z(i) = input.X(data.rows[i], a);
    const double largest = z.cwiseAbs().maxCoeff();
    data.center(a) = kept_mean(z.dot(data.s) / sum, largest);
    z.array() -= data.center(a);
    const double size = kept(deviation(z, data.s, largest));
    if (size == 0) {
      data.constant(a) = true;
      z.setZero();
    }
    if (options.standardize && size > 0) {
      data.scale(a) = size;
      z /= size;
    }
  }
  data.largest_norm = kept(data.Z.rowwise().norm().maxCoeff());

  data.Y.resize(n, q);
  data.target_center.setZero(q);
  data.target_scale.setOnes(q);
  const bool scale_target =
      loss.scale_equivariant() && (options.standardize || !options.regularization);
  for (Index k = 0; k < q; ++k) {
    auto y = data.Y.col(k);
    for (Index i = 0; i < n; ++i) y(i) = input.Y(data.rows[i], k);
    if (loss.scale_equivariant()) {
      data.target_center(k) = kept_mean(y.dot(data.s) / sum, y.cwiseAbs().maxCoeff());
      if (scale_target)
        data.target_scale(k) = kept(target_spread(y, data.s, data.target_center(k), loss));
      y = (y.array() - data.target_center(k)) / data.target_scale(k);
    }
  }
  return data;
}

double target_scale_rms(const Coordinates& coordinates) {
  return std::sqrt(coordinates.target_scale.squaredNorm() /
                   static_cast<double>(coordinates.target_scale.size()));
}

}  // namespace bkernn
