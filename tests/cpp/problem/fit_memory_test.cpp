// What a fit takes, what there is, and what is said when it does not suffice.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "base/memory.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "by_rule.hpp"
#include "problem/fit_problem.hpp"
#include "problem/resolve_options.hpp"

namespace bkernn {
namespace {

TEST(Memory, GrowsWithEverythingAndLeastForKnots) {
  const double sorted = memory_of_fit("sorted", 100000, 20, 50, 1);
  EXPECT_GT(sorted, 100000.0 * 50 * 12);
  EXPECT_GT(memory_of_fit("sorted", 100000, 20, 50, 4), sorted);
  EXPECT_GT(memory_of_fit("sorted", 100000, 200, 50, 1), sorted);
  EXPECT_LT(memory_of_fit("knots", 100000, 20, 50, 1), sorted);
  EXPECT_GT(memory_of_fit("dense", 100000, 20, 50, 1), sorted);
}

TEST(Memory, RefusesWithTheEstimateAndTheWayOut) {
  EXPECT_NO_THROW(check_memory("sorted", 1000000, 20, 50, 1, 3e9));
  const auto message = [](double available) -> std::string {
    try {
      check_memory("sorted", 1000000, 20, 50, 1, available);
    } catch (const InvalidArgument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(1.5e9),
            "X = 1000000x20: a fit with 50 particles needs about 1.9 GB of memory, and 1.5 GB are "
            "free; take fewer particles, or knots (knots = 256 needs 620 MB)");
  EXPECT_NE(message(0.5e9).find("or fewer rows"), std::string::npos);
}

TEST(Memory, TheLimitOfTheProcessCounts) {
  EXPECT_GT(available_memory(), 1e8);
  EXPECT_EXIT(
      {
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit limit{};
        limit.rlim_cur = limit.rlim_max = pages * sysconf(_SC_PAGESIZE) + (rlim_t{50} << 20);
        setrlimit(RLIMIT_AS, &limit);
        const double left = available_memory();
        std::exit(left > 0 && left <= 50 << 20 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(ChooseOperator, TakesKnotsForHugeDataOnly) {
  FitOptions options = by_rule();
  const auto kernel = make_kernel("brownian");
  EXPECT_EQ(choose_operator(options, *kernel, 4000000).name, "sorted");
  EXPECT_EQ(choose_operator(options, *kernel, 4000001).name, "knots");
  EXPECT_EQ(choose_operator(options, *kernel, 4000001).knots, 256);
  options.kernel_operator = "sorted";
  EXPECT_EQ(choose_operator(options, *kernel, 4000001).name, "sorted");
  options = {};
  options.knots = 10;
  EXPECT_EQ(choose_operator(options, *kernel, 100).knots, 10);
  EXPECT_EQ(choose_operator({}, *make_kernel("exponential"), 4000001).name, "sorted");
}

}  // namespace
}  // namespace bkernn
