#include "choice/race.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "base/parallel.hpp"
#include "choice/critical_lambda.hpp"
#include "choice/held_out.hpp"
#include "choice/lambda_law.hpp"
#include "problem/make_objective.hpp"
#include "problem/resolve_options.hpp"
#include "rows/row_order.hpp"

namespace bkernn {
namespace {

constexpr double kLambdaStep = 3;
constexpr int kMostSteps = 8;  // up or down
constexpr Index kRaceRows = 3000, kCoupledRaceRows = 1500;
constexpr Index kFewRows = 500;
constexpr int kParts = 3;
constexpr int kRaceIterations = 25, kEarly = 8;
constexpr int kMostIterations = 500;     // of the winner's last fits …
constexpr int kCoupledIterations = 50;   // … and of all fits of more than two classes
constexpr double kSettled = 1e-3;        // where the options do not say when a fit has converged
constexpr double kRaceTolerance = 1e-3;  // of the inner problem that predictions come from
constexpr double kClearlyBehind = 3;     // standard errors
constexpr int kTooLong = 4;              // times the products of the leader: more than two classes
constexpr double kSurelyBetter = 1;      // than the constant
constexpr double kBeyondCritical = 1.01;
constexpr double kTied = 1e-7;          // losses, relative to that of the constant
constexpr double kWorth = 1e-4;         // what a smaller λ must gain, relative to the same …
constexpr double kCoupledWorth = 1e-3;  // … with more than two classes

// One part held out, the others trained on.
struct Heat {
  StandardRows training, held_out;
  double lambda_factor;  // λ of these rows for λ = 1 of all
  Matrix constant;       // the prediction that is best without directions, 1×q
};

struct Runner {
  std::string penalty;
  double lambda = 0;          // of all rows
  std::vector<Vector> early;  // losses of the held-out rows after kEarly iterations, in each heat …
  std::vector<Vector> final;      // … and at the end; empty: dropped
  std::vector<Matrix> residuals;  // y − f of the same rows, then; quantiles only
  std::vector<char> settled;      // whether the fit of a heat has converged
  std::vector<int> products;      // of each heat
  std::vector<Matrix> W;          // where it ended
  bool dropped = false;
  double loss = std::numeric_limits<double>::infinity();  // mean
};

// Looks at the held-out rows once, early on, and stops a fit that is clearly behind; or one that
// takes too many products, or another heat of which has been stopped.
class EarlyCheck final : public Observer {
 public:
  EarlyCheck(const Heat& heat, const Loss& loss, const Vector* leader, int most_products,
             const std::atomic<bool>& abandoned)
      : heat_(heat),
        loss_(loss),
        leader_(leader),
        most_products_(most_products),
        abandoned_(abandoned) {}

  bool on_iteration(const IterationRecord& record, const FitState&) override {
    products += record.inner_iterations;
    dropped = abandoned_ || products > most_products_;
    if (dropped) return false;
    if (record.iteration != kEarly) return true;
    seen = row_losses(loss_, heat_.held_out.Y, objective->predict(heat_.held_out.Z));
    if (leader_ == nullptr || leader_->size() != seen.size()) return true;
    const Difference behind = compare(seen, *leader_, heat_.held_out.s);
    dropped = behind.mean > kClearlyBehind * behind.error;
    return !dropped;
  }

  const Objective* objective = nullptr;
  Vector seen;
  int products = 0;
  bool dropped = false;

 private:
  const Heat& heat_;
  const Loss& loss_;
  const Vector* leader_;
  const int most_products_;
  const std::atomic<bool>& abandoned_;
};

// In the coordinates of the space that W stays in.
StandardRows race_rows(const FitProblem& problem) {
  const Index count = std::min(problem.n(), most_race_rows(*problem.parts.loss));
  StandardRows rows = sample(problem, count, problem.parts.options.seed);
  if (problem.subspace.size() > 0) rows.Z = rows.Z * problem.subspace;
  return rows;
}

std::vector<double> levels_of(const Loss& loss) {
  return loss.quantile() ? std::vector<double>{*loss.quantile()} : loss.quantiles();
}

class Races {
 public:
  Races(const FitProblem& problem, const RaceEntries& entries, Observer* observer)
      : parts_(problem.parts),
        lambda_unit_(problem.coordinates.lambda_unit()),
        groups_(problem.coordinates.groups),
        entries_(entries),
        observer_(observer),
        levels_(levels_of(*parts_.loss)),
        initial_(trial_particles(parts_.options, problem.coordinates, problem.subspace.cols())),
        rows_(race_rows(problem)),
        within_(problem.subspace.size() > 0),
        share_(static_cast<double>(rows_.Z.rows()) / static_cast<double>(problem.n())) {
    deal();
    first_lambda_ = likely_lambda(*parts_.loss, rows_, problem.coordinates.total_weight);
  }

  RaceOutcome run() {
    double lambda = entries_.lambda > 0 ? entries_.lambda : first_lambda_;
    for (const std::string& penalty : entries_.penalties) {
      const Runner* leader = leader_;
      const Runner& first = enter(penalty, lambda);
      const bool climbs = entries_.lambda == 0 && (leader == nullptr || leader_ != leader);
      if (climbs) climb(first);
      if (leader_ != nullptr) lambda = leader_->lambda;
    }
    while (!stopped_ && !settled(*leader_)) {
      finish(*leader_);
      for (Runner* runner : order_) {
        if (ahead(*runner, leader_)) leader_ = runner;
      }
    }
    RaceOutcome outcome{describe()};
    if (!levels_.empty() && !outcome.race.constant) outcome.quantile_shift = quantile_shift();
    if (!outcome.race.constant && !stopped_ && !within_) outcome.fits = winners();
    return outcome;
  }

 private:
  void deal() {
    const Index n = rows_.Z.rows();
    const int heats = n < kFewRows ? kParts : kParts - 1;
    const std::vector<int> part = deal_along(row_order(rows_), kParts);
    for (int heat = 0; heat < heats; ++heat) {
      std::vector<Index> in, out;
      for (Index i = 0; i < n; ++i) (part[i] == heat ? out : in).push_back(i);
      // The weights held out are in units of all rows, so that a heat counts by what it holds out.
      Heat one{select(rows_, in),
               {rows_.Z(out, Eigen::all), rows_.Y(out, Eigen::all), rows_.s(out)},
               1,
               {}};
      const double trained = rows_.s(in).sum() / rows_.s.sum();
      one.lambda_factor = lambda_of_part(share_ * trained, *parts_.loss);
      const InnerSolver constant(*parts_.loss, one.training.Y, one.training.s, 1.0,
                                 InnerMethod::automatic);
      one.constant = constant.best_constant();
      heats_.push_back(std::move(one));
    }
    std::vector<Vector> s, constant;
    for (const Heat& heat : heats_) {
      s.push_back(heat.held_out.s);
      constant.push_back(row_losses(*parts_.loss, heat.held_out.Y,
                                    heat.constant.replicate(heat.held_out.Y.rows(), 1)));
    }
    held_out_s_ = joined(s);
    constant_ = joined(constant);
    constant_loss_ = held_out_s_.dot(constant_) / held_out_s_.sum();
  }

  // The heats are theirs from now on.
  std::vector<HeldOutFit> winners() {
    std::vector<HeldOutFit> fits;
    for (std::size_t heat = 0; heat < heats_.size(); ++heat) {
      Heat& one = heats_[heat];
      fits.push_back({std::move(one.training), std::move(one.held_out),
                      leader_->lambda * one.lambda_factor, leader_->W[heat]});
    }
    return fits;
  }

  // Runs all heats of one pair, unless it has run before.
  const Runner& enter(const std::string& penalty, double lambda) {
    const auto [place, is_new] = runners_.try_emplace({penalty, lambda});
    Runner& runner = place->second;
    if (!is_new || stopped_) return runner;
    runner.penalty = penalty;
    runner.lambda = lambda;
    const auto heats = static_cast<Index>(heats_.size());
    runner.early.resize(heats);
    runner.final.resize(heats);
    runner.residuals.resize(heats);
    runner.settled.resize(heats);
    runner.products.resize(heats);
    runner.W.resize(heats);
    run_heats(runner, iterations(), rival(runner));
    runner.dropped = std::any_of(runner.final.begin(), runner.final.end(),
                                 [](const Vector& losses) { return losses.size() == 0; });
    if (!runner.dropped) judge(runner);
    order_.push_back(&runner);
    if (leader_ == nullptr || ahead(runner, leader_)) leader_ = &runner;
    if (observer_ != nullptr) stopped_ = !observer_->on_race(point(runner));
    return runner;
  }

  // Whom an early check compares it with; nullptr: it is not dropped. Nor is a smaller λ if y are
  // classes: on pendigits the one that ended with half of the leader's loss was clearly behind
  // after eight iterations.
  const Runner* rival(const Runner& runner) const {
    const bool slow = parts_.loss->classifies() && leader_ && runner.lambda < leader_->lambda;
    return within_ || slow ? nullptr : leader_;
  }

  // W of a concave penalty that grows and grows can take a hundred times as long as the leader's.
  int most_products(Index heat) const {
    const bool bounded = parts_.loss->coupled() && !within_ && leader_ != nullptr;
    return bounded ? kTooLong * leader_->products[heat] : std::numeric_limits<int>::max();
  }

  int iterations() const {
    if (!parts_.loss->coupled()) return kRaceIterations;
    return std::clamp(parts_.options.max_iter, kRaceIterations, kCoupledIterations);
  }

  // Once more, as far as the fit will go.
  void finish(Runner& runner) {
    run_heats(runner, std::clamp(parts_.options.max_iter, kRaceIterations, kMostIterations),
              nullptr);
    std::fill(runner.settled.begin(), runner.settled.end(), 1);
    judge(runner);
    if (observer_ != nullptr) stopped_ = !observer_->on_race(point(runner));
  }

  void judge(Runner& runner) const {
    const double loss = held_out_s_.dot(joined(runner.final)) / held_out_s_.sum();
    runner.loss = std::isnan(loss) ? std::numeric_limits<double>::infinity() : loss;
  }

  // By more than rounding; with a smaller λ by what its longer fits are worth.
  bool ahead(const Runner& runner, const Runner* other) const {
    const double worth = parts_.loss->coupled() ? kCoupledWorth : kWorth;
    const double least = runner.lambda < other->lambda ? worth : kTied;
    return runner.loss < other->loss - least * std::abs(constant_loss_);
  }

  static bool settled(const Runner& runner) {
    return std::all_of(runner.settled.begin(), runner.settled.end(), [](char one) { return one; });
  }

  void run_heats(Runner& runner, int iterations, const Runner* leader) const {
    const double cost = 1e9;              // worth all threads
    std::atomic<bool> abandoned = false;  // because of what happened in another heat
    parallel_for(static_cast<Index>(heats_.size()), cost, [&](Index heat) {
      EarlyCheck check(heats_[heat], *parts_.loss, leader ? &leader->early[heat] : nullptr,
                       most_products(heat), abandoned);
      try {
        run_heat(runner, heat, iterations, check);
        if (check.dropped) abandoned = true;
      } catch (...) {
        abandoned = true;
        throw;
      }
    });
  }

  void run_heat(Runner& runner, Index heat, int iterations, EarlyCheck& check) const {
    const Heat& here = heats_[heat];
    const std::unique_ptr<Penalty> penalty =
        make_penalty(runner.penalty, parts_.options.concavity, groups_);
    const std::unique_ptr<Objective> objective =
        make_sample_objective(parts_, here.training, runner.lambda * here.lambda_factor);
    OptimizerOptions outer;
    outer.penalty_weight = parts_.options.penalty_weight;
    outer.longest_step = longest_step(*parts_.loss);
    outer.max_iter = iterations;
    outer.finish = false;
    const double tol = parts_.options.tol;
    outer.tol = 0.1 * (tol > 0 ? tol : kSettled);  // ten times that is enough without a finish
    OptimizerState state;
    state.W = initial_;
    FitReport report;
    check.objective = objective.get();
    minimize(*objective, *penalty, outer, {}, &check, state, report);
    runner.early[heat] = check.seen;
    runner.products[heat] = check.products;
    if (check.dropped) return;
    runner.settled[heat] = report.converged() || parts_.loss->coupled();
    objective->evaluate(state.W, kRaceTolerance);
    const Matrix F = objective->predict(here.held_out.Z);
    runner.final[heat] = row_losses(*parts_.loss, here.held_out.Y, F);
    if (!levels_.empty()) runner.residuals[heat] = here.held_out.Y - F;
    runner.W[heat] = std::move(state.W);
  }

  // Up while that helps, or else down.
  void climb(const Runner& start) {
    const Runner* best = &start;
    for (const double step : {kLambdaStep, 1 / kLambdaStep}) {
      for (int i = 0; i < kMostSteps; ++i) {
        const Runner& next = enter(start.penalty, best->lambda * step);
        if (!ahead(next, best)) break;
        best = &next;
      }
      if (best != &start) return;
    }
  }

  RacePoint point(const Runner& runner) const {
    RacePoint one{.penalty = runner.penalty,
                  .regularization = runner.lambda * lambda_unit_,
                  .loss = runner.loss,
                  .dropped = runner.dropped};
    if (runner.dropped) one.loss = std::numeric_limits<double>::quiet_NaN();
    return one;
  }

  // The quantiles of what is left of the held-out rows.
  RowVector quantile_shift() const {
    RowVector shift(rows_.Y.cols());
    for (Index k = 0; k < shift.size(); ++k) {
      std::vector<Vector> columns;
      for (const Matrix& residuals : leader_->residuals) columns.push_back(residuals.col(k));
      const Vector values = joined(columns);
      std::vector<Index> order(values.size());
      std::iota(order.begin(), order.end(), Index{0});
      std::sort(order.begin(), order.end(), [&](Index a, Index b) {
        return std::pair(values(a), a) < std::pair(values(b), b);
      });
      const double level = levels_[levels_.size() > 1 ? k : 0];
      double left = level * held_out_s_.sum();
      auto place = order.begin();
      while (place + 1 != order.end() && (left -= held_out_s_(*place)) > 0) ++place;
      shift(k) = values(*place);
    }
    return shift;
  }

  Race describe() const {
    Race race;
    race.rows = rows_.Z.rows();
    race.constant_loss = constant_loss_;
    const Vector best = joined(leader_->final);
    for (const Runner* runner : order_) {
      RacePoint& one = race.points.emplace_back(point(*runner));
      if (runner == leader_) race.best = static_cast<int>(race.points.size()) - 1;
      if (!runner->dropped) one.error = compare(joined(runner->final), best, held_out_s_).error;
    }
    race.penalty = leader_->penalty;
    race.lambda = leader_->lambda;
    const Difference ahead = compare(constant_, best, held_out_s_);
    if (entries_.lambda > 0 || ahead.mean > kSurelyBetter * ahead.error) return race;
    FitOptions options = parts_.options;
    options.penalty = race.penalty = entries_.penalties.front();
    race.constant = true;
    race.lambda = std::max(
        leader_->lambda, kBeyondCritical * critical_lambda(rows_, groups_, options, *parts_.loss));
    return race;
  }

  const FitParts& parts_;
  const double lambda_unit_;
  const std::vector<Index>& groups_;
  const RaceEntries& entries_;
  Observer* observer_;
  const std::vector<double> levels_;  // of quantiles
  const Matrix initial_;              // W₀
  const StandardRows rows_;
  const bool within_;   // a subspace, where no fit is dropped early
  const double share_;  // of all rows
  double first_lambda_ = 0, constant_loss_ = 0;
  std::vector<Heat> heats_;
  Vector held_out_s_, constant_;  // of all held-out rows: weights, and losses of the constant
  std::map<std::pair<std::string, double>, Runner> runners_;
  std::vector<Runner*> order_;
  Runner* leader_ = nullptr;
  bool stopped_ = false;
};

}  // namespace

Index most_race_rows(const Loss& loss) {
  return loss.coupled() ? kCoupledRaceRows : kRaceRows;
}

RaceOutcome race(const FitProblem& problem, const RaceEntries& entries, Observer* observer) {
  return Races(problem, entries, observer).run();
}

}  // namespace bkernn
