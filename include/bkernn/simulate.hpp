// Simulated data: the settings of the paper's experiments, and a few more. The rows of X are
// uniform on [−1, 1]^d. y depends on x only through k numbers z = Pᵀx, where P (d×k) has
// orthonormal columns.
//
//   kind            signal                                P                        experiment
//   abs_sum         2π |Σ_a z_a|                          random                   1
//   abs_variables   Σ_a |2π z_a|                          the first k variables    2
//   sine_all        Σ_a sin z_a                           all variables            3, no structure
//   sine_variables  Σ_a sin z_a                           the first k variables    3, few variables
//   sine_features   Σ_a sin z_a                           random                   3, few features
//   wave            sin 2πx                               d = 1                    4
//   square_wave     sign sin 2πx                          d = 1                    4
//   triangle_wave   4 |u − ⌊u⌋ − ½| − 1, u = x + ¾        d = 1                    4
//   abs_sine        |Σ_a sin z_a|                         random                   5
//   multi_index     sin 3z₁ + z₂z₃ + |z₂|                 random, k = 3
//   logistic        P(y = 1), logit 4 (sin 2z₁ + z₂|z₂|)  random, k = 2
//   counts          mean, log 1 + sin 2z₁ + cos 3z₂       random, k = 2
//
// y = signal + noise · N(0, 1), except that logistic draws y ∈ {0, 1} and counts draws Poisson
// numbers.
//
// Order of the draws. It is that of the published experiments: with their seeds, X is theirs bit
// for bit, and P and y are theirs up to rounding. A random P consists of the first k columns of a
// uniformly random orthogonal d×d matrix, and is drawn first. Then follow:
//
//   sine_*     X, X_test, noise, test noise
//   *wave      X, noise
//   others     X, noise, X_test, test noise
//
// The three waves share one stream: square_wave skips the draws of wave, and triangle_wave those of
// both. Their test points are equally spaced from −1 to 1, without noise. Noise is drawn even if
// its level is 0, so that a data set with noise is the one without noise plus the noise.
#pragma once

#include <string>
#include <vector>

#include "bkernn/types.hpp"

namespace bkernn {

struct SimulateOptions {
  std::string kind = "multi_index";
  Index n = 500;
  Index n_test = 0;
  Index d = 10;
  Index k = 0;         // 0: as in the paper or the table; not used by sine_all and the waves
  double noise = 0.1;  // standard deviation; not used by logistic and counts
  std::uint64_t seed = 0;
};

struct SimulatedSet {
  Matrix X;       // n×d
  Matrix Y;       // n×1
  Vector signal;  // y without noise; E[y | x] for logistic and counts
};

struct Simulated {
  SimulatedSet train, test;
  Matrix P;  // d×k; for sine_all and the waves d×d, all variables
};

Simulated simulate(const SimulateOptions& options);

const std::vector<std::string>& simulation_kinds();

}  // namespace bkernn
