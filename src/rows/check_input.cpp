#include "rows/check_input.hpp"

#include <limits>
#include <string>

#include "base/check_values.hpp"
#include "bkernn/columns.hpp"
#include "bkernn/distinct_rows.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

std::string shape(Index rows, Index columns) {
  return std::to_string(rows) + "x" + std::to_string(columns);
}

std::string shape(const MatrixView& A) {
  return shape(A.rows(), A.cols());
}

}  // namespace

void check_shard(const MatrixView& X, const MatrixView& Y, const Vector& weights,
                 const Loss& loss) {
  require(Y.rows() == X.rows() && Y.cols() >= 1, "y", shape(Y),
          "must have as many rows as X, " + shape(X));
  require(weights.size() == 0 || weights.size() == X.rows(), "weights", weights.size(),
          "must be one per row of X, " + shape(X));
  check_values(X, "X");
  check_values(Y, "y");
  if (X.rows() > 0) loss.check_targets(Y);
  if (weights.size() > 0) check_weights(weights);
}

void check_validation_given(const MatrixView* X, const MatrixView* Y, const FitOptions& options) {
  require((X == nullptr) == (Y == nullptr), "validation_Y", Y == nullptr ? "missing" : "given",
          "validation_X and validation_Y go together");
  require(!options.early_stopping || X != nullptr, "early_stopping", "true",
          "needs validation rows");
}

void check_validation(const MatrixView* X, const MatrixView* Y, Index d, Index q,
                      const FitOptions& options, const Loss& loss) {
  check_validation_given(X, Y, options);
  if (X == nullptr) return;
  require(X->rows() >= 1 && X->cols() == d, "validation_X", shape(*X),
          "must have at least one row and the columns of X, " + std::to_string(d));
  require(Y->rows() == X->rows() && Y->cols() == q, "validation_Y", shape(*Y),
          "must have the rows of validation_X and the columns of y, " + std::to_string(q));
  check_values(*X, "validation_X");
  check_values(*Y, "validation_Y");
  loss.check_targets(*Y);
}

void check_initial_particles(const FitOptions& options, Index d) {
  if (options.init.size() == 0) return;
  const Index m = options.n_particles > 0 ? options.n_particles : options.init.cols();
  require(options.init.rows() == d && options.init.cols() == m, "init", shape(options.init),
          "must be " + shape(d, m));
  check_values(options.init, "init");
}

void check_input(const FitInput& input, const FitOptions& options, const Loss& loss) {
  const MatrixView& X = input.X;
  require(X.rows() >= 2 && X.cols() >= 1, "X", shape(X), "must have at least 2 rows and 1 column");
  require(X.rows() < std::numeric_limits<std::int32_t>::max(), "X", shape(X),
          "must have fewer than 2^31 rows");
  if (input.encoder != nullptr) input.encoder->validate();
  const Vector* weights = input.weights;
  require(weights == nullptr || weights->size() > 0, "weights", 0,
          "must be one per row of X, " + shape(X));
  check_shard(X, input.Y, weights == nullptr ? Vector() : *weights, loss);
  if (weights != nullptr) {
    const double largest = weights->maxCoeff();
    require(largest == 0 || largest >= 1 / kLargestInput, "weights", largest,
            "the largest must be at least 1e-100");
    const Index positive = (weights->array() > kNegligibleWeight * largest).count();
    require(positive >= 2, "weights", positive,
            "at least 2 rows must have a positive weight, above 1e-14 of the largest");
  }
  check_validation(input.validation_X, input.validation_Y, X.cols(), input.Y.cols(), options, loss);
  check_initial_particles(options, X.cols());
}

}  // namespace bkernn
