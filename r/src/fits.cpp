// Fits, cross-validation and stability studies.
#include "bkernn/bkernn.hpp"
#include "entries.hpp"
#include "rows.hpp"
#include "saved.hpp"
#include "watch.hpp"

namespace bkernn::r {
namespace {

bool is_true(SEXP value) {
  return Rf_asLogical(value) == 1;
}

// The model, f of all rows, and the response where it is not f.
void add_fit(List& to, const Problem& problem, const FitResult& result, const FitOptions& options) {
  const Model& model = result.model;
  to.add("model", to_r(problem.describe(result, options)));
  to.add("link", model.predict(problem.X(), options.n_threads));
  const bool same = make_loss(model.loss)->targets() == Targets::numbers && model.quantiles.empty();
  to.add("response",
         same ? R_NilValue : to_r(model.predict_response(problem.X(), options.n_threads)));
}

SEXP fit_problem(SEXP list, SEXP verbose) {
  const Problem problem(list);
  const FitOptions& options = problem.options();
  FitWatch watch(is_true(verbose));
  const FitResult result = fit(problem.input(), options, &watch);
  List out(3);
  add_fit(out, problem, result, options);
  return out.get();
}

CrossValidateOptions cross_settings(SEXP list, const FitOptions& fit) {
  CrossValidateOptions settings;
  settings.seed = fit.seed;
  settings.n_folds = static_cast<int>(number(member(list, "n_folds")));
  settings.n_lambdas = static_cast<int>(number(member(list, "n_regularizations")));
  settings.lambdas = numbers(member(list, "regularizations"));
  settings.scorer = text(member(list, "scoring"));
  settings.one_standard_error = is_true(member(list, "one_standard_error"));
  settings.ensemble = is_true(member(list, "ensemble"));
  for (const double fold : numbers(member(list, "fold_of_row")))
    settings.fold_of_row.push_back(static_cast<int>(fold));
  settings.validate();
  return settings;
}

SEXP cross_validate_problem(SEXP list, SEXP given, SEXP verbose) {
  const Problem problem(list);
  const CrossValidateOptions settings = cross_settings(given, problem.options());
  CrossValidateWatch watch(is_true(verbose));
  const CrossValidateResult result =
      cross_validate(problem.input(), problem.options(), settings, &watch);
  watch.go_on_jumping();
  List out(10);
  add_fit(out, problem, result.fit.value(), result.options);
  const PathScores& path = result.paths.at(result.path);
  out.add("regularizations", path.lambdas);
  out.add("scores", path.scores);
  out.add("mean", path.mean);
  out.add("standard_error", path.standard_error);
  out.add("best", static_cast<int>(result.point) + 1);
  out.add("higher_is_better", result.higher_is_better);
  std::vector<int> folds = result.fold_of_row;
  for (int& fold : folds) ++fold;
  out.add("fold_of_row", folds);
  return out.get();
}

SEXP stability_of_problem(SEXP list, SEXP given, SEXP verbose) {
  const Problem problem(list);
  StabilityOptions settings;
  settings.seed = problem.options().seed;
  settings.n_pairs = static_cast<int>(number(member(given, "n_pairs")));
  settings.threshold = number(member(given, "threshold"));
  settings.coverage = number(member(given, "coverage"));
  settings.n_folds = static_cast<int>(number(member(given, "n_folds")));
  settings.n_permutations = static_cast<int>(number(member(given, "n_permutations")));
  settings.n_refits = static_cast<int>(number(member(given, "n_refits")));
  settings.validate();
  StabilityWatch watch(is_true(verbose));
  const StabilityResult result = stability(problem.input(), problem.options(), settings, &watch);
  List out(18);
  add_fit(out, problem, result.fit, problem.options());
  out.add("halves", result.halves);
  out.add("angles", result.angles);
  out.add("angle_levels", result.angle_levels);
  out.add("directions", result.directions);
  out.add("lower", result.lower);
  out.add("upper", result.upper);
  out.add("selection", result.selection);
  out.add("selected", result.selected);
  out.add("threshold", result.threshold);
  out.add("bound", result.bound);
  out.add("loss", result.curve.loss);
  out.add("standard_error", result.curve.standard_error);
  out.add("p_value", result.curve.p_value);
  out.add("dimension", result.curve.dimension);
  out.add("sentence", result.curve.sentence());
  return out.get();
}

}  // namespace
}  // namespace bkernn::r

using bkernn::r::guarded;

extern "C" {

SEXP bkernn_fit(SEXP problem, SEXP verbose) {
  return guarded([&] { return bkernn::r::fit_problem(problem, verbose); });
}

SEXP bkernn_cross_validate(SEXP problem, SEXP settings, SEXP verbose) {
  return guarded([&] { return bkernn::r::cross_validate_problem(problem, settings, verbose); });
}

SEXP bkernn_stability(SEXP problem, SEXP settings, SEXP verbose) {
  return guarded([&] { return bkernn::r::stability_of_problem(problem, settings, verbose); });
}

}  // extern "C"
