// λ of a part of the rows.
#include "choice/lambda_law.hpp"

#include <gtest/gtest.h>

#include "base/rng.hpp"

namespace bkernn {
namespace {

StandardRows normal_rows(Index n) {
  Rng rng(1);
  return {rng.normal_matrix(n, 4), rng.normal_matrix(n, 1), Vector::Ones(n)};
}

TEST(LambdaLaw, FallsWithTheNumberOfRows) {
  const auto loss = make_loss("square"), classes = make_loss("multinomial");
  EXPECT_DOUBLE_EQ(lambda_of_part(1, *loss), 1);
  EXPECT_DOUBLE_EQ(lambda_of_part(1.0 / 32, *loss), 4);
  EXPECT_GT(lambda_of_part(1.0 / 32, *classes), 8);
  const StandardRows rows = normal_rows(50);
  EXPECT_NEAR(likely_lambda(*loss, rows, 100), 4 * likely_lambda(*loss, rows, 3200), 1e-12);
}

// Units of y and of x go into λ.
TEST(LambdaLaw, FollowsTheUnits) {
  const auto loss = make_loss("square");
  StandardRows rows = normal_rows(50);
  const double before = likely_lambda(*loss, rows, 50);
  rows.Y *= 3;
  EXPECT_NEAR(likely_lambda(*loss, rows, 50), 3 * before, 1e-10);
  rows.Z *= 5;
  EXPECT_NEAR(likely_lambda(*loss, rows, 50), 15 * before, 1e-10);
}

TEST(LambdaLaw, AStageHasNoSmallerLambdaThanItsRowsCanBear) {
  const auto loss = make_loss("square");
  const StandardRows rows = normal_rows(50);
  const double likely = likely_lambda(*loss, rows, 50), share = 1.0 / 32;
  EXPECT_DOUBLE_EQ(stage_lambda(likely, share, *loss, rows), 4 * likely);         // the law
  EXPECT_DOUBLE_EQ(stage_lambda(likely / 16, share, *loss, rows), likely);        // its rows
  EXPECT_DOUBLE_EQ(stage_lambda(likely / 320, share, *loss, rows), likely / 10);  // the same nλ
}

}  // namespace
}  // namespace bkernn
