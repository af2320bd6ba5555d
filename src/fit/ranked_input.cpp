#include "fit/ranked_input.hpp"

#include "bkernn/distinct_rows.hpp"
#include "choice/choose.hpp"
#include "rows/check_input.hpp"
#include "rows/shard.hpp"

namespace bkernn {
namespace {

FitInput with_rows(FitInput input, const MatrixView& X) {
  return {.X = X,
          .Y = input.Y,
          .weights = input.weights,
          .validation_X = input.validation_X,
          .validation_Y = input.validation_Y,
          .interval_folds = input.interval_folds,
          .resume = input.resume,
          .encoder = input.encoder};
}

}  // namespace

RankedInput::RankedInput(const FitInput& input, Encoder encoder)
    : encoder_(std::move(encoder)),
      X_(encoder_.bend(input.X)),
      validation_X_(input.validation_X != nullptr ? encoder_.bend(*input.validation_X) : Matrix()),
      validation_view_(validation_X_),
      input_(with_rows(input, X_)) {
  if (input.validation_X != nullptr) input_.validation_X = &validation_view_;
  input_.encoder = &encoder_;
}

Encoder choose_ranks(const FitInput& input, const FitOptions& options, Observer* observer) {
  options.validate();
  if (input.encoder == nullptr || options.ranks == "none") return {};
  check_input(input, options, *make_loss(options.loss, options.loss_parameters));
  const DistinctRows rows = distinct_rows(input, options);
  const FitParts parts(options, rows.size());
  Shard shard = make_shard(input, rows, *parts.loss);
  const FitProblem problem(parts, shard, input.encoder);
  const Choice choice = choose(problem, observer);
  return choice.kinds.empty() ? Encoder() : choice.kinds.front().encoder;
}

}  // namespace bkernn
