// Products with the kernel operator, sorting, gradients and predictions, on one thread.
// "per_element" is the time per (row × particle); for sorting, per key.
#include <benchmark/benchmark.h>

#include <memory>

#include "base/parallel.hpp"
#include "base/rng.hpp"
#include "bkernn/bkernn.hpp"
#include "loops/projections.hpp"
#include "operators/kernel_operator.hpp"
#include "rows/shard.hpp"

namespace bkernn {
namespace {

constexpr Index kVariables = 20;
constexpr Index kParticles = 50;

struct Problem {
  explicit Problem(Index n) {
    Rng rng(1);
    X = rng.uniform_matrix(n, kVariables);
    W = rng.normal_matrix(kVariables, kParticles);
    v = rng.normal_matrix(n, 1);
    v.array() -= v.mean();
  }
  Matrix X, W, v;
};

void per_element(benchmark::State& state, Index elements) {
  state.counters["per_element"] = benchmark::Counter(
      static_cast<double>(elements),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void product(benchmark::State& state, const char* kernel_name, const char* operator_name,
             Index knots, Index outputs) {
  const ThreadLimit limit(1);
  const Problem problem(state.range(0));
  const Matrix V = problem.v.replicate(1, outputs);
  const auto kernel = make_kernel(kernel_name);
  const auto K = make_operator(operator_name, problem.X, *kernel, knots);
  K->set_particles(problem.W);
  Matrix out;
  for (auto _ : state) {
    K->apply(V, out);
    benchmark::DoNotOptimize(out.data());
  }
  per_element(state, problem.X.rows() * kParticles * outputs);
}

// One pass over the rows of a fit on knots: the functions at every row, weighted, back to the
// knots.
void knot_pass(benchmark::State& state) {
  const ThreadLimit limit(1);
  const Problem problem(state.range(0));
  const Vector s = Vector::Ones(problem.X.rows());
  const auto loss = make_loss("square");
  Shard shard(problem.X, problem.v, s, *loss);
  const Matrix extremes = shard.extremes(problem.W);
  Knots t;
  for (Index a = 0; a < kParticles; ++a)
    t.emplace_back(Vector::LinSpaced(64, -extremes(0, a), extremes(1, a)));
  const Matrix x = Matrix::Constant(63 * kParticles + 1, 1, 0.1);
  const double quantum = FixedPoint::quantum_for(100, static_cast<double>(problem.X.rows()));
  const KnotLayout layout(std::move(t));
  shard.evaluate(&layout, x, quantum);
  for (auto _ : state) benchmark::DoNotOptimize(shard.product(x, quantum));
  per_element(state, problem.X.rows() * kParticles);
}

// What the memory gives to one core: reading, one element after the other.
void reading(benchmark::State& state) {
  const Vector values = Vector::Ones(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(values.sum());
  state.SetBytesProcessed(state.iterations() * state.range(0) * 8);
}

void new_particles(benchmark::State& state, const char* operator_name, Index knots) {
  const ThreadLimit limit(1);
  const Problem problem(state.range(0));
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator(operator_name, problem.X, *kernel, knots);
  for (auto _ : state) K->set_particles(problem.W);
  per_element(state, problem.X.rows() * kParticles);
}

void gradient(benchmark::State& state) {
  const ThreadLimit limit(1);
  const Problem problem(state.range(0));
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", problem.X, *kernel);
  K->set_particles(problem.W);
  for (auto _ : state) benchmark::DoNotOptimize(K->particle_gradient(problem.v));
  per_element(state, problem.X.rows() * kParticles);
}

void sort(benchmark::State& state) {
  const Index n = state.range(0);
  Rng rng(1);
  const Matrix p = rng.normal_matrix(n, 1);
  std::vector<std::int32_t> order(n);
  std::vector<double> sorted(n);
  for (auto _ : state) {
    loops::sort_projections(n, p.data(), order.data(), sorted.data());
    benchmark::DoNotOptimize(order.data());
  }
  per_element(state, n);
}

void predict(benchmark::State& state) {
  const Simulated data =
      simulate({.kind = "multi_index", .n = state.range(0), .n_test = 20000, .d = kVariables});
  FitOptions options;
  options.max_iter = 3;
  options.n_particles = kParticles;
  options.penalty = "feature";
  options.regularization_rule = "rule";
  const Model model = fit(data.train.X, data.train.Y, options).model;
  for (auto _ : state) benchmark::DoNotOptimize(model.predict(data.test.X, 1));
  state.counters["rows_per_second"] = benchmark::Counter(
      static_cast<double>(data.test.X.rows()), benchmark::Counter::kIsIterationInvariantRate);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(product, sorted_brownian, "brownian", "sorted", 0, 1)->Apply(sizes);
BENCHMARK_CAPTURE(product, sorted_brownian_4_outputs, "brownian", "sorted", 0, 4)->Apply(sizes);
BENCHMARK_CAPTURE(product, knots64_brownian, "brownian", "knots", 64, 1)->Apply(sizes);
BENCHMARK_CAPTURE(product, sorted_exponential, "exponential", "sorted", 0, 1)->Apply(sizes);
BENCHMARK_CAPTURE(new_particles, sorted, "sorted", 0)->Apply(sizes);
BENCHMARK_CAPTURE(new_particles, knots64, "knots", 64)->Apply(sizes);
BENCHMARK(knot_pass)->Apply(sizes);
BENCHMARK(gradient)->Apply(sizes);
BENCHMARK(sort)->Apply(sizes);
BENCHMARK(reading)->Arg(32000000)->Unit(benchmark::kMillisecond);
BENCHMARK(predict)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace bkernn
