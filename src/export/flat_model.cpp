#include "export/flat_model.hpp"

namespace bkernn {

FlatModel::FlatModel(const Model& model)
    : share(model.n_particles > 0 ? 1.0 / static_cast<double>(model.n_particles) : 0.0) {
  for (Index a = 0; a < model.n_features(); ++a) {
    if (model.W.cols() > 0 && !model.W.row(a).isZero(0)) variables.push_back(a);
  }
  if (variables.empty()) variables.push_back(0);
  center = model.center(variables);
  scale = model.scale(variables);
  W.resize(static_cast<Index>(variables.size()), model.W.cols());
  if (W.cols() > 0) W = model.W(variables, Eigen::all);
  first.assign(1, 0);
  for (const RidgeFunction& h : model.functions) first.push_back(first.back() + h.knots.size());
  knots.resize(first.back());
  values.resize(first.back(), model.n_outputs());
  for (std::size_t j = 0; j < model.functions.size(); ++j) {
    const RidgeFunction& h = model.functions[j];
    knots.segment(first[j], h.knots.size()) = h.knots;
    values.middleRows(first[j], h.knots.size()) = h.values;
  }
}

}  // namespace bkernn
