#include "bkernn/simulate.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

constexpr double kPi = std::numbers::pi;

// Expected numbers come from NumPy and SciPy, drawn in the order of the published experiments.

TEST(Simulate, Experiment1) {
  const Simulated data = simulate(
      {.kind = "abs_sum", .n = 214, .n_test = 1024, .d = 45, .k = 5, .noise = 0.5, .seed = 0});
  EXPECT_EQ(data.train.X(0, 0), 0.7439367923002926);
  EXPECT_EQ(data.train.X(213, 44), 0.2913753598067834);
  EXPECT_EQ(data.test.X(1023, 44), 0.40033419422605365);
  RowVector first(5);
  first << 0.3415935447969958, 0.10359120007566791, 0.09598754891227897, 0.2580327788905354,
      0.2502148369988783;
  EXPECT_LT((data.P.row(0) - first).norm(), 1e-13);
  EXPECT_NEAR(data.train.Y(0, 0), 13.095052670610688, 1e-12);
  EXPECT_NEAR(data.train.Y(213, 0), 5.83441307864724, 1e-12);
  EXPECT_NEAR(data.train.Y.sum(), 1352.6166144013237, 1e-10);
  EXPECT_NEAR(data.test.Y(0, 0), 14.68436796738436, 1e-12);
  EXPECT_NEAR(data.test.Y(1023, 0), -0.08335818707481643, 1e-12);
}

TEST(Simulate, Experiment2) {
  const Simulated data = simulate({.kind = "abs_variables",
                                   .n = 412,
                                   .n_test = 1024,
                                   .d = 20,
                                   .k = 5,
                                   .noise = 0.1,
                                   .seed = 1});
  EXPECT_NEAR(data.train.Y(0, 0), 17.19597325035769, 1e-13);
  EXPECT_NEAR(data.train.Y(411, 0), 15.63276628508586, 1e-13);
  EXPECT_NEAR(data.train.Y.sum(), 6507.150674488015, 1e-10);
  EXPECT_NEAR(data.test.Y(0, 0), 20.56022392340178, 1e-13);
  EXPECT_NEAR(data.test.Y(1023, 0), 19.96841676837169, 1e-13);
  EXPECT_EQ(data.P, Matrix::Identity(20, 5));
}

TEST(Simulate, Experiment3) {
  const Simulated features = simulate({.kind = "sine_features",
                                       .n = 214,
                                       .n_test = 1024,
                                       .d = 20,
                                       .k = 5,
                                       .noise = 0.5,
                                       .seed = 3});
  EXPECT_NEAR(features.train.Y(0, 0), 0.484741790255578, 1e-13);
  EXPECT_NEAR(features.train.Y(213, 0), -0.6012962657413328, 1e-13);
  EXPECT_NEAR(features.test.Y(0, 0), -1.4113948575504531, 1e-13);
  EXPECT_NEAR(features.test.Y(1023, 0), 2.9423131054514067, 1e-13);

  const Simulated none =
      simulate({.kind = "sine_all", .n = 214, .n_test = 1024, .d = 20, .noise = 1.0, .seed = 1});
  EXPECT_NEAR(none.train.Y(0, 0), -5.215563390697619, 1e-13);
  EXPECT_NEAR(none.train.Y(213, 0), 1.9640724808241439, 1e-13);
  EXPECT_NEAR(none.test.Y(0, 0), -1.2314370784030046, 1e-13);
  EXPECT_NEAR(none.test.Y(1023, 0), -1.7719375903616257, 1e-13);
  EXPECT_EQ(none.P, Matrix::Identity(20, 20));
}

TEST(Simulate, Experiment4) {
  const auto wave = [](const std::string& kind) {
    return simulate({.kind = kind, .n = 128, .n_test = 1024, .d = 1, .noise = 0.2, .seed = 1});
  };
  const Simulated sine = wave("wave"), square = wave("square_wave"),
                  triangle = wave("triangle_wave");
  EXPECT_NEAR(sine.train.Y(0, 0), -0.9388411126746978, 1e-14);
  EXPECT_NEAR(sine.train.Y(127, 0), -0.8895771979384446, 1e-14);
  EXPECT_NEAR(square.train.Y(0, 0), 0.9524116128495634, 1e-14);
  EXPECT_NEAR(square.train.Y(127, 0), -1.1803268980951995, 1e-14);
  EXPECT_NEAR(triangle.train.Y(0, 0), 0.21487121254288988, 1e-14);
  EXPECT_NEAR(triangle.train.Y(127, 0), 1.070759616330605, 1e-14);
  for (const Simulated* data : {&sine, &square, &triangle}) {
    EXPECT_EQ(data->test.X(0, 0), -1);
    EXPECT_EQ(data->test.X(1023, 0), 1);
    EXPECT_EQ(data->test.Y.col(0), data->test.signal);
  }
  EXPECT_NEAR(sine.test.signal(100), 0.9419475186694809, 1e-13);
  EXPECT_NEAR(square.test.signal(100), 1, 0);
  EXPECT_NEAR(triangle.test.signal(100), 0.7820136852394919, 1e-13);
}

TEST(Simulate, Experiment5) {
  const Simulated data =
      simulate({.kind = "abs_sine", .n = 50, .n_test = 201, .d = 15, .noise = 0, .seed = 4});
  EXPECT_EQ(data.P.cols(), 3);
  EXPECT_NEAR(data.train.Y(0, 0), 0.2487439330934026, 1e-13);
  EXPECT_NEAR(data.train.Y(49, 0), 0.4103274090626978, 1e-13);
  EXPECT_NEAR(data.test.Y(0, 0), 1.6697425159397914, 1e-13);
  EXPECT_NEAR(data.test.Y(200, 0), 0.8875908782287671, 1e-13);
}

// The signal of each kind, written down again as a function of z = Pᵀx.
TEST(Simulate, SignalIsTheFormulaOfTheKind) {
  using Z = RowVector;
  const std::vector<std::pair<std::string, std::function<double(const Z&)>>> formulas{
      {"abs_sum", [](const Z& z) { return 2 * kPi * std::abs(z.sum()); }},
      {"abs_variables", [](const Z& z) { return 2 * kPi * z.cwiseAbs().sum(); }},
      {"sine_variables", [](const Z& z) { return z.array().sin().sum(); }},
      {"sine_features", [](const Z& z) { return z.array().sin().sum(); }},
      {"abs_sine", [](const Z& z) { return std::abs(z.array().sin().sum()); }},
      {"multi_index", [](const Z& z) { return std::sin(3 * z(0)) + z(1) * z(2) + std::abs(z(1)); }},
      {"logistic",
       [](const Z& z) {
         const double logit = 4 * (std::sin(2 * z(0)) + z(1) * std::abs(z(1)));
         return 1 / (1 + std::exp(-logit));
       }},
      {"counts", [](const Z& z) { return std::exp(1 + std::sin(2 * z(0)) + std::cos(3 * z(1))); }},
  };
  for (const auto& [kind, formula] : formulas) {
    const Simulated data = simulate({.kind = kind, .n = 20, .n_test = 5, .d = 7, .seed = 9});
    for (const SimulatedSet* set : {&data.train, &data.test}) {
      for (Index i = 0; i < set->X.rows(); ++i) {
        EXPECT_NEAR(set->signal(i), formula(set->X.row(i) * data.P), 1e-12) << kind;
      }
    }
  }
}

class EveryKind : public testing::TestWithParam<std::string> {
 protected:
  SimulateOptions options() const {
    SimulateOptions o{.kind = GetParam(), .n = 30, .n_test = 12, .d = 6, .seed = 21};
    if (o.kind.find("wave") != std::string::npos) o.d = 1;
    return o;
  }
};

TEST_P(EveryKind, HasTheRightShapes) {
  const SimulateOptions o = options();
  const Simulated data = simulate(o);
  EXPECT_EQ(data.P.rows(), o.d);
  const Index k = data.P.cols();
  EXPECT_LT((data.P.transpose() * data.P - Matrix::Identity(k, k)).norm(), 1e-13);
  for (const auto& [set, n] : {std::pair(&data.train, o.n), std::pair(&data.test, o.n_test)}) {
    EXPECT_EQ(set->X.rows(), n);
    EXPECT_EQ(set->X.cols(), o.d);
    EXPECT_EQ(set->Y.rows(), n);
    EXPECT_EQ(set->Y.cols(), 1);
    EXPECT_EQ(set->signal.size(), n);
    EXPECT_LE(set->X.cwiseAbs().maxCoeff(), 1);
    EXPECT_LT(set->X.minCoeff(), -0.5);
  }
}

TEST_P(EveryKind, DependsOnTheSeedAndNothingElse) {
  SimulateOptions o = options();
  const Simulated one = simulate(o), again = simulate(o);
  EXPECT_EQ(one.train.Y, again.train.Y);
  EXPECT_EQ(one.test.Y, again.test.Y);
  o.seed = 22;
  EXPECT_NE(one.train.X, simulate(o).train.X);
}

// Training inputs do not depend on the size of the test set, nor anything drawn on the level of the
// noise.
TEST_P(EveryKind, DrawsInAFixedOrder) {
  SimulateOptions o = options();
  const Simulated data = simulate(o);
  o.n_test = 0;
  const Simulated alone = simulate(o);
  EXPECT_EQ(data.train.X, alone.train.X);
  EXPECT_EQ(alone.test.X.rows(), 0);
  o = options();
  o.noise = 0;
  const Simulated quiet = simulate(o);
  EXPECT_EQ(data.test.X, quiet.test.X);
  EXPECT_EQ(data.train.signal, quiet.train.signal);
}

INSTANTIATE_TEST_SUITE_P(Simulate, EveryKind, testing::ValuesIn(simulation_kinds()),
                         [](const auto& kind) { return kind.param; });

TEST(Simulate, NoiseHasItsLevel) {
  const Simulated data = simulate({.kind = "multi_index", .n = 20000, .noise = 0.3, .seed = 2});
  const Vector noise = data.train.Y.col(0) - data.train.signal;
  EXPECT_NEAR(noise.norm() / std::sqrt(20000.0), 0.3, 0.3 * 5 / std::sqrt(40000.0));
}

TEST(Simulate, LabelsAndCountsFollowTheirMeans) {
  const Simulated labels = simulate({.kind = "logistic", .n = 20000, .d = 5, .seed = 3});
  const auto& y = labels.train.Y.array();
  EXPECT_TRUE((y == 0 || y == 1).all());
  const Vector& p = labels.train.signal;
  EXPECT_GT(p.minCoeff(), 0);
  EXPECT_LT(p.maxCoeff(), 1);
  const Vector sure = (p.array() > 0.9).cast<double>();
  EXPECT_NEAR(sure.dot(labels.train.Y.col(0)) / sure.sum(), sure.dot(p) / sure.sum(), 0.02);

  const Simulated counts = simulate({.kind = "counts", .n = 20000, .d = 5, .seed = 3});
  const auto& c = counts.train.Y.array();
  EXPECT_TRUE((c >= 0 && c == c.round()).all());
  const Vector standardized =
      (counts.train.Y.col(0) - counts.train.signal).array() / counts.train.signal.array().sqrt();
  EXPECT_NEAR(standardized.mean(), 0, 5 / std::sqrt(20000.0));
  EXPECT_NEAR(standardized.squaredNorm() / 20000, 1, 0.1);
}

void expect_refused(const SimulateOptions& options, const std::string& part_of_message) {
  try {
    simulate(options);
    ADD_FAILURE() << "accepted: " << part_of_message;
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }
}

TEST(Simulate, RefusesBadOptionsByName) {
  expect_refused({.n = 0}, "n = 0");
  expect_refused({.n_test = -1}, "n_test = -1");
  expect_refused({.d = 0}, "d = 0");
  expect_refused({.k = -2}, "k = -2");
  expect_refused({.kind = "abs_sum", .d = 4, .k = 5}, "k = 5");
  expect_refused({.kind = "abs_sum", .d = 4}, "k = 5");
  expect_refused({.kind = "multi_index", .k = 2}, "k = 2: must be 3");
  expect_refused({.kind = "logistic", .k = 3}, "k = 3: must be 2");
  expect_refused({.kind = "wave", .d = 2}, "d = 2: must be 1");
  expect_refused({.noise = -0.1}, "noise = -0.1");
  expect_refused({.noise = NAN}, "noise");
  expect_refused({.kind = "linear"}, "kind = \"linear\"");
  for (const std::string& kind : simulation_kinds()) expect_refused({.kind = ""}, kind);
}

}  // namespace
}  // namespace bkernn
