// What happened during a fit.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

enum class Termination {
  converged,       // W is stationary, see FitOptions::tol
  max_iterations,  // the limit was reached before that
  stalled,         // no step decreases the objective, or on knots only by next to nothing
  trivial,         // all particles are zero: the constant model is a stationary point
  early_stopped,   // the loss on the validation rows has stopped decreasing
  stopped,         // the observer asked to stop
};

// As a sentence: "converged: …".
std::string describe(Termination why);

// The state after one iteration of the outer loop.
struct IterationRecord {
  int iteration = 0;         // from 1
  Index rows = 0;            // of this stage of the fit, see FitOptions::schedule
  double objective = 0;      // G(W) + λΩ(W)
  double smooth = 0;         // G(W)
  double penalty = 0;        // Ω(W)
  double step = 0;           // γ
  int evaluations = 0;       // of G so far, including the first one
  int inner_iterations = 0;  // of the inner solver, in this iteration
  Index active_particles = 0;
  // Mean loss on the validation rows, if there are any.
  double validation = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0;  // spent in this iteration
};

// A penalty, a λ and a kind of ranks that were tried on held-out rows.
struct RacePoint {
  std::string penalty;
  std::string ranks = "none";  // of the numbers in X, see FitOptions::ranks
  double regularization = 0;   // λ of all rows, in the units of y
  // Mean on the held-out rows; NaN if it was dropped.
  double loss = std::numeric_limits<double>::quiet_NaN();
  // Standard error of the mean difference to the loss of the best point; NaN if it was dropped.
  double error = std::numeric_limits<double>::quiet_NaN();
  bool dropped = false;  // clearly behind after a few iterations
};

// How λ and the penalty were chosen, where the options leave them open.
struct Race {
  std::vector<RacePoint> points;  // in the order in which they ran; none: nothing was open
  int best = 0;                   // the point with the least loss
  bool constant = false;          // nothing is clearly better than the constant, which is chosen
  Index rows = 0;                 // that took part
  double constant_loss = 0;       // mean on the held-out rows, of the best constant
  std::string ranks = "none";     // that were chosen, …
  std::string penalty;            // … as was the penalty, …
  double lambda = 0;              // … and λ as the standardized problem sees it

  bool empty() const { return points.empty(); }

  // The least loss of a penalty with the ranks that were chosen, null if it did not run to the
  // end.
  const RacePoint* best_of(const std::string& penalty) const;

  // A few lines for people to read: what was chosen, and by how much it won.
  std::string brief() const;
};

struct FitReport {
  // Fits whose mean the model is (FitOptions::n_models). Of several, the report is that of the one
  // farthest from its minimum; seconds, evaluations and inner iterations are those of all.
  Index models = 1;
  Index rows = 0;  // to which the returned model was fitted; 0 in files before version 1.2
  Termination termination = Termination::max_iterations;
  double objective = 0;          // of the returned model, with α and c solved tightly for its W
  double initial_objective = 0;  // at W₀; coarse to fine: where the last stage began
  // How much lower, relatively, the objective would be at the minimum of its quadratic model near
  // the returned W: the measure of stationarity that FitOptions::tol is about. NaN if unknown.
  double promised_decrease = std::numeric_limits<double>::quiet_NaN();
  int evaluations = 0;
  int inner_iterations = 0;
  bool inner_converged = true;  // the last inner solve met its tolerance, with the best intercept
  double inner_residual = 0;    // relative residual of the returned α
  double seconds = 0;
  std::string optimizer, inner_solver, kernel_operator;  // what was used, never "auto"
  Index knots = 0;                                       // per particle; 0: every row is one
  Index coarse_unknowns = 0;  // of the preconditioner in the last solve; 0: there was none
  std::vector<IterationRecord> iterations;
  Race race;
  Race refit;  // the λ of the fit within the space of FitOptions::n_directions

  // Whether W is stationary. A stalled fit did end by itself, at a kink of G where no step helps,
  // but that is no proof.
  bool converged() const {
    return termination == Termination::converged || termination == Termination::trivial;
  }

  // The number of rows of each stage that took steps, and of the last stage: a single number unless
  // the fit went from coarse to fine.
  std::vector<Index> stages() const;

  // What to tell people of a fit that ended before it converged, and what to do; empty for others.
  std::string warning() const;

  // A few lines for people to read.
  std::string brief() const;
};

}  // namespace bkernn
