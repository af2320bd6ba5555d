// Where rows stand in memory: neighbors are alike, and no result depends on it.
#include "operators/row_places.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/rng.hpp"
#include "naive.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {
namespace {

struct ManyRows {
  ManyRows() {
    Rng rng(5);
    X = rng.normal_matrix(30001, 4);
    W = rng.normal_matrix(4, 2) * rng.normal_matrix(2, 5);
    V = rng.normal_matrix(X.rows(), 2);
    V.rowwise() -= V.colwise().mean().eval();
  }
  Matrix X, W, V;
};

// h of each row, up to a constant: by an ordinary sort and two running sums.
Vector scan(const Vector& p, const Vector& v) {
  std::vector<Index> order(p.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index i, Index k) { return p(i) < p(k); });
  Vector h(p.size());
  double C = 0, here = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k > 0) here -= C * (p(order[k]) - p(order[k - 1]));
    h(order[k]) = here;
    C += v(order[k]);
  }
  return h;
}

TEST(RowPlaces, GoThereAndBack) {
  const ManyRows rows;
  RowPlaces places;
  places.arrange(rows.X, rows.W);
  ASSERT_TRUE(places.moved());
  const Matrix there = places.arranged(rows.V);
  EXPECT_NE(there, rows.V);
  EXPECT_EQ(places.restored(there), rows.V);
  std::vector<std::int32_t> all(rows.X.rows());
  std::iota(all.begin(), all.end(), 0);
  places.move(all.data(), rows.X.rows());
  EXPECT_EQ(there(all[17], 1), rows.V(17, 1));
}

TEST(RowPlaces, NeighborsHaveSimilarProjections) {
  const ManyRows rows;
  RowPlaces places;
  places.arrange(rows.X, rows.W);
  const auto jumps = [](const Matrix& P) {
    return (P.bottomRows(P.rows() - 1) - P.topRows(P.rows() - 1)).cwiseAbs().mean();
  };
  const Matrix P = rows.X * rows.W;
  EXPECT_LT(jumps(places.arranged(P)), 0.05 * jumps(P));
}

TEST(RowPlaces, FewRowsStandAsTheyAre) {
  const ManyRows rows;
  RowPlaces places;
  places.arrange(rows.X.topRows(1000), rows.W);
  EXPECT_FALSE(places.moved());
  EXPECT_EQ(places.arranged(rows.V), rows.V);
}

TEST(RowPlaces, ProductsAndFunctionsAreThoseOfTheRows) {
  const ManyRows rows;
  const Matrix P = rows.X * rows.W;
  const auto kernel = make_kernel("brownian");
  const auto K = make_operator("sorted", rows.X, *kernel);
  K->set_particles(rows.W);
  Matrix product;
  K->apply(rows.V, product);
  Matrix expected = Matrix::Zero(rows.V.rows(), 2);
  for (Index j = 0; j < 5; ++j)
    for (Index q = 0; q < 2; ++q) expected.col(q) += scan(P.col(j), rows.V.col(q)) / 5;
  EXPECT_LT((product - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  // Functions and gradient follow the same rows.
  const Matrix again = K->predict(rows.V, rows.X.topRows(50));
  EXPECT_LT((again - product.topRows(50)).cwiseAbs().maxCoeff(),
            1e-9 * product.cwiseAbs().maxCoeff());
  const double step = 1e-6;
  Matrix W = rows.W;
  W(1, 2) += step;
  const auto half = [&] { return 0.5 * rows.V.cwiseProduct(product).sum(); };
  const double slope = K->particle_gradient(rows.V)(1, 2), before = half();
  K->set_particles(W);
  K->apply(rows.V, product);
  EXPECT_NEAR((half() - before) / step, slope, 1e-3 * std::abs(slope));
}

}  // namespace
}  // namespace bkernn
