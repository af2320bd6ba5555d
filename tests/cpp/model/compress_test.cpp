// Fewer knots, within the bound that is promised.
#include <gtest/gtest.h>

#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "by_rule.hpp"
#include "naive.hpp"

namespace bkernn {
namespace {

class Compress : public testing::Test {
 protected:
  Compress() {
    Rng rng(2);
    X = rng.normal_matrix(500, 3);
    Matrix Y(500, 2);
    Y.col(0) = X.col(0).array().sin() + 0.1 * rng.normal_matrix(500, 1).array();
    Y.col(1) = X.col(1).array().abs();
    FitOptions options = by_rule();
    options.n_particles = 8;
    options.max_iter = 20;
    model = fit(X, Y, options).model;
    Z = 3 * rng.normal_matrix(4000, 3);  // also far outside
  }
  static Index knots(const Model& model) {
    Index sum = 0;
    for (const RidgeFunction& h : model.functions) sum += h.knots.size();
    return sum;
  }
  Matrix X, Z;
  Model model;
};

TEST_F(Compress, KeepsThePromise) {
  const Matrix F = model.predict(Z);
  Index last = knots(model) + 1;
  for (const double tolerance : {1e-6, 1e-3, 1e-2, 0.1, 10.0}) {
    const Model smaller = model.compress(tolerance);
    smaller.validate();
    EXPECT_LE((smaller.predict(Z) - F).cwiseAbs().maxCoeff(), tolerance * (1 + 1e-9) + 1e-12);
    EXPECT_LE(knots(smaller), last);
    last = knots(smaller);
  }
  EXPECT_EQ(last, 2 * static_cast<Index>(model.functions.size()));
  EXPECT_LT(knots(model.compress(1e-2)), knots(model) / 4);
}

TEST_F(Compress, NothingIsLostAtZero) {
  EXPECT_LE((model.compress(0).predict(Z) - model.predict(Z)).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_F(Compress, RefusesWhatItCannotDo) {
  EXPECT_THROW(model.compress(-1), InvalidArgument);
  EXPECT_THROW(model.compress(NAN), InvalidArgument);
  model.kernel = "exponential";
  EXPECT_THROW(model.compress(0.1), InvalidArgument);
}

}  // namespace
}  // namespace bkernn
