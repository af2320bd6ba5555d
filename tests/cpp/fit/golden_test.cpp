// Algorithm 1 against trajectories of an independent dense implementation of the paper's lemmas.
// The files live outside the project: BKERNN_GOLDEN_DIR names their folder.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bkernn/bkernn.hpp"
#include "by_rule.hpp"
#include "inner/inner_solver.hpp"
#include "objective/dual_objective.hpp"

namespace bkernn {
namespace {

using nlohmann::json;

std::string golden_dir() {
  const char* dir = std::getenv("BKERNN_GOLDEN_DIR");
  return dir == nullptr ? "" : dir;
}

json read(const std::filesystem::path& path) {
  std::ifstream file(path);
  return json::parse(file);
}

Vector to_vector(const json& values) {
  const auto data = values.get<std::vector<double>>();
  return Eigen::Map<const Vector>(data.data(), static_cast<Index>(data.size()));
}

Matrix to_matrix(const json& rows) {
  Matrix A(static_cast<Index>(rows.size()), static_cast<Index>(rows[0].size()));
  for (Index i = 0; i < A.rows(); ++i) A.row(i) = to_vector(rows[i]).transpose();
  return A;
}

// Relative to the largest entry of the expected values.
template <class A, class B>
void expect_close(const A& got, const B& want, double tolerance, const std::string& what) {
  ASSERT_EQ(got.rows(), want.rows()) << what;
  ASSERT_EQ(got.cols(), want.cols()) << what;
  const double size = std::max(want.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_LE((got - want).cwiseAbs().maxCoeff(), tolerance * size) << what;
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  if (golden_dir().empty()) return {"none"};
  for (const auto& entry : std::filesystem::directory_iterator(golden_dir())) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".json" && name != "prox_units") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Golden : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void SetUp() override {
    if (golden_dir().empty())
      GTEST_SKIP() << "set BKERNN_GOLDEN_DIR to the folder of golden trajectories";
    golden = read(std::filesystem::path(golden_dir()) / (std::get<0>(GetParam()) + ".json"));
    X = to_matrix(golden["X"]);
    y = to_vector(golden["y"]);
    options.n_particles = golden["m"];
    options.penalty = golden["penalty"];
    options.concavity = golden["s"].is_null() ? 1.0 : golden["s"].get<double>();
    options.regularization = golden["lambda"].get<double>();
    options.kernel = golden["kernel"];
    options.standardize = false;
    options.optimizer = "paper";
    options.max_iter = golden["n_iter"];
    options.max_halvings = golden["max_halvings"];
    options.step_size = golden["gamma0"];
    options.tol = 0;
    options.init = to_matrix(golden["W0"]);
    options.inner_solver = std::get<1>(GetParam());
  }

  json golden;
  Matrix X;
  Vector y;
  FitOptions options = by_rule();
};

TEST_P(Golden, Trajectory) {
  const double tolerance = options.inner_solver == "cholesky" ? 1e-8 : 1e-6;
  const FitResult result = fit(X, y, options);
  const auto& iterations = result.report.iterations;
  const Vector objective = to_vector(golden["G_plus_lambda_penalty_per_iter"]);
  const Vector smooth = to_vector(golden["G_per_iter"]);
  const Vector step = to_vector(golden["gamma_per_iter"]);
  const Index n_iter = static_cast<Index>(iterations.size());
  const bool ended_early = result.report.termination == Termination::trivial;
  if (!ended_early) {
    ASSERT_EQ(n_iter, objective.size());
  }
  for (Index t = 0; t < n_iter; ++t) {
    EXPECT_NEAR(iterations[t].objective, objective(t), tolerance * std::abs(objective(t)) + 1e-14)
        << "iteration " << t;
    EXPECT_NEAR(iterations[t].smooth, smooth(t), tolerance * std::abs(smooth(t)) + 1e-14)
        << "iteration " << t;
    EXPECT_DOUBLE_EQ(iterations[t].step, step(t)) << "iteration " << t;
  }
  expect_close(result.W, to_matrix(golden["W_final"]), tolerance, "W");
  expect_close(result.alpha, to_vector(golden["alpha_final"]), tolerance, "alpha");
  EXPECT_NEAR(result.intercept(0), golden["c_final"].get<double>(),
              tolerance * (1 + std::abs(golden["c_final"].get<double>())));
  expect_close(result.model.predict(X), to_vector(golden["predictions_X_train"]), tolerance,
               "train predictions");
  expect_close(result.model.predict(to_matrix(golden["X_test"])),
               to_vector(golden["predictions_X_test"]), tolerance, "test predictions");
  const Vector singular = to_vector(golden["singular_values_final"]);
  expect_close(left_singular(result.W).values.head(singular.size()).eval(), singular, tolerance,
               "singular values");
  const auto score =
      feature_learning_score(result.W, result.model.selects_variables(), to_matrix(golden["P"]));
  if (golden["feature_score"].is_null()) {
    EXPECT_FALSE(score.has_value() && golden["feature_score_well_defined"].get<bool>());
  } else {
    ASSERT_TRUE(score.has_value());
    EXPECT_NEAR(*score, golden["feature_score"].get<double>(), 10 * tolerance);
  }
}

TEST_P(Golden, FirstPoint) {
  const auto kernel = make_kernel(options.kernel);
  const auto loss = make_loss("square");
  const auto penalty = make_penalty(options.penalty, options.concavity);
  const double lambda = *options.regularization;
  const Matrix Y = y;
  const Vector s = Vector::Ones(X.rows());
  for (const std::string name : {"sorted", "dense"}) {
    if (name == "sorted" && !kernel->markov()) continue;
    const auto K = make_operator(name, X, *kernel);
    const bool direct = options.inner_solver == "cholesky";
    const double tolerance = direct ? 1e-11 : 1e-8;
    InnerSolver inner(*loss, Y, s, lambda,
                      direct ? InnerMethod::cholesky : InnerMethod::conjugate_gradients);
    DualObjective objective(*K, inner, lambda);
    const double G = objective.evaluate(options.init, 1e-12, true);
    EXPECT_NEAR(G, golden["G_at_W0"].get<double>(), tolerance * std::abs(G) + 1e-15);
    const Matrix gradient = objective.gradient();
    expect_close(objective.solution().alpha, to_vector(golden["alpha_at_W0"]), tolerance, "alpha");
    expect_close(gradient, to_matrix(golden["grad_at_W0"]), tolerance, "gradient");
    EXPECT_NEAR(penalty->value(options.init), golden["penalty_at_W0"].get<double>(), 1e-12);
    Matrix W = options.init - options.step_size * to_matrix(golden["grad_at_W0"]);
    penalty->prox(W, options.step_size * lambda);
    expect_close(W, to_matrix(golden["prox_of_W0_minus_gamma0_grad"]), 1e-11, "prox");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Golden, testing::Combine(testing::ValuesIn(cases()), testing::Values("cholesky", "cg")),
    [](const auto& one) { return std::get<0>(one.param) + "_" + std::get<1>(one.param); });

TEST(GoldenProx, Units) {
  if (golden_dir().empty())
    GTEST_SKIP() << "set BKERNN_GOLDEN_DIR to the folder of golden trajectories";
  const json units = read(std::filesystem::path(golden_dir()) / "prox_units.json");
  for (const json& one : units["matrix_cases"]) {
    Matrix W = to_matrix(one["W"]);
    const double s = one["s"].is_null() ? 1.0 : one["s"].get<double>();
    const auto penalty = make_penalty(one["penalty"].get<std::string>(), s);
    penalty->prox(W, one["lambda_gamma"].get<double>());
    expect_close(W, to_matrix(one["prox"]), 1e-10, one.dump().substr(0, 100));
  }
  for (const json& one : units["scalar_concave_cases"]) {
    const Index m = one["m"];
    Matrix W = Matrix::Zero(1, m);
    W(0, 0) = one["r"].get<double>();
    make_penalty("concave_variable", one["s"].get<double>())
        ->prox(W, one["lambda_gamma"].get<double>());
    EXPECT_NEAR(W(0, 0), one["u"].get<double>(), 1e-9 * (1 + one["r"].get<double>())) << one.dump();
  }
}

}  // namespace
}  // namespace bkernn
