#include "bkernn/distributed.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "base/check_values.hpp"
#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "fit/fit_rows.hpp"
#include "fit/resolve_options.hpp"
#include "objective/knot_objective.hpp"
#include "rows/shard_protocol.hpp"

namespace bkernn {
namespace {

enum class Combine { sum, largest, append };

// The shards' answers as one, in the order of the shards.
Message combine(const std::vector<Message>& answers, Combine how) {
  Message all = answers.at(0);
  for (std::size_t k = 1; k < answers.size(); ++k) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Matrix& more = answers[k].at(i);
      if (how == Combine::append) {
        Matrix both(all[i].rows() + more.rows(), all[i].cols());
        both << all[i], more;
        all[i] = std::move(both);
      } else if (how == Combine::sum) {
        all[i] += more;
      } else {
        all[i] = all[i].cwiseMax(more);
      }
    }
  }
  return all;
}

// Order-preserving numbers for doubles, to search among them by halves.
std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

double value_of(std::uint64_t key) {
  return std::bit_cast<double>(key >> 63 != 0 ? key & ~(std::uint64_t{1} << 63) : ~key);
}

class RemoteShards final : public Shards {
 public:
  explicit RemoteShards(const Ask& ask) : ask_(ask) {}

  Message ask(const std::string& question, const Message& argument, Combine how) const {
    return combine(ask_(question, argument), how);
  }
  std::vector<Message> each(const std::string& question) const { return ask_(question, {}); }

  Matrix extremes(const Matrix& W) override { return ask("extremes", {W}, Combine::largest)[0]; }
  Evaluation evaluate(const Knots* t, const Matrix& x, double quantum) override {
    const std::vector<Message> answers = ask_("evaluate", pack_question(t, x, quantum));
    Evaluation all = unpack_evaluation(answers.at(0));
    for (std::size_t k = 1; k < answers.size(); ++k) all.add(unpack_evaluation(answers[k]));
    return all;
  }
  Matrix product(const Matrix& v, double quantum) override {
    return ask("product", {v, Matrix::Constant(1, 1, quantum)}, Combine::sum)[0];
  }
  Matrix gradient(const RowVector& quanta) override {
    return ask("gradient", {quanta}, Combine::sum)[0];
  }

 private:
  const Ask& ask_;
};

class RemoteRows final : public Rows {
 public:
  RemoteRows(const Ask& ask, const FitOptions& options, Index knots, const Loss& loss)
      : shards_(ask), options_(options), knots_(knots), loss_(loss) {
    find_coordinates();
  }

  const Coordinates& coordinates() const override { return coordinates_; }

  PreparedData sample(Index count, std::uint64_t seed) override {
    const std::vector<Index> numbers = Rng(seed).sample(coordinates_.n, count);
    Matrix wanted(static_cast<Index>(numbers.size()), 1);
    for (std::size_t k = 0; k < numbers.size(); ++k)
      wanted(static_cast<Index>(k), 0) = static_cast<double>(numbers[k]);
    const Matrix found = shards_.ask("rows", {wanted, firsts_}, Combine::append)[0];
    const Index d = coordinates_.center.size(), q = coordinates_.target_center.size();
    PreparedData part;
    static_cast<Coordinates&>(part) = coordinates_;
    part.Z = found.leftCols(d);
    part.Y = found.middleCols(d, q);
    part.s = found.rightCols(1);
    part.s *= static_cast<double>(found.rows()) / part.s.sum();
    return part;
  }

  double choose_lambda() override {
    if (options_.regularization) return *options_.regularization / target_scale_rms(coordinates_);
    require(options_.regularization_rule == "auto", "regularization_rule",
            options_.regularization_rule, "needs all rows in one place; take auto or a number");
    const KnotObjective constant(shards_, coordinates_.n, knot_sample(*this, options_.seed), loss_,
                                 1.0, knots_);
    return automatic_lambda(coordinates_, to_float_precision(constant.gradient_scale()), loss_);
  }

  std::unique_ptr<Objective> objective(double lambda) override {
    return std::make_unique<KnotObjective>(
        shards_, coordinates_.n, knot_sample(*this, options_.seed), loss_, lambda, knots_);
  }

 private:
  // As prepare_data() does it, by sums over the shards.
  void find_coordinates() {
    const std::vector<Message> each = shards_.each("totals");
    require(!each.empty(), "ask", "no answers", "there must be at least one shard");
    firsts_.resize(1, static_cast<Index>(each.size()));
    double n = 0;
    for (std::size_t k = 0; k < each.size(); ++k) {
      require(each[k][1].cols() == each[0][1].cols() && each[k][2].cols() == each[0][2].cols(), "X",
              std::to_string(each[k][1].cols()) + " columns",
              "every shard must have those of the first, " + std::to_string(each[0][1].cols()));
      firsts_(0, static_cast<Index>(k)) = n;
      n += each[k][0](0, 0);
    }
    const Message totals = combine(each, Combine::sum);
    require(n >= 2, "X", n, "at least 2 rows must have a positive weight");
    coordinates_.n = static_cast<Index>(n);
    const double weight = totals[0](0, 1);
    coordinates_.total_weight = to_float_precision(weight);
    const Message largest = shards_.ask("largest", {}, Combine::largest);
    const auto means = [&](std::size_t which) {
      RowVector mean = totals[which] / weight;
      for (Index a = 0; a < mean.size(); ++a)
        mean(a) = rounded_mean(mean(a), largest[which - 1](0, a));
      return mean;
    };
    coordinates_.center = means(1);
    const bool shift = loss_.scale_equivariant();
    const Index d = totals[1].cols(), q = totals[2].cols();
    require(options_.init.size() == 0 ||
                (options_.init.rows() == d && options_.init.cols() == options_.n_particles),
            "init", options_.init.rows(),
            "must be " + std::to_string(d) + "x" + std::to_string(options_.n_particles));
    coordinates_.target_center = RowVector::Zero(q);
    if (shift) coordinates_.target_center = means(2);
    const Message squares =
        shards_.ask("squares", {coordinates_.center, coordinates_.target_center}, Combine::sum);

    coordinates_.scale.setOnes(d);
    coordinates_.constant.setConstant(d, false);
    RowVector divisor = RowVector::Ones(d);
    for (Index a = 0; a < d; ++a) {
      const double deviation = to_float_precision(std::sqrt(squares[0](0, a) / weight));
      coordinates_.constant(a) = !varies(deviation, largest[0](0, a));
      if (coordinates_.constant(a)) {
        divisor(a) = 0;
      } else if (options_.standardize) {
        coordinates_.scale(a) = divisor(a) = deviation;
      }
    }
    coordinates_.target_scale.setOnes(q);
    if (shift && (options_.standardize || !options_.regularization)) {
      for (Index k = 0; k < q; ++k) {
        coordinates_.target_scale(k) = to_float_precision(target_spread(k, squares[1], largest[1]));
      }
    }
    coordinates_.largest_norm = to_float_precision(shards_.ask(
        "standardize",
        {coordinates_.center, divisor, coordinates_.target_center, coordinates_.target_scale,
         Matrix::Constant(1, 1, n / coordinates_.total_weight)},
        Combine::largest)[0](0, 0));
  }

  // target_spread() of prepared_data.cpp, for output k.
  double target_spread(Index k, const Matrix& squares, const Matrix& largest) const {
    if (!loss_.quadratic()) {
      const double range =
          (quantile(k, 0.75, largest) - quantile(k, 0.25, largest)) / kNormalQuartiles;
      if (varies(range, largest(0, k))) return range;
    }
    const double deviation = std::sqrt(squares(0, k) / coordinates_.total_weight);
    return varies(deviation, largest(0, k)) ? deviation : 1.0;
  }

  // The smallest y that has at least this share of the weight at or below it: a search among all
  // doubles, sixteen at a time.
  double quantile(Index k, double level, const Matrix& largest) const {
    const double goal = level * coordinates_.total_weight * (1 - 1e-12);
    std::uint64_t low = key_of(-largest(0, k)), high = key_of(largest(0, k));
    while (low < high) {
      constexpr std::uint64_t kWays = 16;
      std::vector<std::uint64_t> keys;
      for (std::uint64_t way = 0; way < kWays; ++way) {
        const std::uint64_t key =
            low + (high - low) / kWays * way + (high - low) % kWays * way / kWays;
        if (keys.empty() || key > keys.back()) keys.push_back(key);
      }
      Matrix thresholds = Matrix::Constant(static_cast<Index>(keys.size()), largest.cols(),
                                           std::numeric_limits<double>::infinity());
      for (std::size_t i = 0; i < keys.size(); ++i)
        thresholds(static_cast<Index>(i), k) = value_of(keys[i]);
      const Matrix weight = shards_.ask("below", {thresholds}, Combine::sum)[0];
      for (std::size_t i = keys.size(); i-- > 0;) {
        if (weight(static_cast<Index>(i), k) >= goal) {
          high = keys[i];
        } else {
          low = keys[i] + 1;
          break;
        }
      }
    }
    return value_of(high);
  }

  RemoteShards shards_;
  const FitOptions& options_;
  const Index knots_;
  const Loss& loss_;
  Coordinates coordinates_;
  Matrix firsts_;  // number of each shard's first row
};

}  // namespace

FitResult fit_distributed(const DistributedInput& input, const FitOptions& options,
                          Observer* observer) {
  const auto start = std::chrono::steady_clock::now();
  options.validate();
  require(make_kernel(options.kernel)->piecewise_linear(), "kernel", options.kernel,
          "rows in several places need the brownian kernel");
  require(options.kernel_operator == "auto" || options.kernel_operator == "knots",
          "kernel_operator", options.kernel_operator, "rows in several places need knots");
  require(options.inner_solver != "cholesky", "inner_solver", options.inner_solver,
          "rows in several places need cg");
  require_preconditioner(options);
  require((input.validation_X == nullptr) == (input.validation_Y == nullptr), "validation_Y",
          input.validation_Y == nullptr ? "missing" : "given",
          "validation_X and validation_Y go together");
  require(!options.early_stopping || input.validation_X != nullptr, "early_stopping", "true",
          "needs validation rows");
  if (input.validation_X != nullptr) {
    check_values(*input.validation_X, "validation_X");
    check_values(*input.validation_Y, "validation_Y");
  }
  const ThreadLimit limit(options.n_threads);
  std::optional<WorkHook> hook;
  if (observer != nullptr) hook.emplace([observer] { observer->on_work(); });
  const std::unique_ptr<Loss> loss = make_loss(options.loss, options.loss_parameters);
  const Index knots = options.knots > 0 ? options.knots : automatic_knots();
  RemoteRows rows(input.ask, options, knots, *loss);
  FitResult result = fit_rows(rows, options, true, *loss, {input.validation_X, input.validation_Y},
                              input.resume, observer);
  result.report.knots = knots;
  result.report.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace bkernn
