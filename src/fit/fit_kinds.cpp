#include "fit/fit_kinds.hpp"

#include <optional>

#include "calibration/calibrate.hpp"
#include "fit/ranked_input.hpp"
#include "rows/shard.hpp"
#include "training/fit_rows.hpp"
#include "training/mean_fit.hpp"

namespace bkernn {
namespace {

// Rows without ranks have an encoder too, so that kinds can be put together.
Encoder encoder_of(const RacedRanks& kind, const std::vector<RacedRanks>& kinds) {
  if (!kind.encoder.empty()) return kind.encoder;
  Encoder encoder;
  for (const RacedRanks& one : kinds) {
    if (!one.encoder.empty()) encoder = one.encoder;
  }
  for (EncodedColumn& column : encoder.columns) {
    if (!column.category) column.curves = {Curve{}};
  }
  return encoder;
}

// Each number has the coordinates of all kinds, side by side.
Encoder side_by_side(const std::vector<Encoder>& encoders) {
  Encoder all = encoders.front();
  for (std::size_t kind = 1; kind < encoders.size(); ++kind) {
    for (std::size_t a = 0; a < all.columns.size(); ++a) {
      const std::vector<Curve>& more = encoders[kind].columns[a].curves;
      all.columns[a].curves.insert(all.columns[a].curves.end(), more.begin(), more.end());
    }
  }
  return all;
}

// Where the coordinates of one kind are among those of all.
std::vector<Index> places_of_kind(const Encoder& all, Index kind) {
  std::vector<Index> places;
  Index at = 0;
  for (const EncodedColumn& column : all.columns) {
    const Index bends = column.category ? 0 : column.bends();
    if (bends > 0) places.push_back(at + kind);
    for (Index k = bends; k < column.coordinates(); ++k) places.push_back(at + k);
    at += column.coordinates();
  }
  return places;
}

Matrix spread(const Matrix& rows, const std::vector<Index>& places, Index coordinates) {
  Matrix all = Matrix::Zero(coordinates, rows.cols());
  all(places, Eigen::all) = rows;
  return all;
}

// Fits of all kinds in the coordinates of all.
void put_side_by_side(const std::vector<Encoder>& encoders, std::vector<FitResult>& results) {
  const Encoder all = side_by_side(encoders);
  const Index d = all.coordinates();
  RowVector center(d), scale(d);
  for (std::size_t kind = 0; kind < results.size(); ++kind) {
    const std::vector<Index> places = places_of_kind(all, static_cast<Index>(kind));
    center(places) = results[kind].model.center;
    scale(places) = results[kind].model.scale;
  }
  for (std::size_t kind = 0; kind < results.size(); ++kind) {
    const std::vector<Index> places = places_of_kind(all, static_cast<Index>(kind));
    FitResult& result = results[kind];
    result.W = spread(result.W, places, d);
    Model& model = result.model;
    model.W = spread(model.W, places, d);
    for (Expansion& expansion : model.expansions)
      expansion.basis = spread(expansion.basis, places, d);
    model.center = center;
    model.scale = scale;
    model.encoder = all;
  }
}

}  // namespace

std::vector<Index> models_of_kinds(const std::vector<RacedRanks>& kinds, Index models) {
  std::vector<Index> counts(kinds.size(), 1);
  for (auto left = models - static_cast<Index>(kinds.size()); left > 0; --left) {
    std::size_t most = 0;
    for (std::size_t k = 1; k < kinds.size(); ++k) {
      const auto wanted = [&](std::size_t kind) {
        return kinds[kind].share / static_cast<double>(counts[kind]);
      };
      if (wanted(k) > wanted(most)) most = k;
    }
    ++counts[most];
  }
  return counts;
}

FitResult fit_kinds(const FitInput& input, const DistinctRows& rows, const FitOptions& options,
                    const Choice& choice, Observer* observer) {
  const std::vector<RacedRanks>& kinds = choice.kinds;
  const std::vector<Index> counts = models_of_kinds(kinds, options.n_models);
  std::vector<FitResult> results;
  std::vector<Encoder> encoders;
  std::vector<double> shares;
  FitOptions own = options;
  own.ranks = "none";
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    own.n_models = counts[kind];
    encoders.push_back(kinds.size() > 1 ? encoder_of(kinds[kind], kinds) : kinds[kind].encoder);
    shares.push_back(kinds[kind].share);
    const RankedInput ranked(input, encoders.back());
    const FitParts parts(own, rows.size());
    Shard shard = make_shard(ranked.input(), rows, *parts.loss);
    const FitProblem problem(parts, shard, ranked.input().encoder);
    results.push_back(fit_rows(problem, choice.of_kind(kind, problem),
                               {ranked.input().validation_X, input.validation_Y}, input.resume,
                               observer));
    if (kinds.size() == 1) calibrate(ranked.input(), rows, problem, own, observer, results.back());
    own.seed += kSeedStep * static_cast<std::uint64_t>(counts[kind]);
    if (kinds.size() > 1 && counts[kind] == 1) make_small(results.back());
    if (results.back().report.termination == Termination::stopped) break;
  }
  if (results.size() == 1) return std::move(results.front());
  encoders.resize(results.size());
  shares.resize(results.size());
  put_side_by_side(encoders, results);
  double total = 0;
  for (const double share : shares) total += share;
  for (double& share : shares) share /= total;
  FitResult result = mean_of(results, shares);
  result.report.race = choice.race;
  result.intercept = intercept_of(result.model, options.n_threads);
  return result;
}

}  // namespace bkernn
