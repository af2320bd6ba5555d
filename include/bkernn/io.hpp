// Files: fitted models, and checkpoints of fits that are under way.
//
// Both are one versioned document, {"format": …, "version": [major, minor], …}, in one of three
// encodings that hold exactly the same: .json is text, .ubj (UBJSON) and .cbor are binary. Every
// double comes back with the same bits. The schema of model documents is docs/model.schema.json.
//
// Compatibility: a reader takes every document of its own major version and ignores keys that it
// does not know (a newer minor version adds such keys); a newer major version is refused with a
// message that says so.
//
// Reading never trusts the file: nesting is limited, nothing is allocated that the size of the file
// does not justify, and types, sizes and values are all checked. Whatever is wrong is an IoError
// that names the file. Writing is atomic: after a kill the old file or the new one is there.
// A program that a signal ends calls remove_temporary_files() first, and leaves nothing behind.
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

// Tells whether data are the ones that something was computed from. The hash depends on the values,
// their order and the shapes, not on how the matrices lie in memory.
struct DataFingerprint {
  Index rows = 0, columns = 0, outputs = 0;
  std::uint64_t hash = 0;

  bool operator==(const DataFingerprint&) const = default;
};

DataFingerprint fingerprint(const MatrixView& X, const MatrixView& Y);

// Name of a score → its value, for the rows it was computed on ("train", "validation",
// "cross_validation").
using Scores = std::map<std::string, std::map<std::string, double>>;

// A model and where it comes from. Only `model` is needed for predicting.
struct SavedModel {
  Model model;
  std::vector<std::string> target_names;  // empty or one per column of the target: one for classes
  FitOptions options;                     // as the fit got them
  double regularization = 0;              // λ that was used; 0: not known
  FitReport report;
  DataFingerprint data;
  Scores scores;
  std::string library_version;  // empty when saving: this one
};

// The extension decides the encoding: .json, .ubj or .cbor.
void save_model(const SavedModel& model, const std::string& path);
SavedModel load_model(const std::string& path);

// The same document as text, for those who keep it elsewhere than in a file (pickle).
std::string model_to_json(const SavedModel& model, bool indent = false);
SavedModel model_from_json(const std::string& text);

// All that is needed to go on with a fit.
struct Checkpoint {
  OptimizerState state;
  FitOptions options;
  DataFingerprint data;
  std::string library_version;  // empty when saving: this one
};

void save_checkpoint(const Checkpoint& checkpoint, const std::string& path);
Checkpoint load_checkpoint(const std::string& path);

// Throws InvalidArgument unless going on from the checkpoint with these options and data gives what
// an uninterrupted fit would have given. max_iter, n_threads and the stopping rule (tol) may
// differ: they do not change the steps.
void check_resumable(const Checkpoint& checkpoint, const FitOptions& options,
                     const DataFingerprint& data);

// Saves a checkpoint after every `every_iterations` iterations or `every_seconds` seconds,
// whichever comes first, and before a stop that `next` asks for. `next`, if there is one, is called
// first.
class CheckpointObserver : public Observer {
 public:
  CheckpointObserver(std::string path, FitOptions options, DataFingerprint data,
                     Observer* next = nullptr, int every_iterations = 10,
                     double every_seconds = 30);

  bool on_iteration(const IterationRecord& record, const OptimizerState& state) override;

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
