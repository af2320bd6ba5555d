#include "bkernn/error.hpp"
#include "bkernn/model.hpp"

namespace bkernn {

// Model i has m_i particles and weight 1/k, so its functions weigh 1/(k m_i). In a model of
// m = Σ m_i particles each weighs 1/m.
Model Model::mean(const std::vector<const Model*>& models) {
  require(!models.empty(), "models", "none", "there must be one at least");
  const auto k = static_cast<double>(models.size());
  Model all = *models.front();
  all.n_particles = 0;
  all.functions.clear();
  all.intercept.setZero();
  Index columns = 0;
  for (const Model* one : models) {
    require(one->kernel == all.kernel && one->loss == all.loss && one->center == all.center &&
                one->scale == all.scale && one->n_outputs() == all.n_outputs(),
            "models", one->kernel + ", " + one->loss,
            "must have the same kernel, loss, coordinates and outputs");
    all.n_particles += one->n_particles;
    all.intercept += one->intercept / k;
    columns += one->W.cols();
  }
  all.W.resize(all.n_features(), columns);
  columns = 0;
  for (const Model* one : models) {
    all.W.middleCols(columns, one->W.cols()) = one->W;
    columns += one->W.cols();
    const double weight =
        static_cast<double>(all.n_particles) / (k * static_cast<double>(one->n_particles));
    for (const RidgeFunction& h : one->functions)
      all.functions.push_back({h.knots, weight * h.values});
  }
  return all;
}

}  // namespace bkernn
