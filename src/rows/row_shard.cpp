#include <cmath>

#include "base/check_values.hpp"
#include "base/parallel.hpp"
#include "bkernn/distributed.hpp"
#include "bkernn/error.hpp"
#include "rows/prepared_data.hpp"
#include "rows/shard.hpp"
#include "rows/shard_protocol.hpp"

namespace bkernn {

struct RowShard::State {
  Index index;
  int n_threads;
  std::unique_ptr<Loss> loss;
  Matrix X, Y;  // as given until they are standardized, then in the coordinates of the fit
  Vector w;
  Index given = 0;          // rows, with those of weight 0
  std::vector<Index> kept;  // those of positive weight
  RowVector target_scale;
  std::unique_ptr<Shard> shard;

  Message totals() const {
    Matrix counts(1, 2);
    counts << static_cast<double>(X.rows()), w.sum();
    return {counts, w.transpose() * X, w.transpose() * Y};
  }

  Message largest() const {
    const auto of = [](const Matrix& A) -> Matrix {
      if (A.rows() == 0) return Matrix::Zero(1, A.cols());
      return A.cwiseAbs().colwise().maxCoeff();
    };
    return {of(X), of(Y)};
  }

  Message squares(const Message& centers) const {
    const auto of = [&](const Matrix& A, const Matrix& center) -> Matrix {
      return w.transpose() * (A.rowwise() - center.row(0)).cwiseAbs2();
    };
    return {of(X, centers[0]), of(Y, centers[1])};
  }

  // The weight of the rows with y_q ≤ each threshold: thresholds and answer k×q.
  Message below(const Matrix& thresholds) const {
    Matrix found = Matrix::Zero(thresholds.rows(), thresholds.cols());
    for (Index q = 0; q < Y.cols(); ++q) {
      for (Index k = 0; k < found.rows(); ++k)
        found(k, q) = (Y.col(q).array() <= thresholds(k, q)).select(w.array(), 0.0).sum();
    }
    return {found};
  }

  // center, scale, center and scale of y, and what a weight counts for: gives the largest ‖z‖. A
  // column with scale 0 is constant.
  Message standardize(const Message& units) {
    for (Index a = 0; a < X.cols(); ++a) {
      const double scale = units[1](0, a);
      X.col(a).array() -= units[0](0, a);
      if (scale > 0) {
        X.col(a) /= scale;
      } else {
        X.col(a).setZero();
      }
    }
    Y = (Y.rowwise() - units[2].row(0)).array().rowwise() / units[3].row(0).array();
    w *= units[4](0, 0);
    target_scale = units[3];
    shard = std::make_unique<Shard>(X, Y, w, *loss);
    return {Matrix::Constant(1, 1, X.rows() > 0 ? X.rowwise().norm().maxCoeff() : 0.0)};
  }

  // The rows with these numbers among all rows, `firsts` being the number of each shard's first
  // row: [z y s].
  Message rows(const Matrix& numbers, const Matrix& firsts) const {
    const double first = firsts(0, index);
    std::vector<Index> mine;
    for (Index k = 0; k < numbers.size(); ++k) {
      const double local = numbers(k) - first;
      if (local >= 0 && local < static_cast<double>(X.rows()))
        mine.push_back(static_cast<Index>(local));
    }
    Matrix found(static_cast<Index>(mine.size()), X.cols() + Y.cols() + 1);
    found << X(mine, Eigen::all), Y(mine, Eigen::all), w(mine);
    return {found};
  }

  // −g/(nλ) in the units of y, for n rows and λ in those units.
  Message alpha(double n_lambda) const {
    Matrix found = Matrix::Zero(given, Y.cols());
    const double unit = std::sqrt(target_scale.squaredNorm() / static_cast<double>(Y.cols()));
    found(kept, Eigen::all) =
        shard->loss_gradient() * target_scale.asDiagonal() * (-unit / n_lambda);
    return {found};
  }

  Message evaluate(const Message& argument) {
    const std::optional<Knots> t = unpack_knots(argument);
    return pack_evaluation(shard->evaluate(t ? &*t : nullptr, argument[3], argument[4](0, 0)));
  }
};

RowShard::RowShard(Matrix X, Matrix Y, const Vector& weights, const FitOptions& options,
                   Index index)
    : state_(std::make_unique<State>()) {
  const Index n = X.rows();
  require(Y.rows() == n, "y", Y.rows(), "must have as many rows as X, " + std::to_string(n));
  require(weights.size() == 0 || weights.size() == n, "weights", weights.size(),
          "must be one per row of X, " + std::to_string(n));
  check_values(X, "X");
  check_values(Y, "y");
  State& state = *state_;
  state.loss = make_loss(options.loss, options.loss_parameters);
  if (n > 0) state.loss->check_targets(Y);
  state.index = index;
  state.n_threads = options.n_threads;
  state.X = std::move(X);
  state.Y = std::move(Y);
  state.w = weights.size() > 0 ? weights : Vector::Ones(n);
  check_weights(state.w);
  state.given = n;
  for (Index i = 0; i < n; ++i) {
    if (state.w(i) > 0) state.kept.push_back(i);
  }
  if (static_cast<Index>(state.kept.size()) == n) return;
  state.X = state.X(state.kept, Eigen::all).eval();
  state.Y = state.Y(state.kept, Eigen::all).eval();
  state.w = state.w(state.kept).eval();
}

RowShard::~RowShard() = default;
RowShard::RowShard(RowShard&&) noexcept = default;
RowShard& RowShard::operator=(RowShard&&) noexcept = default;

Message RowShard::answer(const std::string& question, const Message& argument) {
  const ThreadLimit limit(state_->n_threads);
  State& state = *state_;
  if (question == "totals") return state.totals();
  if (question == "largest") return state.largest();
  if (question == "squares") return state.squares(argument);
  if (question == "below") return state.below(argument[0]);
  if (question == "standardize") return state.standardize(argument);
  if (question == "rows") return state.rows(argument[0], argument[1]);
  if (question == "extremes") return {state.shard->extremes(argument[0])};
  if (question == "evaluate") return state.evaluate(argument);
  if (question == "product") return {state.shard->product(argument[0], argument[1](0, 0))};
  if (question == "gradient") return {state.shard->gradient(argument[0])};
  require(question == "alpha", "question", question, "must be one that fit_distributed() asks");
  return state.alpha(argument[0](0, 0));
}

}  // namespace bkernn
