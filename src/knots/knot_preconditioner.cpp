#include "knots/knot_preconditioner.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace bkernn {
namespace {

// The factorized system has at most so many unknowns, as far as four knots per particle allow, and
// so many rows for each.
constexpr Index kUnknowns = 3200;
constexpr Index kRowsPerUnknown = 6;
constexpr Index kFewRows =
    5000;  // where products are so cheap that factorizing is not: so many more rows for each
constexpr Index kFewRowsPerUnknown = 10;

// The diagonals of the blocks BᵀDB + stiffness·P of each particle, and the entries below them.
void tridiagonal_blocks(const Places& place, const Knots& t, const Vector& D, double stiffness,
                        Vector& diagonal, Vector& below) {
  const std::vector<Index> first = first_unknowns(t);
  diagonal.setZero(first.back());
  below.setZero(first.back());
  for (Index a = 0; a < place.cols(); ++a) {
    const auto unknown = [&](Index knot) { return first[a] + knot - 1; };
    for (Index i = 0; i < place.rows(); ++i) {
      const auto k = static_cast<Index>(place(i, a));
      const double u = static_cast<double>(place(i, a)) - static_cast<double>(k);
      if (k > 0) diagonal(unknown(k)) += D(i) * (1 - u) * (1 - u);
      if (u == 0) continue;
      diagonal(unknown(k + 1)) += D(i) * u * u;
      if (k > 0) below(unknown(k)) += D(i) * u * (1 - u);
    }
    for (Index k = 0; k + 1 < t[a].size(); ++k) {
      const double spring = stiffness / (t[a](k + 1) - t[a](k));
      diagonal(unknown(k + 1)) += spring;
      if (k == 0) continue;
      diagonal(unknown(k)) += spring;
      below(unknown(k)) -= spring;
    }
  }
}

}  // namespace

KnotPreconditioner::CoarseKnots KnotPreconditioner::choose(const Knots& t, Index rows) {
  CoarseKnots coarse;
  const auto particles = static_cast<Index>(t.size());
  const Index each = rows < kFewRows ? kFewRowsPerUnknown : kRowsPerUnknown;
  const Index unknowns = std::min(kUnknowns, rows / each);
  const Index most = std::max<Index>(4, unknowns / std::max<Index>(1, particles)) + 1;
  coarse.same = most_knots(t) <= most;
  for (const Vector& knots : t) {
    const Index all = knots.size(), some = std::min(all, most);
    std::vector<Index> index(some);
    for (Index k = 0; k < some; ++k) index[k] = some > 1 ? k * (all - 1) / (some - 1) : 0;
    coarse.t.emplace_back(knots(index));
    coarse.index.push_back(std::move(index));
  }
  return coarse;
}

Places KnotPreconditioner::place(const Matrix& P, const Knots& t) {
  Places places(P.rows(), P.cols());
  parallel_for(P.cols(), static_cast<double>(P.size()) * 10, [&](Index a) {
    place_on_knots(t[a], P.rows(), P.col(a).data(), places.col(a).data());
  });
  return places;
}

KnotPreconditioner::KnotPreconditioner(const Matrix& P, const Knots& t, const Vector& D,
                                       double stiffness)
    : t_(t), chosen_(choose(t, P.rows())), coarse_(place(P, chosen_.t), chosen_.t, D, stiffness) {
  if (chosen_.same) return;
  tridiagonal_blocks(place(P, t), t, D, stiffness, diagonal_, below_);
  const std::vector<Index> first = first_unknowns(t);
  for (std::size_t a = 0; a < t.size(); ++a) {
    for (Index u = first[a] + 1; u < first[a + 1]; ++u) {
      const double entry = below_(u - 1);
      below_(u - 1) = entry / diagonal_(u - 1);
      diagonal_(u) -= below_(u - 1) * entry;
    }
    if (first[a + 1] > first[a]) below_(first[a + 1] - 1) = 0;
  }
}

// body(fine unknown, coarse unknown to its right, share of that one): the share of the one to its
// left, if there is one, is the rest.
template <class Body>
void KnotPreconditioner::for_fine_knots(const Body& body) const {
  Index fine = 0, coarse = 0;
  for (std::size_t a = 0; a < t_.size(); ++a) {
    const std::vector<Index>& index = chosen_.index[a];
    for (std::size_t k = 0; k + 1 < index.size(); ++k) {
      const double left = t_[a](index[k]), right = t_[a](index[k + 1]);
      for (Index i = index[k] + 1; i <= index[k + 1]; ++i)
        body(fine++, coarse + static_cast<Index>(k), (t_[a](i) - left) / (right - left), k > 0);
    }
    coarse += static_cast<Index>(index.size()) - 1;
  }
}

const Matrix& KnotPreconditioner::apply(const Matrix& r) {
  z_.setZero(r.rows(), r.cols());
  const Index last = r.rows() - 1;
  const Vector& masses = coarse_.masses();
  for (Index q = 0; q < r.cols(); ++q) {
    Vector theta = Vector::Zero(coarse_.unknowns());
    for_fine_knots([&](Index fine, Index right, double share, bool has_left) {
      theta(right) += share * r(fine, q);
      if (has_left) theta(right - 1) += (1 - share) * r(fine, q);
    });
    theta -= masses * (r(last, q) / coarse_.total());
    coarse_.solve(theta);
    z_(last, q) = (r(last, q) - masses.dot(theta)) / coarse_.total();
    for_fine_knots([&](Index fine, Index right, double share, bool has_left) {
      z_(fine, q) = share * theta(right) + (has_left ? (1 - share) * theta(right - 1) : 0.0);
    });
  }
  if (!chosen_.same) add_fine(r, z_);
  return z_;
}

void KnotPreconditioner::add_fine(const Matrix& r, Matrix& z) const {
  const Index unknowns = diagonal_.size();
  Vector v(unknowns);
  for (Index q = 0; q < r.cols(); ++q) {
    v = r.col(q).head(unknowns);
    for (Index u = 1; u < unknowns; ++u) v(u) -= below_(u - 1) * v(u - 1);
    v.array() /= diagonal_.array();
    for (Index u = unknowns - 1; u > 0; --u) v(u - 1) -= below_(u - 1) * v(u);
    z.col(q).head(unknowns) += v;
  }
}

}  // namespace bkernn
