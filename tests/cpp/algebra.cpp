#include "algebra.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace bkernn::naive {

Vector singular_values(const Matrix& A) {
  return Eigen::JacobiSVD<Matrix>(A).singularValues();
}

std::pair<Vector, Matrix> left_singular(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinU);
  return {svd.singularValues(), svd.matrixU()};
}

Vector symmetric_eigenvalues(const Matrix& A) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix symmetric_root(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  const Vector roots = solver.eigenvalues().cwiseMax(0).cwiseSqrt();
  return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

Matrix solve(const Matrix& A, const Matrix& B) {
  return A.fullPivLu().solve(B);
}

Vector least_squares(const Matrix& A, const Vector& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace bkernn::naive
