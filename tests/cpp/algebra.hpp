// The decompositions that the oracles need, compiled once: they take the compiler longer than all
// else in a test.
#pragma once

#include "bkernn/types.hpp"

namespace bkernn::naive {

// Decreasing.
Vector singular_values(const Matrix& A);

// Increasing, of a symmetric matrix.
Vector symmetric_eigenvalues(const Matrix& A);

// A⁻¹B by elimination with full pivoting.
Matrix solve(const Matrix& A, const Matrix& B);

// The shortest x that minimizes ‖Ax − b‖₂.
Vector least_squares(const Matrix& A, const Vector& b);

}  // namespace bkernn::naive
