#include "choice/race.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/parallel.hpp"
#include "choice/critical_lambda.hpp"
#include "choice/lambda_law.hpp"
#include "choice/ranked_rows.hpp"
#include "choice/runner.hpp"
#include "choice/shares.hpp"
#include "problem/make_objective.hpp"
#include "problem/resolve_options.hpp"

namespace bkernn {
namespace {

constexpr double kLambdaStep = 3;
constexpr int kMostSteps = 8;  // up or down
constexpr Index kRaceRows = 3000, kCoupledRaceRows = 1500;
constexpr int kRaceIterations = 25;
constexpr int kMostIterations = 500;     // of the winner's last fits …
constexpr int kCoupledIterations = 50;   // … and of all fits of more than two classes
constexpr double kSettled = 1e-3;        // where the options do not say when a fit has converged
constexpr double kRaceTolerance = 1e-3;  // of the inner problem that predictions come from
constexpr int kTooLong = 4;              // times the products of the leader: more than two classes
constexpr double kSurelyBetter = 1;      // than the constant, standard errors
constexpr double kRanksBetter = 2;       // than values, the same
constexpr double kBeyondCritical = 1.01;
constexpr double kTied = 1e-7;          // losses, relative to that of the constant
constexpr double kWorth = 1e-4;         // what a smaller λ must gain, relative to the same …
constexpr double kCoupledWorth = 1e-3;  // … with more than two classes

// Numbers taken in one way.
struct Kind {
  Encoder encoder;
  StandardRows rows;
  std::vector<Heat> heats;
  Runner* best = nullptr;
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
        part_(deal_parts(rows_)),
        within_(problem.subspace.size() > 0),
        share_(static_cast<double>(rows_.Z.rows()) / static_cast<double>(problem.n())) {
    for (const std::string& ranks : entries.ranks) kinds_.emplace(ranks, kind_of(problem, ranks));
    describe_held_out();
    first_lambda_ = likely_lambda(*parts_.loss, rows_, problem.coordinates.total_weight);
  }

  RaceOutcome run() {
    for (const std::string& ranks : entries_.ranks) run_kind(ranks);
    leader_ = winner();
    while (!stopped_ && !settled(*leader_)) {
      finish(*leader_);
      for (Runner* runner : order_) follow(*runner);
      leader_ = winner();
    }
    RaceOutcome outcome{describe()};
    if (!levels_.empty() && !outcome.race.constant)
      outcome.quantile_shift = quantiles_of(held_out_Y_ - joined(leader_->F), held_out_s_, levels_);
    outcome.kinds = winning_kinds(outcome.race.constant);
    if (!outcome.race.constant && !stopped_ && !within_) outcome.fits = winners();
    return outcome;
  }

 private:
  Kind kind_of(const FitProblem& problem, const std::string& ranks) const {
    if (ranks == "none") return {{}, rows_, make_heats(rows_, part_, *parts_.loss, share_)};
    Kind kind{rank_columns(problem, rows_, ranks), rows_, {}};
    kind.rows.Z = bent(problem, rows_, kind.encoder);
    kind.heats = make_heats(kind.rows, part_, *parts_.loss, share_);
    return kind;
  }

  // They are the same rows, however numbers are taken.
  void describe_held_out() {
    std::vector<Vector> s, constant;
    std::vector<Matrix> Y;
    for (const Heat& heat : any_heats()) {
      const InnerSolver solver(*parts_.loss, heat.training.Y, heat.training.s, 1.0,
                               InnerMethod::automatic);
      s.push_back(heat.held_out.s);
      Y.push_back(heat.held_out.Y);
      constant.push_back(row_losses(*parts_.loss, heat.held_out.Y,
                                    solver.best_constant().replicate(heat.held_out.Y.rows(), 1)));
    }
    held_out_s_ = joined(s);
    held_out_Y_ = joined(Y);
    constant_ = joined(constant);
    constant_loss_ = held_out_s_.dot(constant_) / held_out_s_.sum();
  }

  const std::vector<Heat>& any_heats() const { return kinds_.begin()->second.heats; }

  // All penalties, each from the best λ so far; none if the first one is clearly behind. Of more
  // than two classes only the first kind takes so long.
  void run_kind(const std::string& ranks) {
    std::vector<std::string> penalties = entries_.penalties;
    if (leader_ != nullptr) {
      std::stable_partition(penalties.begin(), penalties.end(),
                            [&](const std::string& one) { return one == leader_->penalty; });
      if (parts_.loss->coupled()) penalties.resize(1);
    }
    double lambda = entries_.lambda > 0  ? entries_.lambda
                    : leader_ != nullptr ? leader_->lambda
                                         : first_lambda_;
    Runner* const& best = kinds_.at(ranks).best;
    for (const std::string& penalty : penalties) {
      const Runner* before = best;
      const Runner& first = enter(ranks, penalty, lambda);
      if (stopped_ || (before == nullptr && first.dropped)) return;
      const bool climbs = entries_.lambda == 0 && (before == nullptr || best != before);
      if (climbs) climb(first);
      lambda = best->lambda;
    }
  }

  // The best one of its kind, if it is; and the leader, if it is.
  void follow(Runner& runner) {
    Runner*& best = kinds_.at(runner.ranks).best;
    if (best == nullptr || ahead(runner, best)) best = &runner;
    if (leader_ == nullptr || ahead(runner, leader_)) leader_ = &runner;
  }

  // Among the best of each kind; the first kind unless another one is clearly better.
  Runner* winner() const {
    Runner* best = kinds_.at(entries_.ranks.front()).best;
    for (const std::string& ranks : entries_.ranks) {
      Runner* other = kinds_.at(ranks).best;
      if (other == nullptr || other->dropped || !ahead(*other, best)) continue;
      const Difference gain = compare(joined(best->final), joined(other->final), held_out_s_);
      const bool first = best->ranks == entries_.ranks.front();
      if (!first || gain.mean > kRanksBetter * gain.error) best = other;
    }
    return best;
  }

  // The winner alone or, of several models, all kinds that have a share.
  std::vector<RacedRanks> winning_kinds(bool constant) const {
    std::vector<const Runner*> candidates = {leader_};
    for (const std::string& ranks : entries_.ranks) {
      const Runner* best = kinds_.at(ranks).best;
      if (best != nullptr && !best->dropped && best != leader_) candidates.push_back(best);
    }
    std::stable_sort(candidates.begin() + 1, candidates.end(),
                     [](const Runner* a, const Runner* b) { return a->loss < b->loss; });
    const bool alone = constant || stopped_ || within_;
    candidates.resize(std::min<std::size_t>(candidates.size(), alone ? 1 : entries_.most_kinds));
    std::vector<Matrix> F;
    for (const Runner* one : candidates) F.push_back(joined(one->F));
    const std::vector<double> shares = candidates.size() > 1
                                           ? best_shares(*parts_.loss, held_out_Y_, held_out_s_, F)
                                           : std::vector<double>{1};
    std::vector<RacedRanks> kinds;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const Runner& one = *candidates[k];
      if (shares[k] == 0) continue;
      kinds.push_back({one.ranks, one.penalty, one.lambda, shares[k]});
      if (one.ranks != "none") kinds.back().encoder = kinds_.at(one.ranks).encoder;
    }
    std::stable_sort(kinds.begin(), kinds.end(),
                     [](const RacedRanks& a, const RacedRanks& b) { return a.share > b.share; });
    return kinds;
  }

  // The heats are theirs from now on.
  std::vector<HeldOutFit> winners() {
    std::vector<HeldOutFit> fits;
    std::vector<Heat>& heats = kinds_.at(leader_->ranks).heats;
    for (std::size_t heat = 0; heat < heats.size(); ++heat) {
      Heat& one = heats[heat];
      fits.push_back({std::move(one.training), std::move(one.held_out),
                      leader_->lambda * one.lambda_factor, leader_->W[heat]});
    }
    return fits;
  }

  // Runs all heats of one pair, unless it has run before.
  const Runner& enter(const std::string& ranks, const std::string& penalty, double lambda) {
    const auto [place, is_new] = runners_.try_emplace({ranks, penalty, lambda});
    Runner& runner = place->second;
    if (!is_new || stopped_) return runner;
    runner.ranks = ranks;
    runner.penalty = penalty;
    runner.lambda = lambda;
    const auto heats = static_cast<Index>(any_heats().size());
    runner.early.resize(heats);
    runner.final.resize(heats);
    runner.F.resize(heats);
    runner.settled.resize(heats);
    runner.products.resize(heats);
    runner.W.resize(heats);
    run_heats(runner, iterations(), rival(runner));
    runner.dropped = std::any_of(runner.final.begin(), runner.final.end(),
                                 [](const Vector& losses) { return losses.size() == 0; });
    if (!runner.dropped) judge(runner);
    order_.push_back(&runner);
    follow(runner);
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
    const std::vector<Heat>& heats = kinds_.at(runner.ranks).heats;
    parallel_for(static_cast<Index>(heats.size()), cost, [&](Index heat) {
      EarlyCheck check(heats[heat], *parts_.loss, leader ? &leader->early[heat] : nullptr,
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
    const Heat& here = kinds_.at(runner.ranks).heats[heat];
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
    runner.F[heat] = objective->predict(here.held_out.Z);
    runner.final[heat] = row_losses(*parts_.loss, here.held_out.Y, runner.F[heat]);
    runner.W[heat] = std::move(state.W);
  }

  // Up while that helps, or else down.
  void climb(const Runner& start) {
    const Runner* best = &start;
    for (const double step : {kLambdaStep, 1 / kLambdaStep}) {
      for (int i = 0; i < kMostSteps; ++i) {
        const Runner& next = enter(start.ranks, start.penalty, best->lambda * step);
        if (!ahead(next, best)) break;
        best = &next;
      }
      if (best != &start) return;
    }
  }

  RacePoint point(const Runner& runner) const {
    RacePoint one{.penalty = runner.penalty,
                  .ranks = runner.ranks,
                  .regularization = runner.lambda * lambda_unit_,
                  .loss = runner.loss,
                  .dropped = runner.dropped};
    if (runner.dropped) one.loss = std::numeric_limits<double>::quiet_NaN();
    return one;
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
    race.ranks = leader_->ranks;
    race.penalty = leader_->penalty;
    race.lambda = leader_->lambda;
    const Difference ahead = compare(constant_, best, held_out_s_);
    if (entries_.lambda > 0 || ahead.mean > kSurelyBetter * ahead.error) return race;
    FitOptions options = parts_.options;
    options.penalty = race.penalty = entries_.penalties.front();
    race.constant = true;
    race.lambda = std::max(
        leader_->lambda, kBeyondCritical * critical_lambda(kinds_.at(leader_->ranks).rows, groups_,
                                                           options, *parts_.loss));
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
  const std::vector<int> part_;  // of each row: those of a heat are the same for every kind
  const bool within_;            // a subspace, where no fit is dropped early
  const double share_;           // of all rows
  double first_lambda_ = 0, constant_loss_ = 0;
  std::map<std::string, Kind> kinds_;
  Vector held_out_s_, constant_;  // of all held-out rows: weights, and losses of the constant
  Matrix held_out_Y_;
  std::map<std::tuple<std::string, std::string, double>, Runner> runners_;
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
