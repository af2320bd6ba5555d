#include <bit>
#include <chrono>
#include <cmath>

#include "base/hash.hpp"
#include "bkernn/io.hpp"
#include "io/document.hpp"
#include "io/document_fields.hpp"
#include "io/fingerprint_json.hpp"

namespace bkernn {
namespace {

constexpr const char* kCheckpointFormat = "bkernn-checkpoint";
constexpr int kCheckpointMajor = 1, kCheckpointMinor = 3;

std::uint64_t mix_values(std::uint64_t hash, const MatrixView& values) {
  for (Index k = 0; k < values.cols(); ++k) {
    for (Index i = 0; i < values.rows(); ++i) {
      hash = mix(hash, std::bit_cast<std::uint64_t>(values(i, k) + 0.0));  // −0 is 0
    }
  }
  return hash;
}

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A state that the optimizer can go on from without looking outside of anything.
void check_state(const OptimizerState& state) {
  const auto same_shape = [&](const Matrix& other, const char* name) {
    require(other.rows() == state.W.rows() && other.cols() == state.W.cols(), name,
            std::to_string(other.rows()) + "x" + std::to_string(other.cols()),
            "must be as large as W");
  };
  require(state.iteration >= 1, "iteration", state.iteration, "must be at least 1");
  require(state.W.size() > 0, "W", "empty", "must have values");
  same_shape(state.previous_W, "previous_W");
  same_shape(state.previous_gradient, "previous_gradient");
  same_shape(state.best_W, "best_W");
  require(state.pairs.changes.cols() == state.pairs.size() &&
              state.pairs.changes.rows() == state.pairs.steps.rows() &&
              (state.pairs.size() == 0 || state.pairs.steps.rows() == state.W.size()),
          "curvature_steps", state.pairs.size(), "must be pairs as large as W");
  require(state.accuracy > 0 && state.accuracy <= 1, "accuracy", state.accuracy,
          "must be in (0, 1]");
  require(!state.recent.empty(), "recent", "empty", "must have values");
  require(state.inner.unknowns.cols() == state.inner.intercept.size(), "intercept",
          state.inner.intercept.size(), "must be one per column of alpha");
  require(state.stage_begin < state.iteration, "stage_begin", state.stage_begin,
          "must be less than iteration");
  if (state.inner.coarse_W.size() > 0) same_shape(state.inner.coarse_W, "coarse_W");
  require(state.inner.coarse_weights.size() == 0 ||
              state.inner.coarse_weights.size() == state.inner.unknowns.rows(),
          "coarse_weights", state.inner.coarse_weights.size(), "must be one per row of alpha");
  require((state.inner.coarse_weights.array() > 0).all(), "coarse_weights", "not positive",
          "every weight must be positive");
  require(state.best_iteration <= state.iteration, "best_iteration", state.best_iteration,
          "must not exceed iteration");
  require(static_cast<int>(state.records.size()) == state.iteration, "records",
          state.records.size(), "must be one per iteration");
}

}  // namespace

DataFingerprint fingerprint(const MatrixView& X, const MatrixView& Y) {
  std::uint64_t hash =
      mix(static_cast<std::uint64_t>(X.rows()), static_cast<std::uint64_t>(X.cols()));
  hash = mix_values(mix_values(mix(hash, static_cast<std::uint64_t>(Y.cols())), X), Y);
  return {X.rows(), X.cols(), Y.cols(), hash};
}

void put_fingerprint(Json& to, const DataFingerprint& data) {
  to = Json::object();
  add_key(to, "rows") = data.rows;
  add_key(to, "columns") = data.columns;
  add_key(to, "outputs") = data.outputs;
  add_key(to, "hash") = to_hex(data.hash);
}

DataFingerprint fingerprint_of(const Reader& in) {
  constexpr Index kMost = Index{1} << 40;
  DataFingerprint data;
  data.rows = in.integer("rows", 0, kMost);
  data.columns = in.integer("columns", 0, kMost);
  data.outputs = in.integer("outputs", 0, kMost);
  if (!from_hex(in.text("hash"), data.hash)) in.fail("hash", "must be 16 hexadecimal digits");
  return data;
}

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path) {
  Document document;
  Json& to = document.json;
  put_format(to, kCheckpointFormat, kCheckpointMajor, kCheckpointMinor, checkpoint.library_version);
  put_object(add_key(to, "options"), checkpoint.options);
  put_fingerprint(add_key(to, "data"), checkpoint.data);
  put_object(add_key(to, "state"), checkpoint.state.inside());
  seal(to);
  write_document(to, path);
}

Checkpoint load_checkpoint(const std::string& path) {
  const Document owner = read_document(path);
  const Json& document = owner.json;
  try {
    check_format(document, kCheckpointFormat, kCheckpointMajor);
    const Reader in(document, "");
    Checkpoint checkpoint;
    checkpoint.library_version = in.text("library_version");
    const std::int64_t minor = document["version"][1].get<std::int64_t>();
    const bool older = minor < kCheckpointMinor;
    checkpoint.options = from_object<FitOptions>(in.object("options"), true);
    std::string& rule = checkpoint.options.regularization_rule;
    if (minor < 3 && rule == "auto") rule = "rule";  // as it was called
    checkpoint.options.validate();
    checkpoint.data = fingerprint_of(in.object("data"));
    checkpoint.state = FitState(from_object<OptimizerState>(in.object("state"), older));
    check_state(checkpoint.state.inside());
    check_seal(document);
    return checkpoint;
  } catch (const Error& error) {
    throw IoError(path + ": " + error.what());
  }
}

void check_resumable(const Checkpoint& checkpoint, const FitOptions& options,
                     const DataFingerprint& data) {
  require(checkpoint.data == data, "checkpoint",
          std::to_string(checkpoint.data.rows) + "x" + std::to_string(checkpoint.data.columns),
          "was made from other data");
  Document before, now;
  put_object(before.json, checkpoint.options);
  put_object(now.json, options);
  for (const auto& item : now.json.items()) {
    const std::string& key = item.key();
    const Json& old = before.json[key];
    if (key == "max_iter" || key == "n_threads" || key == "tol" || old == item.value()) continue;
    throw InvalidArgument(key + " = " + item.value().dump() + ": the checkpoint was made with " +
                          old.dump());
  }
}

CheckpointObserver::CheckpointObserver(std::string path, FitOptions options, DataFingerprint data,
                                       Observer* next, int every_iterations, double every_seconds)
    : path_(std::move(path)),
      options_(std::move(options)),
      data_(data),
      next_(next),
      every_iterations_(every_iterations),
      every_seconds_(every_seconds),
      last_seconds_(now()) {
  encoding_of(path_);
  require(every_iterations_ >= 1, "every_iterations", every_iterations_, "must be at least 1");
  require(every_seconds_ >= 0, "every_seconds", every_seconds_, "must be at least 0");
}

bool CheckpointObserver::on_race(const RacePoint& point) {
  return next_ == nullptr || next_->on_race(point);
}

bool CheckpointObserver::on_calibration(int finished, int folds) {
  return next_ == nullptr || next_->on_calibration(finished, folds);
}

void CheckpointObserver::on_choice(const Race& race) {
  if (next_ != nullptr) next_->on_choice(race);
}

bool CheckpointObserver::on_iteration(const IterationRecord& record, const FitState& state) {
  const bool go_on = next_ == nullptr || next_->on_iteration(record, state);
  const bool due = record.iteration - last_iteration_ >= every_iterations_ ||
                   now() - last_seconds_ >= every_seconds_ || !go_on;
  if (due) {
    save_checkpoint({state, options_, data_, ""}, path_);
    last_iteration_ = record.iteration;
    last_seconds_ = now();
  }
  return go_on;
}

}  // namespace bkernn
