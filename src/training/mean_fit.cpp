#include "training/mean_fit.hpp"

#include <algorithm>

namespace bkernn {

void make_small(FitResult& result) {
  result.alpha.resize(0, 0);
  result.model = result.model.for_file();
}

FitResult mean_of(const std::vector<FitResult>& results, const std::vector<double>& shares) {
  const auto order = [](const FitResult& a, const FitResult& b) {
    return std::pair(!a.report.converged(), a.report.promised_decrease) <
           std::pair(!b.report.converged(), b.report.promised_decrease);
  };
  FitResult mean;
  mean.regularization = results.front().regularization;
  mean.report = std::max_element(results.begin(), results.end(), order)->report;
  if (results.back().report.termination == Termination::stopped)
    mean.report.termination = Termination::stopped;
  mean.report.models = 0;
  mean.report.evaluations = mean.report.inner_iterations = 0;
  mean.report.seconds = 0;
  std::vector<const Model*> models;
  mean.W.resize(results.front().W.rows(), 0);
  for (const FitResult& one : results) {
    mean.report.models += one.report.models;
    mean.report.seconds += one.report.seconds;
    mean.report.evaluations += one.report.evaluations;
    mean.report.inner_iterations += one.report.inner_iterations;
    models.push_back(&one.model);
    const RowVector units = results.front().model.scale.cwiseQuotient(one.model.scale);
    mean.W.conservativeResize(Eigen::NoChange, mean.W.cols() + one.W.cols());
    mean.W.rightCols(one.W.cols()) = units.asDiagonal() * one.W;
  }
  mean.model = Model::mean(models, shares);
  return mean;
}

}  // namespace bkernn
