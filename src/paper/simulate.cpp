#include "bkernn/simulate.hpp"

#include <cmath>
#include <numbers>

#include "base/names.hpp"
#include "base/rng.hpp"
#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr double kPi = std::numbers::pi;

enum class Directions { random, first_variables, all_variables };
enum class Response { gaussian, bernoulli, poisson };
enum class Order { set_by_set, inputs_first, waves };

struct Kind {
  const char* name;
  double (*signal)(const RowVector& z);
  Index usual_k;
  Directions directions;
  Order order;
  Response response;
  bool only_usual_k;
};

double abs_sum(const RowVector& z) {
  return std::abs(2 * kPi * z.sum());
}

double sum_of_abs(const RowVector& z) {
  return (2 * kPi * z).cwiseAbs().sum();
}

double sum_of_sines(const RowVector& z) {
  return z.array().sin().sum();
}

double abs_of_sines(const RowVector& z) {
  return std::abs(sum_of_sines(z));
}

double wave(const RowVector& z) {
  return std::sin(2 * kPi * z(0));
}

double square_wave(const RowVector& z) {
  const double s = wave(z);
  return s > 0 ? 1 : s < 0 ? -1 : 0;
}

double triangle_wave(const RowVector& z) {
  const double u = z(0) + 1 - 0.25;
  return 4 * std::abs(u - std::floor(u) - 0.5) - 1;
}

double multi_index(const RowVector& z) {
  return std::sin(3 * z(0)) + z(1) * z(2) + std::abs(z(1));
}

double class_probability(const RowVector& z) {
  return 1 / (1 + std::exp(-4 * (std::sin(2 * z(0)) + z(1) * std::abs(z(1)))));
}

double mean_count(const RowVector& z) {
  return std::exp(1 + std::sin(2 * z(0)) + std::cos(3 * z(1)));
}

using enum Directions;
using enum Response;
using enum Order;

constexpr Kind kKinds[] = {
    {"abs_sum", abs_sum, 5, random, set_by_set, gaussian, false},
    {"abs_variables", sum_of_abs, 5, first_variables, set_by_set, gaussian, false},
    {"sine_all", sum_of_sines, 0, all_variables, inputs_first, gaussian, false},
    {"sine_variables", sum_of_sines, 5, first_variables, inputs_first, gaussian, false},
    {"sine_features", sum_of_sines, 5, random, inputs_first, gaussian, false},
    {"wave", wave, 0, all_variables, waves, gaussian, false},
    {"square_wave", square_wave, 0, all_variables, waves, gaussian, false},
    {"triangle_wave", triangle_wave, 0, all_variables, waves, gaussian, false},
    {"abs_sine", abs_of_sines, 3, random, set_by_set, gaussian, false},
    {"multi_index", multi_index, 3, random, set_by_set, gaussian, true},
    {"logistic", class_probability, 2, random, set_by_set, bernoulli, true},
    {"counts", mean_count, 2, random, set_by_set, poisson, true},
};

const Kind& find_kind(const std::string& name) {
  require_name("kind", name, simulation_kinds());
  const Kind* kind = kKinds;
  while (name != kind->name) ++kind;
  return *kind;
}

Index checked_k(const SimulateOptions& options, const Kind& kind) {
  const std::string of_kind = " for kind \"" + options.kind + "\"";
  require(options.n >= 1, "n", options.n, "must be at least 1");
  require(options.n_test >= 0, "n_test", options.n_test, "must be at least 0");
  require(options.d >= 1, "d", options.d, "must be at least 1");
  require(options.noise >= 0 && std::isfinite(options.noise), "noise", options.noise,
          "must be at least 0 and finite");
  if (kind.order == waves) require(options.d == 1, "d", options.d, "must be 1" + of_kind);
  if (kind.directions == all_variables) return options.d;
  const Index k = options.k == 0 ? kind.usual_k : options.k;
  require(k >= 1, "k", k, "must be at least 1");
  if (kind.only_usual_k) {
    require(k == kind.usual_k, "k", k, "must be " + std::to_string(kind.usual_k) + of_kind);
  }
  require(k <= options.d, "k", k, "must be at most d = " + std::to_string(options.d) + of_kind);
  return k;
}

class Simulation {
 public:
  Simulation(const SimulateOptions& options, const Kind& kind, Index k)
      : kind_(kind), n_(options.n), d_(options.d), noise_(options.noise), rng_(options.seed) {
    P_ = kind.directions == random ? Matrix(random_orthogonal(d_, rng_).leftCols(k))
                                   : Matrix(Matrix::Identity(d_, k));
  }

  Simulated run(Index n_test) {
    Simulated data;
    switch (kind_.order) {
      case set_by_set:
        data.train = respond(inputs(n_));
        data.test = respond(inputs(n_test));
        break;
      case inputs_first: {
        Matrix X = inputs(n_);
        Matrix X_test = inputs(n_test);
        data.train = respond(std::move(X));
        data.test = respond(std::move(X_test));
        break;
      }
      case waves:
        leave_out_earlier_waves();
        data.train = respond(inputs(n_));
        data.test = without_noise(Vector::LinSpaced(n_test, -1, n_test > 1 ? 1 : -1));
        break;
    }
    data.P = std::move(P_);
    return data;
  }

 private:
  Matrix inputs(Index n) { return 2 * rng_.uniform_matrix(n, d_).array() - 1; }

  void leave_out_earlier_waves() {
    for (const char* name : {"wave", "square_wave"}) {
      if (std::string(name) == kind_.name) return;
      rng_.uniform_matrix(n_, 1);
      rng_.normal_matrix(n_, 1);
    }
  }

  SimulatedSet without_noise(Matrix X) const {
    const Matrix Z = X * P_;
    Vector signal(X.rows());
    for (Index i = 0; i < X.rows(); ++i) signal(i) = kind_.signal(Z.row(i));
    return {std::move(X), signal, signal};
  }

  SimulatedSet respond(Matrix X) {
    SimulatedSet set = without_noise(std::move(X));
    for (double& y : set.Y.reshaped()) {
      switch (kind_.response) {
        case gaussian:
          y += noise_ * rng_.normal();
          break;
        case bernoulli:
          y = rng_.uniform() < y ? 1 : 0;
          break;
        case poisson:
          y = rng_.poisson(y);
          break;
      }
    }
    return set;
  }

  const Kind& kind_;
  const Index n_, d_;
  const double noise_;
  Rng rng_;
  Matrix P_;
};

}  // namespace

Simulated simulate(const SimulateOptions& options) {
  const Kind& kind = find_kind(options.kind);
  const Index k = checked_k(options, kind);
  return Simulation(options, kind, k).run(options.n_test);
}

const std::vector<std::string>& simulation_kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Kind& kind : kKinds) all.emplace_back(kind.name);
    return all;
  }();
  return names;
}

}  // namespace bkernn
