// Words and gaps: what the encoder makes of them, and what a fit makes of that.
#include "bkernn/columns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/rng.hpp"
#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/io.hpp"
#include "bkernn/penalty.hpp"

namespace bkernn {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Category category_of(const std::vector<std::string>& cells) {
  Category category;
  for (const std::string& cell : cells) {
    const auto known = std::find(category.levels.begin(), category.levels.end(), cell);
    if (cell.empty()) {
      category.codes.push_back(Category::kGap);
      continue;
    }
    category.codes.push_back(static_cast<std::int32_t>(known - category.levels.begin()));
    if (known == category.levels.end()) category.levels.push_back(cell);
  }
  return category;
}

Encoder learn(const Category& category, const Vector* weights = nullptr) {
  const Matrix X = Matrix::Zero(static_cast<Index>(category.codes.size()), 1);
  const Categories words = {{0, category}};
  return learn_encoder({X, words}, weights);
}

Matrix encode(const Encoder& encoder, const Category& category) {
  const Matrix X = Matrix::Constant(static_cast<Index>(category.codes.size()), 1, kNan);
  const Categories words = {{0, category}};
  return encoder.encode({X, words});
}

// `count` cells of each of these levels.
std::vector<std::string> repeated(const std::vector<std::pair<std::string, int>>& levels) {
  std::vector<std::string> cells;
  for (const auto& [level, count] : levels) cells.insert(cells.end(), count, level);
  return cells;
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

void expect_refusal(const std::string& found, const std::string& part) {
  EXPECT_NE(found.find(part), std::string::npos) << found;
}

TEST(Columns, ACategoryWithoutLevelsSaysNothing) {
  EncodedColumn column;
  column.category = true;
  EXPECT_EQ(column.coordinates(), 1);
  EXPECT_EQ(column.means(), RowVector::Zero(1));
}

TEST(Columns, NumbersWithoutGapsStayAsTheyAre) {
  const Categories none;
  EXPECT_TRUE(learn_encoder({Matrix::Random(9, 3), none}).empty());
}

TEST(Columns, AMissingNumberIsTheMeanAndHasAnIndicator) {
  const Matrix X{{1, 10}, {kNan, 20}, {4, 30}, {kNan, 30}};
  const Categories none;
  const Vector weights{{2, 1, 1, 1}};
  const Encoder encoder = learn_encoder({X, none}, &weights);
  EXPECT_EQ(encoder.columns[0].mean, 2);
  EXPECT_EQ(encoder.columns[0].gaps, 0.4);
  EXPECT_EQ(encoder.columns[1].mean, 20);
  EXPECT_EQ(encoder.encode({X, none}), (Matrix{{1, 0, 10}, {2, 1, 20}, {4, 0, 30}, {2, 1, 30}}));
  EXPECT_EQ(encoder.groups(), (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(encoder.blocks(), (std::vector<Index>{0, 1, 2, 3}));
  EXPECT_EQ(encoder.coordinate_names({"a", "b"}),
            (std::vector<std::string>{"a", "a missing", "b"}));
  // A gap that is new counts as the mean.
  EXPECT_EQ(encoder.encode({Matrix{{1, kNan}}, none}), (Matrix{{1, 0, 20}}));
}

TEST(Columns, AColumnThatIsAlwaysMissingSaysNothing) {
  const Matrix X{{kNan, 1}, {kNan, 2}, {kNan, 5}};
  const Categories none;
  const Encoder encoder = learn_encoder({X, none});
  EXPECT_EQ(encoder.encode({X, none}), (Matrix{{0, 1, 1}, {0, 1, 2}, {0, 1, 5}}));
  const Matrix encoded = encoder.encode({X, none}), Y = X.col(1);
  FitOptions options;
  options.max_iter = 3;
  const Model model = fit({.X = encoded, .Y = Y, .encoder = &encoder}, options).model;
  EXPECT_EQ(model.importances()(0), 0);
  EXPECT_EQ(model.predict(MixedRows{X, none}),
            model.predict(MixedRows{Matrix{{7, 1}, {8, 2}, {9, 5}}, none}));
}

TEST(Columns, LevelsInTheOrderOfTheAlphabet) {
  const Category two = category_of({"yes", "no", "yes"});
  EXPECT_EQ(encode(learn(two), two), (Matrix{{1}, {-1}, {1}}));
  const Category three = category_of({"c", "a", "b", "a"});
  EXPECT_EQ(encode(learn(three), three), (Matrix{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}}));
  EXPECT_EQ(learn(three).columns[0].shares, (std::vector<double>{0.5, 0.25, 0.25}));
  EXPECT_EQ(learn(three).blocks(), (std::vector<Index>{0, 3}));
  // However they are numbered, and whatever else is listed.
  const Category other{{2, 3, 0, 3}, {"b", "z", "c", "a"}};
  EXPECT_EQ(learn(other), learn(three));
  EXPECT_EQ(encode(learn(three), other), encode(learn(three), three));
}

TEST(Columns, RareLevelsArePooledAndUnseenOnesJoinThem) {
  const std::vector<std::string> cells =
      repeated({{"a", 500}, {"b", 480}, {"c", 9}, {"d", 5}, {"", 6}});
  const Encoder encoder = learn(category_of(cells));
  EXPECT_EQ(encoder.outcome_names(0), (std::vector<std::string>{"a", "b", "(other)"}));
  EXPECT_EQ(encoder.columns[0].other, 0.02);
  EXPECT_EQ(encode(encoder, category_of({"c", "new", "", "b"})),
            (Matrix{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 1, 0}}));
  // Too few even together: they count as the average row.
  const Encoder few = learn(category_of(repeated({{"a", 300}, {"b", 100}, {"c", 3}})));
  EXPECT_EQ(few.outcome_names(0), (std::vector<std::string>{"a", "b"}));
  EXPECT_DOUBLE_EQ(encode(few, category_of({"c"}))(0), (100.0 - 300.0) / 403.0);
  // In small tables two rows are enough.
  EXPECT_EQ(learn(category_of(repeated({{"a", 60}, {"b", 38}, {"c", 2}}))).columns[0].levels.size(),
            3);
}

TEST(Columns, GapsOfACategoryAreALevel) {
  const Encoder encoder = learn(category_of(repeated({{"a", 30}, {"", 20}})));
  EXPECT_EQ(encoder.outcome_names(0), (std::vector<std::string>{"a", "(missing)"}));
  EXPECT_EQ(encode(encoder, category_of({"", "a"})), (Matrix{{1}, {-1}}));
  EXPECT_EQ(encoder.coordinate_names({"k"}), (std::vector<std::string>{"k missing"}));
}

TEST(Columns, HundredsOfLevelsAndAName) {
  std::vector<std::pair<std::string, int>> levels;
  for (int k = 0; k < 300; ++k) levels.emplace_back("level" + std::to_string(k), 20 + k % 7);
  const Encoder many = learn(category_of(repeated(levels)));
  EXPECT_LE(many.coordinates(), 201);
  EXPECT_GE(many.coordinates(), 150);
  EXPECT_GT(many.columns[0].other, 0);
  levels.clear();
  for (int k = 0; k < 900; ++k) levels.emplace_back("name" + std::to_string(k), 1);
  const Encoder names = learn(category_of(repeated(levels)));
  EXPECT_EQ(names.outcome_names(0), std::vector<std::string>{"(other)"});
  EXPECT_EQ(names.coordinates(), 1);
}

TEST(Columns, ANumberIsFoundHoweverItIsWritten) {
  const Encoder encoder = learn(category_of({"1", "2", "10", "True"}));
  const Matrix want = encode(encoder, category_of({"1", "2", "10", "True"}));
  EXPECT_EQ(encode(encoder, category_of({"1.0", "02", "1e1", "TRUE"})), want);
}

TEST(Columns, WeightsAreCountsAndTheOrderOfTheRowsDoesNotMatter) {
  Rng rng(3);
  const Index n = 60;
  Matrix X = rng.normal_matrix(n, 1);
  Category category;
  category.levels = {"x", "y", "z", "rare"};
  for (Index i = 0; i < n; ++i) {
    if (i % 7 == 0) X(i, 0) = kNan;
    category.codes.push_back(i == 5 ? 3 : static_cast<std::int32_t>(i * i % 4) - 1);
  }
  const Matrix numbers = X.replicate(1, 2);
  const Encoder encoder = learn_encoder({numbers, Categories{{1, category}}});
  std::vector<Index> twice;
  for (Index i = n; i-- > 0;) twice.insert(twice.end(), i % 3 == 0 ? 2 : 1, i);
  Category longer{{}, {"rare", "z", "y", "x"}};
  for (const Index i : twice)
    longer.codes.push_back(category.codes[i] < 0 ? -1 : 3 - category.codes[i]);
  const Vector weights = Vector::NullaryExpr(n, [](Index i) { return i % 3 == 0 ? 2.0 : 1.0; });
  const Encoder weighed = learn_encoder({numbers, Categories{{1, category}}}, &weights);
  const Categories reordered{{1, longer}};
  EXPECT_EQ(learn_encoder({numbers(twice, Eigen::all).eval(), reordered}), weighed);
  EXPECT_NE(weighed, encoder);
}

TEST(Columns, BadRowsAreRefusedByName) {
  const std::vector<std::string> names{"age", "color"};
  const Matrix X{{1, 0}, {2, 0}, {3, 0}};
  const Categories words{{1, category_of({"r", "g", "b"})}}, none;
  const Encoder encoder = learn_encoder({X, words}, nullptr, names);
  expect_refusal(refusal([&] {
                   encoder.encode({X, none}, names);
                 }),
                 "column \"color\" = numbers: training had words there");
  expect_refusal(refusal([&] {
                   encoder.encode({X, Categories{{0, words.at(1)}}}, names);
                 }),
                 "column \"age\" = words: training had numbers there");
  expect_refusal(refusal([&] { encoder.encode({X.leftCols(1), none}, names); }), "1 columns");
  Matrix infinite = X;
  infinite(1, 0) = INFINITY;
  expect_refusal(refusal([&] {
                   encoder.encode({infinite, words}, names);
                 }),
                 "column \"age\" = inf");
  expect_refusal(refusal([&] { learn_encoder({infinite, words}, nullptr, names); }), "finite");
  const auto learns = [&](Category category) {
    return refusal([&] { learn_encoder({X, Categories{{1, category}}}, nullptr, names); });
  };
  expect_refusal(learns({{0, 0, 0}, {std::string((1 << 20) + 1, 'a')}}), "megabyte");
  expect_refusal(learns({{0, 0, 0}, {"\xff"}}), "UTF-8");
  expect_refusal(learns({{0, 1, 0}, {"a"}}), "positions of levels");
  expect_refusal(learns({{0, 0}, {"a"}}), "one per row");
  expect_refusal(learns({{0, 0, 0}, std::vector<std::string>(1'000'000, "a")}),
                 "column \"color\" = 1000000 levels");
  const Vector short_weights = Vector::Ones(2);
  expect_refusal(refusal([&] { learn_encoder({X, words}, &short_weights); }), "weights");
}

// ---- Fits.

struct MixedData {
  explicit MixedData(Index n = 240) : X(Rng(5).normal_matrix(n, 3)), Y(n, 1) {
    Category category;
    category.levels = {"low", "high", "middle", "none"};
    Category noise{{}, {"p", "q", "r"}};
    for (Index i = 0; i < n; ++i) {
      category.codes.push_back(static_cast<std::int32_t>((7 * i) % 4));
      noise.codes.push_back(static_cast<std::int32_t>(i / 2 % 3));
      const double effect[] = {-2, 2, 0, 1};
      Y(i, 0) = effect[category.codes.back()] + std::abs(X(i, 0));
      if (i % 9 == 0) X(i, 0) = kNan;
    }
    words = {{1, category}, {2, noise}};
    encoder = learn_encoder({X, words});
    encoded = encoder.encode({X, words});
  }
  FitInput input() const { return {.X = encoded, .Y = Y, .encoder = &encoder}; }

  Matrix X, Y, encoded;
  Categories words;
  Encoder encoder;
};

FitOptions quick(const std::string& penalty) {
  FitOptions options;
  options.penalty = penalty;
  options.n_particles = 20;
  options.regularization = 0.02;
  return options;
}

TEST(Columns, APenaltyOnVariablesKeepsOrDropsAWholeColumn) {
  const MixedData data;
  const Model model = fit(data.input(), quick("concave_variable")).model;
  const Vector importances = model.importances();
  ASSERT_EQ(importances.size(), 3);
  EXPECT_EQ(importances(2), 0);  // noise
  EXPECT_GT(importances(1), 0.2);
  EXPECT_EQ(model.dimension(), 2);
  const std::vector<Index> begins = data.encoder.groups();
  for (Index j = 0; j < model.W.cols(); ++j)
    EXPECT_TRUE((model.W.col(j).segment(begins[2], 3).array() == 0).all());
  for (Index a = begins[1]; a < begins[2]; ++a) EXPECT_GT(model.W.row(a).norm(), 0);
  const Matrix P = model.directions(2);
  EXPECT_NEAR((P.transpose() * P - Matrix::Identity(2, 2)).norm(), 0, 1e-12);
  const Matrix effects = model.level_effects(1);  // high, low, middle, none
  EXPECT_GT(effects(0, 0), effects(3, 0));
  EXPECT_GT(effects(3, 0), effects(2, 0));
  EXPECT_GT(effects(2, 0), effects(1, 0));
  EXPECT_NEAR(effects.mean(), 0, 1e-12);
}

TEST(Columns, EveryPenaltyFitsAndPredictsRawRows) {
  const MixedData data(90);
  for (const std::string& penalty : penalty_names()) {
    const Model model = fit(data.input(), quick(penalty)).model;
    EXPECT_EQ(model.encoder, data.encoder);
    EXPECT_EQ(model.predict(MixedRows{data.X, data.words}), model.predict(data.encoded));
    EXPECT_LT((model.predict(data.encoded) - data.Y).norm(), 0.5 * data.Y.norm()) << penalty;
  }
}

// Two words are a column of zeros and ones.
TEST(Columns, WordsOfABinaryAreItsNumbers) {
  Rng rng(6);
  const Index n = 100;
  Matrix X = rng.normal_matrix(n, 2), Y(n, 1);
  Category category{{}, {"n", "y"}};
  for (Index i = 0; i < n; ++i) {
    category.codes.push_back(i % 5 == 0 ? 1 : 0);
    X(i, 1) = category.codes.back();
    Y(i, 0) = std::sin(X(i, 0)) + X(i, 1);
  }
  const Categories words{{1, category}};
  const Encoder encoder = learn_encoder({X, words});
  const Matrix encoded = encoder.encode({X, words});
  const FitOptions options = quick("concave_variable");
  const Matrix a = fit(X, Y, options).model.predict(X);
  const Matrix b = fit({.X = encoded, .Y = Y, .encoder = &encoder}, options).model.predict(encoded);
  EXPECT_NEAR((a - b).norm() / a.norm(), 0, 1e-6);
}

TEST(Columns, AGapOfAModelOfNumbersCountsAsTheMean) {
  Rng rng(7);
  const Matrix X = rng.normal_matrix(50, 2), Y = X.col(0).cwiseAbs();
  const Model model = fit(X, Y, quick("feature")).model;
  Matrix gap = X.topRows(3), mean = gap;
  gap(1, 0) = kNan;
  mean(1, 0) = model.center(0);
  EXPECT_EQ(model.predict(gap), model.predict(mean));
  const Categories words{{1, category_of({"a", "b", "c"})}};
  EXPECT_THROW(model.predict(MixedRows{gap, words}), InvalidArgument);
}

TEST(Columns, AreInTheModelFile) {
  const MixedData data(90);
  SavedModel saved;
  saved.model = fit(data.input(), quick("feature")).model;
  saved.model.feature_names = {"x", "k \"=\"", "noise"};
  const std::string text = model_to_json(saved);
  EXPECT_NE(text.find("\"version\":[2,"), std::string::npos);
  const SavedModel again = model_from_json(text);
  EXPECT_EQ(again.model.encoder, saved.model.encoder);
  EXPECT_EQ(model_to_json(again), text);
  EXPECT_EQ(again.model.predict(MixedRows{data.X, data.words}),
            saved.model.predict(MixedRows{data.X, data.words}));
  Model damaged = saved.model;
  damaged.encoder.columns[1].levels[0] = "zz";
  EXPECT_THROW(damaged.validate(), InvalidArgument);
  damaged = saved.model;
  damaged.encoder.columns.pop_back();
  EXPECT_THROW(damaged.validate(), InvalidArgument);
  damaged = saved.model;
  damaged.encoder.columns[1].shares[0] = 2;
  EXPECT_THROW(damaged.validate(), InvalidArgument);
}

// Rows in two places have the encoder of all rows, also where one place has nothing but gaps.
TEST(Columns, RowsInSeveralPlaces) {
  const double gap = std::nan("");
  Matrix X(40, 3);
  Category words{.codes = {}, .levels = {"a", "b"}}, first = words, second = words;
  for (Index i = 0; i < 40; ++i) {
    X.row(i) << (i % 7 == 0 ? gap : 1.0 / static_cast<double>(i + 1)), 0, static_cast<double>(i);
    words.codes.push_back(i < 15 ? Category::kGap : static_cast<std::int32_t>(i % 2));
    (i < 15 ? first : second).codes.push_back(words.codes.back());
  }
  Matrix top = X.topRows(15), bottom = X.bottomRows(25);
  top.col(1).setConstant(gap);  // a place of gaps alone does not know the kind of the column
  const Categories all{{1, words}}, none, below{{1, second}};
  const auto count = [](const Matrix& rows, const Categories& c) {
    return count_columns({rows, c});
  };
  const Encoder whole = learn_encoder({X, all});
  EXPECT_EQ(learn_encoder({count(top, none), count(bottom, below)}), whole);
  EXPECT_EQ(learn_encoder({count(bottom, below), count(top, Categories{{1, first}})}), whole);
  top.col(1).setConstant(1);
  expect_refusal(refusal([&] {
                   learn_encoder({count(top, none), count(bottom, below)}, {"x", "y", "z"});
                 }),
                 "\"y\"");
  expect_refusal(refusal([&] {
                   learn_encoder({count(X.leftCols(2), none), count(bottom, below)});
                 }),
                 "columns");
}

}  // namespace
}  // namespace bkernn
