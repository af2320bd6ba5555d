// The same bits on any number of threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "base/parallel.hpp"
#include "bkernn/fit.hpp"
#include "by_rule.hpp"
#include "naive.hpp"
#include "operators/kernel_operator.hpp"
#include "patience.hpp"

namespace bkernn {
namespace {

struct Way {
  std::string kernel, op;
  Index n, knots;

  std::string label() const { return kernel + "_" + op; }
  friend std::ostream& operator<<(std::ostream& out, const Way& one) { return out << one.label(); }
};

class Threads : public testing::TestWithParam<Way> {};

TEST_P(Threads, OperatorsGiveTheSameBits) {
  const auto [kernel_name, op_name, n, knots] = GetParam();
  Rng rng(1);
  const Matrix X = rng.normal_matrix(n, 5), W = rng.normal_matrix(5, 40);
  Matrix V = rng.normal_matrix(n, 2);
  naive::center_columns(V);
  const auto kernel = make_kernel(kernel_name);
  const auto K = make_operator(op_name, X, *kernel, knots);
  Matrix first, first_gradient, first_gram;
  std::vector<RidgeFunction> first_functions;
  for (const int threads : {1, 2, 3, 8}) {
    const ThreadLimit limit(threads);
    K->set_particles(W);
    Matrix out;
    K->apply(V, out);
    const Matrix gradient = K->particle_gradient(V);
    const std::vector<RidgeFunction> functions = K->functions(V);
    const Matrix gram = n <= 1000 ? K->centered_gram() : Matrix();
    if (threads == 1) {
      first = out;
      first_gradient = gradient;
      first_functions = functions;
      first_gram = gram;
    }
    EXPECT_EQ(out, first) << threads;
    EXPECT_EQ(gradient, first_gradient) << threads;
    EXPECT_EQ(gram, first_gram) << threads;
    for (std::size_t a = 0; a < functions.size(); ++a) {
      EXPECT_EQ(functions[a].knots, first_functions[a].knots);
      EXPECT_EQ(functions[a].values, first_functions[a].values);
    }
  }
}

TEST_P(Threads, FitsAndPredictionsGiveTheSameBits) {
  const auto [kernel_name, op_name, n, knots] = GetParam();
  Rng rng(2);
  const Matrix X = rng.normal_matrix(n, 5), Y = naive::targets("square", X, 1, rng);
  FitOptions options = by_rule();
  options.n_particles = 40;
  options.kernel = kernel_name;
  options.kernel_operator = op_name;
  options.knots = knots;
  options.regularization = 1;  // few inner iterations
  options.max_iter = 1;
  options.n_threads = 1;
  const FitResult first = fit(X, Y, options);
  const Matrix predictions = first.model.predict(X, 1);
  for (const int threads : {2, 3, 8}) {
    options.n_threads = threads;
    const FitResult other = fit(X, Y, options);
    EXPECT_EQ(other.W, first.W) << threads;
    EXPECT_EQ(other.alpha, first.alpha) << threads;
    EXPECT_EQ(other.report.objective, first.report.objective) << threads;
    EXPECT_EQ(other.model.predict(X, threads), predictions) << threads;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Threads,
                         testing::Values(Way{"brownian", "sorted", 6000, 0},
                                         Way{"exponential", "sorted", 6000, 0},
                                         Way{"brownian", "knots", 17000, 32},
                                         Way{"brownian", "dense", 200, 0},
                                         Way{"gaussian", "dense", 200, 0}),
                         [](const auto& one) { return one.param.label(); });

TEST(ThreadsTogether, FitsInAForkedChildAndInSeveralThreads) {
  Rng rng(3);
  const Matrix X = rng.normal_matrix(5000, 3), Y = rng.normal_matrix(5000, 1);
  FitOptions options = by_rule();
  options.n_particles = 20;
  options.regularization = 1;
  options.max_iter = 1;
  options.n_threads = 3;
  const Matrix want = fit(X, Y, options).W;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::alarm(kPatience);  // a hang ends the child by a signal
    ::_exit(fit(X, Y, options).W == want ? 0 : 1);
  }
  std::vector<Matrix> found(3);
  std::vector<std::thread> callers;
  for (Matrix& W : found) callers.emplace_back([&] { W = fit(X, Y, options).W; });
  for (std::thread& caller : callers) caller.join();
  for (const Matrix& W : found) EXPECT_EQ(W, want);
  int status = 1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(ThreadsTogether, AnObserverMayThrow) {
  class Thrower : public Observer {
    bool on_iteration(const IterationRecord&, const FitState&) override {
      throw std::runtime_error("enough");
    }
  } thrower;
  Rng rng(4);
  const Matrix X = rng.normal_matrix(50, 3), Y = rng.normal_matrix(50, 1);
  FitOptions options = by_rule();
  options.n_threads = 2;
  const int before = thread_limit();
  EXPECT_THROW(fit({.X = X, .Y = Y}, options, &thrower), std::runtime_error);
  EXPECT_EQ(thread_limit(), before);
}

}  // namespace
}  // namespace bkernn
