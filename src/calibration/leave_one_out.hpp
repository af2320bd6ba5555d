// Leave-one-out predictions in closed form, for fixed particles W (bkernn/intervals.hpp, "fast").
//
// With features φ_i = L⁻¹ k_i, k_i the kernels of row i with up to 1,000 rows whose own kernel
// matrix is LLᵀ, and a constant, one Newton step of the problem of fit.hpp has the matrix
//
//   A = Σ_i D_i φ_i φ_iᵀ + nλ I    (no λ for the constant),
//
// and the leverage of row i is h_i = D_i φ_iᵀ A⁻¹ φ_i. With all rows it is exact; with some it is
// Nyström's approximation, O(n) in time. Nothing has size n².
#pragma once

#include <vector>

#include "bkernn/kernel.hpp"
#include "bkernn/loss.hpp"
#include "rows/coordinates.hpp"

namespace bkernn {

struct LeaveOneOut {
  std::vector<Index> rows;  // at most 5,000, drawn by `seed`
  Matrix F;                 // predictions of these by a fit without each, rows×q
};

// F: predictions of all rows. λ, rows and F are as the standardized problem sees them. The outputs
// of the loss must not be coupled.
LeaveOneOut leave_one_out(const StandardRows& rows, const Matrix& F, const Matrix& W,
                          const Kernel& kernel, const Loss& loss, double lambda,
                          std::uint64_t seed);

}  // namespace bkernn
