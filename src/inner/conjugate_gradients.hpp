// Preconditioned conjugate gradients for A x = b with A symmetric and positive definite, for all
// columns of b at once. The columns are independent systems with their own step lengths or, if the
// system is coupled(), one system. A system has
//
//   bool coupled()                   whether the columns are one system
//   bool remembers()                 whether to keep r orthogonal to all earlier ones, while M = I
//   bool solved(r, rho)              whether to stop at this residual; rho = rᵀM⁻¹r of each column,
//                                    empty before it is known
//   bool renew(step)                 whether the preconditioner has just been changed
//   void multiply(p, Ap)             Ap = A p
//   const Matrix& precondition(r)    M⁻¹r
//   void moved(lengths)              told of every step x += p·lengths, p as in the last multiply
//   void give_up()                   rounding has made M indefinite: M = I from now on
//
// Without rounding every r is orthogonal to the earlier ones. Rounding errors grow from step to
// step until r is not, and of two systems that differ by rounding the solutions within a loose
// tolerance then differ by as much as that allows: another path for all that follows. A system that
// remembers() pays k products of vectors in step k, and its rounding errors stay what they are.
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// The column sums of a∘b.
inline RowVector column_dots(const Matrix& a, const Matrix& b) {
  return parallel_row_sums(
      a.rows(), a.cols(), static_cast<double>(a.cols()), [&](Index begin, Index end) -> RowVector {
        const Index rows = end - begin;
        return a.middleRows(begin, rows).cwiseProduct(b.middleRows(begin, rows)).colwise().sum();
      });
}

struct CgVectors {
  Matrix x, r;   // the solution, and b − A x: on entry b, on return what is left
  Matrix p, Ap;  // work space
};

// Starts from x = 0. Returns whether the system was solved within `limit` products. The number of
// products is added to `iterations`.
template <class System>
bool conjugate_gradients(System& system, CgVectors& v, int limit, int& iterations) {
  const auto dot = [&](const Matrix& a, const Matrix& b) -> RowVector {
    const RowVector columns = column_dots(a, b);
    return system.coupled() ? RowVector::Constant(columns.size(), columns.sum()) : columns;
  };
  const auto ratio = [](const RowVector& a, const RowVector& b) -> RowVector {
    return a.binaryExpr(b, [](double x, double y) { return y > 0 ? x / y : 0.0; });
  };
  const auto for_rows = [&](const auto& body) {
    parallel_rows(v.r.rows(), static_cast<double>(v.r.cols()),
                  [&](Index begin, Index end) { body(Eigen::seq(begin, end - 1)); });
  };
  std::vector<Matrix> earlier;  // r, each column (or all, if coupled) with norm 1
  const auto remember = [&] {
    const RowVector size = dot(v.r, v.r).cwiseSqrt();
    earlier.push_back(v.r * ratio(RowVector::Ones(size.size()), size).asDiagonal());
  };
  const auto make_orthogonal = [&] {
    for (const Matrix& one : earlier) v.r -= one * dot(one, v.r).asDiagonal();
  };
  v.x.setZero(v.r.rows(), v.r.cols());
  RowVector rho;
  for (int step = 0; step < limit; ++step) {
    if (system.solved(v.r, rho)) return true;
    if (system.renew(step) || step == 0) {
      v.p = system.precondition(v.r);
      rho = dot(v.r, v.p);
      if (step == 0 && system.solved(v.r, rho)) return true;
    }
    if (system.remembers()) remember();
    system.multiply(v.p, v.Ap);
    ++iterations;
    const RowVector length = ratio(rho, dot(v.p, v.Ap));
    system.moved(length);
    for_rows([&](const auto& rows) {
      v.x(rows, Eigen::all) += v.p(rows, Eigen::all) * length.asDiagonal();
      v.r(rows, Eigen::all) -= v.Ap(rows, Eigen::all) * length.asDiagonal();
    });
    if (system.remembers()) make_orthogonal();
    const Matrix& z = system.precondition(v.r);
    const RowVector rho_next = dot(v.r, z);
    if (!(rho_next.array() >= 0).all()) {
      system.give_up();
      v.p = v.r;
      rho = dot(v.r, v.p);
      continue;
    }
    const RowVector turn = ratio(rho_next, rho);
    for_rows([&](const auto& rows) {
      v.p(rows, Eigen::all) = z(rows, Eigen::all) + v.p(rows, Eigen::all) * turn.asDiagonal();
    });
    rho = rho_next;
  }
  return system.solved(v.r, rho);
}

}  // namespace bkernn
