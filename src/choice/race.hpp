// What the options leave open, chosen by held-out rows: λ, and which penalty.
//
// Rows. All of them, or 3,000 that represent them (1,500 of more than two classes); dealt in three
// parts along row_order(), of which two are held out, one after the other (all three below 500
// rows, where they are few). The choice is the same however rows and columns are permuted and in
// whatever units they come.
//
// The race begins at the λ that such rows are likely to want, λ₀ (lambda_law.hpp).
//
// The race. `feature` climbs: λ goes up by threes while the held-out loss falls, or else down. Then
// the other penalties are tried at the best λ, and one that is better there climbs from it. A fit
// has 25 iterations; after eight it is dropped if it is clearly behind the leader, by three
// standard errors of the mean difference on the same rows. (Within a subspace none is: fits are
// quick there, and a large λ begins slowly. Of classes a smaller λ is not: it comes down slowly.)
// More than two classes have no `concave_feature`, which takes directions away that they need.
// Of more than two classes every fit goes to its end, within 50 iterations: it takes little longer
// than 25 of them, after which a concave penalty often looks better than it is in the end.
// One that takes four times as many products as the leader's is dropped.
// The least loss wins, though a smaller λ, whose fits take longer, must gain 10⁻⁴ of the loss of
// the constant, 10⁻³ with more than two classes (of noiseless data λ would fall and fall). If the
// best constant is as good, within one standard error, it wins.
//
// Ranks. Numbers are taken as they are first. Then by each kind of rank (columns.hpp), from the
// penalty and the λ that are best so far; of more than two classes with that penalty alone. Ranks
// win if they are better by more than two standard errors. For the mean of several models every
// kind may have a share: those shares with which the mean of their predictions is best on the
// held-out rows.
#pragma once

#include "bkernn/observer.hpp"
#include "bkernn/report.hpp"
#include "choice/held_out.hpp"
#include "problem/fit_problem.hpp"

namespace bkernn {

// Fewer rows are not worth holding any out.
constexpr Index kFewestRaceRows = 15;

// `lambda`, for all rows as the standardized problem sees it, is fixed, or 0 if it is to be chosen.
// Penalties in the order in which they race; the first one is that of the constant model.
// Ranks likewise, in the same order; those after the first need to be clearly better.
struct RaceEntries {
  std::vector<std::string> penalties;
  double lambda = 0;
  std::vector<std::string> ranks = {"none"};
  Index most_kinds = 1;  // of ranks that may win, together
};

// Of one kind of ranks: what is best with it.
struct RacedRanks {
  std::string ranks, penalty;
  double lambda = 0;
  double share = 1;      // of the models
  Encoder encoder = {};  // empty: numbers are taken as they are
};

struct RaceOutcome {
  Race race;
  // Of the quantile loss, q: by how much the held-out rows want its quantiles higher, in the units
  // of the standardized problem. A fit sees its own rows, among which quantiles always have their
  // share; of new rows too few lie beyond them. With this shift the held-out rows have it.
  RowVector quantile_shift = {};
  // Those that won; none if the constant did, or within a subspace.
  std::vector<HeldOutFit> fits = {};
  std::vector<RacedRanks> kinds = {};  // those that won, the largest share first
};

// Rows of a race, at most.
Index most_race_rows(const Loss& loss);

// `observer` sees every point of the race, and may end it.
RaceOutcome race(const FitProblem& problem, const RaceEntries& entries, Observer* observer);

}  // namespace bkernn
