// Models where there is no bkernn. What is written predicts, and nothing else: it is made from a
// model and cannot be turned back into one.
//
//   .c      one C99 file without dependencies and without allocation,
//             double predict(const double *x, double *out);
//           with the bits of Model::predict_response, if products are not fused with sums. Of a
//           table with words and gaps x has the columns: a number, NAN for a gap, and the number
//           of a level, which `double level(long column, const char *word)` gives (-1: not known).
//   .onnx   a graph of standard operators (opset 17, and LabelEncoder of ai.onnx.ml 3 for words)
//           for any number of rows. Input "X", rows × variables; of a table the columns of numbers,
//           and "words", those of categories (text, "" for a gap). Output "prediction" (rows ×
//           outputs), or for classes "label" (the likeliest one: whole numbers if all names are
//           such, else text) and "probabilities".
//
// Levels are compared as they are written: 1 and 1.0 are two.
//
// A kernel or a response that the format has no formula for is an InvalidArgument that says so.
#pragma once

#include <string>

#include "bkernn/io.hpp"

namespace bkernn {

// The numbers of an ONNX graph: its input, its outputs and what lies between. float32 standardizes
// x in float64, so that a large center does not cost digits.
enum class OnnxNumbers { float32, float64 };

enum class Response {
  identity,     // f
  exponential,  // e^f, at most the largest number
  logistic,     // 1 − p and p = 1/(1 + e^−f)
  softmax,      // e^{f_k} / Σ_l e^{f_l}
};

// From f to the scale of y: the formula of the model's loss. Throws InvalidArgument if it is none
// of these.
Response response_of(const Model& model);

std::string model_to_c(const SavedModel& saved);
std::string model_to_onnx(const SavedModel& saved, OnnxNumbers numbers = OnnxNumbers::float64);

// Whether the name is that of a file to export to, by its extension.
bool is_export(const std::string& path);

// Writes a .c or .onnx file, whole or not at all.
void export_model(const SavedModel& saved, const std::string& path,
                  OnnxNumbers numbers = OnnxNumbers::float64);

}  // namespace bkernn
