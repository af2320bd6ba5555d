// The table of options against the struct that it describes, and against the terms it has values
// of.
#include "bkernn/option_table.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <set>

#include "bkernn/error.hpp"
#include "bkernn/penalty.hpp"
#include "special_values.hpp"

namespace bkernn {
namespace {

const Option& row(const std::string& name) {
  for (const Option& option : option_table()) {
    if (option.name == name) return option;
  }
  throw std::runtime_error(name);
}

bool accepts(const std::function<void()>& check) {
  try {
    check();
    return true;
  } catch (const InvalidArgument&) {
    return false;
  }
}

TEST(OptionTable, EveryRowIsAnotherMember) {
  FitOptions options;
  std::set<std::string> names;
  std::set<const void*> members;
  visit_options(options, [&](const Option& option, auto& value) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(members.insert(&value).second) << option.name;
    EXPECT_STRNE(option.help, "") << option.name;
  });
}

TEST(OptionTable, ReachesTheMembersByName) {
  FitOptions options;
  visit_option(options, row("max_iter"), [](auto& value) {
    if constexpr (std::is_same_v<decltype(value), int&>) value = 7;
  });
  visit_option(options, row("quantile_width"), [](auto& value) {
    if constexpr (std::is_same_v<decltype(value), double&>) value = 0.25;
  });
  EXPECT_EQ(options.max_iter, 7);
  EXPECT_EQ(options.loss_parameters.quantile_width, 0.25);
}

TEST(OptionTable, RangesSayWhatTheyContain) {
  const auto expect = [](const Range& range, const std::string& constraint,
                         const std::vector<double>& inside, const std::vector<double>& outside) {
    EXPECT_EQ(range.constraint(false), constraint);
    for (const double value : inside) EXPECT_TRUE(range.contains(value)) << constraint << value;
    for (const double value : outside) EXPECT_FALSE(range.contains(value)) << constraint << value;
  };
  expect({.least = 1}, "must be at least 1 and finite", {1, 1e300}, {0.9, kInfinity, kNaN});
  expect({.least_excluded = true}, "must be positive and finite", {1e-300}, {0, -1, kInfinity});
  expect({.least = 2, .least_excluded = true}, "must be more than 2 and finite", {2.1}, {2, kNaN});
  expect({.least = 1, .most = 1e6}, "must lie between 1 and 1000000", {1, 1e6}, {0, 1000001, kNaN});
  expect({.most = 1, .most_excluded = true}, "must lie in [0, 1)", {0, 0.9}, {-0.1, 1, kNaN});
  expect({.most = 1, .least_excluded = true}, "must lie in (0, 1]", {0.1, 1}, {0, 1.1});
  expect({.most = 1, .least_excluded = true, .most_excluded = true},
         "must lie strictly between 0 and 1", {0.5}, {0, 1, kNaN});
  EXPECT_EQ(Range{.least = 1}.constraint(true), "must be at least 1");
}

// Losses and penalties check what they are made with by themselves: both must mean the same.
TEST(OptionTable, TermsTakeWhatTheTableAllows) {
  const auto expect_same = [](const std::string& name,
                              const std::function<void(double)>& make_term) {
    for (const double value : {-1.0, 0.0, 1e-9, 0.5, 1.0, 2.0, 1e100, 2e100, kInfinity, kNaN}) {
      EXPECT_EQ(accepts([&] { make_term(value); }), row(name).range.contains(value))
          << name << " = " << value;
    }
  };
  expect_same("concavity", [](double s) { make_penalty("concave_feature", s); });
  expect_same("huber_delta", [](double delta) { make_loss("huber", {.huber_delta = delta}); });
  expect_same("quantile", [](double level) { make_loss("quantile", {.quantile = level}); });
  expect_same("quantile_width",
              [](double width) { make_loss("quantile", {.quantile_width = width}); });
}

}  // namespace
}  // namespace bkernn
