#include "loops/sorted_scans.hpp"

#include <array>
#include <type_traits>

#include "loops/instruction_sets.hpp"

namespace bkernn::loops {
namespace {

// Beyond this many bytes the rows (values, sums) leave the second-level cache and are asked for
// ahead of time.
constexpr Index kCache = 800000;
constexpr Index kAhead = 16;

template <int Lanes, int Outputs, bool Prefetch>
[[gnu::always_inline]] inline void brownian_scan(Index n, const SortedParticle* particles,
                                                 double* v_out) {
  using Sums = std::array<double, Outputs>;
  constexpr Index kPair = Index{2} * Outputs;  // values and sums of a row
  std::array<const std::int32_t*, Lanes> order;
  std::array<const double*, Lanes> gap;
  std::array<Sums, Lanes> C{}, h{};
  for (int l = 0; l < Lanes; ++l) {
    order[l] = particles[l].order;
    gap[l] = particles[l].step;
  }
  const auto advance = [&](Index k, int l) {
    double* row = v_out + kPair * order[l][k];
    const double step = gap[l][k];
    for (int q = 0; q < Outputs; ++q) {
      row[Outputs + q] += h[l][q];
      C[l][q] += row[q];
      h[l][q] -= C[l][q] * step;
    }
  };
  Index k = 0;
  if constexpr (Prefetch) {
    for (; k + kAhead < n; ++k) {
      for (int l = 0; l < Lanes; ++l) {
        __builtin_prefetch(v_out + kPair * order[l][k + kAhead], 1);
        advance(k, l);
      }
    }
  }
  for (; k < n; ++k) {
    for (int l = 0; l < Lanes; ++l) advance(k, l);
  }
}

template <int Outputs>
[[gnu::always_inline]] inline void brownian_scans(Index n, int count,
                                                  const SortedParticle* particles, double* v_out) {
  const bool far = Index{16} * Outputs * n > kCache;
  const auto scan = [&](auto lanes) __attribute__((always_inline)) {
    far ? brownian_scan<lanes(), Outputs, true>(n, particles, v_out)
        : brownian_scan<lanes(), Outputs, false>(n, particles, v_out);
  };
  switch (count) {
    case 1:
      return scan(std::integral_constant<int, 1>());
    case 2:
      return scan(std::integral_constant<int, 2>());
    case 3:
      return scan(std::integral_constant<int, 3>());
    default:
      return scan(std::integral_constant<int, 4>());
  }
}

BKERNN_CLONES
void brownian_scans_4(Index n, int count, const SortedParticle* particles, double* v_out) {
  brownian_scans<4>(n, count, particles, v_out);
}

}  // namespace

void brownian_product(Index n, int count, const SortedParticle* particles, int outputs,
                      double* v_out) {
  switch (outputs) {
    case 1:
      return brownian_scans<1>(n, count, particles, v_out);
    case 2:
      return brownian_scans<2>(n, count, particles, v_out);
    default:
      return brownian_scans_4(n, count, particles, v_out);
  }
}

}  // namespace bkernn::loops
