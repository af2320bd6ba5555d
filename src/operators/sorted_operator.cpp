#include "operators/sorted_operator.hpp"

#include <algorithm>

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

}  // namespace

void SortedOperator::prepare() {
  const Index n = rows(), count = active_count();
  order_.resize(n * count);
  step_.resize(n * count);
  parallel_for(ceil_div(count, kLanes), static_cast<double>(n * count) * 40, [&](Index group) {
    const Index begin = group * kLanes, end = std::min(count, begin + kLanes);
    const Matrix P = project(begin, end);
    Vector sorted(n);
    for (Index a = begin; a < end; ++a) {
      loops::sort_projections(n, P.col(a - begin).data(), order_.data() + a * n, sorted.data());
      markov_.steps(n, sorted.data(), step_.data() + a * n);
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
  for (Index first = 0, width = 0; first < V.cols(); first += width) {
    const Index left = V.cols() - first;
    const Index wide = left > 2 ? 4 : left;  // outputs side by side; three are padded to four
    const double cost = static_cast<double>(n * count * wide);
    width = std::min(left, wide);
    parallel_for(sums, cost, [&](Index s) {
      std::vector<double>& v_out = sums_[s];
      v_out.assign(2 * wide * n, 0.0);
      for (Index q = 0; q < width; ++q) {
        for (Index i = 0; i < n; ++i) v_out[2 * wide * i + q] = V(i, first + q);
      }
      for (Index g = s * groups / sums; g < (s + 1) * groups / sums; ++g) {
        std::array<SortedParticle, kLanes> lanes;
        const Index begin = g * kLanes, end = std::min(count, begin + kLanes);
        for (Index a = begin; a < end; ++a) lanes[a - begin] = particle(a);
        markov_.add_product(n, static_cast<int>(end - begin), lanes.data(), static_cast<int>(wide),
                            v_out.data());
      }
    });
    const double scale = 1.0 / static_cast<double>(W_.cols());
    parallel_rows(n, static_cast<double>(sums * width), [&](Index begin, Index end) {
      for (Index q = 0; q < width; ++q) {
        for (Index i = begin; i < end; ++i) {
          double sum = 0;
          for (Index s = 0; s < sums; ++s) sum += sums_[s][2 * wide * i + wide + q];
          out(i, first + q) = sum * scale;
        }
      }
    });
  }
}

void SortedOperator::add_slopes(Index a, const double* alpha, double* out) const {
  markov_.add_slopes(rows(), particle(a), alpha, out);
}

std::vector<RidgeFunction> SortedOperator::functions(const Matrix& alpha) const {
  const Index n = rows(), count = active_count();
  std::vector<RidgeFunction> functions(count);
  parallel_for(count, static_cast<double>(n * count) * 10, [&](Index a) {
    functions[a] = markov_function(markov_, project(a, a + 1), particle(a), alpha);
  });
  return functions;
}

}  // namespace bkernn
