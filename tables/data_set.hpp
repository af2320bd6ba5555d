// Data as fit() wants them, from the columns of a file.
#pragma once

#include <string>
#include <vector>

#include "bkernn/error.hpp"
#include "bkernn/io.hpp"
#include "bkernn/types.hpp"
#include "tables/table.hpp"
#include "tables/table_reader.hpp"

namespace bkernn::tables {

struct DataSet {
  Matrix X;                                // n×d
  Matrix Y;                                // n×q, as the loss wants it
  Vector weights;                          // empty: all 1
  std::vector<std::string> feature_names;  // d
  std::vector<std::string> target_names;   // one for classes
  std::vector<std::string> class_names;    // empty for numbers

  const Vector* weights_or_null() const { return weights.size() > 0 ? &weights : nullptr; }
  DataSet rows(const std::vector<Index>& which) const;
};

struct TrainingColumns {
  std::vector<std::string> targets;
  std::vector<std::string> ignored;
  std::string weights;  // empty: none
};

// A target that holds numbers and words, and nobody said what it is: one of its cells is wrong, or
// it is the target of a classification.
class MixedTarget : public IoError {
 public:
  using IoError::IoError;
};

// All columns but the targets, the weights and the ignored ones are variables. `loss` may be
// "auto", and is then replaced by the default loss for the classes, if the target holds words, or
// for numbers; if it holds both, a MixedTarget is thrown. Throws InvalidArgument if there are more
// targets than the loss takes.
DataSet read_training_data(const std::string& path, const CsvFormat& format,
                           const TrainingColumns& columns, std::string& loss);

// The rows of another file for a model that exists: columns are found by name. `targets` replaces
// the names that the model has, `weights` is the name of a column or empty. Throws InvalidArgument
// if nobody knows the names of the targets, or there are not as many as the model has.
DataSet read_data_for(const SavedModel& saved, const std::string& path, const CsvFormat& format,
                      const std::vector<std::string>& targets, const std::string& weights = "");

// Where the variables of the model stand in the file, and after them the columns `more`.
std::vector<Index> locate_columns(const TableReader& reader, const std::string& path,
                                  const Model& model, const std::vector<std::string>& more);

// The classes in column `column` of a table as one-hot rows, of which the last `outputs` columns
// are kept: all of them, or of two classes the second.
Matrix encode_classes(const Table& table, Index column, const std::vector<std::string>& classes,
                      Index outputs);

// One-hot rows n×2 from one column of 0 and 1.
Matrix both_classes(const Matrix& Y);

}  // namespace bkernn::tables
