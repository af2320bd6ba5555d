// The sorted and the knots operator against the n×n matrix: products, gradients, functions.
#include <gtest/gtest.h>

#include "naive.hpp"
#include "operators/kernel_operator.hpp"

namespace bkernn {
namespace {

struct Data {
  std::string name;
  Matrix X, W;
};

// Ordinary data and every shape that could trip a loop over sorted projections.
std::vector<Data> data_sets() {
  Rng rng(1);
  std::vector<Data> all;
  const auto add = [&](const std::string& name, Index n, Index d, Index m) -> Data& {
    all.push_back({name, rng.normal_matrix(n, d), rng.normal_matrix(d, m)});
    return all.back();
  };
  add("plain", 40, 3, 9);
  add("two_rows", 2, 2, 3);
  add("one_variable", 15, 1, 6);
  add("one_particle", 30, 4, 1);
  add("many_particles", 5, 2, 23);
  Data& ties = add("ties", 40, 2, 5);
  ties.X = (2 * ties.X.array()).round() / 2;
  ties.W = Matrix{{1, 0, 1, -1, 2}, {0, 1, 1, 1, 0}};
  Data& duplicates = add("duplicate_rows", 20, 3, 4);
  duplicates.X.bottomRows(10) = duplicates.X.topRows(10);
  Data& constant = add("constant_columns", 20, 3, 6);
  constant.X.col(1).setConstant(2.5);
  constant.W.col(0) = Vector::Unit(3, 1);  // projects every row to the same point
  Data& zeros = add("zero_particles", 20, 3, 6);
  zeros.W.col(0).setZero();
  zeros.W.col(4).setZero();
  add("all_zero", 10, 3, 3).W.setZero();
  add("far_away", 25, 3, 4).X.array() += 50;
  Data& outlier = add("outlier", 25, 3, 4);
  outlier.X.row(3) *= 1e6;
  return all;
}

struct Case {
  std::string kernel, op;
  Data data;

  std::string label() const { return kernel + "_" + op + "_" + data.name; }
  friend std::ostream& operator<<(std::ostream& out, const Case& one) { return out << one.label(); }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& kernel : kernel_names()) {
    for (const std::string op : {"sorted", "knots", "dense"}) {
      if (op == "sorted" && !make_kernel(kernel)->markov()) continue;
      if (op == "knots" && kernel != "brownian") continue;
      for (const Data& data : data_sets()) all.push_back({kernel, op, data});
    }
  }
  return all;
}

class Operator : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const auto& [name, op_name, data] = GetParam();
    X = data.X;
    W = data.W;
    kernel = make_kernel(name);
    op = make_operator(op_name, X, *kernel, op_name == "knots" ? X.rows() : 0);
    op->set_particles(W);
    gram = naive::gram(name, X, W);
    V = Rng(2).normal_matrix(X.rows(), 2);
    naive::center_columns(V);
    scale = V.norm() * std::max(1.0, gram.cwiseAbs().maxCoeff());
  }

  Matrix X, W, gram, V;
  std::unique_ptr<Kernel> kernel;
  std::unique_ptr<KernelOperator> op;
  double scale = 1;
};

TEST_P(Operator, ProductEqualsDenseUpToAConstantPerColumn) {
  Matrix out, want = gram * V;
  op->apply(V, out);
  naive::center_columns(out);
  naive::center_columns(want);
  EXPECT_LE((out - want).norm(), 1e-10 * scale);
}

TEST_P(Operator, CenteredGram) {
  EXPECT_LE((op->centered_gram() - naive::centered(gram)).norm(), 1e-10 * (1 + gram.norm()));
}

TEST_P(Operator, QuadraticFormIsNotNegative) {
  Matrix out;
  op->apply(V, out);
  EXPECT_GE(V.cwiseProduct(out).colwise().sum().minCoeff(), -1e-12 * scale);
}

TEST_P(Operator, ParticleGradientEqualsTheDoubleSum) {
  const std::string& name = GetParam().kernel;
  const Matrix P = X * W;
  const Index n = X.rows(), m = W.cols();
  Matrix want = Matrix::Zero(X.cols(), m);
  // Projections that are equal but for rounding have no slope against each other.
  const double same = 1e-12 * P.cwiseAbs().maxCoeff();
  for (Index j = 0; j < m; ++j) {
    if (W.col(j).norm() == 0) continue;
    for (Index i = 0; i < n; ++i) {
      for (Index k = 0; k < n; ++k) {
        const double p = P(i, j) - P(k, j);
        if (std::abs(p) <= same) continue;
        want.col(j) += V.row(i).dot(V.row(k)) * naive::kernel_slope(name, p) /
                       (2 * static_cast<double>(m)) * (X.row(i) - X.row(k)).transpose();
      }
    }
  }
  EXPECT_LE((op->particle_gradient(V) - want).norm(), 1e-10 * (1 + want.norm()) * (1 + X.norm()));
}

TEST_P(Operator, FunctionsAddUpToTheProduct) {
  Matrix out;
  op->apply(V, out);
  const std::vector<RidgeFunction> functions = op->functions(V);
  ASSERT_EQ(functions.size(), op->active().size());
  for (const RidgeFunction& h : functions) {
    ASSERT_GE(h.knots.size(), 1);
    ASSERT_EQ(h.values.rows(), h.knots.size());
    for (Index k = 1; k < h.knots.size(); ++k) EXPECT_LT(h.knots(k - 1), h.knots(k));
  }
  Matrix predicted = op->predict(V, X);
  EXPECT_LE((predicted - out).norm(), 1e-10 * scale);
}

TEST_P(Operator, TranslationChangesNothing) {
  const Matrix moved = X.rowwise() + 3 * RowVector::Ones(X.cols());
  const auto other =
      make_operator(GetParam().op, moved, *kernel, GetParam().op == "knots" ? X.rows() : 0);
  other->set_particles(W);
  Matrix here, there;
  op->apply(V, here);
  other->apply(V, there);
  naive::center_columns(here);
  naive::center_columns(there);
  EXPECT_LE((here - there).norm(), 1e-9 * scale);
}

TEST_P(Operator, BrownianIsPositivelyHomogeneousInW) {
  if (GetParam().kernel != "brownian") return;
  Matrix once, scaled;
  op->apply(V, once);
  for (const double t : {1e-6, 0.25, 3.0, 1e6}) {
    op->set_particles(t * W);
    op->apply(V, scaled);
    EXPECT_LE((scaled - t * once).norm(), 1e-12 * t * scale) << t;
  }
}

TEST_P(Operator, NewParticlesReplaceTheOldOnes) {
  Matrix before, after;
  op->apply(V, before);
  op->set_particles(Matrix::Ones(X.cols(), 2));
  op->apply(V, after);
  op->set_particles(W);
  op->apply(V, after);
  EXPECT_EQ(before, after);
}

INSTANTIATE_TEST_SUITE_P(All, Operator, testing::ValuesIn(cases()),
                         [](const auto& one) { return one.param.label(); });

// h on the knots is read off a kernel expansion, so between the knots and outside them it must
// agree with it as well.
TEST(Operators, PredictionsEqualTheKernelExpansionOnNewRows) {
  Rng rng(4);
  const Matrix X = rng.normal_matrix(30, 3), W = rng.normal_matrix(3, 5),
               Z = 2 * rng.normal_matrix(50, 3);
  Matrix V = rng.normal_matrix(30, 2);
  naive::center_columns(V);
  for (const std::string& name : kernel_names()) {
    const auto kernel = make_kernel(name);
    for (const std::string op_name : {"sorted", "dense"}) {
      if (op_name == "sorted" && !kernel->markov()) continue;
      const auto op = make_operator(op_name, X, *kernel);
      op->set_particles(W);
      Matrix got = op->predict(V, Z), want = naive::gram(name, Z, X, W) * V;
      naive::center_columns(got);
      naive::center_columns(want);
      EXPECT_LE((got - want).norm(), 1e-11 * want.norm()) << name << " " << op_name;
    }
  }
}

// Few knots: near, and nearer with more of them.
TEST(Operators, KnotsConverge) {
  Rng rng(6);
  const Index n = 4000;
  const Matrix X = rng.normal_matrix(n, 4), W = rng.normal_matrix(4, 6);
  Matrix V = X.col(0).array().sin().matrix() + 0.1 * rng.normal_matrix(n, 1);
  naive::center_columns(V);
  const auto kernel = make_kernel("brownian");
  const auto exact = make_operator("sorted", X, *kernel);
  exact->set_particles(W);
  Matrix want, got;
  exact->apply(V, want);
  naive::center_columns(want);
  double previous = 1;
  for (const Index Q : {4, 16, 64, 256}) {
    const auto knots = make_operator("knots", X, *kernel, Q);
    knots->set_particles(W);
    knots->apply(V, got);
    naive::center_columns(got);
    const double error = (got - want).norm() / want.norm();
    EXPECT_LT(error, previous / 2) << Q;
    previous = error;
  }
  EXPECT_LT(previous, 1e-3);
}

}  // namespace
}  // namespace bkernn
