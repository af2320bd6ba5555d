#include "bkernn/row_shard.hpp"

#include "base/parallel.hpp"
#include "bkernn/error.hpp"
#include "bkernn/loss.hpp"
#include "rows/check_input.hpp"
#include "rows/shard.hpp"
#include "rows/shard_protocol.hpp"

namespace bkernn {

struct RowShard::State {
  Index index;
  int n_threads;
  std::unique_ptr<Loss> loss;
  Index given;              // rows, with those of weight 0
  std::vector<Index> kept;  // those of positive weight
  Shard shard;
  Coordinates coordinates;  // of the targets: what α needs

  Message standardize(const Message& columns) {
    coordinates.target_scale = columns[3];
    return {pack_number(shard.standardize({columns[0], columns[1]}, {columns[2], columns[3]}))};
  }

  // The rows with these numbers among all rows, `firsts` being the number of each shard's first
  // row.
  Message rows(const Matrix& numbers, const Matrix& firsts) {
    std::vector<Index> mine;
    for (Index k = 0; k < numbers.size(); ++k) {
      const double local = numbers(k) - firsts(index);
      if (local >= 0 && local < static_cast<double>(shard.size()))
        mine.push_back(static_cast<Index>(local));
    }
    return pack_rows(shard.rows(mine));
  }

  // −g/(nλ) in the units of y, for n rows and λ in those units.
  Message alpha(double n_lambda) const {
    const RowVector& scale = coordinates.target_scale;
    Matrix found = Matrix::Zero(given, scale.size());
    found(kept, Eigen::all) =
        shard.loss_gradient() * scale.asDiagonal() * (-coordinates.lambda_unit() / n_lambda);
    return {found};
  }

  Message squares(const Message& center) {
    const Columns found = shard.squares({center[0], center[1]});
    return {found.x, found.y};
  }

  Message evaluate(const Message& argument) {
    const std::optional<KnotLayout> layout = unpack_knots(argument);
    return pack_evaluation(
        shard.evaluate(layout ? &*layout : nullptr, argument[3], argument[4](0)));
  }
};

RowShard::RowShard(Matrix X, Matrix Y, const Vector& weights, const FitOptions& options,
                   Index index) {
  std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  check_shard(X, Y, weights, *loss);
  const Index n = X.rows();
  Vector w = weights.size() > 0 ? weights : Vector::Ones(n);
  std::vector<Index> kept;
  for (Index i = 0; i < n; ++i) {
    if (w(i) > 0) kept.push_back(i);
  }
  if (static_cast<Index>(kept.size()) < n) {
    X = X(kept, Eigen::all).eval();
    Y = Y(kept, Eigen::all).eval();
    w = w(kept).eval();
  }
  Shard shard(std::move(X), std::move(Y), std::move(w), *loss);
  state_.reset(new State{
      index, options.n_threads, std::move(loss), n, std::move(kept), std::move(shard), {}});
}

RowShard::~RowShard() = default;
RowShard::RowShard(RowShard&&) noexcept = default;
RowShard& RowShard::operator=(RowShard&&) noexcept = default;

Message RowShard::answer(const std::string& question, const Message& argument) {
  const ThreadLimit limit(state_->n_threads);
  State& state = *state_;
  Shard& shard = state.shard;
  if (question == "describe") return pack_totals(shard.describe());
  if (question == "weigh") return pack_sums(shard.weigh(argument[0](0)));
  if (question == "squares") return state.squares(argument);
  if (question == "weight_below")
    return {shard.weight_below(static_cast<Index>(argument[0](0, 0)), argument[1])};
  if (question == "standardize") return state.standardize(argument);
  if (question == "rows") return state.rows(argument[0], argument[1]);
  if (question == "extremes") return {shard.extremes(argument[0])};
  if (question == "evaluate") return state.evaluate(argument);
  if (question == "product") return {shard.product(argument[0], argument[1](0))};
  if (question == "gradient") return {shard.gradient(argument[0])};
  require(question == "alpha", "question", question, "must be one that fit_distributed() asks");
  return state.alpha(argument[0](0));
}

}  // namespace bkernn
