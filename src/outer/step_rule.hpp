// How the outer loop gets from W to W⁺. A step rule sees a value, a gradient and a prox (Search),
// nothing of kernels or losses.
//
//   paper         Algorithm 1, to the letter (paper_steps.cpp)
//   spectral      non-monotone proximal gradient steps of Barzilai and Borwein (spectral_steps.cpp)
//   quasi_newton  steps to the minimum of a model with the curvature of the last steps
//                 (quasi_newton_steps.cpp)
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bkernn/types.hpp"
#include "outer/optimizer_options.hpp"

namespace bkernn {

class Search;

enum class Step {
  taken,
  none,  // was found
};

class StepRule {
 public:
  virtual ~StepRule() = default;

  virtual std::string name() const = 0;

  // Finds W⁺ = search.trial with G and Ω there, from search.gradient(), and the length γ of the
  // step for the state.
  virtual Step find(Search& search) const = 0;

  // Whether find() will use search.model(), the minimum of the model at W.
  virtual bool follows_model(const Search&) const { return false; }

  // The first γ, where a fit begins; 0: the rule looks for one.
  virtual double first_step_size(const OptimizerOptions&) const { return 0; }

  // Relative residual that inner problems are solved to, `now` being that of the last one.
  virtual double inner_tolerance(const Search& search, double now) const = 0;
  virtual double first_inner_tolerance(Index rows) const = 0;

  // The last W is the result, not the best one.
  virtual bool returns_last() const { return false; }

  // Whether W may be learned on a sample of the rows first.
  virtual bool allows_samples() const { return true; }
};

// By name, or "auto": the best that we know. Each rule has a file and a line in step_rule.cpp, and
// is among the choices of FitOptions::optimizer.
std::unique_ptr<StepRule> make_step_rule(const std::string& name);
const std::vector<std::string>& step_rule_names();

}  // namespace bkernn
