#include "bkernn/kernel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/names.hpp"
#include "loops/exponential.hpp"
#include "loops/segments.hpp"
#include "loops/sorted_scans.hpp"

namespace bkernn {
namespace {

double sign(double a) {
  return static_cast<double>((a > 0) - (a < 0));
}

// One past the last of the rows that share the projection of sorted row k. `tied` tells it from the
// step.
template <class Tied>
Index end_of_ties(Index n, Index k, const double* step, Tied tied) {
  while (k + 1 < n && tied(step[k])) ++k;
  return k + 1;
}

class Brownian final : public MarkovKernel {
 public:
  std::string name() const override { return "brownian"; }

  void values(Index n, const double* p, double b, double* out) const override {
    for (Index i = 0; i < n; ++i)
      out[i] = 0.5 * (std::abs(p[i]) + std::abs(b) - std::abs(p[i] - b));
  }

  void derivatives(Index n, const double* p, double b, double* out) const override {
    for (Index i = 0; i < n; ++i) out[i] = 0.5 * (sign(p[i]) - sign(p[i] - b));
  }

  FunctionForm function_form() const override { return FunctionForm::lines; }
  bool piecewise_linear() const override { return true; }
  bool homogeneous() const override { return true; }
  double brownian_bound() const override { return 1; }

  void steps(Index n, const double* sorted, double* step) const override {
    for (Index k = 0; k + 1 < n; ++k) step[k] = sorted[k + 1] - sorted[k];
    step[n - 1] = 0;
  }

  void add_product(Index n, int count, const SortedParticle* particles, int outputs,
                   double* v_out) const override {
    loops::brownian_product(n, count, particles, outputs, v_out);
  }

  void add_slopes(Index n, const SortedParticle& particle, const double* v,
                  double* out) const override {
    double C = 0;
    for (Index k = 0; k < n;) {
      const Index end = end_of_ties(n, k, particle.step, [](double gap) { return gap == 0; });
      const double C_before = C;
      for (Index i = k; i < end; ++i) C += v[particle.order[i]];
      const double slope = -0.5 * (C_before + C);
      for (; k < end; ++k) out[particle.order[k]] += v[particle.order[k]] * slope;
    }
  }

  void knot_values(Index n, const SortedParticle& particle, const double* v,
                   double* out) const override {
    double C = 0, h = 0;
    for (Index k = 0; k < n; ++k) {
      out[k] = h;
      C += v[particle.order[k]];
      h -= C * particle.step[k];
    }
  }

  void evaluate(const SegmentFinder& knots, const double* coefficients, Index n, const double* p,
                double* out) const override {
    loops::interpolate_linear(knots, coefficients, n, p, out);
  }
};

class Exponential final : public MarkovKernel {
 public:
  std::string name() const override { return "exponential"; }

  void values(Index n, const double* p, double b, double* out) const override {
    for (Index i = 0; i < n; ++i) out[i] = std::exp(-0.5 * std::abs(p[i] - b));
  }

  void derivatives(Index n, const double* p, double b, double* out) const override {
    for (Index i = 0; i < n; ++i)
      out[i] = -0.5 * sign(p[i] - b) * std::exp(-0.5 * std::abs(p[i] - b));
  }

  FunctionForm function_form() const override { return FunctionForm::decays; }

  // ω²/(ω² + ¼) < 1.
  double brownian_bound() const override { return 1; }

  void steps(Index n, const double* sorted, double* step) const override {
    for (Index k = 0; k + 1 < n; ++k) step[k] = std::exp(-0.5 * (sorted[k + 1] - sorted[k]));
    step[n - 1] = 0;
  }

  // F_k = v_k + e^{−gap/2} F_{k−1} sums what lies at or left of p_(k), its mirror B_k what lies
  // right of it.
  void add_product(Index n, int count, const SortedParticle* particles, int outputs,
                   double* v_out) const override {
    for (int l = 0; l < count; ++l) {
      const std::int32_t* const order = particles[l].order;
      const double* const decay = particles[l].step;
      for (int q = 0; q < outputs; ++q) {
        const auto place = [&](Index k) { return v_out + Index{2} * outputs * order[k] + q; };
        double F = 0, B = 0;
        for (Index k = 0; k < n; ++k) {
          double* row = place(k);
          F += row[0];
          row[outputs] += F;
          F *= decay[k];
        }
        for (Index k = n; k-- > 0;) {
          double* row = place(k);
          B *= decay[k];
          row[outputs] += B;
          B += row[0];
        }
      }
    }
  }

  void add_slopes(Index n, const SortedParticle& particle, const double* v,
                  double* out) const override {
    const auto [order, decay] = particle;
    const auto tied = [](double e) { return e == 1; };
    double left = 0;
    for (Index k = 0; k < n;) {
      const Index end = end_of_ties(n, k, decay, tied);
      double group = 0;
      for (Index i = k; i < end; ++i) group += v[order[i]];
      for (; k < end; ++k) out[order[k]] -= 0.5 * v[order[k]] * left;
      left = (left + group) * decay[end - 1];
    }
    double right = 0;
    for (Index k = n; k > 0;) {
      Index begin = k - 1;
      while (begin > 0 && tied(decay[begin - 1])) --begin;
      double group = 0;
      for (Index i = begin; i < k; ++i) group += v[order[i]];
      for (; k > begin; --k) out[order[k - 1]] += 0.5 * v[order[k - 1]] * right;
      if (begin > 0) right = (right + group) * decay[begin - 1];
    }
  }

  void knot_values(Index n, const SortedParticle& particle, const double* v,
                   double* out) const override {
    const auto [order, decay] = particle;
    double F = 0, B = 0;
    for (Index k = 0; k < n; ++k) {
      F += v[order[k]];
      out[k] = F;
      F *= decay[k];
    }
    for (Index k = n; k-- > 0;) {
      B *= decay[k];
      out[k] += B;
      B += v[order[k]];
    }
  }

  // Between knots h solves h'' = h/4; the two hyperbolic weights are written with e^{−x} only, so
  // they cannot overflow.
  void evaluate(const SegmentFinder& find, const double* coefficients, Index n, const double* p,
                double* out) const override {
    const double *h = coefficients, *t = find.t();
    const Index knots = find.knots();
    for (Index i = 0; i < n; ++i) {
      if (p[i] <= t[0]) {
        out[i] = h[0] * std::exp(-0.5 * (t[0] - p[i]));
      } else if (p[i] >= t[knots - 1]) {
        out[i] = h[knots - 1] * std::exp(-0.5 * (p[i] - t[knots - 1]));
      } else {
        const Index k = find(p[i]);
        const double left = p[i] - t[k], right = t[k + 1] - p[i];
        const double whole = std::expm1(-(t[k + 1] - t[k]));
        out[i] = h[k] * std::exp(-0.5 * left) * std::expm1(-right) / whole +
                 h[k + 1] * std::exp(-0.5 * right) * std::expm1(-left) / whole;
      }
    }
  }
};

class Gaussian final : public Kernel {
 public:
  std::string name() const override { return "gaussian"; }

  void values(Index n, const double* p, double b, double* out) const override {
    loops::gaussian(n, p, b, out);
  }

  void derivatives(Index n, const double* p, double b, double* out) const override {
    loops::gaussian(n, p, b, out);
    for (Index i = 0; i < n; ++i) out[i] *= b - p[i];
  }

  FunctionForm function_form() const override { return FunctionForm::bumps; }

  // √(2π) ω² e^{−ω²/2} is largest at ω² = 2.
  double brownian_bound() const override {
    return 2 * std::sqrt(2 * std::numbers::pi) / std::numbers::e;
  }
};

}  // namespace

void Kernel::evaluate(const SegmentFinder& knots, const double* coefficients, Index n,
                      const double* p, double* out) const {
  const Index count = knots.knots();
  Vector row(count);
  for (Index i = 0; i < n; ++i) {
    values(count, knots.t(), p[i], row.data());
    std::array<double, 4> sum{};  // in this order, whatever the compiler or the processor
    for (Index k = 0; k < count; ++k) sum[k % 4] += coefficients[k] * row(k);
    out[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names{"brownian", "exponential", "gaussian"};
  return names;
}

std::unique_ptr<Kernel> make_kernel(const std::string& name) {
  require_name("kernel", name, kernel_names());
  if (name == "brownian") return std::make_unique<Brownian>();
  if (name == "exponential") return std::make_unique<Exponential>();
  return std::make_unique<Gaussian>();
}

}  // namespace bkernn
