// What a stability study says, word for word.
#include <gtest/gtest.h>

#include "bkernn/error.hpp"
#include "report/stability.hpp"

namespace bkernn::report {
namespace {

StabilityResult two_variables() {
  StabilityResult result;
  Model& model = result.fit.model;
  model.W = Matrix::Ones(2, 1);
  model.center = RowVector::Zero(2);
  model.scale = RowVector::Ones(2);
  result.halves = 4;
  result.threshold = 0.9;
  result.coverage = 0.5;
  result.selection = Vector{{0.25, 1}};
  result.selected = 1.25;
  result.bound = 0.977;
  result.directions = Vector{{-0.6, 0.8}};
  result.lower = Vector{{-0.7, 0.7}};
  result.upper = Vector{{-0.5, 0.9}};
  result.angles = Vector{{1, 2, 3, 4}};
  result.angle_levels = Vector{{1.75, 2.5, 3.25}};
  return result;
}

TEST(StabilityReport, InWords) {
  EXPECT_EQ(stability_text(two_variables(), {}),
            "4 fits of half of the rows\n\n"
            "selection frequency of the variables\n"
            "  x2  100%  ████████████████████\n"
            "  x1   25%  █████\n"
            "a half selects 1.25 of 2 variables; of those above 90%, at most 0.98 are expected to "
            "be noise\n"
            "(Shah and Samworth: noise is what a half selects no more often than the average "
            "variable)\n\n"
            "principal angles between the directions of all rows and those of a half\n"
            "  1  2.5° (1.8° to 3.3°)\n\n"
            "weights of standardized variables, with intervals of 50% over the halves\n"
            "  direction 1\n"
            "  x2   0.8    (0.7 to 0.9)\n"
            "  x1  -0.6  (-0.7 to -0.5)\n\n");
  const std::string first = stability_text(two_variables(), {"a", "b\n"}, 1);
  EXPECT_NE(first.find("variables, the first ones\n  b\\x0A  100%"), std::string::npos) << first;
}

TEST(StabilityReport, AsNumbersThatAreReadBack) {
  const StabilityResult result = two_variables();
  const Json found = stability_json(result, {});
  EXPECT_EQ(found["variables"][0]["name"], "x1");
  EXPECT_EQ(found["variables"][1]["selection"], 1);
  EXPECT_EQ(found["coordinates"], Json({"x1", "x2"}));
  EXPECT_EQ(found["directions"][0]["weights"], Json({-0.6, 0.8}));
  EXPECT_EQ(found["directions"][0]["angles"], Json({1, 2, 3, 4}));
  Model model = result.fit.model;
  EXPECT_EQ(read_stability(found.dump(), "s.json", model), found);
  model.feature_names = {"x1", "other"};
  EXPECT_THROW(read_stability(found.dump(), "s.json", model), IoError);
  EXPECT_THROW(read_stability("{}", "s.json", model), IoError);
  Json partly = found;
  partly.erase("curve");
  EXPECT_THROW(read_stability(partly.dump(), "s.json", result.fit.model), IoError);
}

}  // namespace
}  // namespace bkernn::report
