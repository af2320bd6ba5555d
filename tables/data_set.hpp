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
  Matrix X;                                // n×d; before encode(), the columns of the table
  Categories categories;                   // those of them that are words; none after encode()
  Encoder encoder;                         // what encode() was called with
  Matrix Y;                                // n×q, as the loss wants it
  Vector weights;                          // empty: all 1
  std::vector<std::string> feature_names;  // d
  std::vector<std::string> target_names;   // one for classes
  std::vector<std::string> class_names;    // empty for numbers

  const Vector* weights_or_null() const { return weights.size() > 0 ? &weights : nullptr; }
  DataSet rows(const std::vector<Index>& which) const;

  // Turns the columns of the table into the coordinates of a fit. Throws IoError that names `file`.
  void encode(const Encoder& by, const std::string& file);

  // After a fit that has chosen ranks for the encoded rows: takes its encoder.
  void bend(const Encoder& by);
};

struct TrainingColumns {
  std::vector<std::string> targets;
  std::vector<std::string> used;  // the variables; none: all other columns
  std::vector<std::string> ignored;
  std::string weights;                   // empty: none
  std::vector<std::string> categorical;  // numbers in them are words
  std::vector<std::string> numeric;      // no words in them
  bool drop_missing_target = false;      // leave out the rows that have none
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
//
// A variable whose cells are all words is a category, one whose cells are all numbers is a number.
// One that holds both must be declared; if it is not, the first word is an IoError. Gaps are left
// as they are: encode() deals with them.
DataSet read_training_data(const std::string& path, const CsvFormat& format,
                           const TrainingColumns& columns, std::string& loss);

// What encode() needs, learned from these rows. Throws IoError that names `file`.
Encoder learn_encoder(const DataSet& data, const std::string& file);

// The rows of another file for a model that exists, encoded: columns are found by name. `targets`
// replaces the names that the model has, `weights` is the name of a column or empty. Throws
// InvalidArgument if nobody knows the names of the targets, or there are not as many as the model
// has.
DataSet read_data_for(const SavedModel& saved, const std::string& path, const CsvFormat& format,
                      const std::vector<std::string>& targets, const std::string& weights = "");

// Where the variables of the model stand in the file, and after them the columns `more`.
std::vector<Index> locate_columns(const TableReader& reader, const std::string& path,
                                  const Model& model, const std::vector<std::string>& more);

// What the variables of the model may hold.
std::vector<Cells> cells_of(const Model& model);

// The variables of the model, the first columns of the table, as it takes them.
Matrix encode_rows(const Table& table, const Model& model, const std::string& path);

// The classes in column `column` of a table as one-hot rows, of which the last `outputs` columns
// are kept: all of them, or of two classes the second.
Matrix encode_classes(const Table& table, Index column, const std::vector<std::string>& classes,
                      Index outputs);

// One-hot rows n×2 from one column of 0 and 1.
Matrix both_classes(const Matrix& Y);

}  // namespace bkernn::tables
