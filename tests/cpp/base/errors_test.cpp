// Bad data: refused by a message with the name, the value and the constraint.
#include "bkernn/error.hpp"
#include "by_rule.hpp"
#include "outer/optimizer_state.hpp"

#include <gtest/gtest.h>

#include "bkernn/fit.hpp"
#include "naive.hpp"
#include "operators/kernel_operator.hpp"
#include "special_values.hpp"

namespace bkernn {
namespace {

class Errors : public testing::Test {
 protected:
  Errors() {
    options.n_particles = 3;
    options.max_iter = 1;
  }

  void expect_refused(const FitInput& input, const std::vector<std::string>& parts) const {
    for (const bool only_lambda : {false, true}) {
      try {
        if (only_lambda) {
          automatic_regularization(input, options);
        } else {
          fit(input, options);
        }
        ADD_FAILURE() << "accepted: " << parts[0];
      } catch (const InvalidArgument& error) {
        for (const std::string& part : parts) {
          EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
        }
      }
    }
  }
  void expect_refused(const Matrix& other_X, const Matrix& other_Y,
                      const std::vector<std::string>& parts) const {
    expect_refused({.X = other_X, .Y = other_Y}, parts);
  }

  Matrix X = Rng(1).normal_matrix(20, 3);
  Matrix Y = Rng(2).normal_matrix(20, 1);
  FitOptions options = by_rule();
};

TEST_F(Errors, RequireSaysNameValueConstraint) {
  EXPECT_NO_THROW(require(true, "a", 1, "b"));
  try {
    require(false, "n_particles", 0, "must be at least 1");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "n_particles = 0: must be at least 1");
  }
}

TEST_F(Errors, Empty) {
  expect_refused(Matrix(0, 3), Matrix(0, 1), {"X = 0x3", "at least 2 rows"});
  expect_refused(Matrix(20, 0), Y, {"X = 20x0", "1 column"});
  expect_refused(X.topRows(1), Y.topRows(1), {"X = 1x3", "at least 2 rows"});
  expect_refused(X, Matrix(20, 0), {"y = 20x0"});
}

TEST_F(Errors, MismatchedRows) {
  expect_refused(X, Y.topRows(19), {"y = 19x1", "20x3", "must have as many rows"});
}

TEST_F(Errors, NotFinite) {
  for (const double bad : {kNaN, kInfinity, -kInfinity}) {
    Matrix A = X;
    A(4, 2) = bad;
    expect_refused(A, Y, {"X[4, 2] = ", "must be finite"});
    A = Y;
    A(19, 0) = bad;
    expect_refused(X, A, {"y[19, 0] = ", "must be finite"});
  }
}

TEST_F(Errors, NearOverflow) {
  Matrix A = X;
  A(0, 0) = 1e200;
  expect_refused(A, Y, {"X[0, 0] = 1e+200", "1e100"});
  A = Y;
  A(3, 0) = -1e200;
  expect_refused(X, A, {"y[3, 0] = -1e+200", "1e100"});
}

TEST_F(Errors, Weights) {
  Vector w = Vector::Ones(19);
  expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights = 19", "one per row"});
  for (const double bad : {-1.0, kNaN, kInfinity}) {
    w = Vector::Ones(20);
    w(5) = bad;
    expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights[5] = ", "between 0 and 1e100"});
  }
  w = Vector::Zero(20);
  expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights = 0", "positive weight"});
  w(3) = 1;
  expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights = 1", "at least 2"});
  w.setConstant(1e-20);
  w(3) = 1;
  expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights = 1", "above 1e-14 of the largest"});
  w.setConstant(1e-310);
  expect_refused({.X = X, .Y = Y, .weights = &w}, {"weights = 1e-310", "at least 1e-100"});
}

TEST_F(Errors, InitialParticles) {
  options.init = Matrix::Ones(2, 3);
  expect_refused(X, Y, {"init = 2x3", "must be 3x3"});
  options.init = Matrix::Ones(3, 4);
  expect_refused(X, Y, {"init = 3x4", "must be 3x3"});
  options.init = Matrix::Ones(3, 3);
  options.init(1, 2) = kNaN;
  expect_refused(X, Y, {"init[1, 2]", "finite"});
}

TEST_F(Errors, ValidationRows) {
  options.early_stopping = true;
  expect_refused(X, Y, {"early_stopping = true", "validation rows"});
  const Matrix two_columns = X.leftCols(2), short_Y = Y.topRows(5);
  Matrix bad = Y;
  bad(2, 0) = kNaN;
  const MatrixView narrow = two_columns, few = short_Y, same_X = X, same_Y = Y, bad_Y = bad;
  expect_refused({.X = X, .Y = Y, .validation_X = &same_X}, {"validation_Y = missing"});
  expect_refused({.X = X, .Y = Y, .validation_Y = &same_Y}, {"validation_Y = given"});
  expect_refused({.X = X, .Y = Y, .validation_X = &narrow, .validation_Y = &same_Y},
                 {"validation_X = 20x2"});
  expect_refused({.X = X, .Y = Y, .validation_X = &same_X, .validation_Y = &few},
                 {"validation_Y = 5x1"});
  expect_refused({.X = X, .Y = Y, .validation_X = &same_X, .validation_Y = &bad_Y},
                 {"validation_Y[2, 0]", "finite"});
}

TEST_F(Errors, TargetsOfTheLoss) {
  options.loss = "logistic";
  expect_refused(X, Y, {"y[0] = ", "0 and 1"});
  options.loss = "multinomial";
  expect_refused(X, Y, {"y = 1 columns", "one column per class"});
  options.loss = "poisson";
  expect_refused(X, -Y.cwiseAbs(), {"y[0] = -", "counts"});
}

TEST_F(Errors, DenseOperatorOfTooManyRows) {
  const Matrix many = Vector::LinSpaced(20001, 0, 1);  // no two rows are equal
  options.kernel = "gaussian";
  try {
    fit(many, many, options);
    ADD_FAILURE();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("X = 20001 rows"), std::string::npos) << error.what();
  }
}

TEST_F(Errors, ResumeFromAnotherFit) {
  OptimizerState state;
  state.iteration = 3;
  state.W = Matrix::Ones(3, 3);
  const auto expect_other = [&](Index rows) {
    state.inner.unknowns = Matrix::Zero(rows, 1);
    const FitState resume(state);
    try {
      fit({.X = X, .Y = Y, .resume = &resume}, options);
      ADD_FAILURE();
    } catch (const InvalidArgument& error) {
      const std::string start = "resume = " + std::to_string(rows) + " rows";
      EXPECT_NE(std::string(error.what()).find(start), std::string::npos) << error.what();
    }
  };
  expect_other(19);
  options.kernel_operator = "knots";  // where the unknowns are not one per row, but some
  options.knots = 4;
  expect_other(0);
}

TEST_F(Errors, Operators) {
  const auto brownian = make_kernel("brownian"), gaussian = make_kernel("gaussian");
  EXPECT_THROW(make_operator("sparse", X, *brownian), InvalidArgument);
  EXPECT_THROW(make_operator("sorted", X, *gaussian), InvalidArgument);
  EXPECT_THROW(make_operator("knots", X, *gaussian, 5), InvalidArgument);
  EXPECT_THROW(make_operator("knots", X, *brownian, 1), InvalidArgument);
}

}  // namespace
}  // namespace bkernn
