#include "loops/projections.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "loops/instruction_sets.hpp"

namespace bkernn::loops {

namespace {

constexpr Index kRows = 256;  // of X at a time, so that sums stay in the first cache
constexpr Index kDepth = 64;  // of its columns

BKERNN_CLONES
void add_columns(Index n, const double* x0, const double* x1, const double* x2, const double* x3,
                 const double* w, double* p) {
  for (Index i = 0; i < n; ++i)
    p[i] = (((p[i] + w[0] * x0[i]) + w[1] * x1[i]) + w[2] * x2[i]) + w[3] * x3[i];
}

BKERNN_CLONES
void add_column(Index n, const double* x, double w, double* p) {
  for (Index i = 0; i < n; ++i) p[i] += w * x[i];
}

}  // namespace

void project(Index n, Index d, Index m, const double* X, Index ldx, const double* W, Index ldw,
             double* P, Index ldp) {
  std::vector<Index> used;  // variables that some particle looks at
  for (Index a = 0; a < d; ++a) {
    for (Index j = 0; j < m; ++j) {
      if (W[a + j * ldw] == 0) continue;
      used.push_back(a);
      break;
    }
  }
  const auto count = static_cast<Index>(used.size());
  for (Index row = 0; row < n; row += kRows) {
    const Index rows = std::min(kRows, n - row);
    const auto x = [&](Index k) { return X + row + used[k] * ldx; };
    for (Index j = 0; j < m; ++j) std::fill_n(P + row + j * ldp, rows, 0.0);
    for (Index begin = 0; begin < count; begin += kDepth) {
      const Index end = std::min(count, begin + kDepth);
      for (Index j = 0; j < m; ++j) {
        double* p = P + row + j * ldp;
        const auto w = [&](Index k) { return W[used[k] + j * ldw]; };
        Index k = begin;
        for (; k + 4 <= end; k += 4) {
          const std::array<double, 4> four{w(k), w(k + 1), w(k + 2), w(k + 3)};
          add_columns(rows, x(k), x(k + 1), x(k + 2), x(k + 3), four.data(), p);
        }
        for (; k < end; ++k) add_column(rows, x(k), w(k), p);
      }
    }
  }
}

namespace {

BKERNN_CLONES
void add_four_products(Index n, const double* x0, const double* x1, const double* x2,
                       const double* x3, const double* r, FixedPoint quantum, std::uint64_t* out) {
  std::uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  for (Index i = 0; i < n; ++i) {
    s0 += quantum(x0[i] * r[i]);
    s1 += quantum(x1[i] * r[i]);
    s2 += quantum(x2[i] * r[i]);
    s3 += quantum(x3[i] * r[i]);
  }
  out[0] += s0;
  out[1] += s1;
  out[2] += s2;
  out[3] += s3;
}

}  // namespace

void add_products(Index n, Index d, const double* X, Index ldx, const double* r, FixedPoint quantum,
                  std::uint64_t* out) {
  Index a = 0;
  for (; a + 4 <= d; a += 4) {
    const double* x = X + a * ldx;
    add_four_products(n, x, x + ldx, x + 2 * ldx, x + 3 * ldx, r, quantum, out + a);
  }
  if (a == d) return;
  const auto x = [&](Index k) { return X + std::min(a + k, d - 1) * ldx; };
  std::array<std::uint64_t, 4> rest{};
  add_four_products(n, x(0), x(1), x(2), x(3), r, quantum, rest.data());
  for (Index k = 0; a + k < d; ++k) out[a + k] += rest[k];
}

namespace {

// Keys are the projections' places on a grid of 2^bits cells over their range, so that equal keys
// are rare; the row number travels in the lower half.
struct Keys {
  std::vector<std::uint64_t> now, next;
};

void radix_pass(Keys& keys, int shift, int bits) {
  const std::size_t buckets = std::size_t{1} << bits;
  const std::uint64_t mask = buckets - 1;
  thread_local std::vector<std::uint32_t> start;
  start.assign(buckets + 1, 0);
  for (const std::uint64_t key : keys.now) ++start[((key >> shift) & mask) + 1];
  for (std::size_t b = 1; b <= buckets; ++b) start[b] += start[b - 1];
  for (const std::uint64_t key : keys.now) keys.next[start[(key >> shift) & mask]++] = key;
  keys.now.swap(keys.next);
}

}  // namespace

void sort_projections(Index n, const double* p, std::int32_t* order, double* sorted) {
  const auto [low, high] = std::minmax_element(p, p + n);
  const double range = *high - *low;
  const int digit = n <= 8192 ? 8 : 11;
  const int digits = n <= 1 << 20 ? 2 : 3;
  const int bits = std::min(32, digit * digits);
  const double cells = static_cast<double>((std::uint64_t{1} << bits) - 1);
  const double scale = range > 1e-280 ? cells / range : 0.0;

  thread_local Keys keys;
  keys.now.resize(n);
  keys.next.resize(n);
  for (Index i = 0; i < n; ++i) {
    const auto cell = static_cast<std::uint64_t>(std::min((p[i] - *low) * scale, cells));
    keys.now[i] = cell << 32 | static_cast<std::uint64_t>(i);
  }
  for (int pass = 0; pass < digits; ++pass) {
    radix_pass(keys, 32 + pass * digit, std::min(digit, bits - pass * digit));
  }

  for (Index k = 0; k < n; ++k) {
    order[k] = static_cast<std::int32_t>(keys.now[k] & 0xffffffffu);
    sorted[k] = p[order[k]];
  }
  // Within a cell the true values decide. Rows of one cell stand together, in the order of their
  // numbers.
  const auto before = [p](std::int32_t a, std::int32_t b) {
    // cppcheck-suppress arrayIndexThenCheck  // ties, not limits
    return p[a] < p[b] || (p[a] == p[b] && a < b);
  };
  for (Index k = 1; k < n; ++k) {
    if (!(sorted[k] < sorted[k - 1])) continue;
    const std::uint64_t cell = keys.now[k] >> 32;
    Index begin = k - 1, end = k + 1;
    while (begin > 0 && keys.now[begin - 1] >> 32 == cell) --begin;
    while (end < n && keys.now[end] >> 32 == cell) ++end;
    std::sort(order + begin, order + end, before);
    for (Index i = begin; i < end; ++i) sorted[i] = p[order[i]];
  }
}

}  // namespace bkernn::loops
