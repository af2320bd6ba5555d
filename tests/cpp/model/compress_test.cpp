// Fewer knots, within the bound that is promised.
#include <gtest/gtest.h>

#include <iomanip>
#include <sstream>
#include <string>

#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "by_rule.hpp"
#include "model/short_numbers.hpp"
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

// 3.14 is read back from as many digits.
TEST_F(Compress, NumbersAreShort) {
  Index characters = 0, numbers = 0;
  const auto count = [&](const auto& values) {
    for (const double value : values) {
      std::ostringstream text;
      text << std::setprecision(9) << value;
      EXPECT_EQ(std::stod(text.str()), value);
      characters += static_cast<Index>(text.str().size());
      ++numbers;
    }
  };
  for (const RidgeFunction& h : model.compress(1e-3).functions) {
    count(h.knots);
    count(h.values.reshaped());
  }
  EXPECT_LT(characters, 8 * numbers);
}

// Each output has a promise of its own.
TEST_F(Compress, OutputsMayDiffer) {
  const Model smaller = model.compress(RowVector{{1e-1, 1e-5}});
  const RowVector moved = (smaller.predict(Z) - model.predict(Z)).cwiseAbs().colwise().maxCoeff();
  EXPECT_LE(moved(0), 1e-1);
  EXPECT_LE(moved(1), 1e-5);
  EXPECT_GT(moved(0), 1e-4);
  EXPECT_THROW(model.compress(RowVector{{1e-1}}), InvalidArgument);
}

TEST_F(Compress, AFileGetsWhatTheFitAllows) {
  model.expansions.clear();  // expansion_test.cpp
  EXPECT_EQ(model.tolerance.size(), 2);
  const Model filed = model.for_file();
  EXPECT_EQ(filed.tolerance.size(), 0);
  EXPECT_LT(knots(filed), knots(model));
  const Matrix moved = (filed.predict(Z) - model.predict(Z)).cwiseAbs();
  EXPECT_LE(moved.col(0).maxCoeff(), model.tolerance(0));
  EXPECT_LE(moved.col(1).maxCoeff(), model.tolerance(1));
  EXPECT_EQ(filed.for_file().predict(Z), filed.predict(Z));
}

TEST(ShortNumbers, AreNearAndShort) {
  EXPECT_EQ(short_number_near(3.14159265, 1e-3), 3.142);
  EXPECT_EQ(short_number_near(-3.14159265, 0.1), -3.1);
  EXPECT_EQ(short_number_near(123456.7, 60), 123500);
  EXPECT_EQ(short_number_near(1e-9, 1e-3), 0);
  EXPECT_EQ(short_number_near(0.1, 0), 0.1);
  EXPECT_EQ(short_number_near(1.0 / 3, 1e-300), 1.0 / 3);
  EXPECT_EQ(short_number_near(1e200, 1e190), 1e200);
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
