#include "knots/knot_preconditioner.hpp"

#include <algorithm>

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
void tridiagonal_blocks(const Places& place, const KnotLayout& layout, const Vector& D,
                        double stiffness, Vector& diagonal, Vector& below) {
  diagonal.setZero(layout.unknowns());
  below.setZero(layout.unknowns());
  for (Index a = 0; a < place.cols(); ++a) {
    const auto unknown = [&](Index knot) { return layout.first(a) + knot - 1; };
    for (Index i = 0; i < place.rows(); ++i) {
      const auto k = static_cast<Index>(place(i, a));
      const double u = static_cast<double>(place(i, a)) - static_cast<double>(k);
      if (k > 0) diagonal(unknown(k)) += D(i) * (1 - u) * (1 - u);
      if (u == 0) continue;
      diagonal(unknown(k + 1)) += D(i) * u * u;
      if (k > 0) below(unknown(k)) += D(i) * u * (1 - u);
    }
  }
  layout.for_springs(stiffness, [&](Index right, bool has_left, double spring) {
    diagonal(right) += spring;
    if (!has_left) return;
    diagonal(right - 1) += spring;
    below(right - 1) -= spring;
  });
}

}  // namespace

KnotPreconditioner::CoarseKnots KnotPreconditioner::choose(const KnotLayout& layout, Index rows) {
  CoarseKnots coarse;
  const Index each = rows < kFewRows ? kFewRowsPerUnknown : kRowsPerUnknown;
  const Index unknowns = std::min(kUnknowns, rows / each);
  const Index most = std::max<Index>(4, unknowns / std::max<Index>(1, layout.particles())) + 1;
  coarse.same = layout.most_knots() <= most;
  Knots t;
  for (Index a = 0; a < layout.particles(); ++a) {
    const Vector& knots = layout.knots(a);
    const Index all = knots.size(), some = std::min(all, most);
    std::vector<Index> index(some);
    for (Index k = 0; k < some; ++k) index[k] = some > 1 ? k * (all - 1) / (some - 1) : 0;
    t.emplace_back(knots(index));
    coarse.index.push_back(std::move(index));
  }
  coarse.layout = KnotLayout(std::move(t));
  return coarse;
}

KnotPreconditioner::KnotPreconditioner(const Matrix& P, const KnotLayout& layout, const Vector& D,
                                       double stiffness)
    : layout_(layout),
      chosen_(choose(layout, P.rows())),
      coarse_(chosen_.layout.place(P), chosen_.layout, D, stiffness) {
  if (chosen_.same) return;
  tridiagonal_blocks(layout.place(P), layout, D, stiffness, diagonal_, below_);
  for (Index a = 0; a < layout.particles(); ++a) {
    const Index first = layout.first(a), end = first + layout.unknowns(a);
    for (Index u = first + 1; u < end; ++u) {
      const double entry = below_(u - 1);
      below_(u - 1) = entry / diagonal_(u - 1);
      diagonal_(u) -= below_(u - 1) * entry;
    }
    if (end > first) below_(end - 1) = 0;
  }
}

// body(fine unknown, coarse unknown to its right, share of that one): the share of the one to its
// left, if there is one, is the rest.
template <class Body>
void KnotPreconditioner::for_fine_knots(const Body& body) const {
  Index fine = 0;
  for (Index a = 0; a < layout_.particles(); ++a) {
    const Vector& t = layout_.knots(a);
    const std::vector<Index>& index = chosen_.index[a];
    for (std::size_t k = 0; k + 1 < index.size(); ++k) {
      const double left = t(index[k]), right = t(index[k + 1]);
      const Index coarse = chosen_.layout.first(a) + static_cast<Index>(k);
      for (Index i = index[k] + 1; i <= index[k + 1]; ++i)
        body(fine++, coarse, (t(i) - left) / (right - left), k > 0);
    }
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
