#include "loops/knot_passes.hpp"

namespace bkernn::loops {

template <class Place>
void scatter_to_knots(Index n, const Place* place, const double* v, double* pairs) {
  for (Index i = 0; i < n; ++i) {
    double* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    const double moment = static_cast<double>(place[i]) * v[i];
    pair[0] += v[i];
    pair[1] += moment;
  }
}

template <class Place>
void gather_from_knots(Index n, const Place* place, const double* pairs, double* out) {
  for (Index i = 0; i < n; ++i) {
    const double* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    out[i] += pair[0] + static_cast<double>(place[i]) * pair[1];
  }
}

void scatter_to_knots(Index n, const float* place, const double* v, FixedPoint quantum,
                      std::uint64_t* pairs) {
  for (Index i = 0; i < n; ++i) {
    std::uint64_t* pair = pairs + 2 * static_cast<Index>(static_cast<std::int32_t>(place[i]));
    const double moment = static_cast<double>(place[i]) * v[i];
    pair[0] += quantum(v[i]);
    pair[1] += quantum(moment);
  }
}

template void scatter_to_knots(Index, const double*, const double*, double*);
template void scatter_to_knots(Index, const float*, const double*, double*);
template void gather_from_knots(Index, const double*, const double*, double*);
template void gather_from_knots(Index, const float*, const double*, double*);

template <class Number>
void masses_from_pairs(Index knots, const Number* pairs, Number* masses) {
  Number from_left = 0;
  for (Index k = 0; k < knots; ++k) {
    const Number right = pairs[2 * k + 1] - static_cast<Number>(k) * pairs[2 * k];
    masses[k] = pairs[2 * k] - right + from_left;
    from_left = right;
  }
}

template void masses_from_pairs(Index, const double*, double*);
template void masses_from_pairs(Index, const std::uint64_t*, std::uint64_t*);

void lines_from_values(Index knots, const double* values, double* pairs) {
  for (Index k = 0; k < knots; ++k) {
    const double rise = k + 1 < knots ? values[k + 1] - values[k] : 0.0;
    pairs[2 * k] = values[k] - static_cast<double>(k) * rise;
    pairs[2 * k + 1] = rise;
  }
}

void add_histogram(Index n, const float* p, const float* q, const double* w, Index wide,
                   double* H) {
  for (Index i = 0; i < n; ++i) {
    const auto k = static_cast<std::int32_t>(p[i]), l = static_cast<std::int32_t>(q[i]);
    const double u = static_cast<double>(p[i] - static_cast<float>(k));
    const double right = static_cast<double>(q[i] - static_cast<float>(l)) * w[i];
    const double left = w[i] - right;
    double* low = H + static_cast<Index>(k) + wide * static_cast<Index>(l);
    double* high = low + wide;
    low[0] += (1 - u) * left;
    low[1] += u * left;
    high[0] += (1 - u) * right;
    high[1] += u * right;
  }
}

}  // namespace bkernn::loops
