// What a page says of rows: ranges to move in, examples, and how often a class is right.
#include <gtest/gtest.h>

#include <limits>

#include "report/class_views.hpp"
#include "report/what_if.hpp"

namespace bkernn::report {
namespace {

SavedModel two_columns() {
  SavedModel saved;
  Model& model = saved.model;
  model.kernel = "brownian";
  model.loss = "square";
  model.penalty = "basic";
  model.n_particles = 1;
  model.W = Matrix::Ones(2, 1);
  model.center = RowVector{{3, -1}};
  model.scale = RowVector{{2, 4}};
  model.intercept = RowVector::Zero(1);
  model.functions = {{Vector::LinSpaced(3, -1, 1), Matrix::Ones(3, 1)}};
  return saved;
}

TEST(WhatIf, WithoutRowsByCenterAndSpread) {
  SavedModel saved = two_columns();
  Json column = what_if(saved, nullptr)["columns"][0];
  EXPECT_EQ(column["low"], 3 - 2.5 * 2);
  EXPECT_EQ(column["high"], 3 + 2.5 * 2);
  EXPECT_EQ(column["whole"], false);
  saved.options.standardize = false;
  column = what_if(saved, nullptr)["columns"][0];
  EXPECT_EQ(column["low"], 3 - 2.5 * 4);
  EXPECT_EQ(column["high"], 3 + 2.5 * 4);
}

TEST(WhatIf, WithRowsByWhatTheyHold) {
  tables::DataSet data;
  data.X = Matrix{{9, -0.5}, {3, -1}, {std::numeric_limits<double>::quiet_NaN(), -2}};
  data.Y = Vector{{10, 20, 30}};
  const Json found = what_if(two_columns(), &data);
  const Json &first = found["columns"][0], &second = found["columns"][1];
  EXPECT_EQ(first["low"], 3);
  EXPECT_EQ(first["high"], 9);
  EXPECT_EQ(first["whole"], true);
  EXPECT_EQ(second["low"], -2);
  EXPECT_EQ(second["high"], -0.5);
  EXPECT_EQ(second["whole"], false);
  ASSERT_EQ(found["rows"].size(), 3U);
  EXPECT_EQ(found["rows"][1]["number"], 2);
  EXPECT_EQ(found["rows"][1]["observed"], Json({20}));
}

TEST(ClassViews, CountsAndCalibration) {
  const Matrix P{{0.55, 0.45}, {0.2, 0.8}, {0.3, 0.7}, {0.0, 1.0}, {0.45, 0.55}};
  const Matrix Y{{1, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 1}};
  EXPECT_EQ(confusion_matrix(P, Y), Json::parse("[[1, 1], [0, 3]]"));
  const Json bins = calibration_bins(P, Y);
  ASSERT_EQ(bins.size(), 4U);  // from 0.5, 0.7, 0.8 and 0.9 on
  EXPECT_EQ(bins[0]["rows"], 2);
  EXPECT_DOUBLE_EQ(bins[0]["confidence"], 0.55);
  EXPECT_EQ(bins[0]["accuracy"], 1);
  EXPECT_EQ(bins[1]["accuracy"], 0);
  EXPECT_EQ(bins[3]["confidence"], 1);
}

}  // namespace
}  // namespace bkernn::report
