// Model files and checkpoints: exact round trips, refusal of what cannot be right, resumed fits,
// and the command-line tool predicting the same bits as the library.
#include "bkernn/io.hpp"
#include "by_rule.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "bkernn/error.hpp"
#include "bkernn/fit.hpp"
#include "bkernn/simulate.hpp"
#include "bkernn/version.hpp"
#include "cli/commands.hpp"
#include "io/document.hpp"
#include "outer/optimizer_state.hpp"
#include "stop_at.hpp"
#include "tables/table_reader.hpp"

namespace bkernn {
namespace {

namespace fs = std::filesystem;
// Any double that a model may hold, whatever the others are: tiny and huge ones as likely as 1.
double any_number(std::mt19937_64& random) {
  for (;;) {
    const double value = std::bit_cast<double>(random());
    if (std::abs(value) <= 1e90) return value;
  }
}

template <class Values>
bool same_bits(const Values& a, const Values& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  return a.size() == 0 ||
         std::memcmp(a.data(), b.data(), sizeof(double) * static_cast<std::size_t>(a.size())) == 0;
}

SavedModel strange_model() {
  std::mt19937_64 random(1);
  const auto fill = [&](auto& values) {
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = any_number(random);
  };
  SavedModel saved;
  Model& model = saved.model;
  model.n_particles = 7;
  model.center.resize(3);
  model.scale.resize(3);
  model.intercept.resize(2);
  model.W.resize(3, 4);
  fill(model.center);
  fill(model.scale);
  model.scale = model.scale.cwiseAbs().cwiseMax(1e-90);
  fill(model.intercept);
  fill(model.W);
  model.W(0, 0) = -0.0;
  model.W(1, 0) = std::numeric_limits<double>::denorm_min();
  model.W(2, 0) = 1e100;
  for (Index j = 0; j < 4; ++j) {
    RidgeFunction& h = model.functions.emplace_back();
    h.knots.resize(5 + j);
    h.values.resize(5 + j, 2);
    fill(h.knots);
    fill(h.values);
    std::sort(h.knots.begin(), h.knots.end());
  }
  model.counted = {2, 3};
  model.feature_names = {"größe", "a \"quoted\"\nname", "</script>"};
  saved.target_names = {"y", "z"};
  saved.options.seed = std::numeric_limits<std::uint64_t>::max();
  saved.options.regularization = 0.1;
  saved.options.init = Matrix::Constant(3, 7, 1.0 / 3);
  saved.options.n_particles = 7;
  saved.regularization = 0.1;
  saved.data = {1000, 3, 2, 0xfedcba9876543210u};
  saved.scores["train"]["r2"] = 1.0 / 3;
  saved.report.termination = Termination::stalled;
  saved.report.optimizer = "spectral";
  saved.report.iterations.resize(2);
  saved.report.iterations[0].iteration = 1;
  saved.report.iterations[1].iteration = 2;
  saved.report.iterations[1].validation = 0.25;
  return saved;
}

// Two expansions, of three particles and of one, in multiples of a unit.
SavedModel expanded_model(double unit) {
  SavedModel saved;
  Model& model = saved.model;
  model.n_particles = 5;
  model.center = RowVector::Zero(3);
  model.scale = RowVector::Ones(3);
  model.intercept = RowVector::Constant(1, 0.5);
  model.W = Matrix::Random(3, 4);
  for (const Index particles : {3, 1}) {
    const Matrix u = (100 * Matrix::Random(9, 2)).array().round() * unit;
    const Matrix alpha = (100 * Matrix::Random(9, 1)).array().round() * unit;
    model.expansions.push_back({particles, Matrix::Identity(3, 2), u, alpha});
  }
  model.follow_expansions();
  return saved;
}

void expect_same(const SavedModel& a, const SavedModel& b) {
  EXPECT_TRUE(same_bits(a.model.center, b.model.center));
  EXPECT_TRUE(same_bits(a.model.scale, b.model.scale));
  EXPECT_TRUE(same_bits(a.model.intercept, b.model.intercept));
  EXPECT_TRUE(same_bits(a.model.W, b.model.W));
  ASSERT_EQ(a.model.functions.size(), b.model.functions.size());
  for (std::size_t j = 0; j < a.model.functions.size(); ++j) {
    EXPECT_TRUE(same_bits(a.model.functions[j].knots, b.model.functions[j].knots));
    EXPECT_TRUE(same_bits(a.model.functions[j].values, b.model.functions[j].values));
  }
  EXPECT_EQ(a.model.counted, b.model.counted);
  EXPECT_EQ(a.model.n_particles, b.model.n_particles);
  EXPECT_EQ(a.model.feature_names, b.model.feature_names);
  EXPECT_EQ(a.target_names, b.target_names);
  EXPECT_EQ(a.options.seed, b.options.seed);
  EXPECT_EQ(a.options.regularization, b.options.regularization);
  EXPECT_TRUE(same_bits(a.options.init, b.options.init));
  EXPECT_EQ(a.data, b.data);
  EXPECT_EQ(a.scores, b.scores);
  EXPECT_EQ(a.report.termination, b.report.termination);
  ASSERT_EQ(a.report.iterations.size(), b.report.iterations.size());
  if (a.report.iterations.empty()) return;
  EXPECT_TRUE(std::isnan(b.report.iterations[0].validation));
  EXPECT_EQ(b.report.iterations[1].validation, 0.25);
}

class ModelIoTest : public testing::Test {
 protected:
  void SetUp() override { fs::create_directory(directory_); }
  void TearDown() override { fs::remove_all(directory_); }
  std::string file(const std::string& name) const { return directory_ + "/" + name; }

  const std::string directory_ =
      testing::TempDir() + "bkernn_model_io_test_" + std::to_string(::getpid());
};

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(no Error)";
}

Json sealed(Json document) {
  seal(document);
  return document;
}

TEST_F(ModelIoTest, RoundTripIsExactInEveryEncoding) {
  const SavedModel saved = strange_model();
  for (const char* name : {"m.json", "m.ubj", "m.cbor", "M.JSON"}) {
    SCOPED_TRACE(name);
    save_model(saved, file(name));
    const SavedModel loaded = load_model(file(name));
    expect_same(saved, loaded);
    EXPECT_EQ(loaded.library_version, version());
  }
  expect_same(saved, model_from_json(model_to_json(saved)));
  expect_same(saved, model_from_json(model_to_json(saved, true)));
  expect_same(saved, model_from_cbor(model_to_cbor(saved)));
}

// Without and with digits that were rounded.
TEST_F(ModelIoTest, FunctionsThatFollowFromRowsAreNotWritten) {
  for (const SavedModel& saved : {expanded_model(1.0 / 3), expanded_model(0.25)}) {
    for (const char* name : {"m.json", "m.ubj", "m.cbor"}) {
      SCOPED_TRACE(name);
      save_model(saved, file(name));
      expect_same(saved, load_model(file(name)));
    }
    const Json model = Json::parse(model_to_json(saved))["model"];
    EXPECT_FALSE(model["particles"][0].contains("knots"));
    EXPECT_EQ(model["expansions"].size(), 2u);
  }
  const Json rounded = Json::parse(model_to_json(expanded_model(0.25)))["model"]["expansions"][0];
  EXPECT_EQ(rounded["rows"]["unit"], 0.25);
  EXPECT_TRUE(rounded["rows"]["values"][0][3].is_number_integer());
  EXPECT_FALSE(Json::parse(model_to_json(expanded_model(1.0 / 3)))["model"]["expansions"][0]["rows"]
                   .contains("unit"));
}

TEST_F(ModelIoTest, RefusesRowsThatWouldTakeAllMemory) {
  Json document = Json::parse(model_to_json(expanded_model(1)));
  document["version"] = {1, 0};
  document.erase("checksum");
  Json& model = document["model"];
  model["particles"] = Json::array();
  for (int j = 0; j < 200000; ++j) model["particles"].push_back({{"direction", {1, 0, 0}}});
  model["n_particles"] = 200000;
  Json& one = model["expansions"][0];
  model["expansions"].erase(1);
  one["particles"] = 200000;
  one["rows"] = {{"values", {std::vector<int>(200000, 1), std::vector<int>(200000, 2)}}};
  one["alpha"] = {{"values", {std::vector<int>(200000, 1)}}};
  const std::string error = error_of([&] { model_from_json(document.dump()); });
  EXPECT_NE(error.find("memory"), std::string::npos) << error;
}

TEST_F(ModelIoTest, ConstantModelIsAModel) {
  SavedModel saved;
  saved.model.center = RowVector::Zero(2);
  saved.model.scale = RowVector::Ones(2);
  saved.model.intercept = RowVector::Constant(1, 5);
  saved.model.n_particles = 3;
  saved.model.W.resize(2, 0);
  save_model(saved, file("c.json"));
  EXPECT_EQ(load_model(file("c.json")).model.predict(Matrix::Zero(1, 2))(0), 5);
}

TEST_F(ModelIoTest, RefusesWhatCannotBeSaved) {
  SavedModel saved = strange_model();
  EXPECT_NE(error_of([&] { save_model(saved, file("m.txt")); }).find(".json, .ubj or .cbor"),
            std::string::npos);
  saved.model.feature_names[0] = "\xff";
  EXPECT_NE(error_of([&] { save_model(saved, file("m.json")); }).find("UTF-8"), std::string::npos);
  saved = strange_model();
  saved.model.W(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(save_model(saved, file("m.json")), InvalidArgument);
  EXPECT_FALSE(fs::exists(file("m.json")));
}

// What a resumed fit would read outside of its arrays, or before its beginning.
TEST_F(ModelIoTest, CheckpointsFitTogether) {
  const Simulated data = simulate({.kind = "multi_index", .n = 60, .d = 4});
  FitOptions options = by_rule();
  options.n_particles = 5;
  options.max_iter = 6;
  options.tol = 0;
  StopAt stop(6);
  fit({.X = data.train.X, .Y = data.train.Y}, options, &stop);
  OptimizerState good = stop.state.inside();
  ASSERT_GT(good.pairs.size(), 0);
  good.inner.coarse_W = good.W;
  good.inner.coarse_weights = RowVector::Ones(good.inner.unknowns.rows());
  const auto kept = [&](const OptimizerState& state) {
    save_checkpoint({FitState(state), options, {}, ""}, file("c.cbor"));
    return load_checkpoint(file("c.cbor")).state;
  };
  EXPECT_EQ(kept(good).inside().inner.coarse_weights, good.inner.coarse_weights);
  using Spoil = void (*)(OptimizerState&);
  const std::pair<std::string, Spoil> bad[]{
      {"iteration", [](auto& s) { s.iteration = 0; }},
      {"W", [](auto& s) { s.W.resize(0, 0); }},
      {"previous_W", [](auto& s) { s.previous_W.conservativeResize(4, 4); }},
      {"previous_gradient", [](auto& s) { s.previous_gradient.conservativeResize(3, 5); }},
      {"best_W", [](auto& s) { s.best_W.resize(0, 0); }},
      {"curvature_steps", [](auto& s) { s.pairs.steps.conservativeResize(19, Eigen::NoChange); }},
      {"curvature_steps", [](auto& s) { s.pairs.changes = Matrix(20, s.pairs.size() + 1); }},
      {"accuracy", [](auto& s) { s.accuracy = 0; }},
      {"accuracy", [](auto& s) { s.accuracy = 1.5; }},
      {"recent", [](auto& s) { s.recent.clear(); }},
      {"intercept", [](auto& s) { s.inner.intercept = RowVector::Zero(2); }},
      {"stage_begin", [](auto& s) { s.stage_begin = s.iteration; }},
      {"coarse_W", [](auto& s) { s.inner.coarse_W.conservativeResize(4, 4); }},
      {"coarse_weights", [](auto& s) { s.inner.coarse_weights = RowVector::Ones(7); }},
      {"coarse_weights", [](auto& s) { s.inner.coarse_weights(0) = 0; }},
      {"best_iteration", [](auto& s) { s.best_iteration = s.iteration + 1; }},
      {"records", [](auto& s) { s.records.pop_back(); }},
  };
  for (const auto& [name, spoil] : bad) {
    OptimizerState state = good;
    spoil(state);
    const std::string error = error_of([&] { kept(state); });
    EXPECT_NE(error.find(": " + name + " = "), std::string::npos) << name << ": " << error;
  }
}

// The system would stop reading such a path at the NUL and take another file for it.
TEST_F(ModelIoTest, RefusesPathsWithANulByte) {
  using namespace std::string_literals;
  const std::string innocent = file("important.csv");
  std::ofstream(innocent) << "important";
  const std::string path = innocent + "\0.json"s;
  Checkpoint checkpoint;
  const std::vector<std::function<void()>> actions{
      [&] { save_model(strange_model(), path); }, [&] { load_model(path); },
      [&] { save_checkpoint(checkpoint, path); }, [&] { load_checkpoint(path); },
      [&] { CheckpointObserver(path, {}, {}); }};
  for (const auto& action : actions) {
    try {
      action();
      ADD_FAILURE() << "accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.what(),
                "path = \"" + innocent + "\" and a NUL byte: no name of a file holds one");
    }
  }
  std::ifstream in(innocent);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "important");
}

TEST_F(ModelIoTest, RefusesOtherDocuments) {
  for (const char* text : {"[]", "3", "{}", R"({"format": "other"})", R"({"format": 3})"})
    EXPECT_NE(error_of([&] { model_from_json(text); }).find("is not a bkernn-model file"),
              std::string::npos)
        << text;
}

TEST_F(ModelIoTest, CheckpointsComeAsOftenAsEveryIteration) {
  const std::string path = file("c.cbor");
  EXPECT_NO_THROW(CheckpointObserver(path, {}, {}, nullptr, 1, 0));
  EXPECT_THROW(CheckpointObserver(path, {}, {}, nullptr, 0, 0), InvalidArgument);
  EXPECT_THROW(CheckpointObserver(path, {}, {}, nullptr, 1, -1), InvalidArgument);
}

TEST_F(ModelIoTest, RefusesNewerMajorVersions) {
  Json document = Json::parse(model_to_json(strange_model()));
  document["version"] = {4, 3};
  const std::string error = error_of([&] { model_from_json(document.dump()); });
  EXPECT_NE(error.find("version 4.3"), std::string::npos) << error;
  document["version"] = {1, 99};
  document["something new"] = 1;
  EXPECT_NO_THROW(model_from_json(sealed(document).dump()));
}

// One bit, one digit, one missing key: found, whatever the rest says of itself.
TEST_F(ModelIoTest, ContentsThatChangedAreRefused) {
  const Json document = Json::parse(model_to_json(strange_model()));
  EXPECT_NO_THROW(model_from_json(document.dump(4)));
  Json changed = document;
  double& one = changed["model"]["intercept"][0].get_ref<double&>();
  one = std::nextafter(one, 0.0);
  EXPECT_NE(error_of([&] { model_from_json(changed.dump()); }).find("checksum"), std::string::npos);
  EXPECT_NO_THROW(model_from_json(sealed(changed).dump()));
  changed = document;
  changed.erase("checksum");
  EXPECT_NE(error_of([&] { model_from_json(changed.dump()); }).find("checksum"), std::string::npos);
  changed["version"] = {1, 0};  // which had none
  EXPECT_NO_THROW(model_from_json(changed.dump()));
}

// Numbers that are finite one by one, and together give none: what is loaded predicts.
TEST_F(ModelIoTest, RefusesModelsThatCannotPredictFiniteNumbers) {
  Json document = Json::parse(model_to_json(strange_model()));
  document["version"] = {1, 0};  // so that the checksum does not find it first
  document.erase("checksum");
  document["model"]["particles"][0]["knots"][0] = -1e200;
  EXPECT_NO_THROW(model_from_json(document.dump()));
  const auto error_with = [&](const char* place, double value) {
    Json damaged = document;
    damaged["model"][Json::json_pointer(place)] = value;
    return error_of([&] { model_from_json(damaged.dump()); });
  };
  EXPECT_EQ(error_with("/particles/0/values/0/1", -1e308),
            "model: values = -1e+308: must not exceed 1e+200 in size");
  EXPECT_EQ(error_with("/particles/0/knots/0", -1e305),
            "model: knots = -1e+305: must not exceed 1e+300 in size");
  EXPECT_EQ(error_with("/intercept/1", 1e201),
            "model: intercept = 1e+201: must not exceed 1e+200 in size");
  EXPECT_EQ(error_with("/center/1", 1e201),
            "model: center = 1e+201: must not exceed 1e+200 in size");
  EXPECT_EQ(error_with("/particles/0/direction/0", 1e151),
            "model: W = 1e+151: must not exceed 1e+150 in size");
  for (const double scale : {5e-324, 1e-201, 1e201}) {
    const std::string error = error_with("/scale/2", scale);
    EXPECT_NE(error.find("model: scale = "), std::string::npos) << error;
    EXPECT_NE(error.find("must lie between 1e-200 and 1e+200"), std::string::npos) << error;
  }
  const std::string error = error_with("/scale/2", 1e-190);  // with a direction of 1e100
  EXPECT_NE(error.find("gives no finite projection"), std::string::npos) << error;
}

TEST_F(ModelIoTest, ChecksumKnowsValuesNotSpelling) {
  const auto of = [](const char* text) { return sealed(Json::parse(text))["checksum"]; };
  EXPECT_EQ(of(R"({"a": 1, "b": [2.0, -3]})"), of(R"({"b": [2, -3.0], "a": 1.0})"));
  EXPECT_NE(of(R"({"a": 0.0})"), of(R"({"a": -0.0})"));
  EXPECT_NE(of(R"({"a": [1, 2]})"), of(R"({"a": [2, 1]})"));
  EXPECT_NE(of(R"({"a": 1, "b": 2})"), of(R"({"a": 2, "b": 1})"));
  EXPECT_NE(of(R"({"a": "12345678"})"), of(R"({"a": "123456789"})"));
  EXPECT_NE(of(R"({"a": null})"), of(R"({"a": false})"));
  EXPECT_NE(of(R"({"a": {}})"), of(R"({"a": []})"));
}

// Every value of a document replaced by values of other types and sizes: an error or a model, never
// anything else.
TEST_F(ModelIoTest, EveryDamagedValueIsAnErrorOrHarmless) {
  const std::vector<Json> strange = {nullptr,
                                     true,
                                     -1,
                                     1e300,
                                     "text",
                                     Json::array(),
                                     Json::object(),
                                     Json::array({1, 2}),
                                     std::numeric_limits<std::uint64_t>::max()};
  for (const SavedModel& saved : {strange_model(), expanded_model(0.25)}) {
    Json document = Json::parse(model_to_json(saved));
    document["version"] = {1, 0};  // so that the checksum does not find it first
    document.erase("checksum");
    const Json flat = document.flatten();
    for (const auto& item : flat.items()) {
      for (const Json& value : strange) {
        Json damaged = document;
        damaged[Json::json_pointer(item.key())] = value;
        try {
          model_from_json(damaged.dump()).model.validate();
        } catch (const IoError&) {
        }
      }
    }
  }
}

TEST_F(ModelIoTest, DamagedBytesAreAnErrorOrTheSameModel) {
  std::mt19937_64 random(5);
  const std::string right = model_to_json(strange_model());
  for (const char* name : {"m.json", "m.ubj", "m.cbor"}) {
    save_model(strange_model(), file(name));
    std::ifstream in(file(name), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (int trial = 0; trial < 300; ++trial) {
      std::string damaged =
          bytes.substr(0, trial % 3 == 0 ? random() % bytes.size() : bytes.size());
      for (int i = 0; i < trial % 4 && !damaged.empty(); ++i)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      std::ofstream(file(name), std::ios::binary) << damaged;
      try {
        EXPECT_EQ(model_to_json(load_model(file(name))), right);
      } catch (const IoError&) {
      }
    }
  }
}

TEST_F(ModelIoTest, FingerprintKnowsValuesNotStorage) {
  const Matrix X = Matrix::Random(20, 3), Y = Matrix::Random(20, 1);
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> by_rows = X;
  EXPECT_EQ(fingerprint(X, Y), fingerprint(by_rows, Y));
  Matrix other = X;
  other(7, 1) = std::nextafter(other(7, 1), 2.0);
  EXPECT_NE(fingerprint(X, Y), fingerprint(other, Y));
  EXPECT_NE(fingerprint(X, Y), fingerprint(X.topRows(19), Y.topRows(19)));
}

TEST_F(ModelIoTest, ResumedFitHasTheSameBits) {
  const Simulated data = simulate({.n = 150, .d = 6, .seed = 2});
  const MatrixView X = data.train.X, Y = data.train.Y;
  for (const char* optimizer : {"spectral", "paper"}) {
    for (const char* name : {"state.json", "state.ubj", "state.cbor"}) {
      SCOPED_TRACE(std::string(optimizer) + " " + name);
      FitOptions options = by_rule();
      options.n_particles = 12;
      options.max_iter = 15;
      options.tol = 0;
      options.optimizer = optimizer;
      const FitResult whole = fit(FitInput{.X = X, .Y = Y}, options);
      StopAt stop(6);
      CheckpointObserver saving(file(name), options, fingerprint(X, Y), &stop);
      fit(FitInput{.X = X, .Y = Y}, options, &saving);
      const Checkpoint checkpoint = load_checkpoint(file(name));
      EXPECT_EQ(checkpoint.state.iteration(), 6);
      EXPECT_NO_THROW(check_resumable(checkpoint, options, fingerprint(X, Y)));
      const FitResult rest = fit(FitInput{.X = X, .Y = Y, .resume = &checkpoint.state}, options);
      EXPECT_TRUE(same_bits(whole.W, rest.W));
      EXPECT_TRUE(same_bits(whole.alpha, rest.alpha));
      EXPECT_EQ(whole.report.iterations.size(), rest.report.iterations.size());
      FitOptions other = options;
      other.concavity = 2;
      EXPECT_THROW(check_resumable(checkpoint, other, fingerprint(X, Y)), InvalidArgument);
      EXPECT_THROW(check_resumable(checkpoint, options, fingerprint(Y, X)), InvalidArgument);
    }
  }
}

TEST_F(ModelIoTest, ToolPredictsTheBitsOfTheLibrary) {
  const auto run = [](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "bkernn");
    return cli::run(static_cast<int>(arguments.size()), arguments.data());
  };
  const std::string data = file("d.csv"), model = file("m.cbor"), out = file("p.csv");
  ASSERT_EQ(run({"simulate", "--n", "1500", "--d", "4", "-o", data.c_str(), "-q"}), 0);
  ASSERT_EQ(
      run({"fit", data.c_str(), "--target", "y", "--max-iter", "5", "-o", model.c_str(), "-q"}), 0);
  ASSERT_EQ(run({"predict", model.c_str(), data.c_str(), "-o", out.c_str(), "-q"}), 0);
  const Matrix table = tables::read_table(data).values;
  const Matrix X = table.leftCols(4), Y = table.rightCols(1);
  EXPECT_TRUE(same_bits(tables::read_table(out).values, load_model(model).model.predict(X)));
  FitOptions options;
  options.max_iter = 5;
  EXPECT_TRUE(
      same_bits(tables::read_table(out).values, fit(X, Y, options).model.for_file().predict(X)));
}

}  // namespace
}  // namespace bkernn
