#include "bkernn/option_table.hpp"

#include <cmath>
#include <type_traits>

#include "base/names.hpp"
#include "bkernn/error.hpp"
#include "bkernn/intervals.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"

namespace bkernn {
namespace {

using F = FitOptions;
using L = LossParameters;

constexpr Range at_least(double least) {
  return {.least = least};
}
constexpr Range between(double least, double most) {
  return {.least = least, .most = most};
}
constexpr Range kPositive{.least_excluded = true};
constexpr Range kOpenUnit{.most = 1, .least_excluded = true, .most_excluded = true};  // (0, 1)
constexpr Range kHalfOpenUnit{.most = 1, .most_excluded = true};                      // [0, 1)

Option number(const char* name, OptionMember member, const char* placeholder, Range range,
              const char* help, const char* zero = "") {
  return {name, member, "", placeholder, help, range, {}, zero};
}
Option choice(const char* name, std::string F::*member, std::vector<std::string> choices,
              const char* help) {
  return {name, member, "", "NAME", help, {}, std::move(choices)};
}
Option flag(const char* name, bool F::*member, const char* help) {
  return {name, member, "", "", help, {}, {}};
}
Option numbers(const char* name, std::vector<double> L::*member, const char* placeholder,
               Range range, const char* help) {
  return {name, member, "", placeholder, help, range, {}};
}
Option matrix(const char* name, Matrix F::*member, const char* placeholder, const char* help) {
  return {name, member, "", placeholder, help, {}, {}};
}

std::vector<std::string> with_auto(std::vector<std::string> names) {
  names.insert(names.begin(), "auto");
  return names;
}

std::vector<std::string> with_none(std::vector<std::string> names) {
  names.insert(names.begin(), "none");
  return names;
}

std::vector<Option> problem_options() {
  return {
      number("n_particles", &F::n_particles, "M", between(0, 1'000'000),
             "particles to start from; auto: by the number of rows", "auto"),
      choice("penalty", &F::penalty, with_auto(penalty_names()),
             "what there should be few of; auto: chosen by held-out rows"),
      number("concavity", &F::concavity, "S", between(0, 1e100),
             "how concave the concave penalties are; 0: convex"),
      number("penalty_weight", &F::penalty_weight, "C", at_least(0),
             "weight of the penalty relative to the regularization"),
      number("regularization", &F::regularization, "LAMBDA", kPositive,
             "strength, in the units of the target; if there is none, by regularization_rule"),
      choice("regularization_rule", &F::regularization_rule, {"auto", "rule", "theory"},
             "how the strength is found where none is given. auto: by held-out rows; rule: as in "
             "the paper's experiments; theory: by its theorem"),
      choice("kernel", &F::kernel, kernel_names(), "space of the learned functions"),
      choice("loss", &F::loss, loss_names(), "what a prediction costs"),
      number("huber_delta", &L::huber_delta, "DELTA", kPositive,
             "where the Huber loss turns linear"),
      number("quantile", &L::quantile, "TAU", kOpenUnit,
             "which quantile the quantile loss predicts"),
      numbers("quantiles", &L::quantiles, "TAU,TAU", kOpenUnit,
              "several of them, increasing, in one fit; they do not cross"),
      number("quantile_width", &L::quantile_width, "EPS", kPositive,
             "half-width of the smoothed kink of the quantile loss"),
      flag("standardize", &F::standardize, "variables to unit variance, the target to unit spread"),
      choice("ranks", &F::ranks, {"auto", "none", "uniform", "normal"},
             "whether numbers count by their values (none) or by their ranks among the rows; auto: "
             "chosen by held-out rows"),
  };
}

std::vector<Option> solution_options() {
  return {
      choice("optimizer", &F::optimizer, {"auto", "quasi_newton", "spectral", "paper"},
             "how directions are learned; paper: by its Algorithm 1"),
      number("max_iter", &F::max_iter, "N", at_least(0), "iterations at most"),
      number("tol", &F::tol, "TOL", at_least(0),
             "stop when the next step promises a smaller relative decrease; 0: never"),
      number("step_size", &F::step_size, "GAMMA", kPositive, "first step of the paper's algorithm"),
      number("max_halvings", &F::max_halvings, "N", at_least(0),
             "halvings of the step in one line search, at most"),
      flag("early_stopping", &F::early_stopping,
           "keep the directions that are best on the validation rows"),
      number("n_iter_no_change", &F::n_iter_no_change, "N", at_least(1),
             "early stopping: end after so many iterations without improvement"),
      choice("schedule", &F::schedule, {"auto", "direct", "coarse_to_fine"},
             "whether to learn on a sample of the rows first"),
      matrix("init", &F::init, "W", "starting directions, variables x particles"),
      number("seed", &F::seed, "SEED", at_least(0),
             "seed of the starting directions and of the rows set aside"),
      number("n_models", &F::n_models, "K", between(1, 1000),
             "number of fits from different starting directions; the model is their mean"),
      number("n_directions", &F::n_directions, "K", between(0, 1'000'000),
             "fit again within the space of the K leading directions; auto: no second fit", "auto"),
      choice("intervals", &F::intervals, with_none(interval_methods()),
             "prediction intervals. cross: by fits without one fold each; quantile: the same with "
             "pairs of quantiles; fast: by a formula that promises nothing"),
      choice("inner_solver", &F::inner_solver, {"auto", "cg", "cholesky"},
             "solver of the kernel regression for fixed directions"),
      choice("preconditioner", &F::preconditioner, {"auto", "never", "always"},
             "whether a direct solve on a few knots helps conjugate gradients"),
      number("inner_tol", &F::inner_tol, "TOL", kHalfOpenUnit,
             "relative residual of conjugate gradients; 0: chosen by the optimizer"),
      choice("kernel_operator", &F::kernel_operator, {"auto", "sorted", "knots", "dense"},
             "how kernel products are computed"),
      number("knots", &F::knots, "Q", at_least(0),
             "knots per function, for large data; 0: one at every row"),
      number("n_threads", &F::n_threads, "N", at_least(0),
             "threads to use; 0: all cores. The result does not depend on it"),
  };
}

std::vector<Option> make_table() {
  std::vector<Option> table;
  const auto add = [&](const char* group, const std::vector<Option>& options) {
    for (const Option& option : options) table.emplace_back(option).group = group;
  };
  add(kProblemGroup, problem_options());
  add(kSolutionGroup, solution_options());
  return table;
}

// 1000000 as it is written, not as 1e+06.
std::string text(double value) {
  std::ostringstream out;
  out.precision(std::abs(value) < 1e15 ? 15 : 6);
  out << value;
  return out.str();
}

}  // namespace

bool Range::contains(double value) const {
  const bool above = least_excluded ? value > least : value >= least;
  const bool below = most_excluded ? value < most : value <= most;
  return above && below && std::isfinite(value);
}

std::string Range::constraint(bool whole_numbers) const {
  if (std::isinf(most)) {
    const bool plain = least_excluded && least == 0;
    return (plain            ? "must be positive"
            : least_excluded ? "must be more than " + text(least)
                             : "must be at least " + text(least)) +
           (whole_numbers ? "" : " and finite");
  }
  const std::string ends = text(least) + " and " + text(most);
  if (least_excluded && most_excluded) return "must lie strictly between " + ends;
  if (!least_excluded && !most_excluded) return "must lie between " + ends;
  return "must lie in " + std::string(least_excluded ? "(" : "[") + text(least) + ", " +
         text(most) + (most_excluded ? ")" : "]");
}

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = make_table();
  return table;
}

void check_option(const FitOptions& options, const Option& option) {
  const auto check_number = [&](auto value) {
    require(option.range.contains(static_cast<double>(value)), option.name, value,
            option.range.constraint(std::is_integral_v<decltype(value)>));
  };
  visit_option(options, option, [&](const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, std::string>) {
      require_name(option.name, value, option.choices);
    } else if constexpr (std::is_same_v<Value, std::optional<double>>) {
      if (value) check_number(*value);
    } else if constexpr (std::is_same_v<Value, std::vector<double>>) {
      for (const double one : value) check_number(one);
    } else if constexpr (!std::is_same_v<Value, bool> && !std::is_same_v<Value, Matrix>) {
      check_number(value);
    }
  });
}

void FitOptions::validate() const {
  for (const Option& option : option_table()) check_option(*this, option);
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  const bool coupled = make_loss(loss, loss_parameters)->coupled();
  require(regularization || regularization_rule != "theory" || k->homogeneous(),
          "regularization_rule", regularization_rule, "the theory is about the brownian kernel");
  require(preconditioner != "always" || k->piecewise_linear(), "preconditioner", preconditioner,
          "there is one for the brownian kernel only");
  require(preconditioner != "always" || inner_solver != "cholesky", "preconditioner",
          preconditioner, "cholesky has no use for one");
  require(preconditioner != "always" || !coupled, "preconditioner", preconditioner,
          "there is none for the " + loss + " loss, which couples its outputs");
  require(n_models == 1 || init.size() == 0, "n_models", n_models,
          "must be 1 where the starting directions are given");
  require(knots != 1, "knots", knots, "must be 0 (none) or at least 2");
  require(kernel_operator != "knots" || knots >= 2, "knots", knots,
          "the knots operator needs at least 2");
  require(knots == 0 || kernel_operator == "auto" || kernel_operator == "knots", "kernel_operator",
          kernel_operator, "must be auto or knots when knots are asked for");
  require(knots == 0 || k->piecewise_linear(), "kernel", kernel, "knots need the brownian kernel");
  require(kernel_operator != "sorted" || k->markov(), "kernel_operator", kernel_operator,
          "the " + kernel + " kernel needs the dense operator");
}

}  // namespace bkernn
