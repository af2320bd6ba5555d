#include "base/names.hpp"
#include "operators/dense_operator.hpp"
#include "operators/kernel_operator.hpp"
#include "operators/knot_operator.hpp"
#include "operators/sorted_operator.hpp"

namespace bkernn {

std::unique_ptr<KernelOperator> make_operator(const std::string& name, const Matrix& X,
                                              const Kernel& kernel, Index knots,
                                              std::uint64_t seed) {
  require_name("kernel_operator", name, {"sorted", "knots", "dense"});
  if (name == "dense") return std::make_unique<DenseOperator>(X, kernel);
  if (name == "knots") return std::make_unique<KnotOperator>(X, kernel, knots, seed);
  const MarkovKernel* const markov = kernel.markov();
  require(markov != nullptr, "kernel_operator", name,
          "the " + kernel.name() + " kernel needs the dense operator");
  return std::make_unique<SortedOperator>(X, *markov);
}

}  // namespace bkernn
