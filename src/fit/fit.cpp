#include "bkernn/fit.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "fit/fit_rows.hpp"
#include "fit/resolve_options.hpp"
#include "objective/knot_objective.hpp"
#include "outer/stages.hpp"
#include "rows/prepared_data.hpp"
#include "theory/theory_lambda.hpp"

namespace bkernn {
namespace {

// Rows in memory.
class LocalRows final : public Rows {
 public:
  LocalRows(const PreparedData& data, const FitOptions& options, const OperatorChoice& products,
            const Kernel& kernel, const Loss& loss)
      : data_(data), options_(options), products_(products), kernel_(kernel), loss_(loss) {
    options_.knots = products.knots;
  }

  const Coordinates& coordinates() const override { return data_; }

  PreparedData sample(Index count, std::uint64_t seed) override {
    return sample_rows(data_, count, seed);
  }

  double choose_lambda() override {
    if (options_.regularization) return *options_.regularization / target_scale_rms(data_);
    if (options_.regularization_rule == "theory")
      return theory::describe_prepared(data_, options_, {}).lambda;
    if (!solves_on_knots(options_, products_)) return automatic_lambda(data_, loss_);
    return automatic_lambda(data_, to_float_precision(objective(1.0)->gradient_scale()), loss_);
  }

  std::unique_ptr<Objective> objective(double lambda) override {
    if (!solves_on_knots(options_, products_))
      return make_dual_objective(data_, options_, products_.name, kernel_, loss_, lambda);
    shard_.emplace(data_.Z, data_.Y, data_.s, loss_);
    return std::make_unique<KnotObjective>(*shard_, data_.n,
                                           bkernn::knot_sample(*this, options_.seed), loss_, lambda,
                                           products_.knots);
  }

 private:
  const PreparedData& data_;
  FitOptions options_;
  const OperatorChoice& products_;
  const Kernel& kernel_;
  const Loss& loss_;
  std::optional<Shard> shard_;
};

}  // namespace

double automatic_regularization(const FitInput& input, const FitOptions& options) {
  options.validate();
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  FitOptions automatic = options;
  automatic.regularization.reset();
  const PreparedData data = prepare_data(input, automatic, *loss);
  return automatic_lambda(data, *loss) * target_scale_rms(data);
}

FitResult fit(const FitInput& input, const FitOptions& options, Observer* observer) {
  const auto start = std::chrono::steady_clock::now();
  options.validate();
  const ThreadLimit limit(options.n_threads);
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  const std::unique_ptr<Kernel> kernel = make_kernel(options.kernel);
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const Index positive =
      input.weights == nullptr ? input.X.rows() : (input.weights->array() > 0).count();
  const OperatorChoice products = choose_operator(options, *kernel, positive);
  const bool on_knots = solves_on_knots(options, products);
  if (on_knots) require_preconditioner(options);
  const PreparedData data = prepare_data(input, options, *loss, on_knots);
  const Index n = data.n, d = data.Z.cols(), q = data.Y.cols();
  check_memory(products.name, n, d, options.n_particles, q, available_memory());

  LocalRows rows(data, options, products, *kernel, *loss);
  FitResult result = fit_rows(rows, options, on_knots, *loss,
                              {input.validation_X, input.validation_Y}, input.resume, observer);
  result.report.knots = products.knots;
  const Matrix alpha = std::move(result.alpha);
  result.alpha.setZero(input.X.rows(), q);
  for (Index i = 0; i < n; ++i) result.alpha.row(data.rows[i]) = alpha.row(i);
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

FitResult fit(const MatrixView& X, const MatrixView& Y, const FitOptions& options) {
  return fit(FitInput{.X = X, .Y = Y}, options);
}

}  // namespace bkernn
