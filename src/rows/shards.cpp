#include "rows/shards.hpp"

#include <algorithm>

#include "base/rng.hpp"

namespace bkernn {

void Evaluation::add(const Evaluation& more) {
  loss += more.loss;
  squares += more.squares;
  largest = std::max(largest, more.largest);
  curvature = std::max(curvature, more.curvature);
  max_abs_z = std::max(max_abs_z, more.max_abs_z);
  if (more.gradient.size() > 0) gradient += more.gradient;
}

StandardRows sample_rows(Shards& shards, Index n, Index count, std::uint64_t seed) {
  StandardRows sample = shards.rows(Rng(seed).sample(n, count));
  sample.s *= static_cast<double>(sample.s.size()) / sample.s.sum();
  return sample;
}

}  // namespace bkernn
