#include "loops/knot_passes.hpp"

#include <algorithm>

#include "loops/instruction_sets.hpp"

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

BKERNN_CLONES
void split_places(Index n, const float* place, std::int32_t* segment, double* fraction) {
  for (Index i = 0; i < n; ++i) {
    segment[i] = static_cast<std::int32_t>(place[i]);
    fraction[i] = static_cast<double>(place[i] - static_cast<float>(segment[i]));
  }
}

BKERNN_CLONES
void add_moments(Index n, const std::int32_t* k, const double* u, const std::int32_t* l,
                 const double* v, const double* w, Index wide, Moments* cells) {
  for (Index i = 0; i < n; ++i) {
    Moments& cell = cells[k[i] + wide * l[i]];
    const double wu = w[i] * u[i], wv = w[i] * v[i], wuv = wu * v[i];
    cell.w += w[i];
    cell.wu += wu;
    cell.wv += wv;
    cell.wuv += wuv;
  }
}

void hats_from_moments(Index wide, const Moments* cells, double* H) {
  std::fill_n(H, wide * wide, 0.0);
  for (Index l = 0; l + 1 < wide; ++l) {
    for (Index k = 0; k + 1 < wide; ++k) {
      const Moments& cell = cells[k + wide * l];
      double* low = H + k + wide * l;
      double* high = low + wide;
      low[0] += (cell.w - cell.wu) - (cell.wv - cell.wuv);
      low[1] += cell.wu - cell.wuv;
      high[0] += cell.wv - cell.wuv;
      high[1] += cell.wuv;
    }
  }
}

}  // namespace bkernn::loops
