#include "operators/sorted_operator.hpp"

#include <algorithm>
#include <type_traits>

#include "base/parallel.hpp"
#include "loops/projections.hpp"
#include "model/expansion.hpp"

namespace bkernn {
namespace {

constexpr Index kLanes = 4;    // particles that advance together, see MarkovKernel::add_product
constexpr Index kMaxSums = 8;  // private copies of the rows

Index ceil_div(Index a, Index b) {
  return (a + b - 1) / b;
}

// Some columns of V side by side, and behind them, in each row, as many zeros for their sums.
template <Index Wide>
void interleave(const Matrix& V, Index first, Index width, std::vector<double>& v_out) {
  v_out.resize(2 * Wide * V.rows());
  double* row = v_out.data();
  for (Index i = 0; i < V.rows(); ++i, row += 2 * Wide) {
    for (Index q = 0; q < Wide; ++q) {
      row[q] = q < width ? V(i, first + q) : 0;
      row[Wide + q] = 0;
    }
  }
}

// The sums of rows [begin, end) in all copies, times `scale`, into columns of `out`.
template <Index Wide>
void collect(const std::vector<std::vector<double>>& copies, Index begin, Index end, double scale,
             Index first, Index width, Matrix& out) {
  out.block(begin, first, end - begin, width).setZero();
  for (const std::vector<double>& v_out : copies) {
    const double* row = v_out.data() + 2 * Wide * begin + Wide;
    for (Index i = begin; i < end; ++i, row += 2 * Wide) {
      for (Index q = 0; q < Wide; ++q) {
        if (q < width) out(i, first + q) += row[q];
      }
    }
  }
  out.block(begin, first, end - begin, width) *= scale;
}

}  // namespace

void SortedOperator::prepare() {
  const Index n = rows(), count = active_count();
  places_.arrange(X_, W_);
  order_.resize(n * count);
  step_.resize(n * count);
  parallel_for(ceil_div(count, kLanes), static_cast<double>(n * count) * 40, [&](Index group) {
    const Index begin = group * kLanes, end = std::min(count, begin + kLanes);
    const Matrix P = project(begin, end);
    Vector sorted(n);
    for (Index a = begin; a < end; ++a) {
      loops::sort_projections(n, P.col(a - begin).data(), order_.data() + a * n, sorted.data());
      markov_.steps(n, sorted.data(), step_.data() + a * n);
      places_.move(order_.data() + a * n, n);
    }
  });
}

SortedParticle SortedOperator::particle(Index a) const {
  return {order_.data() + a * rows(), step_.data() + a * rows()};
}

void SortedOperator::apply(const Matrix& V, Matrix& out) {
  const Index n = rows(), count = active_count();
  const Index groups = ceil_div(count, kLanes);
  const Index sums = std::clamp<Index>(ceil_div(groups, 4), 1, kMaxSums);
  out.resize(n, V.cols());
  if (count == 0) {
    out.setZero();
    return;
  }
  sums_.resize(sums);
  const double scale = 1.0 / static_cast<double>(W_.cols());
  const Matrix own = arranged(V);
  const auto multiply = [&](auto outputs, Index first, Index width) {
    constexpr int wide = outputs();
    parallel_for(sums, static_cast<double>(n * count * wide), [&](Index s) {
      interleave<wide>(own, first, width, sums_[s]);
      for (Index g = s * groups / sums; g < (s + 1) * groups / sums; ++g) {
        std::array<SortedParticle, kLanes> lanes;
        const Index begin = g * kLanes, end = std::min(count, begin + kLanes);
        for (Index a = begin; a < end; ++a) lanes[a - begin] = particle(a);
        markov_.add_product(n, static_cast<int>(end - begin), lanes.data(), wide, sums_[s].data());
      }
    });
    parallel_rows(n, static_cast<double>(sums * width), [&](Index begin, Index end) {
      collect<wide>(sums_, begin, end, scale, first, width, out);
    });
  };
  for (Index first = 0; first < V.cols(); first += 4) {  // three outputs are padded to four
    const Index width = std::min<Index>(V.cols() - first, 4);
    if (width == 1) multiply(std::integral_constant<int, 1>(), first, width);
    if (width == 2) multiply(std::integral_constant<int, 2>(), first, width);
    if (width > 2) multiply(std::integral_constant<int, 4>(), first, width);
  }
  if (places_.moved()) out = restored(out);
}

void SortedOperator::add_slopes(Index a, const double* alpha, double* out) const {
  markov_.add_slopes(rows(), particle(a), alpha, out);
}

RidgeFunction SortedOperator::function(Index a, const Matrix& alpha) const {
  return markov_function(markov_, arranged(project(a, a + 1)), particle(a), alpha);
}

}  // namespace bkernn
