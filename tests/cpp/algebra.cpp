#include "algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace bkernn::naive {

Vector singular_values(const Matrix& A) {
  return Eigen::JacobiSVD<Matrix>(A).singularValues();
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix solve(const Matrix& A, const Matrix& B) {
  return A.fullPivLu().solve(B);
}

Vector least_squares(const Matrix& A, const Vector& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace bkernn::naive
