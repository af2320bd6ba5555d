// The encoder of a table with words and gaps (columns.hpp) as a part of an ONNX graph.
//
// The table comes in two inputs, each with the columns of its kind in their order: "X" has the
// numbers, NaN where one is missing, and "words" the categories, "" where one is missing (unless ""
// is a level itself). Levels are compared as they are written.
#pragma once

#include <string>

#include "bkernn/columns.hpp"
#include "export/onnx_graph.hpp"

namespace bkernn {

// Adds the inputs, numbers being of this type, and returns the name of the coordinates: rows ×
// coordinates, float64.
std::string put_encoder(OnnxGraph& graph, const Encoder& encoder, OnnxType type);

}  // namespace bkernn
