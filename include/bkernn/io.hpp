// Files: fitted models, and checkpoints of fits that are not finished.
//
// Both are one versioned document, {"format": …, "version": [major, minor], …}, in one of three
// encodings with exactly the same contents: .json is text, .ubj (UBJSON) and .cbor are binary.
// Every double is read back with the same bits. The schema of model documents is
// docs/model.schema.json.
//
// Compatibility. A reader accepts every document of its own major version and ignores keys that it
// does not know, because a newer minor version may add keys. A newer major version is refused with
// a message that says so.
//
// Reading never trusts the file: nesting is limited, no more is allocated than the size of the file
// justifies, and types, sizes and values are all checked. Any problem is an IoError that names the
// file. Writing is atomic: after a kill, either the old file or the new one is there. A program
// that is ended by a signal calls remove_temporary_files() first and leaves nothing behind.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bkernn/model.hpp"
#include "bkernn/observer.hpp"
#include "bkernn/options.hpp"
#include "bkernn/report.hpp"
#include "bkernn/types.hpp"

namespace bkernn {

// Identifies the data that something was computed from. The hash depends on the values, their order
// and the shapes, not on the layout of the matrices in memory.
struct DataFingerprint {
  Index rows = 0, columns = 0, outputs = 0;
  std::uint64_t hash = 0;

  bool operator==(const DataFingerprint&) const = default;
};

DataFingerprint fingerprint(const MatrixView& X, const MatrixView& Y);

// Rows ("train", "validation", "cross_validation") → name of a score → its value on them.
using Scores = std::map<std::string, std::map<std::string, double>>;

// A model and where it comes from. Only `model` is needed to predict.
struct SavedModel {
  Model model;
  std::vector<std::string> target_names;  // empty, or one per column of the target (classes: one)
  FitOptions options;                     // as the fit got them
  double regularization = 0;              // the λ that was used; 0: unknown
  FitReport report;
  DataFingerprint data;
  Scores scores;
  std::string library_version;  // empty when saving: this one
};

// Small files: a fit allows its predictions to be moved by 10⁻⁴ of the spread of y when it is saved
// (Model::tolerance), for the sake of knots and digits (Model::for_file). A compressed file has no
// tolerance left: loaded, it is saved as it is. Exact files keep every bit.
enum class Numbers { compressed, exact };

// The extension decides the encoding: .json, .ubj or .cbor.
void save_model(const SavedModel& model, const std::string& path,
                Numbers numbers = Numbers::compressed);
SavedModel load_model(const std::string& path);

// The exact document as text, to be kept elsewhere than in a file (in a pickle, for example).
std::string model_to_json(const SavedModel& model, bool indent = false);
SavedModel model_from_json(const std::string& text);

// The same as the bytes of a .cbor file: a third of the size, and quicker.
std::string model_to_cbor(const SavedModel& model);
SavedModel model_from_cbor(const std::string& bytes);

// All that is needed to continue a fit.
struct Checkpoint {
  FitState state;
  FitOptions options;
  DataFingerprint data;
  std::string library_version;  // empty when saving: this one
};

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint load_checkpoint(const std::string& path);

// Throws InvalidArgument unless continuing from the checkpoint with these options and data gives
// the result of an uninterrupted fit. max_iter, n_threads and the stopping rule (tol) may differ:
// they do not change the steps.
void check_resumable(const Checkpoint& checkpoint, const FitOptions& options,
                     const DataFingerprint& data);

// Saves a checkpoint every `every_iterations` iterations or `every_seconds` seconds, whichever
// comes first, and before a stop that `next` asks for. `next`, if given, is called first.
class CheckpointObserver : public Observer {
 public:
  CheckpointObserver(std::string path, FitOptions options, DataFingerprint data,
                     Observer* next = nullptr, int every_iterations = 10,
                     double every_seconds = 30);

  bool on_iteration(const IterationRecord& record, const FitState& state) override;
  bool on_race(const RacePoint& point) override;
  void on_choice(const Race& race) override;
  bool on_calibration(int finished, int folds) override;

 private:
  std::string path_;
  FitOptions options_;
  DataFingerprint data_;
  Observer* next_;
  int every_iterations_;
  double every_seconds_;
  int last_iteration_ = 0;
  double last_seconds_;
};

// Removes the temporary files (`<name>.tmp-…`) of whatever is being written, in any thread. For the
// handler of a signal that ends the process: safe there, and nothing may be written afterwards.
void remove_temporary_files() noexcept;

}  // namespace bkernn
