// Shared vocabulary: dense matrices of double, column-major, and read-only views of them.
//
//   n  rows (samples)      d  columns (variables)      m  particles (directions)      q  outputs
//
//   X  n×d data     W  d×m, one particle per column     Y  n×q targets     α  n×q dual variables
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace bkernn {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using RowVector = Eigen::RowVectorXd;
using Matrix = Eigen::MatrixXd;

// Any dense matrix of double in memory, whatever its strides (C order, Fortran order, a slice).
// Passing one copies nothing.
using MatrixView = Eigen::Ref<const Matrix, 0, Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>>;
using VectorView = Eigen::Ref<const Vector, 0, Eigen::InnerStride<Eigen::Dynamic>>;

}  // namespace bkernn
