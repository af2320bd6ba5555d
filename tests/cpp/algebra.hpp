// The decompositions that the oracles need, compiled once: they take the compiler longer than all
// else in a test.
#pragma once

#include <utility>

#include "bkernn/types.hpp"

namespace bkernn::naive {

// Decreasing.
Vector singular_values(const Matrix& A);

// A's singular values, decreasing, and its left singular vectors, one per column.
std::pair<Vector, Matrix> left_singular(const Matrix& A);

// Increasing, of a symmetric matrix.
Vector symmetric_eigenvalues(const Matrix& A);

// The symmetric R with RR = A, of a positive semidefinite matrix.
Matrix symmetric_root(const Matrix& A);

// A⁻¹B by elimination with full pivoting.
Matrix solve(const Matrix& A, const Matrix& B);

// The shortest x that minimizes ‖Ax − b‖₂.
Vector least_squares(const Matrix& A, const Vector& b);

}  // namespace bkernn::naive
