// Options that no data could make right.
#include "bkernn/options.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "bkernn/error.hpp"
#include "bkernn/kernel.hpp"
#include "bkernn/penalty.hpp"
#include "special_values.hpp"

namespace bkernn {
namespace {

struct Bad {
  std::string message;  // how it begins
  std::function<void(FitOptions&)> change;
};

const std::vector<Bad>& bad_options() {
  static const std::vector<Bad> all{
      {"n_models = 0: must", [](FitOptions& o) { o.n_models = 0; }},
      {"n_models = 2: must be 1",
       [](FitOptions& o) {
         o.n_models = 2;
         o.init = Matrix::Ones(2, 2);
       }},
      {"n_particles = -3: must", [](FitOptions& o) { o.n_particles = -3; }},
      {"n_particles = 1000001: must", [](FitOptions& o) { o.n_particles = 1'000'001; }},
      {"penalty = \"ridge\": must be one of auto, ", [](FitOptions& o) { o.penalty = "ridge"; }},
      {"concavity = -1: must", [](FitOptions& o) { o.concavity = -1; }},
      {"concavity = nan: must", [](FitOptions& o) { o.concavity = kNaN; }},
      {"concavity = inf: must", [](FitOptions& o) { o.concavity = kInfinity; }},
      {"penalty_weight = -0.5: must", [](FitOptions& o) { o.penalty_weight = -0.5; }},
      {"penalty_weight = nan: must", [](FitOptions& o) { o.penalty_weight = kNaN; }},
      {"regularization = 0: must be positive", [](FitOptions& o) { o.regularization = 0; }},
      {"regularization = -1: must be positive", [](FitOptions& o) { o.regularization = -1; }},
      {"regularization = nan: must be positive", [](FitOptions& o) { o.regularization = kNaN; }},
      {"regularization = inf: must be positive",
       [](FitOptions& o) { o.regularization = kInfinity; }},
      {"kernel = \"linear\": must be one of brownian, ",
       [](FitOptions& o) { o.kernel = "linear"; }},
      {"loss = \"hinge\": must be one of square, ", [](FitOptions& o) { o.loss = "hinge"; }},
      {"optimizer = \"adam\": must be one of auto, ", [](FitOptions& o) { o.optimizer = "adam"; }},
      {"inner_solver = \"lu\": must be one of auto, ",
       [](FitOptions& o) { o.inner_solver = "lu"; }},
      {"kernel_operator = \"fast\": must be one of auto, ",
       [](FitOptions& o) { o.kernel_operator = "fast"; }},
      {"max_iter = -1: must", [](FitOptions& o) { o.max_iter = -1; }},
      {"tol = -0.1: must", [](FitOptions& o) { o.tol = -0.1; }},
      {"tol = nan: must", [](FitOptions& o) { o.tol = kNaN; }},
      {"step_size = 0: must", [](FitOptions& o) { o.step_size = 0; }},
      {"step_size = inf: must", [](FitOptions& o) { o.step_size = kInfinity; }},
      {"max_halvings = -1: must", [](FitOptions& o) { o.max_halvings = -1; }},
      {"n_iter_no_change = 0: must", [](FitOptions& o) { o.n_iter_no_change = 0; }},
      {"inner_tol = -1: must", [](FitOptions& o) { o.inner_tol = -1; }},
      {"inner_tol = 1: must", [](FitOptions& o) { o.inner_tol = 1; }},
      {"inner_tol = nan: must", [](FitOptions& o) { o.inner_tol = kNaN; }},
      {"knots = 1: must", [](FitOptions& o) { o.knots = 1; }},
      {"knots = -4: must", [](FitOptions& o) { o.knots = -4; }},
      {"knots = 0: the knots operator", [](FitOptions& o) { o.kernel_operator = "knots"; }},
      {"kernel_operator = dense: must",
       [](FitOptions& o) {
         o.kernel_operator = "dense";
         o.knots = 8;
       }},
      {"kernel = exponential: knots",
       [](FitOptions& o) {
         o.kernel = "exponential";
         o.knots = 8;
       }},
      {"kernel_operator = sorted: the gaussian",
       [](FitOptions& o) {
         o.kernel = "gaussian";
         o.kernel_operator = "sorted";
       }},
      {"n_threads = -1: must", [](FitOptions& o) { o.n_threads = -1; }},
      {"huber_delta = 0: must",
       [](FitOptions& o) {
         o.loss = "huber";
         o.loss_parameters.huber_delta = 0;
       }},
      {"quantile_width = -1: must", [](FitOptions& o) {
         o.loss = "quantile";
         o.loss_parameters.quantile_width = -1;
       }}};
  return all;
}

TEST(Options, BadOnesAreRefusedByNameValueAndConstraint) {
  for (const Bad& bad : bad_options()) {
    FitOptions options;
    bad.change(options);
    try {
      options.validate();
      ADD_FAILURE() << "accepted: " << bad.message;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, bad.message.size()), bad.message);
    }
  }
}

TEST(Options, QuantileLevelsOutsideTheOpenInterval) {
  for (const double level : {0.0, 1.0, -0.1, 1.5, kNaN}) {
    FitOptions options;
    options.loss = "quantile";
    options.loss_parameters.quantile = level;
    EXPECT_THROW(options.validate(), InvalidArgument) << level;
  }
}

TEST(Options, NamesAreListedWhenOneIsUnknown) {
  const auto expect_all = [](const std::vector<std::string>& names,
                             const std::function<void()>& make) {
    try {
      make();
      ADD_FAILURE();
    } catch (const InvalidArgument& error) {
      for (const std::string& name : names)
        EXPECT_NE(std::string(error.what()).find(name), std::string::npos);
    }
  };
  expect_all(kernel_names(), [] { make_kernel("x"); });
  expect_all(loss_names(), [] { make_loss("x"); });
  expect_all(penalty_names(), [] { make_penalty("x"); });
}

TEST(Options, DefaultsAndEveryNameAreGood) {
  EXPECT_NO_THROW(FitOptions{}.validate());
  for (const std::string& kernel : kernel_names()) {
    for (const std::string& loss : loss_names()) {
      for (const std::string& penalty : penalty_names()) {
        FitOptions options;
        options.kernel = kernel;
        options.loss = loss;
        options.penalty = penalty;
        EXPECT_NO_THROW(options.validate());
      }
    }
  }
}

}  // namespace
}  // namespace bkernn
