// Random numbers that are the same everywhere: the standard library fixes its generators but not
// its distributions, so these are our own.
//
// The stream is that of NumPy's legacy generator: Rng(seed) draws bit for bit what
// numpy.random.RandomState(seed) draws, so data simulated here can be compared number by number
// with data simulated there.
//
//   uniform  two 32-bit words make one double with 53 random bits, (2²⁶·(a >> 5) + (b >> 6)) / 2⁵³
//   normal   Marsaglia's polar method: (u, v) uniform on the unit disc and r² = u² + v² give two
//            values, s·v, returned first, and s·u, kept for the next call; s = √(−2 log r² / r²)
//
// The kept value survives calls of anything else, as it does in NumPy.
#pragma once

#include <random>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

class Rng {
 public:
  // Seeds below 2³² are those of RandomState. Larger ones, which NumPy refuses, give streams of
  // their own.
  explicit Rng(std::uint64_t seed);

  // Uniform on [0, 1).
  double uniform();

  // Standard normal.
  double normal();

  // Poisson with mean ≥ 0: how many arrivals at unit rate fall before `mean`, O(mean) draws. Not
  // NumPy's.
  double poisson(double mean);

  // Uniform on {0, …, n − 1}, n ≥ 1, without the bias of a remainder: bits are drawn again until
  // they are below n. Not NumPy's.
  Index index(Index n);

  // Every order equally likely (Fisher and Yates). Not NumPy's.
  void shuffle(std::vector<Index>& values);

  // `wanted` of 0 … n−1, increasing; all of them if wanted ≥ n. Not NumPy's.
  std::vector<Index> sample(Index n, Index wanted);

  // Filled row after row, as rand(rows, cols) and randn(rows, cols) are.
  Matrix uniform_matrix(Index rows, Index cols);
  Matrix normal_matrix(Index rows, Index cols);

 private:
  std::mt19937 engine_;
  double kept_normal_ = 0;
  bool has_kept_normal_ = false;
};

// A d×d orthogonal matrix, uniform (Haar): Q of the QR decomposition of a standard normal matrix,
// with the signs that make the diagonal of R positive (without them Q is not uniform: Mezzadri
// 2007). Equals scipy.stats.ortho_group.rvs(d) up to rounding.
Matrix random_orthogonal(Index d, Rng& rng);

}  // namespace bkernn
