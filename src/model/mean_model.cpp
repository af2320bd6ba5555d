#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/model.hpp"
#include "bkernn/segment_finder.hpp"

namespace bkernn {

Model Model::in_coordinates(const RowVector& new_center, const RowVector& new_scale) const {
  Model moved = *this;
  moved.center = new_center;
  moved.scale = new_scale;
  moved.expansions.clear();
  if (W.cols() == 0) return moved;
  moved.W = new_scale.cwiseQuotient(scale).asDiagonal() * W;
  const RowVector shift = (new_center - center).cwiseQuotient(scale) * W;
  for (Index j = 0; j < W.cols(); ++j) moved.functions[j].knots.array() -= shift(j);
  moved.anchor();
  return moved;
}

void Model::anchor() {
  const std::unique_ptr<Kernel> k = make_kernel(kernel);
  if (!k->homogeneous()) return;
  for (RidgeFunction& h : functions) {
    const SegmentFinder knots(h.knots.size(), h.knots.data(), false);
    for (Index output = 0; output < h.values.cols(); ++output) {
      const double zero = 0;
      double at_zero = 0;
      k->evaluate(knots, h.values.col(output).data(), 1, &zero, &at_zero);
      h.values.col(output).array() -= at_zero;
      intercept(output) += at_zero / static_cast<double>(n_particles);
    }
  }
}

// Model i has m_i particles and share s_i, so its functions weigh s_i/m_i. In a model of m = Σ m_i
// particles each weighs 1/m.
Model Model::mean(const std::vector<const Model*>& models, const std::vector<double>& shares) {
  require(!models.empty(), "models", "none", "there must be one at least");
  require(shares.empty() || shares.size() == models.size(), "shares", shares.size(),
          "must be one per model");
  const auto k = static_cast<double>(models.size());
  Model all = *models.front();
  all.n_particles = 0;
  all.functions.clear();
  all.expansions.clear();
  all.calibration.reset();
  all.counted.reset();
  all.intercept.setZero();
  Index columns = 0;
  for (const Model* one : models) {
    require(one->kernel == all.kernel && one->loss == all.loss &&
                one->n_features() == all.n_features() && one->encoder == all.encoder &&
                one->n_outputs() == all.n_outputs(),
            "models", one->kernel + ", " + one->loss,
            "must have the same kernel, loss, variables and outputs");
    all.n_particles += one->n_particles;
    columns += one->W.cols();
  }
  all.W.resize(all.n_features(), columns);
  bool expanded = true;
  columns = 0;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Model* given = models[i];
    const double share = shares.empty() ? 1 / k : shares[i];
    const bool here = given->center == all.center && given->scale == all.scale;
    const Model one = here ? *given : given->in_coordinates(all.center, all.scale);
    all.W.middleCols(columns, one.W.cols()) = one.W;
    columns += one.W.cols();
    all.intercept += share * one.intercept;
    const double weight =
        share * static_cast<double>(all.n_particles) / static_cast<double>(one.n_particles);
    for (const RidgeFunction& h : one.functions)
      all.functions.push_back({h.knots, weight * h.values});
    for (const Expansion& part : one.expansions) {
      all.expansions.push_back(part);
      all.expansions.back().alpha *= weight;
    }
    expanded = expanded && (one.W.cols() == 0 || !one.expansions.empty());
  }
  if (!expanded) all.expansions.clear();
  if (!all.expansions.empty()) all.follow_expansions();
  return all;
}

}  // namespace bkernn
