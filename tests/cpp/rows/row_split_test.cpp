#include "bkernn/row_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "bkernn/error.hpp"

namespace bkernn {
namespace {

TEST(RowSplit, IsAPartAndTheRest) {
  const RowSplit split = split_rows(101, 0.2, 3);
  EXPECT_EQ(split.part.size(), 20U);
  EXPECT_TRUE(std::is_sorted(split.part.begin(), split.part.end()));
  EXPECT_TRUE(std::is_sorted(split.rest.begin(), split.rest.end()));
  std::vector<Index> all(split.part);
  all.insert(all.end(), split.rest.begin(), split.rest.end());
  std::sort(all.begin(), all.end());
  for (Index i = 0; i < 101; ++i) EXPECT_EQ(all[i], i);
  EXPECT_EQ(split_rows(101, 0.2, 3).part, split.part);
  EXPECT_NE(split_rows(101, 0.2, 4).part, split.part);
}

TEST(RowSplit, LeavesNeitherEmpty) {
  EXPECT_EQ(split_rows(3, 0.01, 0).part.size(), 1U);
  EXPECT_EQ(split_rows(3, 0.99, 0).rest.size(), 1U);
  EXPECT_THROW(split_rows(1, 0.5, 0), InvalidArgument);
  EXPECT_THROW(split_rows(9, 1, 0), InvalidArgument);
}

// Each of the 10 pairs of 5 rows, 20,000 draws: 2,000 ± 42.
TEST(RowSplit, MakesEveryChoiceEquallyLikely) {
  std::map<std::vector<Index>, int> counts;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) ++counts[split_rows(5, 0.4, seed).part];
  ASSERT_EQ(counts.size(), 10U);
  for (const auto& [part, count] : counts) EXPECT_NEAR(count, 2000, 5 * 42);
}

}  // namespace
}  // namespace bkernn
