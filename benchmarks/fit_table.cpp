// A full fit (d = 20, m = 50, feature penalty, 10 iterations of `paper` on the paper's problem: λ =
// 2 max‖x‖/n, nothing standardized) against n, with the growth exponent between neighboring sizes,
// and the defaults until they have converged.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "bkernn/bkernn.hpp"

using namespace bkernn;

namespace {

double best_seconds(const Matrix& X, const Matrix& Y, const FitOptions& options, int repetitions) {
  double best = 1e300;
  for (int i = 0; i < repetitions; ++i) best = std::min(best, fit(X, Y, options).report.seconds);
  return best;
}

// Four targets of the same directions, fitted at once and one after the other.
void several_outputs() {
  const Simulated data = simulate({.kind = "multi_index", .n = 2000, .d = 20, .seed = 1});
  const Matrix Z = data.train.X * data.P;
  Matrix Y(Z.rows(), 4);
  Y << data.train.Y, Z.col(0).array().sin(), Z.col(1).cwiseAbs(), Z.col(0).cwiseProduct(Z.col(1));
  FitOptions options;
  options.penalty = "feature";
  options.n_threads = 1;
  const double at_once = best_seconds(data.train.X, Y, options, 3);
  double separately = 0;
  for (Index q = 0; q < 4; ++q) separately += best_seconds(data.train.X, Y.col(q), options, 3);
  std::printf("n 2000, d 20: four outputs %.3f s, four fits %.3f s, ratio %.2f\n", at_once,
              separately, at_once / separately);
}

// More variables than rows: y = Σ sin x_a over the first 20 of 5,000; and how much of a fit with d
// = 1,000, m = 200 is the singular value decomposition of its penalty.
void many_variables() {
  const Index n = 2000, d = 5000, relevant = 20;
  const Simulated few = simulate(
      {.kind = "sine_variables", .n = n, .n_test = 1000, .d = d, .k = relevant, .noise = 0.1});
  for (const char* penalty : {"variable", "concave_variable"}) {
    FitOptions options;
    options.penalty = penalty;
    const FitResult result = fit(few.train.X, few.train.Y, options);
    const Vector importances = result.model.importances();
    const double least = importances.head(relevant).minCoeff();
    std::printf("n 2000, d 5000, %s: %.2f s, R2 %.3f, %ld other variables above a relevant one\n",
                penalty, result.report.seconds,
                r2_score(few.test.Y, result.model.predict(few.test.X)),
                static_cast<long>((importances.tail(d - relevant).array() >= least).count()));
  }
  const Simulated data = simulate({.kind = "multi_index", .n = n, .d = 1000, .seed = 1});
  FitOptions options;
  options.penalty = "feature";
  options.n_particles = 200;
  options.max_iter = 20;
  options.tol = 0;
  const FitResult result = fit(data.train.X, data.train.Y, options);
  const auto penalty = make_penalty("feature");
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < result.report.evaluations; ++i) {
    Matrix W = result.W;
    penalty->prox(W, 1e-3);
  }
  const double prox =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("n 2000, d 1000, m 200, feature, 20 iterations: %.2f s, of which prox %.2f s\n",
              result.report.seconds, prox);
}

}  // namespace

int main() {
  several_outputs();
  many_variables();
  std::printf("%8s  %28s  %44s\n", "", "paper, 10 iterations", "default, until converged");
  std::printf("%8s  %10s %8s %8s  %10s %8s %8s %8s %8s\n", "n", "seconds", "growth", "threads",
              "seconds", "growth", "steps", "R2 test", "score");
  double last_n = 0, last_paper = 0, last_default = 0;
  for (const Index n : {200, 400, 800, 1600, 10000, 100000}) {
    const Simulated data =
        simulate({.kind = "multi_index", .n = n, .n_test = 5000, .d = 20, .noise = 0.1, .seed = 1});
    FitOptions paper;
    paper.penalty = "feature";
    paper.optimizer = "paper";
    paper.max_iter = 10;
    paper.tol = 0;
    paper.n_threads = 1;
    paper.standardize = false;
    paper.regularization = 2 * data.train.X.rowwise().norm().maxCoeff() / static_cast<double>(n);
    const int repetitions = n <= 10000 ? 3 : 1;
    const double seconds = best_seconds(data.train.X, data.train.Y, paper, repetitions);
    FitOptions standard;
    standard.penalty = "feature";
    const FitResult result = fit(data.train.X, data.train.Y, standard);
    const double r2 = r2_score(data.test.Y, result.model.predict(data.test.X));
    const auto score =
        feature_learning_score(result.model.weights_in_original_units(), false, data.P);
    const auto growth = [&](double now, double before) {
      return before > 0 ? std::log(now / before) / std::log(static_cast<double>(n) / last_n) : NAN;
    };
    std::printf("%8ld  %10.4f %8.2f %8d  %10.4f %8.2f %8zu %8.4f %8.4f\n", static_cast<long>(n),
                seconds, growth(seconds, last_paper), 1, result.report.seconds,
                growth(result.report.seconds, last_default), result.report.iterations.size(), r2,
                score.value_or(NAN));
    std::fflush(stdout);
    last_n = static_cast<double>(n);
    last_paper = seconds;
    last_default = result.report.seconds;
  }
}
